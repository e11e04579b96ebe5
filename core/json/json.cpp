#include "core/json/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.h"
#include "core/files/utf8.h"
#include "core/json/fault.h"

namespace hydra {

// --- the tree --------------------------------------------------------------------------------------------------------

const Json* Json::find(std::string_view key) const {
  if (!is_object()) return nullptr;
  for (auto at = begin(); at != end(); ++at)
    if (at.key() == key) return &*at;
  return nullptr;
}

void JsonBuilder::add(Json value) {
  if (!open_.empty()) {
    Json& container = tree_.values_[open_.back().at];
    container.size_ = container.size_ + 1;
  }
  tree_.values_.push_back(value);
}

std::string_view JsonBuilder::kept(std::string_view text) {
  if (text.empty()) return {};
  if (used_ + text.size() > block_) {
    block_ = std::max<std::size_t>(text.size(), std::min<std::size_t>(block_ == 0 ? 256 : 2 * block_, 1u << 16));
    used_ = 0;
    tree_.texts_.push_back(std::unique_ptr<char[]>(new char[block_]));
  }
  char* const at = tree_.texts_.back().get() + used_;
  std::memcpy(at, text.data(), text.size());
  used_ += text.size();
  return {at, text.size()};
}

void JsonBuilder::add(std::string_view text) { add(Json(kept(text))); }

void JsonBuilder::key(std::string_view key) {
  open_.back().key = tree_.values_.size();
  tree_.values_.push_back(Json(kept(key)));
}

void JsonBuilder::open(Json::Kind container) {
  add(Json(container));
  open_.push_back({tree_.values_.size() - 1, tree_.values_.size() - 1});
}

void JsonBuilder::close() {
  const std::size_t at = open_.back().at;
  tree_.values_[at].is_.within = tree_.values_.size() - at - 1;
  open_.pop_back();
}

void JsonBuilder::add_whole(const Json& value) {
  add(value);
  if (value.holds_others()) tree_.values_.insert(tree_.values_.end(), &value + 1, value.end_of());
}

void JsonBuilder::keep_texts_of(JsonTree&& other) {
  std::move(other.texts_.begin(), other.texts_.end(), std::inserter(tree_.texts_, tree_.texts_.begin()));
}

std::string_view JsonBuilder::repeated_key() const {
  const Json& object = innermost();
  std::vector<std::string_view> keys;
  keys.reserve(object.size());
  // Its end is not known before it is closed.
  const Json* const end = tree_.values_.data() + tree_.values_.size();
  for (const Json* at = &object + 1; at != end; at = (at + 1)->end_of()) keys.push_back(at->text());
  std::sort(keys.begin(), keys.end());
  const auto twice = std::adjacent_find(keys.begin(), keys.end());
  return twice == keys.end() ? std::string_view() : twice->data() == nullptr ? std::string_view("") : *twice;
}

std::string JsonBuilder::here() const {
  std::string pointer;
  for (std::size_t k = 0; k < open_.size(); ++k) {
    const Json& container = tree_.values_[open_[k].at];
    const bool inner = k + 1 < open_.size();
    pointer = pointer_to(pointer, container.is_object() ? std::string(tree_.values_[open_[k].key].text())
                                                        : std::to_string(container.size() - (inner ? 1 : 0)));
  }
  return pointer.empty() ? "the document" : pointer;
}

// --- reading ---------------------------------------------------------------------------------------------------------

namespace {

using Floats = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t, float>;
using Doubles = nlohmann::json;

// So many values and keys at the most that the tree need not grow: where they would begin, outside strings.
std::size_t most_nodes(std::string_view text) {
  std::size_t count = 1;
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '"') quoted = !quoted;
    if (quoted)
      k += c == '\\' ? 1 : 0;
    else if (c == ',' || c == ':' || c == '[' || c == '{')
      ++count;
  }
  return count;
}

// Takes the events of the library's parser, which keeps its own stack on the heap, so depth costs no stack here.
class Events {
 public:
  Events(std::string_view text, const std::string& name, std::uint64_t most_values, const char* most_number)
      : builder_(most_nodes(text)), text_(text), name_(name), most_number_(most_number), most_values_(most_values) {}

  bool null() { return add(Json()); }
  bool boolean(bool value) { return add(Json(value)); }
  bool number_integer(std::int64_t value) { return add(Json(value)); }
  bool number_unsigned(std::uint64_t value) { return add(Json(value)); }
  bool number_float(double value, const std::string&) { return add(Json(value)); }
  bool string(std::string& value) {
    count();
    builder_.add(std::string_view(value));
    return true;
  }
  bool binary(Floats::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::Kind::object); }
  bool start_array(std::size_t) { return open(Json::Kind::array); }
  bool end_array() {
    builder_.close();
    return true;
  }
  bool end_object() {
    if (const std::string_view twice = builder_.repeated_key(); twice.data() != nullptr) {
      builder_.key(twice);
      fail(builder_.here() + " is given twice");
    }
    builder_.close();
    return true;
  }
  bool key(std::string& key) {
    builder_.key(key);
    return true;
  }
  bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception& fault) {
    if (fault.id == 406)
      fail(builder_.here() + " is " + printable(token) + ", which is beyond the largest number, " + most_number_);
    fail(json_fault(text_));
  }

  JsonTree take() { return builder_.take(); }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(name_ + ": " + what); }
  void count() {
    if (++count_ > most_values_)
      fail("more than " + std::to_string(most_values_) + " values, which is more than it can need");
  }
  bool add(Json value) {
    count();
    builder_.add(value);
    return true;
  }
  bool open(Json::Kind container) {
    count();
    if (builder_.depth() == kMaxDepth)
      fail(builder_.here() + " is nested deeper than " + std::to_string(kMaxDepth) + " levels");
    builder_.open(container);
    return true;
  }

  JsonBuilder builder_;
  std::string_view text_;
  const std::string& name_;
  const char* most_number_;
  std::uint64_t most_values_, count_ = 0;
};

}  // namespace

JsonTree parse_json(std::string_view text, const std::string& name, std::uint64_t most_values, JsonNumbers numbers) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError(name + ": empty; a document begins with {\"hydrascope\": 1");
  if (const std::size_t bad = first_broken(text); bad < text.size())
    throw InputError(name + ": " + line_and_column(text, bad) + ": here is no UTF-8 text; save the document as UTF-8");
  const bool floats = numbers == JsonNumbers::floats;
  Events events(text, name, most_values, floats ? "3.4e38" : "1.8e308");
  if (floats)
    Floats::sax_parse(text.begin(), text.end(), &events);
  else
    Doubles::sax_parse(text.begin(), text.end(), &events);
  return events.take();
}

// --- in sentences ----------------------------------------------------------------------------------------------------

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
  std::string number;
  if (value.is_number()) append_json(number, value);
  if (value.is_number()) return "the number " + number;
  if (value.is_string()) return "the string \"" + printable(value.text()) + "\"";
  if (value.is_array()) return "an array of " + std::to_string(value.size());
  if (value.is_object()) return "an object";
  return value.is_null() ? "null" : value.truth() ? "true" : "false";
}

// --- writing ---------------------------------------------------------------------------------------------------------

namespace {

template <class T>
void append_shortest(std::string& out, T value) {
  if (value == 0 && std::signbit(value)) {
    out += "-0.0";  // "-0" would be read as a whole number, which has no sign
    return;
  }
  char digits[32];
  const auto [end, fault] = std::to_chars(digits, digits + sizeof digits, value);
  (void)fault;  // 32 characters hold every double
  out.append(digits, end);
}

}  // namespace

void append_number(std::string& out, float value) { append_shortest(out, value); }
void append_number(std::string& out, double value) { append_shortest(out, value); }

void append_string(std::string& out, std::string_view text) {
  out += '"';
  append_escaped(out, text);
  out += '"';
}

void append_json(std::string& out, const Json& value, const Json* without, JsonNumbers numbers) {
  if (value.is_string()) return append_string(out, value.text());
  if (value.is_whole()) {
    out += value.is_negative() ? std::to_string(value.as<std::int64_t>()) : std::to_string(value.as<std::uint64_t>());
    return;
  }
  if (value.is_number()) {
    // A float that was rounded to in one step has the fewest digits as a float.
    const double number = value.as<double>();
    const std::size_t start = out.size();
    if (numbers == JsonNumbers::floats && number == static_cast<double>(static_cast<float>(number)))
      append_number(out, static_cast<float>(number));
    else
      append_number(out, number);
    if (out.find_first_of(".e", start) == std::string::npos) out += ".0";
    return;
  }
  if (!value.holds_others()) {
    out += value.is_null() ? "null" : value.truth() ? "true" : "false";
    return;
  }
  std::vector<Json::Iterator> entries;
  for (auto at = value.begin(); at != value.end(); ++at)
    if (&*at != without) entries.push_back(at);
  if (value.is_object())
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.key() < b.key(); });
  out += value.is_object() ? '{' : '[';
  for (const Json::Iterator& at : entries) {
    if (&at != &entries.front()) out += ',';
    if (value.is_object()) append_string(out, at.key()), out += ':';
    append_json(out, *at, without, numbers);
  }
  out += value.is_object() ? '}' : ']';
}

}  // namespace hydra
