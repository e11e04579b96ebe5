#include "app/widgets/text_item.h"

#include <algorithm>
#include <cmath>

#include "imgui_internal.h"

namespace hydra::ui {

void text_item(Canvas& canvas, const std::string& words, const TextLook& look) {
  if (look.aligned) ImGui::AlignTextToFramePadding();
  ImFont* const font = look.font ? look.font : ImGui::GetFont();
  const std::string& drawn = drawable(font, words);
  const ImGuiWindow& window = *ImGui::GetCurrentWindow();
  const ImVec2 pos{window.DC.CursorPos.x, window.DC.CursorPos.y + window.DC.CurrLineTextBaseOffset};
  const float end = window.DC.TextWrapPos;  // below 0: no lines
  const float wrap = look.wraps || end >= 0 ? ImGui::CalcWrapWidthForPos(pos, std::max(0.0f, end)) : 0;
  ImVec2 size = font->CalcTextSizeA(font->FontSize, FLT_MAX, wrap, drawn.data(), drawn.data() + drawn.size());
  size.x = std::floor(size.x + 0.99999f);  // as ImGui::CalcTextSize has it
  ImGui::ItemSize(size, 0);
  if (!ImGui::ItemAdd({pos, {pos.x + size.x, pos.y + size.y}}, 0) && !canvas.shows_all()) return;
  const ImU32 ink = look.ink != 0 ? look.ink : ImGui::GetColorU32(ImGuiCol_Text);
  canvas.text({font, font->FontSize, pos, ink, words, words, 0, wrap});
}

std::string broken_between_words(ImFont* font, const std::string& text, float width) {
  std::string lines, line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const std::string longer = line.empty() ? word : line + " " + word;
    if (line.empty() || text_width(font, longer) <= width) {
      line = longer;
    } else {
      lines += line + "\n";
      line = word;
    }
    at = end + 1;
  }
  return lines + line;
}

void begin_tooltip() {
  const float em = ImGui::GetFontSize();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.6f * em, 0.45f * em});
  ImGui::BeginTooltip();
}

void begin_tooltip_beside(ImVec2 min, ImVec2 max, float high) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float gap = 0.3f * ImGui::GetFontSize(), below = screen.y - max.y - gap, above = min.y - gap;
  const bool under = below >= high || (max.y < 0.62f * screen.y && above < high), left = min.x < 0.5f * screen.x;
  const float y = under ? std::max(0.0f, std::min(max.y + gap, screen.y - high)) : std::max(above, high);
  ImGui::SetNextWindowPos({left ? min.x : max.x, y}, ImGuiCond_Always, {left ? 0.0f : 1.0f, under ? 0.0f : 1.0f});
  begin_tooltip();
}

void end_tooltip() {
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

void tip_text(Canvas& canvas, const std::string& words, float width) {
  const Canvas::Part part(canvas, "tip");
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width + 1);
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find('\n', at), words.size());
    text_item(canvas, broken_between_words(ImGui::GetFont(), words.substr(at, end - at), width), {.wraps = true});
    at = end + 1;
  }
  ImGui::PopTextWrapPos();
}
}  // namespace hydra::ui
