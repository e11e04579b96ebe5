#include "core/json/reader.h"

#include <algorithm>
#include <limits>

namespace hydra {

void JsonReader::fail(const std::string& pointer, const std::string& what) const {
  std::string place = name_;
  std::size_t longest = 0;  // of several overrides, the nearest one is to blame
  for (const Override& o : overrides_) {
    if (o.pointer.size() < longest || (pointer != o.pointer && !pointer.starts_with(o.pointer + "/"))) continue;
    longest = o.pointer.size();
    place = "--set " + printable(o.argument);
  }
  throw InputError(place + ": " + (pointer.empty() ? what_ : pointer) + " " + what);
}

bool JsonReader::is_set(std::string_view pointer) const {
  return std::ranges::any_of(overrides_, [&](const Override& o) { return o.pointer == pointer; });
}

Node JsonReader::member(const Node& object, std::string_view key) const {
  return {object ? object.json->find(key) : nullptr, object.pointer + "/" + std::string(key)};
}

void JsonReader::check_object(const Node& node, const std::vector<std::string_view>& keys) const {
  if (!node) return;
  if (!node.json->is_object()) fail_type(node, "an object");
  for (auto at = node.json->begin(); at != node.json->end(); ++at) {
    if (std::find(keys.begin(), keys.end(), at.key()) != keys.end()) continue;
    std::string list;
    for (const std::string_view name : keys) list += (list.empty() ? "" : ", ") + std::string(name);
    fail(pointer_to(node.pointer, at.key()), "is not known; the keys here are " + list);
  }
}

Index JsonReader::whole_number(const Node& node, Index otherwise) const {
  if (!node) return otherwise;
  if (!node.json->is_whole()) fail_type(node, "a whole number");
  constexpr auto kMost = std::numeric_limits<Index>::max();
  if (!node.json->is_negative() && node.json->as<std::uint64_t>() > static_cast<std::uint64_t>(kMost))
    fail_type(node, "smaller");
  return node.json->as<Index>();
}

Elements JsonReader::elements(const Node& node, const std::string& needed) const {
  if (!node) return {node, 0};
  if (!node.json->is_array()) fail_type(node, needed);
  return {node, node.json->size()};
}

void JsonReader::check_count(const Node& node, std::size_t most, const std::string& of) const {
  if (node && node.json->size() > most)
    fail(node.pointer,
         "has " + std::to_string(node.json->size()) + " " + of + "; at most " + std::to_string(most) + " are possible");
}

Index JsonReader::whole_number(const Node& node, Index least, Index most, Index otherwise) const {
  const Index value = whole_number(node, otherwise);
  if (node && (value < least || value > most))
    fail_type(node, "from " + std::to_string(least) + " to " + std::to_string(most));
  return value;
}

std::uint64_t JsonReader::seed(const Node& node, std::uint64_t otherwise) const {
  if (!node) return otherwise;
  if (!node.json->is_whole() || node.json->is_negative())
    fail_type(node, "a whole number from 0 to 18446744073709551615");
  return node.json->as<std::uint64_t>();
}

float JsonReader::number(const Json& json, const std::string& pointer) const {
  if (!json.is_number()) fail_type({&json, pointer}, "a finite number");
  return json.as<float>();
}

bool JsonReader::flag(const Node& node, bool otherwise) const {
  if (!node) return otherwise;
  if (!node.json->is_boolean()) fail_type(node, "true or false");
  return node.json->truth();
}

std::string JsonReader::string(const Node& node) const {
  if (!node.json->is_string()) fail_type(node, "a string");
  return std::string(node.json->text());
}

const Json& JsonReader::array(const Json& json, const std::string& pointer, Index size, const std::string& of) const {
  const auto counted = [&](std::size_t count) { return std::to_string(count) + " " + of + (count == 1 ? "" : "s"); };
  const auto needed = static_cast<std::size_t>(size);
  if (!json.is_array()) fail_type({&json, pointer}, "an array of " + counted(needed));
  if (json.size() != needed)
    fail(pointer,
         "has " + counted(json.size()) + " where " + std::to_string(size) + (size == 1 ? " is needed" : " are needed"));
  return json;
}

Mat<float> JsonReader::matrix(const Node& node, Index rows, Index cols) const {
  const Json& lines = array(*node.json, node.pointer, rows, "row");
  Mat<float> values(rows, cols);
  Index i = 0;
  for (const Json& line : lines) {
    values.row(i) = vector({&line, pointer_to(node.pointer, std::to_string(i))}, cols);
    ++i;
  }
  return values;
}

RowVec<float> JsonReader::vector(const Node& node, Index size) const {
  const Json& line = array(*node.json, node.pointer, size, "number");
  RowVec<float> values(size);
  Index j = 0;
  for (const Json& value : line) {
    if (!value.is_number()) number(value, pointer_to(node.pointer, std::to_string(j)));
    values(j++) = value.as<float>();
  }
  return values;
}

}  // namespace hydra
