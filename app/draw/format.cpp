#include "app/draw/format.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace hydra::ui {

namespace {

std::string with_true_minus(const char* ascii) {
  std::string text;
  for (const char* c = ascii; *c; ++c) {
    if (*c == '-')
      text += "\u2212";
    else
      text += *c;
  }
  return text;
}

// Of the steps, times the power of ten below the value.
double least_step(double value, std::initializer_list<double> steps) {
  if (!(value > 0) || std::isinf(value)) return 1;
  const double decade = std::pow(10.0, std::floor(std::log10(value)));
  for (const double step : steps)
    if (step * decade >= value * (1 - 1e-6)) return step * decade;
  return 10 * decade;
}

}  // namespace

std::string number(double value, int digits) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "\u2212\u221e" : "\u221e";
  if (value == 0) return "0";
  digits = std::clamp(digits, 1, 17);
  char text[48];
  // Rounded first: the exponent decides the notation, and 9.996 has the one of 10.0.
  std::snprintf(text, sizeof text, "%.*e", digits - 1, value);
  const int exponent = std::atoi(std::char_traits<char>::find(text, sizeof text, 'e') + 1);
  if (exponent >= -3 && exponent < 5)
    std::snprintf(text, sizeof text, "%.*f", std::max(0, digits - 1 - exponent), value);
  else
    std::snprintf(text, sizeof text, "%.*e", std::max(0, digits - 2), value);  // the exponent costs width already
  return with_true_minus(text);
}

std::string fixed(double value, int decimals) {
  if (!(std::abs(value) < 1e7)) return number(value);
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", std::clamp(decimals, 0, 17), value);
  const bool all_zero = std::string_view(text).find_first_of("123456789") == std::string_view::npos;
  return with_true_minus(all_zero && text[0] == '-' ? text + 1 : text);
}

std::string grouped(double value) {
  if (!(std::abs(value) < 1e15)) return number(value);
  std::string digits = std::to_string(std::llround(value));
  if (digits.size() < 5) return digits;
  for (std::size_t k = digits.size(); k > 3;) digits.insert(k -= 3, "\u00a0");  // no line ends within a number
  return digits;
}

std::string short_number(double value) {
  if (!std::isfinite(value)) return number(value);
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return with_true_minus(text);
}

std::string counted(long long count, const std::string& one, const std::string& many) {
  return ui::words(count, " ", count == 1 ? one : many.empty() ? one + "s" : many);
}

double nice_ceiling(double value) { return least_step(value, {0.5, 1.0, 2.0, 2.5, 5.0, 10.0}); }
double close_ceiling(double value) {
  return least_step(value, {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0});
}

}  // namespace hydra::ui
