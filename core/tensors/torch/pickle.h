// Pickles, read as data: nothing is called, and every name that is asked for must be on the list of the reader.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/mapped_file.h"

namespace hydra {

inline constexpr std::size_t kMostPickled = 4u << 20;  // values: a thousand times what a state dict has

// A value; what it holds is in the Pickle. 16 bytes.
struct Pickled {
  enum class Kind : std::uint8_t {
    none,
    boolean,
    whole,
    large,  // a whole number beyond 64 bits, as bytes
    number,
    text,  // bytes as well
    list,  // of these on: index of an object
    tuple,
    set,
    dict,  // keys and values by turns
    call,  // what is called, a tuple, a state or none; then keys and values by turns
    persistent,
    global  // index into the names
  };
  Kind kind = Kind::none;
  std::uint32_t size = 0;  // of a text
  union {
    std::int64_t whole = 0;
    double number;
    const char* begin;
    std::uint64_t index;
  };
  std::string_view text() const { return {begin, size}; }
  bool is_text() const { return kind == Kind::text; }
  bool is_whole() const { return kind == Kind::whole || kind == Kind::boolean; }
};

struct Pickle {
  Pickled root;
  std::vector<std::vector<Pickled>> objects;
  std::span<const std::string_view> names;
  std::size_t end = 0;    // the byte after it
  std::size_t steps = 0;  // values that were made

  const std::vector<Pickled>& held(const Pickled& value) const {
    return objects[static_cast<std::size_t>(value.index)];
  }
  std::string_view name(const Pickled& global) const { return names[static_cast<std::size_t>(global.index)]; }
};

// allowed: sorted names, "collections.OrderedDict"; they and the bytes outlive the pickle. Throws InputError.
Pickle read_pickle(std::span<const std::byte> bytes, std::string_view file, std::span<const std::string_view> allowed);

}  // namespace hydra
