#include "app/views/shell/parts.h"

#include <algorithm>
#include <utility>

#include "app/platform/input.h"
#include "app/views/frame/ui.h"
#include "app/widgets/mouse_area.h"
#include "imgui_internal.h"

namespace hydra {

namespace {

unsigned bit(WindowPart part) { return 1u << static_cast<unsigned>(part); }

// What must be answered, or chosen from, before the window behind it has the keyboard again.
bool has_front(const Front& front) { return front.asks() || ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup); }

// The part shown next to the present one; none behind the last.
std::optional<WindowPart> next_part(const Parts& parts, int by) {
  const int last = kWindowParts - 1;
  for (int k = parts.at ? static_cast<int>(*parts.at) + by : by > 0 ? 0 : last; k >= 0 && k <= last; k += by)
    if ((parts.shown & bit(static_cast<WindowPart>(k))) != 0) return static_cast<WindowPart>(k);
  return std::nullopt;
}

// ImGui goes through the controls of all parts but the numbers.
bool goes_through_controls(const Parts& parts, const Front& front) {
  if (front.layout && !front.question) return true;
  return parts.at && *parts.at != WindowPart::numbers && !front.asks();
}

// The two parts of the view share its window.
bool is_in(const Parts& parts, WindowPart part) {
  return parts.at == part || (part == WindowPart::numbers && parts.at == WindowPart::controls);
}

}  // namespace

bool numbers_have_keys(const Frame& frame) {
  const auto& parts = frame.hands.of<Parts>();
  return (!parts.at || *parts.at == WindowPart::numbers) && !parts.menu && !frame.front.help && !frame.front.asks() &&
         !ImGui::GetIO().WantTextInput;
}

void follow_tab(Parts& parts, Front& front) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!io.KeysDown[key::tab] || io.KeyCtrl || io.KeyAlt) return;
  if (front.layout && !front.question) {  // which has parts of its own
    ImGui::GetIO().KeysDown[key::tab] = false;
    front.layout_turn = io.KeyShift ? -1 : 1;
  }
  if (has_front(front)) return;
  ImGui::GetIO().KeysDown[key::tab] = false;
  front.help = false;
  const int by = io.KeyShift ? -1 : 1;
  parts.at = next_part(parts, by);
  if (!parts.at) parts.at = next_part(parts, by);
  parts.entered = true;
}

void enter_parts(Parts& parts, int by) {
  parts.at.reset();
  if (by != 0) parts.at = next_part(parts, by);
  parts.entered = parts.at.has_value();
}

bool keeps_tab(const Frame& frame, int by) { return has_front(frame.front) || next_part(frame.hands.of<Parts>(), by); }

void begin_parts(Frame& frame) {
  auto& parts = frame.hands.of<Parts>();
  parts.drawn = 0;
  parts.menu = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
  for (int button = 0; button < ImGuiMouseButton_COUNT; ++button)
    if (ImGui::IsMouseClicked(button)) parts.at.reset();
  if (parts.entered) ImGui::ClearActiveID();  // a text that was being typed is done
  ui::set_keys_choose(goes_through_controls(parts, frame.front));
}

void end_parts(Frame& frame) {
  auto& parts = frame.hands.of<Parts>();
  parts.shown = parts.drawn;
  parts.entered = false;
  if (parts.at && (parts.shown & bit(*parts.at)) == 0) parts.at.reset();  // it was closed
}

void begin_part(Frame& frame, WindowPart part) {
  auto& parts = frame.hands.of<Parts>();
  parts.drawn |= bit(part);
  if (part == WindowPart::numbers) parts.drawn |= bit(WindowPart::controls);
  if (!parts.entered || !is_in(parts, part) || parts.at == WindowPart::numbers) return;
  ui::choose_by_keys_here();
}

void end_part(const Frame& frame, WindowPart part) {
  const auto& parts = frame.hands.of<Parts>();
  if (!is_in(parts, part)) return;
  if (parts.at != WindowPart::numbers) ui::keep_choosing_by_keys();
  const ImVec2 pos = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const ImVec2 end{pos.x + size.x, pos.y + size.y};
  ui::probe("part", pos, end);
  if (has_front(frame.front) || frame.front.help) return;
  const float thick = 0.5f * frame.unit, half = 0.5f * thick;
  frame.canvas.frame_over({pos.x + half, pos.y + half}, {end.x - half, end.y - half}, frame.theme.accent, thick, 0,
                          {pos, size});
  if (parts.at != WindowPart::numbers) ui::mark_framed(frame.canvas, {pos, size}, frame.theme.accent);
}

const std::string& name_of(const ViewState& view, WindowPart part) {
  switch (part) {
    case WindowPart::bar:
      return wording("panels:part.bar");
    case WindowPart::side:
      return wording(is_open(view, Side::notes) ? "panels:part.notes" : "panels:part.model");
    case WindowPart::numbers:
      return wording("panels:part.numbers");
    case WindowPart::controls:
      return wording("panels:part.controls");
    case WindowPart::transport:
      return wording("panels:part.transport");
    case WindowPart::inspector:
      return wording("panels:part.inspector");
    case WindowPart::overflow:
      break;
  }
  return wording("panels:part.overflow");
}

}  // namespace hydra
