// Text of any script, in a form that ImGui can draw. ImGui knows one glyph for each code point below U+10000; what
// needs more (words of joined or reordered letters, emoji, rare ideographs) gets a private-use code, which stands for
// the whole word and whose glyph is a picture of it. Pictures are made when a text is first met. What no font has is a
// box with its code.
#pragma once
#include <imgui.h>

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/platform/glyph_atlas.h"

namespace hydra {

class Glyphs {
 public:
  Glyphs();  // belongs to the current ImGui context and is found there by current()
  ~Glyphs();
  Glyphs(const Glyphs&) = delete;
  Glyphs& operator=(const Glyphs&) = delete;
  static Glyphs* current();  // null: texts are drawn as they are

  // The text for ImGui's functions, in this font: itself when it has nothing unusual. A text that was already turned
  // must not be again. Holds until the next frame, or as long as text does.
  const std::string& shown(ImFont* font, const std::string& text);
  // Whether it can be drawn as it is.
  bool is_plain(const ImFont* font, const std::string& text) const;
  // The text, or its beginning in whole clusters with an ellipsis, that is at most so wide; to be turned by shown.
  const std::string& clipped(ImFont* font, const std::string& text, float width);

  // A text to be edited: each cluster is one character, in logical order; and what an edited text says.
  std::string for_field(ImFont* font, const std::string& text);
  std::string from_field(const std::string& text) const;
  ImWchar typed(char32_t code);  // a character from the keyboard as it goes into a field

  // The atlas must be built anew with rows_wanted(), because pictures had no room; asked between frames.
  bool wants_build() const { return rows_wanted_ != rows_ || forget_; }
  int rows_wanted() const { return rows_wanted_; }
  void adopt(ImFontAtlas& atlas);  // after build_fonts
  bool take_changed();             // whether the texture has new pictures since it was last asked
  void begin_frame();

 private:
  struct Clipped {
    const ImFont* font;
    float width;
    std::string text;
  };
  struct Shown {
    std::string text;
    std::vector<const ImFont*> loaded;  // fonts that have its glyphs
  };

  Shown& entry(const std::string& text);
  std::string turned(const std::string& text);
  ImWchar code_for(std::string_view word);
  bool load_all(ImFont& font, const std::string& shown_text);
  bool load(ImFont& font, ImWchar code);
  void ask_for_room(const ImFont& font, ImWchar code, const GlyphPicture& picture);
  float width_of(ImFont& font, std::string_view text);
  std::string beginning(ImFont& font, const std::string& text, float width);

  SystemFonts fonts_;
  GlyphAtlas atlas_;
  std::unordered_map<std::string, Shown> texts_;
  std::unordered_map<std::string, std::vector<Clipped>> clipped_;
  std::unordered_map<std::string, ImWchar> codes_;  // of words
  std::vector<std::string> words_;                  // of codes, from the first private one on
  std::string field_from_, field_;                  // the last text for a field, and what it became
  const ImFont* field_font_ = nullptr;

  int rows_ = 0, rows_wanted_ = 0;  // of the atlas, for pictures
  std::set<std::pair<const ImFont*, ImWchar>> without_room_;
  float area_without_room_ = 0;
  int frames_since_forgetting_ = 1 << 20;
  bool changed_ = false;
  bool forget_ = false;  // the pictures, because there is no more room
  bool out_of_codes_ = false;
};

// Where the beginning of a text that has no room is cut, fits being its bytes that have: a token of several words after
// one of them.
std::size_t end_of_beginning(std::string_view text, std::size_t fits);

}  // namespace hydra
