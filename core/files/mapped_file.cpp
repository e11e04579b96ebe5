#include "core/files/mapped_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <set>

#include "core/error.h"
#include "core/files/anonymous.h"
#include "core/files/bounded_file.h"
#include "core/files/descriptor.h"
#include "core/files/printable.h"

namespace hydra {

namespace {

// What is mapped: bytes of a file from an offset on, but for pages of its own.
struct MappedBytes {
  std::size_t size = 0;
  std::shared_ptr<const Descriptor> file;
  std::size_t offset = 0;
  std::set<std::size_t> own;  // pages, counted from its first byte
};
struct AllMapped {
  std::mutex mutex;
  std::map<const std::byte*, MappedBytes> by_first;
};
AllMapped& all_mapped() {
  static AllMapped& all = *new AllMapped;  // outlives every owner
  return all;
}

// Bytes of memory: fewer are copied sooner than mapped.
constexpr std::size_t kWorthAFile = std::size_t{4} << 20;

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

// --- files that are cut while they are mapped

std::atomic<int> cut_pages = 0;
std::size_t bytes_of_page = 0;  // before the first signal can come

// The page that is no more is one of zeros, and whoever looked at it goes on. Calls what may be called from a signal;
// mmap is not on POSIX's list of it, and is on all systems that have it nothing but a call of the system.
void put_zeros(int signal, siginfo_t* info, void*) {
  const std::size_t page = bytes_of_page;
  auto* const at = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(info->si_addr) / page * page);
  const bool of_file = info->si_code == BUS_ADRERR;
  if (of_file && ::mmap(at, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == at) {
    ++cut_pages;
    return;
  }
  ::signal(signal, SIG_DFL);  // the next try ends the program
}

void survive_cut_files() {
  static const bool once = [] {
    bytes_of_page = page_size();
    struct sigaction action {};
    action.sa_sigaction = put_zeros;
    action.sa_flags = SA_SIGINFO;
    return ::sigaction(SIGBUS, &action, nullptr) == 0;
  }();
  (void)once;
}

// Unmaps so many bytes when its last owner goes. Where it cannot be made, they are unmapped at once: not to be called
// with the mutex held, which unmapping takes.
std::shared_ptr<const void> owner_of(void* at, std::size_t size) {
  return {at, [size](const void* first) {
            AllMapped& all = all_mapped();
            const std::lock_guard lock(all.mutex);
            all.by_first.erase(static_cast<const std::byte*>(first));
            ::munmap(const_cast<void*>(first), size);
          }};
}

void note(const std::shared_ptr<const void>& owner, MappedBytes what) {
  AllMapped& all = all_mapped();
  const std::lock_guard lock(all.mutex);
  all.by_first.emplace(static_cast<const std::byte*>(owner.get()), std::move(what));
}

struct Found {
  const std::byte* first = nullptr;
  MappedBytes what;
};
std::optional<Found> mapped_around(std::span<const std::byte> bytes) {
  AllMapped& all = all_mapped();
  const std::lock_guard lock(all.mutex);
  auto found = all.by_first.upper_bound(bytes.data());
  if (found == all.by_first.begin()) return std::nullopt;
  --found;
  const auto at = static_cast<std::size_t>(bytes.data() - found->first);
  if (at >= found->second.size || bytes.size() > found->second.size - at) return std::nullopt;
  return Found{found->first, found->second};
}

// The bytes in a file that has no name, where copies of them can share them.
std::optional<Found> in_anonymous_file(std::span<const std::byte> bytes) {
  const auto file = std::make_shared<const Descriptor>(anonymous_file());
  if (!file->open() || !write_all(file->number(), text_of(bytes))) return std::nullopt;
  return Found{bytes.data(), {bytes.size(), file, 0, {}}};
}

}  // namespace

FileBytes map_file(const std::string& path) {
  constexpr std::uint64_t any_size = std::numeric_limits<std::uint64_t>::max();
  if (path == "-") return in_memory("standard input", read_at_most(any_size, path));
  const std::string name = printable(path, 200);
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw InputError(name + ": cannot be read: " + std::strerror(errno));
  if (S_ISDIR(status.st_mode)) throw InputError(name + ": is a directory, and a file is needed");
  if (!S_ISREG(status.st_mode)) return in_memory(path, read_at_most(any_size, path));  // a pipe is opened once
  const auto file = std::make_shared<const Descriptor>(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file->open() || ::fstat(file->number(), &status) != 0)
    throw InputError(name + ": cannot be read: " + std::strerror(errno));
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > 0 && size <= std::numeric_limits<std::size_t>::max()) {
    survive_cut_files();
    const auto length = static_cast<std::size_t>(size);
    void* const at = ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE, file->number(), 0);
    if (at != MAP_FAILED) {
      auto owner = owner_of(at, length);
      note(owner, {length, file, 0, {}});
      return {path, {static_cast<const std::byte*>(at), length}, std::move(owner)};
    }
  }
  return in_memory(path, read_at_most(any_size, path));
}

std::optional<ChangedBytes> copy_to_change(std::span<const std::byte> bytes, std::span<const ByteRange> changed) {
  auto found = mapped_around(bytes);
  const bool in_memory = !found;
  if (in_memory && bytes.size() >= kWorthAFile) found = in_anonymous_file(bytes);
  if (!found) return std::nullopt;
  const auto& [first, of] = *found;
  const std::size_t page = page_size(), at = static_cast<std::size_t>(bytes.data() - first), begin = at / page * page,
                    size = at + bytes.size() - begin;
  void* const copy = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, of.file->number(),
                            static_cast<off_t>(of.offset + begin));
  if (copy == MAP_FAILED) return std::nullopt;
  auto owner = owner_of(copy, size);
  auto* const into = static_cast<std::byte*>(copy);
  MappedBytes now{size, of.file, of.offset + begin, {}};
  for (auto own = of.own.lower_bound(begin / page); own != of.own.end() && *own * page < begin + size; ++own) {
    const std::size_t from = *own * page, count = std::min(page, begin + size - from);
    std::memcpy(into + (from - begin), first + from, count);
    now.own.insert(*own - begin / page);
  }
  for (const ByteRange& range : changed)
    for (std::size_t k = (at - begin + range.begin) / page;
         range.size > 0 && k <= (at - begin + range.begin + range.size - 1) / page; ++k)
      now.own.insert(k);
  const std::size_t own = now.own.size() * page + (in_memory ? bytes.size() : 0);
  note(owner, std::move(now));
  return ChangedBytes{std::move(owner), into + (at - begin), own};
}

int times_cut() { return cut_pages; }

FileBytes in_memory(std::string name, std::string content) {
  const auto kept = std::make_shared<const std::string>(std::move(content));
  return {std::move(name), bytes_of(*kept), kept};
}

}  // namespace hydra
