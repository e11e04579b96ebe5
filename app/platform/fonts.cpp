#include "app/platform/fonts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/platform/files.h"
#include "app/platform/glyph_atlas.h"

namespace hydra {

namespace {

// Glyph ranges, inclusive pairs. Superscript 1 2 3 stand in Latin-1, the others elsewhere: Inter is kept out of all of
// them, so that W³ and W⁴ come from one face.
template <std::size_t N>
using Ranges = std::array<ImWchar, N>;

template <std::size_t... N>
constexpr auto join(const Ranges<N>&... parts) {
  Ranges<(N + ...) + 1> all{};  // ends in 0
  std::size_t k = 0;
  const auto append = [&](const auto& part) {
    for (const ImWchar c : part) all[k++] = c;
  };
  (append(parts), ...);
  return all;
}

constexpr Ranges<8> kLatin = {0x0020, 0x00B1, 0x00B4, 0x00B8, 0x00BA, 0x017F, 0x0218, 0x021B};
constexpr Ranges<6> kLetters = {0x0386, 0x03CE, 0x0400, 0x045F, 0x1EA0, 0x1EF9};  // Greek, Cyrillic, Vietnamese
constexpr Ranges<2> kGreek = {0x0391, 0x03C9};
constexpr Ranges<4> kPunctuation = {0x2010, 0x2027, 0x2030, 0x203A};
constexpr Ranges<12> kSuperSub = {0x00B2, 0x00B3, 0x00B9, 0x00B9, 0x1D40, 0x1D40,
                                  0x1D62, 0x1D65, 0x2070, 0x209C, 0x2C7C, 0x2C7C};
constexpr Ranges<20> kSigns = {0x2190, 0x2195, 0x21D2, 0x21D4, 0x2200, 0x2209, 0x2211, 0x221E, 0x2225, 0x222B,
                               0x2248, 0x2248, 0x2260, 0x2265, 0x2295, 0x2299, 0x22C5, 0x22C5, 0x25B2, 0x25C6};
constexpr Ranges<18> kShapes = {0x2102, 0x2102, 0x2113, 0x2115, 0x211D, 0x211D, 0x25A0, 0x25A1, 0x25AA,
                                0x25AB, 0x25CB, 0x25CF, 0x26A0, 0x26A0, 0x2713, 0x2717, 0x27E8, 0x27E9};

// ImGui keeps pointers to these. Titles and numbers hold no tokens and need less; cells hold only numbers.
constexpr auto kInter = join(kLatin, kLetters, kPunctuation, kSigns);
constexpr auto kSymbols = join(kSuperSub, kSigns, kShapes);
constexpr auto kAll = join(kLatin, kLetters, kPunctuation, kSuperSub, kSigns, kShapes);
constexpr auto kTitle = join(kLatin, kGreek, kPunctuation, kSigns);
constexpr auto kTitleSymbols = join(kSuperSub, kSigns);
constexpr auto kNumbers = join(kLatin, kPunctuation, kSuperSub, kSigns);
constexpr auto kCells = join(Ranges<8>{0x0020, 0x007E, 0x00D7, 0x00D7, 0x2026, 0x2026, 0x2211, 0x221E});

// Empty where there is none (AddFontFromFileTTF asserts on a missing file).
struct Faces {
  std::string inter = font_file({"Inter-Regular.otf", "Inter-Regular.ttf"});
  std::string inter_strong = font_file({"Inter-SemiBold.otf", "Inter-SemiBold.ttf", "Inter-Bold.otf"});
  std::string sans = font_file({"DejaVuSans.ttf"});
  std::string sans_strong = font_file({"DejaVuSans-Bold.ttf"});
  std::string mono = font_file({"DejaVuSansMono.ttf"});
};

ImFont* add(const std::string& path, float size, const ImWchar* ranges, bool merge = false) {
  ImFontConfig config;
  config.OversampleH = 2;
  config.OversampleV = 1;
  config.PixelSnapH = false;
  config.MergeMode = merge;
  return ImGui::GetIO().Fonts->AddFontFromFileTTF(path.c_str(), size, &config, ranges);
}

// A text face, completed with symbols from DejaVu Sans; which runs large for its size and is taken a little smaller.
ImFont* add_text(const std::string& inter, const std::string& sans, float size, const ImWchar* letters,
                 const ImWchar* symbols) {
  if (inter.empty()) return add(sans, size, kAll.data());
  ImFont* font = add(inter, size, letters);
  if (!sans.empty()) add(sans, std::round(size * 0.94f), symbols, true);
  return font;
}

// Readable spellings in a face without Unicode: "W_Q3", "-0.5", "x", "->" at least as ">".
void spell_in_ascii(ImFont* font) {
  const std::pair<ImWchar, ImWchar> spellings[] = {
      {0x2212, '-'}, {0x2013, '-'}, {0x2014, '-'}, {0x2018, '\''}, {0x2019, '\''}, {0x201C, '"'},
      {0x201D, '"'}, {0x2026, '.'}, {0x2192, '>'}, {0x2190, '<'},  {0x2264, '<'},  {0x2265, '>'},
      {0x2211, 'S'}, {0x221A, 'V'}, {0x221E, '8'}, {0x1D40, 'T'},  {0x2096, 'k'},  {0x2C7C, 'j'},
      {0x1D62, 'i'}, {0x2299, 'o'}, {0x22C5, '.'}, {0x2070, '0'},  {0x2071, 'i'}};
  for (const auto& [from, to] : spellings) font->AddRemapChar(from, to);
  for (ImWchar k = 4; k < 10; ++k) font->AddRemapChar(static_cast<ImWchar>(0x2070 + k), static_cast<ImWchar>('0' + k));
  for (ImWchar k = 0; k < 10; ++k) font->AddRemapChar(static_cast<ImWchar>(0x2080 + k), static_cast<ImWchar>('0' + k));
}

// "▁", which tokenizers write for a space, is as thin and as narrow as "_": a block would be louder than the word.
void add_word_mark(ImFont& font) {
  constexpr ImWchar kMark = 0x2581;
  if (font.FindGlyphNoFallback(kMark) != nullptr || font.FindGlyphNoFallback('_') == nullptr) return;
  const ImFontGlyph line = *font.FindGlyphNoFallback('_');
  font.AddGlyph(nullptr, kMark, line.X0, line.Y0, line.X1, line.Y1, line.U0, line.V0, line.U1, line.V1, line.AdvanceX);
  font.BuildLookupTable();
}

// What reaches ImGui without a glyph is an empty box, not a question mark, which is a character that texts have.
void mark_missing(ImFont& font) {
  constexpr ImWchar kBox = 0x25A1;
  if (font.FindGlyphNoFallback(kBox) == nullptr) return;
  font.FallbackChar = kBox;
  font.BuildLookupTable();
}

// ImGui forgets the texture's name here, but the draw commands of the coming frame must have it.
void build(ImFontAtlas& atlas) {
  const ImTextureID texture = atlas.TexID;
  atlas.Build();
  atlas.SetTexID(texture);
  for (ImFont* font : atlas.Fonts) {
    add_word_mark(*font);
    mark_missing(*font);
  }
}

Fonts fallback_fonts(float scale) {
  ImFontConfig config;
  config.SizePixels = std::round(13 * scale);
  ImFont* font = ImGui::GetIO().Fonts->AddFontDefault(&config);
  build(*ImGui::GetIO().Fonts);
  spell_in_ascii(font);
  return {font, font, font, font, font, font, false, "ImGui's built-in face"};
}

}  // namespace

Fonts build_fonts(float scale, int picture_rows) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  atlas.TexDesiredWidth = picture_rows > 0 ? 2048 : 0;
  if (picture_rows > 0) atlas.AddCustomRectRegular(kPictureColumns, picture_rows);
  const Faces faces;
  const auto size = [&](float pixels) { return std::max(6.0f, std::round(pixels * scale)); };
  if (faces.inter.empty() && faces.sans.empty()) return fallback_fonts(scale);

  const std::string& strong = faces.inter.empty() ? faces.sans_strong : faces.inter_strong;
  const std::string& mono = faces.mono.empty() ? (faces.sans.empty() ? faces.inter : faces.sans) : faces.mono;
  Fonts fonts;
  fonts.text = add_text(faces.inter, faces.sans, size(15), kInter.data(), kSymbols.data());  // first: ImGui's default
  fonts.small = add_text(faces.inter, faces.sans, size(12.5f), kInter.data(), kSymbols.data());
  fonts.strong =
      strong.empty() ? fonts.text : add_text(strong, faces.sans, size(15), kTitle.data(), kTitleSymbols.data());
  fonts.large = add_text(faces.inter, faces.sans, size(21), kInter.data(), kTitleSymbols.data());
  fonts.mono = add(mono, size(13), kNumbers.data());
  fonts.mono_small = add(mono, size(11), kCells.data());
  for (const std::string* path : {&faces.inter, &strong, &faces.sans, &mono})
    if (!path->empty()) fonts.description += (fonts.description.empty() ? "" : ", ") + *path;
  build(atlas);
  ImGui::GetIO().FontDefault = fonts.text;
  return fonts;
}

}  // namespace hydra
