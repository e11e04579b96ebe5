// A number as sentences name it.
#pragma once
#include <cmath>
#include <cstdio>
#include <string>

namespace hydra {

// Of so many significant digits; whole numbers have all of theirs: "16777216", never "1.67772e+07".
inline std::string short_number(double value, int digits = 6) {
  char text[32];
  const bool whole = std::abs(value) < 1e15 && value == std::trunc(value);
  std::snprintf(text, sizeof text, "%.*g", whole ? 15 : digits, value);
  return text;
}

}  // namespace hydra
