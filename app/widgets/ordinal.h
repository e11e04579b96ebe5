#pragma once
#include <string>

namespace hydra::ui {

// "2nd", "11th", "103rd".
inline std::string ordinal(long long number) {
  const long long last = number % 10;
  const bool teen = number / 10 % 10 == 1;
  return std::to_string(number) + (teen ? "th" : last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

}  // namespace hydra::ui
