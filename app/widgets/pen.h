// Shapes and text, drawn into the present window at places on the screen.
#pragma once
#include <imgui.h>

#include <limits>
#include <string>
#include <vector>

namespace hydra {

namespace pen {
inline ImDrawList* list() { return ImGui::GetWindowDrawList(); }
void fill(ImVec2 min, ImVec2 max, ImU32 color, float rounding = 0);
void frame(ImVec2 min, ImVec2 max, ImU32 color, float thick = 1, float rounding = 0);
void line(ImVec2 from, ImVec2 to, ImU32 color, float thick = 1);
void dotted(ImVec2 from, ImVec2 to, ImU32 color, float thick);  // dots as far apart as they are thick
void disc(ImVec2 center, float radius, ImU32 color);
void ring(ImVec2 center, float radius, ImU32 color, float thick = 1);

// Nothing is drawn beyond the rectangle, nor beyond those around it, while this lives.
class Clip {
 public:
  Clip(ImVec2 min, ImVec2 max) { list()->PushClipRect(min, max, true); }
  ~Clip() { list()->PopClipRect(); }
  Clip(const Clip&) = delete;
  Clip& operator=(const Clip&) = delete;
};
// While it lives, what is drawn lies on what is drawn within Below, so that pictures of many matrices share draw calls.
class Layers {
 public:
  Layers();
  ~Layers();
  Layers(const Layers&) = delete;
  Layers& operator=(const Layers&) = delete;
};
class Below {  // nothing without Layers
 public:
  Below();
  ~Below();
  Below(const Below&) = delete;
  Below& operator=(const Below&) = delete;
};
}  // namespace pen

// Text of any script (glyphs.h). The functions below take texts as they are; ImGui's own need them turned: in this
// font, in the current font. Both hold until the end of the statement, or of the frame.
const std::string& drawable(ImFont* font, const std::string& text);
const char* imgui_text(const std::string& text);

// The text, or its beginning with an ellipsis, that is at most width wide in the font; of a token of several words,
// "Ann+apple+plum", so many of them.
std::string clipped(ImFont* font, const std::string& text, float width);
// The first of the texts that is no wider, else the beginning of the last.
std::string fitting(ImFont* font, float width, const std::vector<std::string>& texts);
float text_width(ImFont* font, const std::string& text);
float widest(ImFont* font, const std::vector<std::string>& texts);  // 0 without any

inline constexpr float kNoLimit = std::numeric_limits<float>::infinity();

// From its upper left corner, clipped to a width; that ends at its upper right corner; around its middle.
void text_at(ImFont* font, ImVec2 pos, ImU32 color, const std::string& text, float width = kNoLimit);
void text_up_to(ImFont* font, ImVec2 end, ImU32 color, const std::string& text);
void text_centered(ImFont* font, ImVec2 center, ImU32 color, const std::string& text);
// Like text_at, but capitals or a number behind an underscore are set small and low: W_QK, O_64.
void math_at(ImFont* font, ImFont* small, ImVec2 pos, ImU32 color, const std::string& text);
// In another size than the font's; and turned counter-clockwise by degrees (0..90) about its lower left corner, which
// lies at pos.
void text_sized(ImFont* font, float size, ImVec2 pos, ImU32 color, const std::string& text);
void text_turned(ImFont* font, float size, ImVec2 pos, float degrees, ImU32 color, const std::string& text);

// Texts one behind the other, up to an end.
struct TextLine {
  ImVec2 pos;  // of the next
  float end = kNoLimit;
  void put(ImFont* font, ImU32 color, const std::string& text, float gap = 0);
};

}  // namespace hydra
