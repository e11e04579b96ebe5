#include "core/linalg/stamp.h"

#include <atomic>

namespace hydra {

namespace {
// The first of count numbers that nobody else takes.
std::uint64_t take(std::uint64_t count) {
  static std::atomic<std::uint64_t> taken = 1;
  return taken.fetch_add(count, std::memory_order_relaxed);
}
// Even, and so no key's, which are odd; each number another, since mixing can be undone.
Stamp stamp_of(std::uint64_t number) { return {detail::mixed(number), detail::mixed(~number) & ~std::uint64_t{1}}; }
}  // namespace

Stamp new_stamp() { return stamp_of(take(1)); }

std::vector<Stamp> new_stamps(std::ptrdiff_t count) {
  std::vector<Stamp> stamps(static_cast<std::size_t>(count));
  std::uint64_t number = take(stamps.size());
  for (Stamp& stamp : stamps) stamp = stamp_of(number++);
  return stamps;
}

}  // namespace hydra
