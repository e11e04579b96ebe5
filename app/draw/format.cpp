#include "app/draw/format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <string_view>

#include "core/explain/withheld.h"

namespace hydra::ui {

namespace {

std::string with_true_minus(std::string_view ascii) {
  constexpr std::string_view kMinus = "\u2212";
  std::string text(ascii);
  for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at + kMinus.size()))
    text.replace(at, 1, kMinus);
  return text;
}

// A finite number as printf writes it, which takes twice as long.
class Written {
 public:
  Written(double value, std::chars_format format, int digits)
      : end_(std::to_chars(text_, text_ + sizeof text_, value, format, digits).ptr) {}
  std::string_view text() const { return {text_, static_cast<std::size_t>(end_ - text_)}; }
  int exponent() const {  // of what is scientific
    const std::string_view all = text();
    return std::atoi(std::string(all.substr(all.find('e') + 1)).c_str());
  }

 private:
  char text_[48];
  char* end_;
};

// Of the steps, times the power of ten below the value.
double least_step(double value, std::initializer_list<double> steps) {
  if (!(value > 0) || std::isinf(value)) return 1;
  const double decade = std::pow(10.0, std::floor(std::log10(value)));
  for (const double step : steps)
    if (step * decade >= value * (1 - 1e-6)) return step * decade;
  return 10 * decade;
}

std::string significant(double value, int digits) {
  if (std::isnan(value)) return is_withheld(value) ? "?" : "NaN";
  if (std::isinf(value)) return value < 0 ? "\u2212\u221e" : "\u221e";
  if (value == 0) return "0";
  // Rounded first: the exponent decides the notation, and 9.996 has the one of 10.0.
  const int exponent = Written(value, std::chars_format::scientific, digits - 1).exponent();
  const bool is_short = exponent >= -3 && exponent < 5;
  return with_true_minus(is_short ? Written(value, std::chars_format::fixed, std::max(0, digits - 1 - exponent)).text()
                                  // the exponent costs width already
                                  : Written(value, std::chars_format::scientific, std::max(0, digits - 2)).text());
}

std::string fixed(double value, int decimals) {
  if (!(std::abs(value) < 1e7)) return significant(value, 3);
  const Written written(value, std::chars_format::fixed, std::clamp(decimals, 0, 17));
  const std::string_view text = written.text();
  const bool all_zero = text.find_first_of("123456789") == std::string_view::npos;
  return with_true_minus(all_zero && text[0] == '-' ? text.substr(1) : text);
}

std::string grouped(double value) {
  if (!(std::abs(value) < 1e15)) return significant(value, 3);
  std::string digits = std::to_string(std::llround(value));
  if (digits.size() < 5) return digits;
  for (std::size_t k = digits.size(); k > 3;) digits.insert(k -= 3, "\u00a0");  // no line ends within a number
  return digits;
}

std::string shortest(double value) {
  if (!std::isfinite(value)) return significant(value, 3);
  return with_true_minus(Written(value, std::chars_format::general, 6).text());
}

// With one decimal below so many percent.
std::string percents(double share, double few) {
  const double value = 100 * share;
  if (std::abs(value) >= 1e5) return significant(value, 3) + " %";
  return fixed(value, std::abs(value) < few ? 1 : 0) + " %";
}

struct Style {
  As style;
  std::string (*text)(double value, int digits);
  int digits;
  const char* none = nullptr;  // for what is not a number
};
constexpr Style kStyles[] = {
    {As::value, significant, 3},
    {As::reading, significant, 4},
    {As::exact, significant, 5},
    {As::rough, significant, 2},
    {As::order, significant, 1},
    {As::share, fixed, 3},
    {As::brief, fixed, 2},
    {As::tenths, fixed, 1},
    {As::whole, fixed, 0},
    {As::column, [](double value, int) { return fixed(value, std::abs(value) >= 10 ? 1 : 2); }, 2, "–"},
    {As::count, [](double value, int) { return grouped(value); }, 0},
    {As::axis, [](double value, int) { return shortest(value); }, 0},
    {As::percent,
     [](double share, int) {
       return share > 0 && share < 0.0005 ? std::string("< 0.1 %") : percents(share, share > 0 ? 9.95 : 0);
     },
     0, "n/a"},
    {As::whole_percent, [](double share, int) { return percents(share, 0); }, 0, "–"},
    {As::fine_percent, [](double share, int) { return percents(share, 99.95); }, 0, "n/a"},
    {As::axis_percent, [](double share, int) { return shortest(100 * share) + " %"; }, 0},
};

static_assert([] {
  for (std::size_t k = 0; k < std::size(kStyles); ++k)
    if (kStyles[k].style != static_cast<As>(k)) return false;
  return std::size(kStyles) == static_cast<std::size_t>(As::axis_percent) + 1;
}());

}  // namespace

std::string number(double value, As style) {
  if (is_withheld(value)) return "?";
  const Style& how = kStyles[static_cast<std::size_t>(style)];
  if (how.none && !std::isfinite(value)) return how.none;
  return how.text(value, how.digits);
}

std::string that_reads_back(float value) {
  if (is_withheld(static_cast<double>(value))) return "?";
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return error == std::errc() ? std::string(text, end) : std::string();
}

std::string in_column(double value, int decimals) {
  return decimals == kScientific || !std::isfinite(value) ? significant(value, 5) : fixed(value, decimals);
}

std::string counted(long long count, const std::string& one, const std::string& many) {
  return ui::words(count, " ", count == 1 ? one : many.empty() ? one + "s" : many);
}

double nice_ceiling(double value) { return least_step(value, {0.5, 1.0, 2.0, 2.5, 5.0, 10.0}); }
double close_ceiling(double value) {
  return least_step(value, {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0});
}

}  // namespace hydra::ui
