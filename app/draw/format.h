// Numbers as text, the same everywhere.
#pragma once
#include <string>
#include <type_traits>

namespace hydra::ui {

// Significant digits, fixed notation where it is short: 0.0312, -1.20, 64.0, 1.2e+05, 0, -inf as "masked" is the
// caller's affair: here "-∞", "∞", "NaN". Signed values align because the minus is U+2212, as wide as a digit.
std::string number(double value, int digits = 3);

// So many decimals, for columns and cells that line up: 0.03, -1.20. Never "-0.00". From ten million on as number has
// it, which has the room.
std::string fixed(double value, int decimals);

// A whole number, not negative; from five digits on in groups of three: "1024", "16 384"; from 1e15 on as number has
// it.
std::string grouped(double value);

// As short as it is exact: 5, 0.25, 2.5. For the round numbers of ranges.
std::string short_number(double value);

// The least 1, 2, 2.5 or 5 times a power of ten that is at least value (up to float rounding: 0.2f gives 0.2): a range
// for a legend that does not flicker. 1 for values that are not positive and finite.
double nice_ceiling(double value);
// The same in closer steps (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8), at most 4/3 of the value: where all colours are to be
// used.
double close_ceiling(double value);

// "1 head", "8 heads": the plural of a word is it with an s where none is given.
std::string counted(long long count, const std::string& one, const std::string& many = {});

// Texts and whole numbers one behind the other.
template <class... Part>
std::string words(const Part&... parts) {
  std::string text;
  const auto add = [&](const auto& part) {
    if constexpr (std::is_integral_v<std::decay_t<decltype(part)>>)
      text += std::to_string(part);
    else
      text += part;
  };
  (add(parts), ...);
  return text;
}

}  // namespace hydra::ui
