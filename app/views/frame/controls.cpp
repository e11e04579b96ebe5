#include "app/views/frame/controls.h"

#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/format.h"
#include "app/draw/probe.h"
#include "app/platform/input.h"
#include "app/widgets/mouse_area.h"
#include "core/text/wording.h"
#include "imgui_internal.h"

namespace hydra::ui {

namespace {
float chip_padding() { return 0.45f * ImGui::GetFontSize(); }

void push_id(std::string_view name) { ImGui::PushID(name.data(), name.data() + name.size()); }

float sign_width() { return 1.05f * ImGui::GetFontSize(); }  // before the words of a main button

}  // namespace

bool button(const Frame& frame, std::string_view name, const std::string& label, std::string_view tip_text,
            bool enabled) {
  push_id(name);
  if (!enabled) ImGui::BeginDisabled();
  const bool pressed = ImGui::Button(imgui_text(label));
  if (!enabled) ImGui::EndDisabled();
  probe(name);
  name_if_framed(label);
  tip(frame, tip_text);
  ImGui::PopID();
  return pressed && enabled;
}

float main_button_width(const Frame& frame, const std::string& label) {
  return text_width(frame.fonts.strong, label) + sign_width() + 2 * ImGui::GetStyle().FramePadding.x;
}

bool main_button(const Frame& frame, std::string_view name, const std::string& label, std::string_view tip_text,
                 Sign sign, float width, bool enabled) {
  const Theme& theme = frame.theme;
  push_id(name);
  if (!enabled) ImGui::BeginDisabled();
  const bool pressed = ImGui::InvisibleButton("main", {width, ImGui::GetFrameHeight()});
  if (!enabled) ImGui::EndDisabled();
  probe(name);
  name_if_framed(label);
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  const float lift = ImGui::IsItemActive() ? 0.3f : ImGui::IsItemHovered() ? 0.15f : 0;
  const ImU32 ink = enabled ? theme.ground : theme.ink_faint;
  frame.canvas.fill(a, b, enabled ? mixed(theme.ink, theme.ground, lift) : theme.line, 0.75f * frame.unit);
  const float side = 0.7f * ImGui::GetFontSize(), x = a.x + ImGui::GetStyle().FramePadding.x;
  const float top = 0.5f * (a.y + b.y - side), third = side / 3;
  if (sign == Sign::play) {
    frame.canvas.triangle({x, top}, {x + 0.9f * side, top + 0.5f * side}, {x, top + side}, ink);
  } else {
    frame.canvas.fill({x, top}, {x + third, top + side}, ink);
    frame.canvas.fill({x + 2 * third, top}, {x + side, top + side}, ink);
  }
  frame.canvas.text_at(frame.fonts.strong, {x + sign_width(), a.y + 0.5f * (b.y - a.y - frame.fonts.strong->FontSize)},
                       ink, label);
  tip(frame, tip_text);
  ImGui::PopID();
  return pressed && enabled;
}

float chip_width(std::string_view label) {
  return ImGui::CalcTextSize(label.data(), label.data() + label.size()).x + 2 * chip_padding();
}

bool chip(const Frame& frame, std::string_view name, std::string_view label, bool on, std::string_view tip_text,
          ImU32 fill, bool enabled) {
  const Theme& theme = frame.theme;
  const ImVec2 size{chip_width(label), ImGui::GetFrameHeight()};
  push_id(name);
  if (!enabled) ImGui::BeginDisabled();
  const bool pressed = ImGui::InvisibleButton("chip", size);
  if (!enabled) ImGui::EndDisabled();
  probe(name);
  name_if_framed(label);
  if (on) name_if_framed(wording("panels:on"));
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  const float rounding = 0.75f * frame.unit;
  const ImU32 color = fill != 0 ? fill : theme.accent;
  const Canvas::Part part(frame.canvas, on ? "chip" : kWindowAlone);
  ImU32 ink = on ? ink_on(rgb_of(color)) : enabled ? theme.ink : theme.ink_faint;
  if (frame.canvas.shows_all())  // a figure has the words of what is chosen
    ink = theme.ink_soft;
  else
    frame.canvas.fill(a, b, on ? color : ImGui::IsItemHovered() ? theme.line : theme.raised, rounding);
  frame.canvas.text_at(ImGui::GetFont(), {a.x + chip_padding(), a.y + ImGui::GetStyle().FramePadding.y}, ink,
                       std::string(label));
  tip(frame, tip_text);
  ImGui::PopID();
  return pressed && enabled;
}

bool checkbox(const Frame& frame, std::string_view name, const std::string& label, bool& on,
              std::string_view tip_text) {
  push_id(name);
  const bool pressed = ImGui::Checkbox(imgui_text(label), &on);
  probe(name);
  name_if_framed(label);
  if (on) name_if_framed(wording("panels:on"));
  tip(frame, tip_text);
  ImGui::PopID();
  return pressed;
}

void flow_line(float width) {
  const float spacing = 0.3f * ImGui::GetFontSize();
  const float end = ImGui::GetItemRectMax().x + spacing + width;
  if (end <= ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x) ImGui::SameLine(0, spacing);
}

void apart(float gap, float width) {
  flow_line(gap + width);
  if (ImGui::GetCursorPosX() > ImGui::GetWindowContentRegionMin().x + gap)
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gap);
}

bool Chips::chip(std::string_view name, std::string_view label, bool on, std::string_view tip_text, ImU32 fill) {
  if (follows_ && breaks_)
    flow_line(chip_width(label));
  else if (follows_)
    ImGui::SameLine(0, frame_.unit);
  follows_ = true;
  return ui::chip(frame_, name, label, on, tip_text, fill);
}

Chips Chips::in_line(const Frame& frame) {
  Chips chips(frame);
  chips.breaks_ = false;
  return chips;
}

void Chips::apart(float gap, float width) {
  ui::apart(gap, width);
  follows_ = false;
}

WithinRight::WithinRight(float right) : before_(ImGui::GetCurrentWindow()->WorkRect.Max.x) {
  ImGuiWindow* const window = ImGui::GetCurrentWindow();
  window->WorkRect.Max.x = window->ContentRegionRect.Max.x = std::min(right, before_);
}
WithinRight::~WithinRight() {
  ImGuiWindow* const window = ImGui::GetCurrentWindow();
  window->WorkRect.Max.x = window->ContentRegionRect.Max.x = before_;
}

SmallChips::SmallChips(const Frame& frame) {
  const float high = frame.fonts.strong->FontSize + frame.unit;
  ImGui::PushFont(frame.fonts.small);
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {padding.x, 0.5f * (high - ImGui::GetFontSize())});
}
SmallChips::~SmallChips() {
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

long long seconds_left(double elapsed, float first_share, float share) {
  const double done = static_cast<double>(share - first_share);
  if (elapsed < 1 || done < 0.01) return 0;
  const double left = elapsed * (1 - static_cast<double>(share)) / done;
  return left < 1.5 ? 0 : std::llround(left);
}

namespace {

// Since when a bar of that name is seen without a break, and what was done then.
struct SeenSince {
  explicit SeenSince(const char* name, float share) {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetID(name);
    const auto now = static_cast<float>(ImGui::GetTime());
    float from = storage.GetFloat(id, now), first = storage.GetFloat(id + 2, share);
    if (now - storage.GetFloat(id + 1, now) > 1 || share < storage.GetFloat(id + 3, share)) from = now, first = share;
    storage.SetFloat(id, from), storage.SetFloat(id + 1, now);
    storage.SetFloat(id + 2, first), storage.SetFloat(id + 3, share);
    elapsed = static_cast<double>(now - from), first_share = first;
  }
  double elapsed = 0;
  float first_share = 0;
};

}  // namespace

void progress_bar(const Frame& frame, const char* name, ImVec2 pos, ImVec2 size, float share) {
  const SeenSince seen(name, share);
  if (const long long left = seconds_left(seen.elapsed, seen.first_share, share); left > 0) {
    const std::string text = wording("panels:to_go", {{"n", left}});
    const float width = text_width(frame.fonts.small, text), height = frame.fonts.small->FontSize;
    const ImVec2 low{pos.x + size.x - width - frame.unit, pos.y + size.y};
    frame.canvas.fill(low, {pos.x + size.x, low.y + height}, frame.theme.ground);
    frame.canvas.text_up_to(frame.fonts.small, {pos.x + size.x, low.y}, frame.theme.ink_soft, text);
  }
  const ImVec2 end{pos.x + size.x, pos.y + size.y};
  frame.canvas.fill(pos, end, frame.theme.line);
  frame.canvas.fill(pos, {pos.x + size.x * std::clamp(share, 0.0f, 1.0f), end.y}, frame.theme.accent);
  ui::probe(name, pos, end);
}

void close_on_escape() {
  if (key_pressed(key::escape)) ImGui::CloseCurrentPopup();
}

bool fold(const Frame& frame, std::string_view name, const std::string& title, bool open, const std::string& note,
          std::string_view tip_text) {
  ImGui::Dummy({0, 0.5f * frame.unit});
  ImFont *strong = frame.fonts.strong, *small = frame.fonts.small;
  const ImVec2 pos = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, high = strong->FontSize + frame.unit, arrow = 0.9f * high;
  const bool clicked = ImGui::InvisibleButton(std::string(name).c_str(), {width, high});
  ui::probe(name);
  name_if_framed(title);
  if (open) name_if_framed(wording("panels:unfolded"));
  tip(frame, tip_text);
  const ImU32 ink = ImGui::IsItemHovered() ? frame.theme.accent : frame.theme.ink;
  const ImVec2 middle{pos.x + 0.3f * arrow, pos.y + 0.5f * high};
  const float r = 0.22f * high;
  if (open)
    frame.canvas.triangle({middle.x - r, middle.y - 0.6f * r}, {middle.x + r, middle.y - 0.6f * r},
                          {middle.x, middle.y + 0.8f * r}, ink);
  else
    frame.canvas.triangle({middle.x - 0.6f * r, middle.y - r}, {middle.x - 0.6f * r, middle.y + r},
                          {middle.x + 0.8f * r, middle.y}, ink);
  frame.canvas.text_at(strong, {pos.x + arrow, pos.y + 0.5f * frame.unit}, ink, title);
  const float behind = pos.x + arrow + text_width(strong, title) + 2 * frame.unit;
  frame.canvas.text_at(small, {behind, pos.y + 0.5f * frame.unit + strong->FontSize - small->FontSize},
                       frame.theme.ink_soft, note, pos.x + width - behind);
  return clicked;
}

}  // namespace hydra::ui
