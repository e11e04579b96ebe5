#include "app/draw/screen_canvas.h"

#include <cmath>

namespace hydra {

namespace {

ImDrawList& list() { return *ImGui::GetWindowDrawList(); }

bool has_layers() { return list()._Splitter._Count > 1; }

// Drawn level at its place, then turned: ImGui has no turned text, but its vertices are ours. RenderText, because
// AddText drops the letters that lie outside the clip rectangle before they are turned.
void add_turned(const DrawnText& text, const std::string& line) {
  ImDrawList& drawn = list();
  const int first = drawn.VtxBuffer.Size;
  text.font->RenderText(&drawn, text.size, {text.corner.x, text.corner.y - text.size}, text.ink,
                        ImVec4(-FLT_MAX, -FLT_MAX, FLT_MAX, FLT_MAX), line.data(), line.data() + line.size());
  const float angle = -text.degrees * 3.14159265f / 180, c = std::cos(angle), s = std::sin(angle);
  for (int k = first; k < drawn.VtxBuffer.Size; ++k) {
    ImVec2& p = drawn.VtxBuffer[k].pos;
    const float x = p.x - text.corner.x, y = p.y - text.corner.y;
    p = {text.corner.x + c * x - s * y, text.corner.y + s * x + c * y};
  }
}

}  // namespace

void ScreenCanvas::fill(ImVec2 min, ImVec2 max, ImU32 color, float rounding) {
  list().AddRectFilled(min, max, color, rounding);
}
void ScreenCanvas::frame(ImVec2 min, ImVec2 max, ImU32 color, float thick, float rounding) {
  list().AddRect(min, max, color, rounding, 0, thick);
}
void ScreenCanvas::fade(ImVec2 min, ImVec2 max, ImU32 above, ImU32 below) {
  list().AddRectFilledMultiColor(min, max, above, above, below, below);
}
void ScreenCanvas::line(ImVec2 from, ImVec2 to, ImU32 color, float thick) { list().AddLine(from, to, color, thick); }
void ScreenCanvas::path(std::span<const ImVec2> points, ImU32 color, float thick, bool closed) {
  const auto add = [&](std::span<const ImVec2> run, ImDrawFlags flags) {
    list().AddPolyline(run.data(), static_cast<int>(run.size()), color, flags, thick);
  };
  if (closed) return add(points, ImDrawFlags_Closed);
  // Where it turns sharply ImGui's corners would stand out beyond it, or thin it: it goes on from there anew.
  std::size_t from = 0;
  for (std::size_t k = 1; k + 1 < points.size(); ++k) {
    const ImVec2 a{points[k].x - points[k - 1].x, points[k].y - points[k - 1].y},
        b{points[k + 1].x - points[k].x, points[k + 1].y - points[k].y};
    const float dot = a.x * b.x + a.y * b.y, most = 0.3f * 0.3f * (a.x * a.x + a.y * a.y) * (b.x * b.x + b.y * b.y);
    if (dot > 0 || dot * dot < most) continue;
    add(points.subspan(from, k + 1 - from), ImDrawFlags_None);
    from = k;
  }
  add(points.subspan(from), ImDrawFlags_None);
}
void ScreenCanvas::curve(ImVec2 from, ImVec2 by, ImVec2 and_by, ImVec2 to, ImU32 color, float thick, int pieces) {
  list().AddBezierCubic(from, by, and_by, to, color, thick, pieces);
}
void ScreenCanvas::polygon(std::span<const ImVec2> corners, ImU32 color) {
  list().AddConvexPolyFilled(corners.data(), static_cast<int>(corners.size()), color);
}
void ScreenCanvas::disc(ImVec2 center, float radius, ImU32 color) { list().AddCircleFilled(center, radius, color); }
void ScreenCanvas::ring(ImVec2 center, float radius, ImU32 color, float thick) {
  list().AddCircle(center, radius, color, 0, thick);
}

void ScreenCanvas::text(const DrawnText& text) {
  const std::string& line = drawable(text.font, text.shown);
  if (text.degrees != 0) return add_turned(text, line);
  list().AddText(text.font, text.size, {std::floor(text.corner.x), std::floor(text.corner.y)}, text.ink, line.data(),
                 line.data() + line.size(), text.wrap);
}

void ScreenCanvas::cells(const Heatmap& heatmap) { sink_.add(&list(), heatmap); }

void ScreenCanvas::push_clip(ImVec2 min, ImVec2 max) { list().PushClipRect(min, max, true); }
void ScreenCanvas::pop_clip() { list().PopClipRect(); }
Box ScreenCanvas::visible() const {
  const ImVec2 low = list().GetClipRectMin(), high = list().GetClipRectMax();
  return {low, {high.x - low.x, high.y - low.y}};
}

bool ScreenCanvas::begin_room(const char* name, ImVec2 pos, ImVec2 size, Scrolls scrolls) {
  constexpr ImGuiWindowFlags kStill = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  ImGui::SetCursorScreenPos(pos);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  return ImGui::BeginChild(
      name, size, false,
      ImGuiWindowFlags_NavFlattened | (scrolls == Scrolls::no         ? kStill
                                       : scrolls == Scrolls::sideways ? ImGuiWindowFlags_HorizontalScrollbar
                                                                      : ImGuiWindowFlags_None));
}

void ScreenCanvas::end_room() {
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

void ScreenCanvas::begin_layers() {
  list().ChannelsSplit(2);
  list().ChannelsSetCurrent(1);
}
void ScreenCanvas::end_layers() { list().ChannelsMerge(); }
void ScreenCanvas::begin_below() {
  if (has_layers()) list().ChannelsSetCurrent(0);
}
void ScreenCanvas::end_below() {
  if (has_layers()) list().ChannelsSetCurrent(1);
}

void ScreenCanvas::frame_over(ImVec2 min, ImVec2 max, ImU32 color, float thick, float rounding, const Box& within) {
  ImDrawList* const over = ImGui::GetForegroundDrawList();
  over->PushClipRect(within.pos, within.end());
  over->AddRect(min, max, color, rounding, 0, thick);
  over->PopClipRect();
}

}  // namespace hydra
