#include "app/platform/glyphs.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "app/platform/text_pieces.h"
#include "core/files/utf8.h"
#include "core/text/clusters.h"
#include "core/text/code_range.h"

namespace hydra {

namespace {

constexpr ImWchar kFirstPrivate = 0xE000, kLastPrivate = 0xF8FF, kReplacement = 0xFFFD;
constexpr std::size_t kCodes = kLastPrivate - kFirstPrivate + 1;
constexpr std::size_t kTexts = 8192;  // kept from frame to frame
constexpr int kMostRows = 4096;       // 32 MB
constexpr int kPatience = 120;        // frames: what does not fit on one screen is not made anew in each
// Of a field that may be very long: pictures made in a frame, where more come with the next, and in all, so that they
// have room. What is behind is boxes while it is typed in.
constexpr int kFieldPictures = 64;
constexpr std::size_t kMostFieldPictures = 1024;

bool is_private(char32_t c) { return within(c, kFirstPrivate, kLastPrivate); }

}  // namespace

Glyphs::Glyphs() { ImGui::GetIO().UserData = this; }
Glyphs::~Glyphs() {
  if (ImGui::GetCurrentContext() != nullptr && current() == this) ImGui::GetIO().UserData = nullptr;
}
Glyphs* Glyphs::current() { return static_cast<Glyphs*>(ImGui::GetIO().UserData); }

bool Glyphs::is_plain(const ImFont* font, const std::string& text) const {
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const Character c = decode(text, at);
    if (!stands_alone(c.code) || font->FindGlyphNoFallback(static_cast<ImWchar>(c.code)) == nullptr) return false;
    at = c.end;
  }
  return true;
}

const std::string& Glyphs::shown(ImFont* font, const std::string& text) {
  const bool whole = text.size() <= kMostShown;
  if (whole && is_plain(font, text)) return text;
  Shown& known = whole ? entry(text) : entry(within_sight(text));
  const auto loaded = std::find(known.loaded.begin(), known.loaded.end(), font);
  if (loaded == known.loaded.end() && load_all(*font, known.text)) known.loaded.push_back(font);
  return known.text;
}

Glyphs::Shown& Glyphs::entry(const std::string& text) {
  const auto known = texts_.find(text);
  if (known != texts_.end()) return known->second;
  return texts_.emplace(text, Shown{turned(text), {}}).first->second;
}

std::string Glyphs::turned(const std::string& text) {
  std::string result;
  for (const TextPiece& piece : pieces_of(text, [&](std::string_view cluster) { return has(cluster); })) {
    if (piece.stands_alone)
      result += piece.text;
    else
      result += encode(code_for(piece.text));
  }
  return result;
}

ImWchar Glyphs::code_for(std::string_view word) {
  std::string key(word);
  if (const auto known = codes_.find(key); known != codes_.end()) return known->second;
  if (words_.size() == kCodes) {
    out_of_codes_ = true;
    return kReplacement;
  }
  const auto code = static_cast<ImWchar>(kFirstPrivate + words_.size());
  words_.push_back(key);
  codes_.emplace(std::move(key), code);
  return code;
}

bool Glyphs::load_all(ImFont& font, const std::string& shown_text) {
  bool all = true;
  for (std::size_t at = 0; at < shown_text.size();) {
    const Character c = decode(shown_text, at);
    if (c.code >= 0x80 && c.code <= 0xFFFF) all = load(font, static_cast<ImWchar>(c.code)) && all;
    at = c.end;
  }
  return all;
}

bool Glyphs::load(ImFont& font, ImWchar code) {
  if (font.FindGlyphNoFallback(code) != nullptr) return true;
  if (without_room_.contains({&font, code})) return false;
  const auto number = static_cast<std::size_t>(code - kFirstPrivate);
  const std::string word = is_private(code) && number < words_.size() ? words_[number] : encode(code);
  asked_ += word.size();
  std::optional<GlyphPicture> picture = fonts_.picture(word, font.FontSize);
  if (!picture) picture = atlas_.box(font, word);
  if (!atlas_.add(font, code, *picture)) {
    ask_for_room(font, code, *picture);
    return false;
  }
  changed_ = true;
  return true;
}

void Glyphs::ask_for_room(const ImFont& font, ImWchar code, const GlyphPicture& picture) {
  without_room_.insert({&font, code});
  area_without_room_ += static_cast<float>((picture.width + 1) * (picture.height + 1));
  const float rows = 1.3f * area_without_room_ / static_cast<float>(kPictureColumns) + 2 * font.FontSize;
  const int wanted = std::max(256, (rows_ + static_cast<int>(rows) + 127) / 128 * 128);
  if (wanted > kMostRows && rows_ == kMostRows)
    forget_ = frames_since_forgetting_ > kPatience;
  else
    rows_wanted_ = std::min(wanted, kMostRows);
}

bool Glyphs::has(std::string_view cluster) {
  asked_ += cluster.size();
  return fonts_.has(cluster);
}

// Each word is shaped once for a font, whatever texts it stands in.
float Glyphs::advance(ImFont& font, std::string_view word) {
  auto& known = advances_[&font];
  std::string key(word);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  asked_ += word.size();
  const std::optional<float> shaped = fonts_.width(word, font.FontSize);
  return known.emplace(std::move(key), shaped ? *shaped : atlas_.box(font, word).advance).first->second;
}

float Glyphs::width_of(ImFont& font, std::string_view text) {
  float width = 0, widest = 0;
  for (const TextPiece& piece : pieces_of(text, [&](std::string_view cluster) { return has(cluster); })) {
    if (piece.text == "\n") {
      widest = std::max(widest, std::exchange(width, 0.0f));
      continue;
    }
    const auto code = static_cast<ImWchar>(decode(piece.text, 0).code);
    const bool drawn = piece.stands_alone && (code < 0x80 || font.FindGlyphNoFallback(code) != nullptr);
    width += drawn ? font.GetCharAdvance(code) : advance(font, piece.text);
  }
  return std::max(widest, width);
}

float Glyphs::width(ImFont* font, const std::string& text) {
  if (text.size() > kMostShown) return width(font, within_sight(text));
  if (is_plain(font, text))
    return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
  auto& known = widths_[font];
  if (const auto found = known.find(text); found != known.end()) return found->second;
  return known.emplace(text, width_of(*font, text)).first->second;
}

const std::string& Glyphs::clipped(ImFont* font, const std::string& text, float width) {
  const auto known = clipped_.find(text);
  if (known != clipped_.end())
    for (const Clipped& done : known->second)
      if (done.font == font && done.width == width) return done.text;
  std::vector<Clipped>& all = known != clipped_.end() ? known->second : clipped_[text];
  if (all.size() >= 32) all.clear();  // widths of a window that was drawn larger or smaller
  all.push_back({font, width, beginning(*font, text, width)});
  return all.back().text;
}

// Beginnings of 1, 2, 4 ... clusters until one is too wide, then halving what is between: never longer texts than twice
// what is kept.
std::string Glyphs::beginning(ImFont& font, const std::string& text, float width) {
  std::vector<std::size_t> ends{0};
  for (std::size_t count = 1;; count *= 2) {
    while (ends.size() <= count && ends.back() < text.size()) ends.push_back(end_of_cluster(text, ends.back()));
    if (width_of(font, std::string_view(text).substr(0, ends.back())) > width) break;
    if (ends.back() == text.size()) return text;
  }
  const auto cut = [&](std::size_t count) { return text.substr(0, ends[count]) + "…"; };
  std::size_t fits = 0, too_many = ends.size();
  while (too_many - fits > 1) {
    const std::size_t middle = (fits + too_many) / 2;
    (width_of(font, cut(middle)) > width ? too_many : fits) = middle;
  }
  return fits == 0 ? "" : text.substr(0, end_of_beginning(text, ends[fits])) + "…";
}

std::size_t end_of_beginning(std::string_view text, std::size_t fits) {
  if (text.find(' ') != std::string_view::npos) return fits;
  const std::size_t plus = text.rfind('+', fits);
  return plus == std::string_view::npos || plus == 0 ? fits : plus;
}

std::string within_sight(const std::string& text) {
  static constexpr std::string_view ellipsis = "…";
  return shortened(text, kMostShown - ellipsis.size());
}

const std::string& Glyphs::for_field(ImFont* font, const std::string& text, bool pictures) {
  if (is_plain(font, text)) return text;
  if (text != field_.text) field_ = made_for_field(text);
  if (field_.loaded == font || !pictures) return field_.shown;
  int left = kFieldPictures;
  bool all = true;
  for (const ImWchar code : field_.codes)
    if (font->FindGlyphNoFallback(code) == nullptr && !without_room_.contains({font, code}))
      all = left-- > 0 && load(*font, code) && all;
  if (all) field_.loaded = font;
  pending_ = left < 0;
  return field_.shown;
}

Glyphs::Field Glyphs::made_for_field(const std::string& text) {
  Field field{text, {}, {}, nullptr};
  std::set<ImWchar> codes;
  const auto needs = [&](ImWchar code) {
    if (code >= 0x80 && codes.size() < kMostFieldPictures) codes.insert(code);
  };
  std::unordered_set<std::string> words;
  const bool were_out = out_of_codes_;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_cluster(text, at);
    const std::string cluster = text.substr(at, end - at);
    for (std::size_t k = 0; k < cluster.size();) {  // one by one they stand in the field while they are typed
      const Character c = decode(cluster, k);
      if (c.code <= 0xFFFF && !is_private(c.code)) needs(static_cast<ImWchar>(c.code));
      k = c.end;
    }
    const Character first = decode(cluster, 0);
    const bool alone = first.end == cluster.size() && first.code <= 0xFFFF && !is_private(first.code);
    const ImWchar code = alone ? static_cast<ImWchar>(first.code) : code_for(cluster);
    field.shown += alone || code == kReplacement ? cluster : encode(code);
    needs(code);
    if (!alone) words.insert(cluster);
    at = end;
  }
  // Where it needs more codes than there are, letting go of those of other texts in each frame would not help it.
  if (words.size() > kCodes) out_of_codes_ = were_out;
  field.codes.assign(codes.begin(), codes.end());
  return field;
}

std::string Glyphs::from_field(const std::string& text) const {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const Character c = decode(text, at);
    const std::size_t number = is_private(c.code) ? c.code - kFirstPrivate : words_.size();
    result += number < words_.size() ? words_[number] : text.substr(at, c.end - at);
    at = c.end;
  }
  return result;
}

ImWchar Glyphs::typed(char32_t code) {
  const bool itself = code <= 0xFFFF && !is_private(code);
  return itself ? static_cast<ImWchar>(code) : code_for(encode(code));
}

void Glyphs::adopt(ImFontAtlas& atlas) {
  rows_ = rows_wanted_;
  atlas_.adopt(atlas, rows_);
  for (auto& [text, known] : texts_) known.loaded.clear();
  clipped_.clear();
  widths_.clear();
  advances_.clear();
  field_.loaded = nullptr;
  without_room_.clear();
  area_without_room_ = 0;
  forget_ = false;
}

bool Glyphs::take_changed() { return std::exchange(changed_, false); }

void Glyphs::begin_frame() {
  ++frames_since_forgetting_;
  pending_ = false;
  if (forget_) frames_since_forgetting_ = 0;
  if (texts_.size() > kTexts) texts_.clear();
  if (clipped_.size() > kTexts) clipped_.clear();
  for (auto* kept : {&widths_, &advances_})
    for (auto& [font, widths] : *kept)
      if (widths.size() > kTexts) widths.clear();
  // A field that is being typed in holds codes, which must keep their meaning.
  if (!out_of_codes_ || ImGui::GetIO().WantTextInput) return;
  out_of_codes_ = false;
  codes_.clear();
  words_.clear();
  texts_.clear();
  field_ = {};
  forget_ = true;
}

}  // namespace hydra
