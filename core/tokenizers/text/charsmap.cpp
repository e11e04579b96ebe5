#include "core/tokenizers/text/charsmap.h"

#include "core/error.h"
#include "core/files/utf8.h"

namespace hydra {

namespace {

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 4; k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

// A unit of the double array: where its children are, the byte that leads to it, whether a text ends there.
std::uint32_t children_of(std::uint32_t unit) { return (unit >> 10) << ((unit & (1u << 9)) >> 6); }
std::uint32_t label_of(std::uint32_t unit) { return unit & (1u << 31 | 0xFF); }
bool ends_text(std::uint32_t unit) { return (unit >> 8 & 1) != 0; }

}  // namespace

Charsmap::Charsmap(std::string_view bytes) {
  if (bytes.empty()) return;
  const std::uint32_t size = bytes.size() < 4 ? 0 : little_endian(bytes, 0);
  if (size < 4 || size % 4 != 0 || size > bytes.size() - 4)
    throw InputError("the table of characters has " + std::to_string(bytes.size()) + " bytes, and says that " +
                     std::to_string(size) + " of them are its trie");
  units_.reserve(size / 4);
  for (std::size_t at = 4; at < 4 + std::size_t{size}; at += 4) units_.push_back(little_endian(bytes, at));
  texts_ = bytes.substr(4 + std::size_t{size});
  if (!is_utf8(texts_)) throw InputError("the table of characters writes something that is no UTF-8");
}

std::pair<std::size_t, std::string_view> Charsmap::longest(std::string_view text) const {
  std::pair<std::size_t, std::string_view> found;
  if (units_.empty()) return found;
  std::uint32_t at = children_of(units_[0]);
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    at ^= byte;
    if (at >= units_.size() || label_of(units_[at]) != byte) break;
    const std::uint32_t unit = units_[at];
    at ^= children_of(unit);
    if (at >= units_.size()) break;
    if (!ends_text(unit)) continue;
    const std::uint32_t place = units_[at] & 0x7FFFFFFF;
    const bool within_character = k + 1 < text.size() && (static_cast<unsigned char>(text[k + 1]) & 0xC0) == 0x80;
    if (place >= texts_.size() || within_character) continue;
    const std::size_t end = texts_.find('\0', place);
    const std::string_view stands =
        std::string_view(texts_).substr(place, end == std::string::npos ? end : end - place);
    if (is_utf8(stands)) found = {k + 1, stands};
  }
  return found;
}

}  // namespace hydra
