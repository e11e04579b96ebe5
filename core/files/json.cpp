#include "core/files/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/error.h"
#include "core/files/json_fault.h"
#include "core/files/utf8.h"

namespace hydra {

namespace {

// Builds the value from the parser's events. The parser keeps its own stack on the heap, so depth costs no stack here.
class Builder {
 public:
  Builder(std::string_view text, const std::string& name, std::uint64_t most_values)
      : text_(text), name_(name), most_values_(most_values) {}

  bool null() { return add(nullptr) != nullptr; }
  bool boolean(bool value) { return add(value) != nullptr; }
  bool number_integer(std::int64_t value) { return add(value) != nullptr; }
  bool number_unsigned(std::uint64_t value) { return add(value) != nullptr; }
  bool number_float(float value, const std::string&) { return add(value) != nullptr; }
  bool string(std::string& value) { return add(std::move(value)) != nullptr; }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& key) {
    key_ = std::move(key);
    if (open_.back()->contains(key_)) throw InputError(name_ + ": " + here() + " is given twice");
    return true;
  }

  bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception& fault) {
    if (fault.id == 406)
      throw InputError(name_ + ": " + here() + " is " + printable(token) +
                       ", which is beyond the largest number, 3.4e38");
    throw InputError(name_ + ": " + json_fault(text_));
  }

  JsonTree tree;

 private:
  Json* add(Json value) {
    if (++count_ > most_values_)
      throw InputError(name_ + ": more than " + std::to_string(most_values_) +
                       " values, which is more than it can need");
    if (open_.empty()) return &(tree.root = std::move(value));
    Json& container = *open_.back();
    if (container.is_object()) return &(container[key_] = std::move(value));
    container.get_ref<Json::array_t&>().push_back(std::move(value));
    return &container.back();
  }

  bool open(Json container) {
    if (open_.size() == kMaxDepth)
      throw InputError(name_ + ": " + here() + " is nested deeper than " + std::to_string(kMaxDepth) + " levels");
    open_.push_back(add(std::move(container)));
    keys_.push_back(key_);
    return true;
  }

  bool close() {
    key_ = std::move(keys_.back());
    keys_.pop_back();
    open_.pop_back();
    return true;
  }

  // Where the parser stands: the pointer of the value that comes next.
  std::string here() const {
    std::string pointer;
    for (std::size_t k = 0; k < open_.size(); ++k) {
      const std::string& key = k + 1 < open_.size() ? keys_[k + 1] : key_;
      const std::size_t size = open_[k]->size();
      const std::size_t index = k + 1 < open_.size() ? size - 1 : size;
      pointer = pointer_to(pointer, open_[k]->is_object() ? key : std::to_string(index));
    }
    return pointer.empty() ? "the document" : pointer;
  }

  std::string_view text_;
  const std::string& name_;
  std::vector<Json*> open_;        // containers not yet closed; no container grows while one within it is open
  std::vector<std::string> keys_;  // beside open_: the key under which each was added
  std::string key_;                // the last key read
  std::uint64_t most_values_, count_ = 0;
};

// An empty container asks for no memory when it goes. No deeper than kMaxDepth.
void dismantle(Json& json) {
  if (!json.is_structured()) return;
  for (Json& child : json) dismantle(child);
  json.clear();
}

std::vector<std::string> split_pointer(const std::string& pointer) {
  std::vector<std::string> keys;
  for (std::size_t begin = 1; begin <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', begin), pointer.size());
    std::string key = pointer.substr(begin, end - begin);
    for (std::size_t at = 0; (at = key.find('~', at)) != std::string::npos; ++at) {
      if (key.compare(at, 2, "~1") == 0)
        key.replace(at, 2, "/");
      else if (key.compare(at, 2, "~0") == 0)
        key.replace(at, 2, "~");
    }
    keys.push_back(std::move(key));
    begin = end + 1;
  }
  return keys;
}

Json value_or_string(const std::string& text) {
  try {
    return std::move(parse_json(text, "").root);
  } catch (const InputError&) {
    return text;
  }
}

}  // namespace

JsonTree parse_json(std::string_view text, const std::string& name, std::uint64_t most_values) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError(name + ": empty; a document begins with {\"hydrascope\": 1");
  if (const std::size_t bad = first_broken(text); bad < text.size())
    throw InputError(name + ": " + line_and_column(text, bad) + ": here is no UTF-8 text; save the document as UTF-8");
  Builder builder(text, name, most_values);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder.tree);
}

JsonTree::~JsonTree() { dismantle(root); }

Override apply_override(Json& document, const std::string& argument) {
  const std::string place = "--set " + printable(argument) + ": ";
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos || argument.front() != '/')
    throw InputError(place + "must be a JSON pointer and a value, such as /layers/0/heads=4");
  if (!is_utf8(argument)) throw InputError(place + "must be UTF-8 text");
  Json* at = &document;
  std::string walked, made;  // pointers: as far as at, and to the outermost value that was not there before
  for (const std::string& key : split_pointer(argument.substr(0, equals))) {
    if (at->is_null()) *at = Json::object();
    if (at->is_object()) {
      if (made.empty() && !at->contains(key)) made = pointer_to(walked, key);
      at = &(*at)[key];
    } else if (at->is_array()) {
      std::size_t index = 0;
      const auto [end, fault] = std::from_chars(key.data(), key.data() + key.size(), index);
      if (fault != std::errc() || end != key.data() + key.size() || index >= at->size())
        throw InputError(place + walked + " has " + std::to_string(at->size()) +
                         (at->size() == 1 ? " element" : " elements") + ", counted from 0, and none is " +
                         printable(key));
      at = &(*at)[index];
    } else {
      throw InputError(place + walked + " is " + in_words(*at) + " and has nothing inside");
    }
    walked = pointer_to(walked, key);
  }
  Json value = value_or_string(argument.substr(equals + 1));
  dismantle(*at);
  *at = std::move(value);
  return {made.empty() ? walked : made, argument};
}

std::string pointer_to(const std::string& object, std::string_view key) {
  std::string pointer = object + "/";
  for (const char c : printable(key)) {
    if (c == '~')
      pointer += "~0";
    else if (c == '/')
      pointer += "~1";
    else
      pointer += c;
  }
  return pointer;
}

std::string in_words(const Json& value) {
  if (value.is_number()) return "the number " + value.dump();
  if (value.is_string()) return "the string \"" + printable(value.get_ref<const std::string&>()) + "\"";
  if (value.is_array()) return "an array of " + std::to_string(value.size());
  if (value.is_object()) return "an object";
  return value.is_null() ? "null" : value.get<bool>() ? "true" : "false";
}

std::string printable(std::string_view text, std::size_t most) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string quoted;
  for (std::size_t at = 0; at < text.size();) {
    const Character c = decode(text, at);
    if (c.end > most) return quoted + "…";
    if (c.code == Character::kNone) {  // a byte that belongs to no character, as file names may have them
      const auto byte = static_cast<unsigned char>(text[at]);
      ((quoted += "\\x") += hex[byte >> 4]) += hex[byte & 15];
    } else if (c.code == '"') {
      quoted += '"';
    } else {
      std::string one;
      append_string(one, text.substr(at, c.end - at));
      quoted.append(one, 1, one.size() - 2);
    }
    at = c.end;
  }
  return quoted;
}

void append_number(std::string& out, float value) {
  if (value == 0 && std::signbit(value)) {
    out += "-0.0";  // "-0" would be read as a whole number, which has no sign
    return;
  }
  char digits[32];
  const auto [end, fault] = std::to_chars(digits, digits + sizeof digits, value);
  (void)fault;  // 32 characters hold every float
  out.append(digits, end);
}

void append_string(std::string& out, std::string_view text) {
  static constexpr char hex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (byte < 0x20 || byte == 0x7F)
      ((out += "\\u00") += hex[byte >> 4]) += hex[byte & 15];
    else
      out += c;
  }
  out += '"';
}

}  // namespace hydra
