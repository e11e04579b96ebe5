// JSON changed by choices: what stays near to a file that means something.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/files/utf8.h"
#include "tests/fuzz/target.h"

namespace hydra::fuzz {

using Value = nlohmann::ordered_json;

// A value of the tree: from the root down, until the choices stop.
inline Value& somewhere(Value& root, Bytes& bytes) {
  Value* at = &root;
  while (at->is_structured() && !at->empty() && bytes.byte() % 6 != 0) {
    auto child = at->begin();
    std::advance(child, static_cast<std::ptrdiff_t>(bytes.below(at->size())));
    at = &*child;
  }
  return *at;
}

inline Value any_value(Bytes& bytes, const std::vector<std::string>& words) {
  switch (bytes.byte() % 10) {
    case 0:
      return nullptr;
    case 1:
      return bytes.byte() % 2 == 0;
    case 2:
      return static_cast<int>(bytes.byte() % 12);
    case 3:
      return static_cast<std::int32_t>(bytes.word());
    case 4:
      return static_cast<double>(static_cast<std::int8_t>(bytes.byte())) * 0.125;
    case 5:
      return std::vector<double>{
          3.4e38, -3.4e38, 1e-45, -0.0, 1e39, 0.1, 1e300, 18446744073709551615.0}[bytes.below(8)];
    case 6:
      return Value::array();
    case 7:
      return Value::object();
    default:
      return words[bytes.below(words.size())];
  }
}

inline void change_one(Value& root, Bytes& bytes, const std::vector<std::string>& words) {
  Value& at = somewhere(root, bytes);
  switch (bytes.byte() % 6) {
    case 0:
      at = any_value(bytes, words);
      break;
    case 1: {
      const Value copy = somewhere(root, bytes);
      at = copy;
      break;
    }
    case 2:
      if (at.is_array()) at.push_back(at.empty() ? any_value(bytes, words) : Value(at.back()));
      if (at.is_object()) at[words[bytes.below(words.size())]] = any_value(bytes, words);
      break;
    case 3:
      if (at.is_structured() && !at.empty()) {
        auto child = at.begin();
        std::advance(child, static_cast<std::ptrdiff_t>(bytes.below(at.size())));
        at.erase(child);
      }
      break;
    case 4:
      if (at.is_number_integer()) at = at.get<std::int64_t>() + (bytes.byte() % 2 == 0 ? 1 : -1);
      break;
    default:
      if (at.is_string()) at = at.get<std::string>() + words[bytes.below(words.size())];
  }
}

// What a reader says of the text.
inline void check_refusal(std::string_view sentence, std::string_view text) {
  law(sentence.size() > 10 && sentence.size() < 1200, "a refusal is a sentence", text);
  law(sentence.find('\n') == std::string_view::npos, "a refusal is one line", text);
  law(is_utf8(sentence), "a refusal has whole characters", text);
}

// Bytes of a text, cut, doubled or replaced, a few times.
inline void change_bytes(std::string& text, Bytes& bytes) {
  for (int k = bytes.byte() % 4; k > 0 && !text.empty(); --k) {
    const std::size_t at = bytes.below(text.size());
    switch (bytes.byte() % 3) {
      case 0:
        text.erase(at, 1 + bytes.byte() % 8u);
        break;
      case 1:
        text.insert(at, text.substr(at / 2, bytes.byte() % 16u));
        break;
      default:
        text[at] = static_cast<char>(bytes.byte());
    }
  }
}

}  // namespace hydra::fuzz
