// JSON as it is read here: a tree of 16 bytes a value, in one block in the order of the text, so that no text costs
// more than eight times its bytes. Duplicate keys and hostile sizes are faults.
#pragma once
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/files/printable.h"

namespace hydra {

inline constexpr std::size_t kMaxDepth = 16;
inline constexpr std::size_t kMaxValues = 8u << 20;  // when nothing else is said

// One value within a JsonTree; what a container holds stands right behind it. A key is a string before its value.
class Json {
 public:
  enum class Kind : std::uint8_t { null, boolean, negative, whole, number, string, array, object };

  explicit Json(Kind kind = Kind::null) : kind_(kind) {}
  explicit Json(bool value) : kind_(Kind::boolean) { is_.whole = value ? 1 : 0; }
  explicit Json(std::int64_t value) : kind_(Kind::negative) { is_.negative = value; }
  explicit Json(std::uint64_t value) : kind_(Kind::whole) { is_.whole = value; }
  explicit Json(double value) : kind_(Kind::number) { is_.number = value; }
  // The text is another's: a tree's.
  explicit Json(std::string_view text) : kind_(Kind::string), size_(text.size()) { is_.text = text.data(); }

  bool is_null() const { return kind_ == Kind::null; }
  bool is_boolean() const { return kind_ == Kind::boolean; }
  bool is_number() const { return is_whole() || kind_ == Kind::number; }
  bool is_whole() const { return kind_ == Kind::negative || kind_ == Kind::whole; }
  bool is_negative() const { return kind_ == Kind::negative && is_.negative < 0; }
  bool is_string() const { return kind_ == Kind::string; }
  bool is_array() const { return kind_ == Kind::array; }
  bool is_object() const { return kind_ == Kind::object; }
  bool holds_others() const { return is_array() || is_object(); }

  bool truth() const { return is_.whole != 0; }
  std::string_view text() const { return {is_.text, static_cast<std::size_t>(size_)}; }
  template <class T>
  T as() const {  // of a number
    return kind_ == Kind::number  ? static_cast<T>(is_.number)
           : kind_ == Kind::whole ? static_cast<T>(is_.whole)
                                  : static_cast<T>(is_.negative);
  }
  bool is(int value) const { return is_number() && as<double>() == value; }

  std::size_t size() const { return holds_others() ? size_ : 0; }
  bool empty() const { return size() == 0; }

  // Over an array's elements, or the values of an object.
  class Iterator {
   public:
    using value_type = Json;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Iterator(const Json* at, bool keyed) : at_(at), keyed_(keyed) {}
    const Json& operator*() const { return at_[keyed_ ? 1 : 0]; }
    const Json* operator->() const { return &**this; }
    std::string_view key() const { return at_->text(); }
    Iterator& operator++() { return at_ = (**this).end_of(), *this; }
    Iterator operator++(int) { return std::exchange(*this, Iterator(*this).operator++()); }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const Json* at_ = nullptr;
    bool keyed_ = false;
  };
  Iterator begin() const { return {this + 1, is_object()}; }
  Iterator end() const { return {end_of(), is_object()}; }
  const Json& operator[](std::size_t k) const { return *std::next(begin(), static_cast<std::ptrdiff_t>(k)); }
  const Json* find(std::string_view key) const;  // none where it is no object, or has no such key

 private:
  friend class JsonBuilder;
  const Json* end_of() const { return this + 1 + (holds_others() ? is_.within : 0); }

  Kind kind_;
  std::uint64_t size_ : 56 = 0;  // bytes of a string; elements or members
  union {
    std::int64_t negative;
    std::uint64_t whole, within;  // a container: so many values and keys stand in it in all
    double number;
    const char* text;
  } is_ = {};
};

static_assert(sizeof(Json) == 16);

// A whole text.
class JsonTree {
 public:
  const Json& root() const { return values_.front(); }

 private:
  friend class JsonBuilder;
  std::vector<Json> values_;
  std::vector<std::unique_ptr<char[]>> texts_;
};

// A decimal is rounded to the nearest float in one step (by way of double it would round twice), or to the nearest
// double.
enum class JsonNumbers { floats, doubles };

// Throws InputError: "name: line 3, column 14: ..." where the text is not JSON, "name: /json/pointer ..." for a
// duplicate key, a number beyond all floats (or doubles) or one value too many.
JsonTree parse_json(std::string_view text, const std::string& name, std::uint64_t most_values = kMaxValues,
                    JsonNumbers numbers = JsonNumbers::floats);

// Puts values together in the order of the text.
class JsonBuilder {
 public:
  explicit JsonBuilder(std::size_t values = 1) { tree_.values_.reserve(values); }

  void add(Json value);
  void add(std::string_view text);  // copied
  void key(std::string_view key);
  void open(Json::Kind container);
  void close();
  void add_whole(const Json& value);     // with all within it
  void keep_texts_of(JsonTree&& other);  // its strings stay where they are

  std::size_t depth() const { return open_.size(); }
  const Json& innermost() const { return tree_.values_[open_.back().at]; }
  // Of the innermost container: a key that it has twice; empty where none.
  std::string_view repeated_key() const;
  std::string here() const;  // the pointer of the value that comes next
  JsonTree take() { return std::move(tree_); }

 private:
  struct Open {
    std::size_t at, key;  // where it stands, and its last key
  };
  std::string_view kept(std::string_view text);

  JsonTree tree_;
  std::vector<Open> open_;
  std::size_t block_ = 0, used_ = 0;  // of the last of the texts
};

// An override of the command line: "/layers/0/heads=4". The value is JSON, or else a string.
struct Override {
  std::string pointer;   // to the outermost value that it changed or made
  std::string argument;  // as the user wrote it
};
// Puts the value in its place, making the objects on the way there. Throws InputError.
Override apply_override(JsonTree& document, const std::string& argument);

// Parts of sentences about JSON.
std::string pointer_to(const std::string& object, std::string_view key);  // with ~ and / escaped
std::string in_words(const Json& value);                                  // "the number 5", "an array of 3", "null"

// Writing. Numbers get the fewest digits that read back to the same float or double, -0 included.
void append_number(std::string& out, float value);
void append_number(std::string& out, double value);
void append_string(std::string& out, std::string_view text);
// Without blanks, members in the order of their keys; without one of its values (with its key). numbers: as what they
// read back to the same.
void append_json(std::string& out, const Json& value, const Json* without = nullptr,
                 JsonNumbers numbers = JsonNumbers::floats);

}  // namespace hydra
