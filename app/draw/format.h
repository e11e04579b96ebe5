// Numbers as text, the same everywhere.
#pragma once
#include <string>
#include <type_traits>

namespace hydra {

// How a number is written: all styles of the interface, see their table in format.cpp.
enum class As {
  value,    // significant digits: three, "0.0312", "1.2e+05"
  reading,  // four
  exact,    // five
  rough,    // two
  order,    // one
  share,    // decimals, which line up: three, "0.930"; never "-0.000", and from ten million on as value has it
  brief,    // two
  tenths,   // one
  whole,    // none
  column,   // two, from 10 on one; "–" for none
  count,    // a whole number from 0 on, of five digits in groups of three: "1024", "16 384"; from 1e15 on as value
  axis,     // as short as it is exact: "5", "0.25", for the round numbers of ranges
  percent,  // of a share: "61 %", "4.2 %", "< 0.1 %"; "n/a" for none
  whole_percent,  // "61 %"; "–" for none
  fine_percent,   // "21.7 %"; "n/a" for none
  axis_percent,   // "2.5 %", as short as it is exact
};

namespace ui {

// Infinite ones are "∞" and "−∞", none is "NaN" where a style says nothing else, and what is withheld "?"; what is
// masked is the caller's affair.
// The minus is U+2212, as wide as a digit, so that signed values align.
std::string number(double value, As style = As::value);

// The fewest digits that read back to the same float, with a minus that can be typed: what is edited and copied.
std::string that_reads_back(float value);

// So many decimals, where what stands beside it decides how many (cells of a matrix, columns of a sum); kScientific: in
// powers of ten.
inline constexpr int kScientific = -1;
std::string in_column(double value, int decimals);

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

}  // namespace ui

}  // namespace hydra
