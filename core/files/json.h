// JSON as documents use it: numbers are floats, duplicate keys and hostile sizes are faults. For .cpp files of the
// core only: the library is not ours to pass on.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/printable.h"

namespace hydra {

// The parser rounds a decimal to the nearest float in one step (by way of double it would round twice).
using Json = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t, float>;

inline constexpr std::size_t kMaxDepth = 16;
inline constexpr std::size_t kMaxValues = 8u << 20;  // when nothing else is said

// A whole text. Taken apart from its leaves on: the library's own destructor asks for memory, and ends the program
// where there is none.
struct JsonTree {
  Json root;
  explicit JsonTree(Json json = nullptr) : root(std::move(json)) {}
  JsonTree(JsonTree&&) = default;
  JsonTree& operator=(JsonTree&&) = delete;
  ~JsonTree();
};

// Throws InputError: "name: line 3, column 14: ..." where the text is not JSON, "name: /json/pointer ..." for a
// duplicate key, a number beyond all floats or one value too many.
JsonTree parse_json(std::string_view text, const std::string& name, std::uint64_t most_values = kMaxValues);

// An override of the command line: "/layers/0/heads=4". The value is JSON, or else a string.
struct Override {
  std::string pointer;   // to the outermost value that it changed or made
  std::string argument;  // as the user wrote it
};
// Puts the value in its place, making the objects on the way there. Throws InputError.
Override apply_override(Json& document, const std::string& argument);

// Parts of sentences about JSON.
std::string pointer_to(const std::string& object, std::string_view key);  // with ~ and / escaped
std::string in_words(const Json& value);                                  // "the number 5", "an array of 3", "null"

// Writing. Floats get the fewest digits that read back to the same float, -0 included.
void append_number(std::string& out, float value);
void append_string(std::string& out, std::string_view text);

}  // namespace hydra
