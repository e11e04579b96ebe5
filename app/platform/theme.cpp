#include "app/platform/theme.h"

#include <algorithm>
#include <cmath>

namespace hydra {

namespace {

constexpr ImU32 rgb(unsigned hex) { return IM_COL32(hex >> 16 & 0xFF, hex >> 8 & 0xFF, hex & 0xFF, 0xFF); }

constexpr Theme kLight = {.dark = false,
                          .ground = rgb(0xFAFAF8),
                          .panel = rgb(0xF1F1EE),
                          .raised = rgb(0xFFFFFF),
                          .line = rgb(0xD9D9D4),
                          .ink = rgb(0x1B1C1E),
                          .ink_soft = rgb(0x55585E),
                          .ink_faint = rgb(0x85888D),
                          .accent = rgb(0x0B6E69),
                          .accent_soft = rgb(0xCFE6E3),
                          .hover = rgb(0x111214),
                          .link_input = rgb(0x6F3FF0),
                          .link_affected = rgb(0xD81B60),
                          .gold = rgb(0xE08A00),
                          .change = rgb(0x3A8A00),
                          .warning = rgb(0x8A5A00),
                          .error = rgb(0xB3261E)};

constexpr Theme kDark = {.dark = true,
                         .ground = rgb(0x16171A),
                         .panel = rgb(0x1E2023),
                         .raised = rgb(0x2A2C31),
                         .line = rgb(0x3A3D43),
                         .ink = rgb(0xECEDEE),
                         .ink_soft = rgb(0xA9ADB4),
                         .ink_faint = rgb(0x72767E),
                         .accent = rgb(0x5CCFC4),
                         .accent_soft = rgb(0x1F4744),
                         .hover = rgb(0xFFFFFF),
                         .link_input = rgb(0xA68BFF),
                         .link_affected = rgb(0xFF5C8A),
                         .gold = rgb(0xFFC233),
                         .change = rgb(0x58AC00),
                         .warning = rgb(0xF0B84A),
                         .error = rgb(0xFF8A80)};

ImVec4 vec(ImU32 color, float alpha = 1) {
  ImVec4 v = ImGui::ColorConvertU32ToFloat4(color);
  v.w *= alpha;
  return v;
}

void set_colors(ImVec4* c, const Theme& t) {
  const ImVec4 none(0, 0, 0, 0), field = vec(t.dark ? t.raised : t.raised);
  const ImVec4 pressed = vec(t.ink, 0.16f), under = vec(t.ink, 0.08f);
  for (int k = 0; k < ImGuiCol_COUNT; ++k) c[k] = vec(t.panel);
  c[ImGuiCol_Text] = vec(t.ink);
  c[ImGuiCol_TextDisabled] = vec(t.ink_faint);
  c[ImGuiCol_WindowBg] = vec(t.ground);
  c[ImGuiCol_ChildBg] = none;
  c[ImGuiCol_PopupBg] = vec(t.raised);
  c[ImGuiCol_Border] = vec(t.line);
  c[ImGuiCol_BorderShadow] = none;
  c[ImGuiCol_FrameBg] = field;
  c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_FrameBgActive] = field;
  c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = vec(t.panel);
  c[ImGuiCol_ScrollbarBg] = none;
  c[ImGuiCol_ScrollbarGrab] = vec(t.ink, 0.18f);
  c[ImGuiCol_ScrollbarGrabHovered] = vec(t.ink, 0.30f);
  c[ImGuiCol_ScrollbarGrabActive] = vec(t.ink, 0.45f);
  c[ImGuiCol_CheckMark] = c[ImGuiCol_SliderGrab] = c[ImGuiCol_SliderGrabActive] = vec(t.accent);
  c[ImGuiCol_Button] = vec(t.ink, 0.06f);
  c[ImGuiCol_ButtonHovered] = vec(t.ink, 0.11f);
  c[ImGuiCol_ButtonActive] = pressed;
  c[ImGuiCol_Header] = vec(t.accent_soft);
  c[ImGuiCol_HeaderHovered] = under;
  c[ImGuiCol_HeaderActive] = pressed;
  c[ImGuiCol_Separator] = vec(t.line);
  c[ImGuiCol_SeparatorHovered] = c[ImGuiCol_SeparatorActive] = vec(t.accent);
  c[ImGuiCol_ResizeGrip] = c[ImGuiCol_ResizeGripHovered] = c[ImGuiCol_ResizeGripActive] = none;
  c[ImGuiCol_Tab] = none;
  c[ImGuiCol_TabHovered] = under;
  c[ImGuiCol_TabActive] = vec(t.accent_soft);
  c[ImGuiCol_PlotLines] = c[ImGuiCol_PlotHistogram] = vec(t.ink_soft);
  c[ImGuiCol_PlotLinesHovered] = c[ImGuiCol_PlotHistogramHovered] = vec(t.accent);
  c[ImGuiCol_TableHeaderBg] = none;
  c[ImGuiCol_TableBorderStrong] = c[ImGuiCol_TableBorderLight] = vec(t.line);
  c[ImGuiCol_TableRowBg] = none;
  c[ImGuiCol_TableRowBgAlt] = vec(t.ink, 0.03f);
  c[ImGuiCol_TextSelectedBg] = vec(t.accent, 0.30f);
  c[ImGuiCol_DragDropTarget] = c[ImGuiCol_NavHighlight] = vec(t.accent);
  c[ImGuiCol_ModalWindowDimBg] = c[ImGuiCol_NavWindowingDimBg] = ImVec4(0, 0, 0, 0.45f);
}

}  // namespace

const Theme& theme(bool dark) { return dark ? kDark : kLight; }

// Fields and buttons carry a thin border on the light ground, where white on grey is not enough; nothing else has one.
void apply_style(const Theme& t, float scale, float text_height, float least_height) {
  ImGuiStyle style;
  style.WindowPadding = ImVec2(12, 12);
  style.FramePadding = ImVec2(8, 4);
  style.CellPadding = ImVec2(4, 2);
  style.ItemSpacing = ImVec2(8, 8);
  style.ItemInnerSpacing = ImVec2(8, 4);
  style.IndentSpacing = 16;
  style.ScrollbarSize = 12;
  style.GrabMinSize = 12;
  style.WindowBorderSize = style.ChildBorderSize = 0;
  style.PopupBorderSize = style.FrameBorderSize = 1;
  style.TabBorderSize = 0;
  style.WindowRounding = style.ChildRounding = 0;
  style.FrameRounding = style.PopupRounding = style.GrabRounding = style.TabRounding = 4;
  style.ScrollbarRounding = 6;
  style.WindowMenuButtonPosition = ImGuiDir_None;
  style.DisabledAlpha = 0.5f;
  style.CircleTessellationMaxError = 0.2f;
  set_colors(style.Colors, t);
  style.ScaleAllSizes(scale);
  style.FramePadding.y = std::max(style.FramePadding.y, std::ceil(0.5f * (least_height - text_height)));
  ImGui::GetStyle() = style;
}

}  // namespace hydra
