// How wide text is, and what of it has room. Text of any script (glyphs.h): the functions take it as it is; ImGui's own
// need it turned.
#pragma once
#include <imgui.h>

#include <limits>
#include <string>
#include <vector>

namespace hydra {

// In this font, in the current font: for ImGui's functions. Both hold until the end of the statement, or of the frame.
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

}  // namespace hydra
