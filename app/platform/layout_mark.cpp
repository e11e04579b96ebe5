#include "app/platform/layout_mark.h"

namespace hydra {

namespace {

// Its channels become one: what was drawn into them stays in order.
void merge_channels(ImDrawList& list) {
  if (list._Splitter._Count > 1) list.ChannelsMerge();
}

}  // namespace

#if IMGUI_VERSION_NUM >= 19130

// What it finds open is no mistake here: nothing is asserted or shown.
void LayoutMark::come_back() {
  ImGuiIO& io = ImGui::GetIO();
  const bool asserts = io.ConfigErrorRecoveryEnableAssert, shows = io.ConfigErrorRecoveryEnableTooltip;
  io.ConfigErrorRecoveryEnableAssert = io.ConfigErrorRecoveryEnableTooltip = false;
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  for (ImGuiWindow* window : g.Windows)
    if (window->Active) merge_channels(*window->DrawList);
  ImGui::ErrorRecoveryTryToRecoverState(&state_);
  io.ConfigErrorRecoveryEnableAssert = asserts;
  io.ConfigErrorRecoveryEnableTooltip = shows;
}

#else

LayoutMark::LayoutMark() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  windows_ = g.CurrentWindowStack.Size;
  fonts_ = g.FontStack.Size;
  colors_ = g.ColorStack.Size;
  style_vars_ = g.StyleVarStack.Size;
  clips_ = g.CurrentWindow->DrawList->_ClipRectStack.Size;
}

void LayoutMark::come_back() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const auto close_what_is_open = [&] {
    ImGui::ErrorCheckEndWindowRecover(nullptr);  // tables, trees, groups, ids; colours and styles since its Begin
    merge_channels(*g.CurrentWindow->DrawList);
  };
  for (; g.CurrentWindowStack.Size > windows_;) {
    close_what_is_open();
    while (g.FontStack.Size > g.CurrentWindowStack.back().StackSizesOnBegin.SizeOfFontStack) ImGui::PopFont();
    if ((g.CurrentWindow->Flags & ImGuiWindowFlags_ChildWindow) != 0)
      ImGui::EndChild();
    else
      ImGui::End();
  }
  close_what_is_open();
  while (g.CurrentWindow->DrawList->_ClipRectStack.Size > clips_) ImGui::PopClipRect();
  ImGui::PopStyleVar(g.StyleVarStack.Size - style_vars_);
  ImGui::PopStyleColor(g.ColorStack.Size - colors_);
  while (g.FontStack.Size > fonts_) ImGui::PopFont();
}

#endif

}  // namespace hydra
