// The tokens of a vocabulary: ids, which may have gaps, and spellings, each found from the other.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hydra {

inline constexpr std::uint32_t kNoId = 0xFFFFFFFF;
inline constexpr std::uint32_t kMostIds = 1u << 24;      // an id is smaller
inline constexpr std::size_t kMostSpellingBytes = 1024;  // so that no text costs more than so many steps a byte

class Spellings {
 public:
  struct Entry {
    std::uint32_t id = 0;
    std::string_view text;
  };

  Spellings() = default;
  // Throws InputError, without the name of a file: an id twice, an id or a spelling too large. Of tokens with one
  // spelling the first id is found.
  explicit Spellings(std::vector<Entry> entries);

  std::uint32_t find(std::string_view text) const;      // kNoId: none
  std::string_view operator[](std::uint32_t id) const;  // empty where there is none
  bool has(std::uint32_t id) const { return slot(id) < ids_.size(); }
  std::size_t count() const { return ids_.size(); }
  std::uint32_t end() const { return ids_.empty() ? 0 : ids_.back() + 1; }  // beyond the last id
  std::size_t longest() const { return longest_; }                          // bytes
  const std::vector<std::uint32_t>& ids() const { return ids_; }            // rising

 private:
  std::size_t slot(std::uint32_t id) const;
  std::string_view at(std::size_t slot) const {
    return std::string_view(text_).substr(slot == 0 ? 0 : ends_[slot - 1],
                                          ends_[slot] - (slot == 0 ? 0 : ends_[slot - 1]));
  }

  std::string text_;
  std::vector<std::uint32_t> ids_, ends_;  // by slot
  std::vector<std::uint32_t> found_;       // slots by hash, twice as many places at least; kNoId: empty
  std::size_t longest_ = 0;
};

}  // namespace hydra
