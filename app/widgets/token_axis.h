// Words along the edge of a matrix.
#pragma once
#include <imgui.h>

#include <string>
#include <vector>

namespace hydra {

// Text of any script (glyphs.h). The functions below take texts as they are; ImGui's own need them turned: in this
// font, in the current font. Both hold until the end of the statement, or of the frame.
const std::string& drawable(ImFont* font, const std::string& text);
const char* imgui_text(const std::string& text);

// The text, or its beginning with an ellipsis, that is at most width wide in the font.
std::string clipped(ImFont* font, const std::string& text, float width);
float text_width(ImFont* font, const std::string& text);

void text_at(ImDrawList* list, ImFont* font, ImVec2 pos, ImU32 color, const std::string& text);
void text_centered(ImDrawList* list, ImFont* font, ImVec2 center, ImU32 color, const std::string& text);
// Like text_at, but capitals or a number behind an underscore are set small and low: W_QK, O_64.
void math_at(ImDrawList* list, ImFont* font, ImFont* small, ImVec2 pos, ImU32 color, const std::string& text);
// Turned counter-clockwise by degrees (0..90) about its lower left corner, which lies at pos.
void text_turned(ImDrawList* list, ImFont* font, ImVec2 pos, float degrees, ImU32 color, const std::string& text);

struct TokenAxis {
  const std::vector<std::string>* tokens = nullptr;
  ImFont* font = nullptr;
  ImU32 ink = 0, strong = 0;  // strong: the marked token
  int marked = -1;
};
// Whether a token has its label where there is room for every stride-th only: the marked one has, and those that would
// run into it have none.
bool is_labelled(int token, int stride, int marked);
// Row labels: right-aligned, ending at x; row i spans [top + i * step, top + (i + 1) * step). When rows are lower than
// the text, only every k-th label is drawn.
void row_labels(ImDrawList* list, const TokenAxis& axis, float x, float width, float top, float step);
// Column labels: rising to the right from the top edge y of the columns, at most height high.
void column_labels(ImDrawList* list, const TokenAxis& axis, float left, float step, float y, float height);

}  // namespace hydra
