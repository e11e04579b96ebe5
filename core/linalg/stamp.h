// What values are told apart by: same stamp, same values. Comparing two of them costs the same however many values
// there are, and a stamp can be kept where holding on to the values would cost memory.
#pragma once
#include <bit>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hydra {

struct Stamp {
  std::uint64_t high = 0, low = 0;  // both 0: of nothing
  explicit operator bool() const { return (high | low) != 0; }
  auto operator<=>(const Stamp&) const = default;
};

namespace detail {
// The mixing step of SplitMix64 (random.h).
constexpr std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}
}  // namespace detail

// One that nothing else has, in this process: of values that come from outside.
Stamp new_stamp();
std::vector<Stamp> new_stamps(std::ptrdiff_t count);

// The stamp of values that are computed: a 128-bit hash of how they are made and of all that they depend on, operands
// by their stamps. Recomputed, they have the same one. Stamps are random in all their bits, so that taking one in costs
// two multiplications side by side.
class Key {
 public:
  // made_by: what tells this computation from all others, "scores"; hashed when the program is built.
  template <std::size_t SIZE>
  explicit consteval Key(const char (&made_by)[SIZE]) {
    *this << std::string_view(made_by, SIZE - 1);
  }

  constexpr Key& operator<<(Stamp operand) {
    high_ = (std::rotl(high_, 29) ^ operand.high) * 0x9e3779b97f4a7c15ULL;
    low_ = (std::rotl(low_, 37) + operand.low) * 0xd1342543de82ef95ULL;
    return *this;
  }
  template <class Number>
  requires std::integral<Number> || std::is_enum_v<Number>
  constexpr Key& operator<<(Number number) { return *this << stamp_of(static_cast<std::uint64_t>(number)); }
  constexpr Key& operator<<(double number) { return *this << stamp_of(std::bit_cast<std::uint64_t>(number)); }
  constexpr Key& operator<<(std::string_view text) {
    std::uint64_t eight = 0;
    for (std::size_t k = 0; k < text.size(); ++k) {
      eight = eight << 8 | static_cast<unsigned char>(text[k]);
      if (k % 8 == 7) *this << stamp_of(eight);
    }
    return *this << stamp_of(eight) << stamp_of(text.size());
  }
  constexpr Stamp stamp() const { return {detail::mixed(high_ ^ low_ >> 32), detail::mixed(low_ + high_) | 1}; }

 private:
  static constexpr Stamp stamp_of(std::uint64_t word) {
    return {detail::mixed(word), detail::mixed(word + 0x9e3779b97f4a7c15ULL)};
  }

  std::uint64_t high_ = 0x243f6a8885a308d3ULL, low_ = 0x13198a2e03707344ULL;
};

}  // namespace hydra

template <>
struct std::hash<hydra::Stamp> {
  std::size_t operator()(const hydra::Stamp& stamp) const noexcept { return static_cast<std::size_t>(stamp.high); }
};
