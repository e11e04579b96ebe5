#include "core/files/json_reader.h"

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

Node JsonReader::member(const Node& object, const char* key) const {
  if (!object) return {nullptr, object.pointer + "/" + key};
  const auto found = object.json->find(key);
  return {found == object.json->end() ? nullptr : &*found, object.pointer + "/" + key};
}

void JsonReader::check_object(const Node& node, const std::vector<const char*>& keys) const {
  if (!node) return;
  if (!node.json->is_object()) fail_type(node, "an object");
  for (const auto& [key, value] : node.json->items()) {
    const auto is_key = [&k = key](const char* name) { return k == name; };
    if (std::any_of(keys.begin(), keys.end(), is_key)) continue;
    std::string list;
    for (const char* name : keys) list += std::string(list.empty() ? "" : ", ") + name;
    fail(pointer_to(node.pointer, key), "is not known; the keys here are " + list);
  }
}

Index JsonReader::whole_number(const Node& node, Index otherwise) const {
  if (!node) return otherwise;
  if (!node.json->is_number_integer()) fail_type(node, "a whole number");
  if (*node.json > std::numeric_limits<Index>::max()) fail_type(node, "smaller");
  return node.json->get<Index>();
}

std::vector<Node> JsonReader::elements(const Node& node, const std::string& needed) const {
  std::vector<Node> nodes;
  if (!node) return nodes;
  if (!node.json->is_array()) fail_type(node, needed);
  for (const Json& json : *node.json) nodes.push_back({&json, pointer_to(node.pointer, std::to_string(nodes.size()))});
  return nodes;
}

Index JsonReader::whole_number(const Node& node, Index least, Index most, Index otherwise) const {
  const Index value = whole_number(node, otherwise);
  if (node && (value < least || value > most))
    fail_type(node, "from " + std::to_string(least) + " to " + std::to_string(most));
  return value;
}

std::uint64_t JsonReader::seed(const Node& node, std::uint64_t otherwise) const {
  if (!node) return otherwise;
  const bool negative = node.json->is_number_integer() && !node.json->is_number_unsigned() && *node.json < 0;
  if (!node.json->is_number_integer() || negative) fail_type(node, "a whole number from 0 to 18446744073709551615");
  return node.json->get<std::uint64_t>();
}

float JsonReader::number(const Json& json, const std::string& pointer) const {
  if (!json.is_number()) fail_type({&json, pointer}, "a finite number");
  return json.get<float>();
}

bool JsonReader::flag(const Node& node, bool otherwise) const {
  if (!node) return otherwise;
  if (!node.json->is_boolean()) fail_type(node, "true or false");
  return node.json->get<bool>();
}

const std::string& JsonReader::string(const Json& json, const std::string& pointer) const {
  if (!json.is_string()) fail_type({&json, pointer}, "a string");
  return json.get_ref<const std::string&>();
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
  for (Index i = 0; i < rows; ++i)
    values.row(i) = vector({&lines[static_cast<std::size_t>(i)], pointer_to(node.pointer, std::to_string(i))}, cols);
  return values;
}

RowVec<float> JsonReader::vector(const Node& node, Index size) const {
  const Json& line = array(*node.json, node.pointer, size, "number");
  RowVec<float> values(size);
  Index j = 0;
  for (const Json& value : line) {
    if (!value.is_number()) number(value, pointer_to(node.pointer, std::to_string(j)));
    values(j++) = value.get<float>();
  }
  return values;
}

}  // namespace hydra
