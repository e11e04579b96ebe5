#include "app/widgets/mouse_area.h"

#include "app/platform/input.h"
#include "imgui_internal.h"

namespace hydra::ui {

namespace {

std::string& words_of_framed() {
  static std::string words;
  return words;
}

// The framed control is in the present window, or in one that keys go into from it.
bool is_here(const ImGuiContext& gui) {
  return gui.NavWindow && gui.NavWindow->RootWindowForNav == gui.CurrentWindow->RootWindowForNav;
}

void begin_at(bool first) {
  ImGuiContext& gui = *ImGui::GetCurrentContext();
  ImGui::FocusWindow(gui.CurrentWindow);
  ImGui::NavInitWindow(gui.CurrentWindow, first);
  gui.NavDisableHighlight = false;
  gui.NavDisableMouseHover = true;
}

}  // namespace

// ImGui's key for a click is Space; Enter is for typing into what can be typed into.
void set_keys_choose(bool on) {
  words_of_framed().clear();
  int& flags = ImGui::GetIO().ConfigFlags;
  flags = on ? flags | ImGuiConfigFlags_NavEnableKeyboard : flags & ~ImGuiConfigFlags_NavEnableKeyboard;
  ImGuiContext& gui = *ImGui::GetCurrentContext();
  if (on && !gui.NavDisableHighlight && gui.ActiveId == 0 && key_pressed(key::enter))
    gui.NavActivateId = gui.NavActivateDownId = gui.NavActivatePressedId = gui.NavId;
}

void choose_first_by_keys() { begin_at(true); }
void choose_by_keys_here() { begin_at(false); }

void keep_choosing_by_keys() {
  const ImGuiContext& gui = *ImGui::GetCurrentContext();
  if (is_here(gui) && !gui.NavIdIsAlive && !gui.NavInitRequest && gui.NavInitResultId == 0 && gui.ActiveId == 0)
    begin_at(true);
}

bool keys_choose() {
  const ImGuiContext& gui = *ImGui::GetCurrentContext();
  return !gui.NavDisableHighlight && gui.NavDisableMouseHover;
}

void mark_framed(Canvas& canvas, const Box& within, ImU32 color) {
  const ImGuiContext& gui = *ImGui::GetCurrentContext();
  if (!is_here(gui) || !gui.NavIdIsAlive || gui.NavDisableHighlight) return;
  ImRect box = ImGui::WindowRectRelToAbs(gui.NavWindow, gui.NavWindow->NavRectRel[gui.NavLayer]);
  box.Expand(4);
  canvas.frame_over(box.Min, box.Max, color, 2, ImGui::GetStyle().FrameRounding, within);
}

bool is_chosen_by_key() {
  const ImGuiContext& gui = *ImGui::GetCurrentContext();
  return gui.NavActivateId != 0 && gui.NavActivateId == gui.LastItemData.ID;
}

bool is_framed() { return keys_choose() && ImGui::IsItemFocused(); }

void name_if_framed(std::string_view words) {
  if (!is_framed() || words.empty()) return;
  std::string& all = words_of_framed();
  all.append(all.empty() ? "" : ". ").append(words);
}
const std::string& framed_words() { return words_of_framed(); }

bool telling_area(const char* id, ImVec2 size) {
  ImGui::InvisibleButton(id, size);
  return !keys_choose() && ImGui::IsItemHovered();
}

bool mouse_area(const char* id, ImVec2 size) {
  ImGui::PushItemFlag(ImGuiItemFlags_NoNav | ImGuiItemFlags_NoNavDefaultFocus, true);
  const bool pressed = ImGui::InvisibleButton(id, size);
  ImGui::PopItemFlag();
  return pressed;
}

}  // namespace hydra::ui
