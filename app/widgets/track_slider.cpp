#include "app/widgets/track_slider.h"

#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/widgets/mouse_area.h"

namespace hydra {

namespace {

constexpr float kSnap = 0.025f;  // of the track: so near to the line of rest is at rest

float value_at(const TrackSlider& s, float x, float left, float right) {
  const float t = std::clamp((x - left) / std::max(1.0f, right - left), 0.0f, 1.0f);
  const float value = s.low + t * (s.high - s.low);
  if (std::abs(value - s.rest) <= kSnap * (s.high - s.low)) return s.rest;
  return std::clamp(s.step * std::round(value / s.step), s.low, s.high);
}

void draw(Canvas& canvas, const TrackSlider& s, float left, float right, bool lit) {
  const float middle = std::round(s.pos.y + 0.5f * s.size.y), thick = 0.375f * s.unit;
  const auto x_of = [&](float value) {
    const float t = std::clamp((value - s.low) / (s.high - s.low), 0.0f, 1.0f);
    return left + t * (right - left);
  };
  canvas.fill({left, middle - thick}, {right, middle + thick}, s.theme->line);
  const float rest = std::round(x_of(s.rest)), x = x_of(s.value);
  canvas.fill({left, middle - thick}, {x, middle + thick}, s.color);
  canvas.line({rest, middle - 1.5f * s.unit}, {rest, middle + 1.5f * s.unit}, s.theme->ink_faint);
  const float radius = (lit ? 1.6f : 1.35f) * s.unit;
  canvas.disc({x, middle}, radius, s.value == s.low ? s.theme->ground : s.color);
  canvas.ring({x, middle}, radius, s.value == s.low ? s.color : s.theme->ground, 1.5f);
}

}  // namespace

TrackSliderResult track_slider(Canvas& canvas, const char* id, const TrackSlider& s) {
  TrackSliderResult result;
  result.value = s.value;
  ImGui::SetCursorScreenPos(s.pos);
  ui::mouse_area(id, {std::max(1.0f, s.size.x), std::max(1.0f, s.size.y)});
  const float inset = 1.6f * s.unit, left = s.pos.x + inset, right = s.pos.x + s.size.x - inset;
  result.hovered = ImGui::IsItemHovered();
  result.held = ImGui::IsItemActive();
  result.released = ImGui::IsItemDeactivated();
  result.double_clicked = result.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  if (result.held) result.value = value_at(s, ImGui::GetIO().MousePos.x, left, right);
  if (result.hovered || result.held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  draw(canvas, s, left, right, result.hovered || result.held);
  return result;
}

}  // namespace hydra
