// Strict reading of JSON: whatever is not as expected is one sentence naming the place, what is there, what is needed.
#pragma once
#include <initializer_list>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "core/linalg/types.h"

namespace hydra {

// A value of the JSON and where it stands; json is null when it is left out.
struct Node {
  const Json* json = nullptr;
  std::string pointer;
  explicit operator bool() const { return json != nullptr; }
};

// The elements of an array, each with its place.
class Elements {
 public:
  Elements(const Node& array, std::size_t size) : array_(array), size_(size) {}
  struct Iterator {
    const std::string* pointer = nullptr;
    std::size_t k = 0;
    Json::Iterator at;
    Node operator*() const { return {&*at, pointer_to(*pointer, std::to_string(k))}; }
    Iterator& operator++() { return ++k, ++at, *this; }
    bool operator==(const Iterator& other) const { return k == other.k; }
  };
  Iterator begin() const { return {&array_.pointer, 0, size_ > 0 ? array_.json->begin() : Json::Iterator()}; }
  Iterator end() const { return {&array_.pointer, size_, {}}; }
  std::size_t size() const { return size_; }
  Node operator[](std::size_t k) const { return {&(*array_.json)[k], pointer_to(array_.pointer, std::to_string(k))}; }

 private:
  Node array_;
  std::size_t size_;
};

// Every function throws InputError: "name: /pointer must be ...". what: how sentences call the whole, "the document".
class JsonReader {
 public:
  explicit JsonReader(std::string name, std::string what = "the document", std::vector<Override> overrides = {})
      : name_(std::move(name)), what_(std::move(what)), overrides_(std::move(overrides)) {}

  [[noreturn]] void fail(const std::string& pointer, const std::string& what) const;
  bool is_set(std::string_view pointer) const;  // by an override, just there
  [[noreturn]] void fail_type(const Node& node, const std::string& needed) const {
    fail(node.pointer, "must be " + needed + ", not " + in_words(*node.json));
  }
  // Runs a check that knows no place, and adds the place to its sentence.
  template <class Check>
  void check_at(const std::string& pointer, const Check& check) const {
    try {
      check();
    } catch (const InputError& fault) {
      fail(pointer, std::string("is not possible: ") + fault.what());
    }
  }

  Node member(const Node& object, std::string_view key) const;
  void check_object(const Node& node, const std::vector<std::string_view>& keys) const;
  Elements elements(const Node& node, const std::string& needed) const;  // none when it is left out
  // That an array or an object has no more, before any is read; of: "words".
  void check_count(const Node& node, std::size_t most, const std::string& of) const;
  Index whole_number(const Node& node, Index otherwise) const;
  Index whole_number(const Node& node, Index least, Index most, Index otherwise) const;
  std::uint64_t seed(const Node& node, std::uint64_t otherwise) const;
  float number(const Json& json, const std::string& pointer) const;
  bool flag(const Node& node, bool otherwise) const;
  std::string string(const Node& node) const;
  // choices: words, each with what it stands for.
  template <class T, class Choices = std::initializer_list<std::pair<const char*, T>>>
  T choice(const Node& node, T otherwise, const Choices& choices) const {
    if (!node) return otherwise;
    std::string list;
    for (const auto& [name, value] : choices) {
      if (node.json->is_string() && node.json->text() == name) return value;
      list += (list.empty() ? "\"" : " or \"") + std::string(name) + "\"";
    }
    fail_type(node, list);
  }
  // An array of so many, else a fault; of: "row".
  const Json& array(const Json& json, const std::string& pointer, Index size, const std::string& of) const;
  Mat<float> matrix(const Node& node, Index rows, Index cols) const;
  RowVec<float> vector(const Node& node, Index size) const;

 private:
  std::string name_, what_;
  std::vector<Override> overrides_;
};

// The word that a choice is read by.
template <class T, class Choices>
std::string_view word_of(T value, const Choices& choices) {
  for (const auto& [word, meant] : choices)
    if (meant == value) return word;
  return {};
}

}  // namespace hydra
