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

  // The text for ImGui's functions, in this font: itself when it has nothing unusual, its beginning (within_sight) when
  // it is long. A text that was already turned must not be again. Holds until the next frame, or as long as text does.
  const std::string& shown(ImFont* font, const std::string& text);
  // Whether it can be drawn as it is.
  bool is_plain(const ImFont* font, const std::string& text) const;
  // The text, or its beginning in whole clusters with an ellipsis, that is at most so wide; to be turned by shown.
  const std::string& clipped(ImFont* font, const std::string& text, float width);
  // How wide it is when it is drawn. Makes no pictures, as much is measured that has no room.
  float width(ImFont* font, const std::string& text);

  // A text to be edited: each cluster is one character, in logical order; and what an edited text says. Pictures are
  // needed where the field shows its letters, or is clicked. Holds until the next text for a field, or as long as text.
  const std::string& for_field(ImFont* font, const std::string& text, bool pictures = true);
  std::string from_field(const std::string& text) const;
  ImWchar typed(char32_t code);  // a character from the keyboard as it goes into a field

  // The atlas must be built anew with rows_wanted(), because pictures had no room; asked between frames.
  bool wants_build() const { return rows_wanted_ != rows_ || forget_; }
  int rows_wanted() const { return rows_wanted_; }
  void adopt(ImFontAtlas& atlas);            // after build_fonts
  bool pending() const { return pending_; }  // a field needs more pictures than were made in this frame
  bool take_changed();                       // whether the texture has new pictures since it was last asked
  void begin_frame();
  // Bytes that the system's fonts were asked for, all in all: what the texts cost that were met.
  std::size_t asked() const { return asked_; }

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
  struct Field {
    std::string text, shown;
    std::vector<ImWchar> codes;  // that are needed to show it, each once
    const ImFont* loaded = nullptr;
  };

  Shown& entry(const std::string& text);
  Field made_for_field(const std::string& text);
  std::string turned(const std::string& text);
  ImWchar code_for(std::string_view word);
  bool load_all(ImFont& font, const std::string& shown_text);
  bool load(ImFont& font, ImWchar code);
  void ask_for_room(const ImFont& font, ImWchar code, const GlyphPicture& picture);
  bool has(std::string_view cluster);
  float advance(ImFont& font, std::string_view word);
  float width_of(ImFont& font, std::string_view text);
  std::string beginning(ImFont& font, const std::string& text, float width);

  SystemFonts fonts_;
  GlyphAtlas atlas_;
  std::unordered_map<std::string, Shown> texts_;
  std::unordered_map<std::string, std::vector<Clipped>> clipped_;
  std::unordered_map<std::string, ImWchar> codes_;  // of words
  std::vector<std::string> words_;                  // of codes, from the first private one on
  std::unordered_map<const ImFont*, std::unordered_map<std::string, float>> widths_;    // of texts
  std::unordered_map<const ImFont*, std::unordered_map<std::string, float>> advances_;  // of words
  Field field_;                                                                         // the last one

  int rows_ = 0, rows_wanted_ = 0;  // of the atlas, for pictures
  std::set<std::pair<const ImFont*, ImWchar>> without_room_;
  float area_without_room_ = 0;
  int frames_since_forgetting_ = 1 << 20;
  bool changed_ = false;
  bool forget_ = false;  // the pictures, because there is no more room
  bool out_of_codes_ = false;
  bool pending_ = false;
  std::size_t asked_ = 0;
};

// Of a text on one line, or a paragraph, no more bytes are ever seen: longer ones are cut before anything is done with
// them, so that a text costs what its picture does.
inline constexpr std::size_t kMostShown = 4096;
// The beginning of a longer one with an ellipsis, so many bytes in all.
std::string within_sight(const std::string& text);

// Where the beginning of a text that has no room is cut, fits being its bytes that have: a token of several words after
// one of them.
std::size_t end_of_beginning(std::string_view text, std::size_t fits);

}  // namespace hydra
