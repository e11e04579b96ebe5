// JSON written piece by piece into a string: what is measured, with 9 significant digits, null for what is not
// defined and "inf" for what is infinite. Keys and entries put the comma before them by themselves.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/linalg/types.h"

namespace hydra {

class JsonWriter {
 public:
  std::string text;  // so far; brackets are put straight into it

  // "name": ready for its value.
  JsonWriter& key(std::string_view name);
  // Ready for the next entry of an array.
  JsonWriter& entry();

  void number(double value);
  void number(std::string_view name, double value) { key(name).number(value); }
  void whole(std::string_view name, Index value) { key(name).text += std::to_string(value); }
  void string(std::string_view name, std::string_view value);
  void strings(std::string_view name, const std::vector<std::string>& values);
  void numbers(std::string_view name, const std::vector<double>& values);
  void line() { text += ",\n"; }
};

}  // namespace hydra
