#include "core/json/writer.h"

#include <charconv>
#include <cmath>

#include "core/json/json.h"

namespace hydra {

JsonWriter& JsonWriter::key(std::string_view name) {
  entry();
  append_string(text, name);
  text += ": ";
  return *this;
}

JsonWriter& JsonWriter::entry() {
  if (text.back() != '{' && text.back() != '[' && text.back() != '\n') text += ", ";
  return *this;
}

void JsonWriter::number(double value) {
  if (!std::isfinite(value)) {
    text += std::isnan(value) ? "null" : value > 0 ? "\"inf\"" : "\"-inf\"";
    return;
  }
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 9).ptr);
}

void JsonWriter::string(std::string_view name, std::string_view value) { append_string(key(name).text, value); }

void JsonWriter::strings(std::string_view name, const std::vector<std::string>& values) {
  key(name).text += '[';
  for (const std::string& value : values) append_string(entry().text, value);
  text += ']';
}

void JsonWriter::numbers(std::string_view name, const std::vector<double>& values) {
  key(name).text += '[';
  for (const double value : values) entry().number(value);
  text += ']';
}

}  // namespace hydra
