#include "app/platform/desktop/font_finder.h"

#include "core/files/utf8.h"
#include "core/text/code_range.h"

namespace hydra {

namespace {

// Joiners, direction marks, variation selectors, tags: they change what stands beside them and have no shape.
bool has_no_shape(char32_t c) {
  return within(c, 0x200B, 0x200F) || within(c, 0x202A, 0x202E) || within(c, 0x2060, 0x206F) ||
         within(c, 0xFE00, 0xFE0F) || within(c, 0xE0000, 0xE0FFF) || c == 0x34F || c == 0x61C;
}

bool is_private(char32_t c) { return within(c, 0xE000, 0xF8FF) || within(c, 0xF0000, 0x10FFFF); }

std::vector<char32_t> shapes_of(std::string_view cluster) {
  std::vector<char32_t> shapes;
  for (std::size_t at = 0; at < cluster.size();) {
    const Character c = decode(cluster, at);
    if (!has_no_shape(c.code)) shapes.push_back(c.code);
    at = c.end;
  }
  return shapes;
}

// Pictographs, and whatever is asked to be one by a variation selector or a key's frame.
bool wants_color(std::string_view cluster) {
  for (std::size_t at = 0; at < cluster.size();) {
    const Character c = decode(cluster, at);
    if (within(c.code, 0x1F000, 0x1FAFF) || c.code == 0xFE0F || c.code == 0x20E3) return true;
    at = c.end;
  }
  return false;
}

bool flag(const FcPattern* font, const char* object) {
  FcBool value = FcFalse;
  return FcPatternGetBool(font, object, 0, &value) == FcResultMatch && value == FcTrue;
}

bool covers(const FcPattern* font, const std::vector<char32_t>& codes) {
  FcCharSet* charset = nullptr;
  if (FcPatternGetCharSet(font, FC_CHARSET, 0, &charset) != FcResultMatch) return false;
  for (const char32_t code : codes)
    if (code == Character::kNone || FcCharSetHasChar(charset, code) == FcFalse) return false;
  return true;
}

FontFile file_of(const FcPattern* font) {
  FcChar8* path = nullptr;
  int index = 0;
  FcPatternGetString(font, FC_FILE, 0, &path);
  FcPatternGetInteger(font, FC_INDEX, 0, &index);
  return {path != nullptr ? reinterpret_cast<const char*>(path) : "", index, flag(font, FC_COLOR)};
}

}  // namespace

FontFinder::FontFinder() : config_(FcInitLoadConfigAndFonts()) {
  if (config_ == nullptr) return;
  FcPattern* wanted = FcPatternCreate();
  for (const char* family : {"Inter", "sans-serif"})
    FcPatternAddString(wanted, FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
  FcPatternAddInteger(wanted, FC_WEIGHT, FC_WEIGHT_REGULAR);
  FcPatternAddInteger(wanted, FC_SLANT, FC_SLANT_ROMAN);
  FcConfigSubstitute(config_, wanted, FcMatchPattern);
  FcDefaultSubstitute(wanted);
  FcResult result = FcResultMatch;
  sorted_ = FcFontSort(config_, wanted, FcFalse, nullptr, &result);
  FcPatternDestroy(wanted);
  for (int k = 0; sorted_ != nullptr && k < sorted_->nfont; ++k) files_.push_back(file_of(sorted_->fonts[k]));
}

FontFinder::~FontFinder() {
  if (sorted_ != nullptr) FcFontSetDestroy(sorted_);
  if (config_ != nullptr) FcConfigDestroy(config_);
}

int FontFinder::find(std::string_view cluster) {
  std::string key(cluster);
  if (const auto known = found_.find(key); known != found_.end()) return known->second;
  const int number = search(cluster);
  found_.emplace(std::move(key), number);
  return number;
}

int FontFinder::search(std::string_view cluster) const {
  const std::vector<char32_t> codes = shapes_of(cluster);
  if (codes.empty() || sorted_ == nullptr) return -1;
  for (const char32_t code : codes)
    if (is_private(code)) return -1;
  const bool color = wants_color(cluster);
  for (const bool first_choice : {true, false})
    for (int k = 0; k < sorted_->nfont; ++k) {
      const FcPattern* font = sorted_->fonts[k];
      const FontFile& file = files_[static_cast<std::size_t>(k)];
      const bool drawable = !file.path.empty() && (file.colored || flag(font, FC_OUTLINE));
      if (drawable && (file.colored == color) == first_choice && covers(font, codes)) return k;
    }
  return -1;
}

}  // namespace hydra
