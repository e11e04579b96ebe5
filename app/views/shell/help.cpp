// The overlay of keys, written from the command table.
#include "app/views/frame/ui.h"
#include "app/views/shared/outline_key.h"
#include "app/views/shell/commands.h"
#include "app/views/shell/views.h"

namespace hydra {

namespace {

// Quiets what lies behind the overlay.
void dim_screen(const Frame& frame, ImVec2 screen) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(screen);
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin("dimmed", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
  const ImU32 veil = frame.theme.dark ? IM_COL32(0, 0, 0, 150) : IM_COL32(40, 40, 40, 90);
  frame.canvas.fill({0, 0}, screen, veil);
  ImGui::End();
  ImGui::PopStyleVar();
}

// What the colours of outlines mean, two in a line.
void outline_rows(const Frame& frame) {
  ui::heading(frame, wording("panels:outlines"));
  if (!ImGui::BeginTable("outlines", 2, ImGuiTableFlags_SizingFixedFit)) return;
  for (const OutlineMeaning& meaning : outline_meanings(frame)) {
    ImGui::TableNextColumn();
    const float side = 0.7f * ImGui::GetFontSize();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float y = at.y + 0.15f * ImGui::GetFontSize();
    draw_outline_square(frame, {at.x, y}, side, meaning);
    ImGui::Dummy({side, 0});
    ImGui::SameLine(0, 2 * frame.unit);
    ui::text(frame, wording("panels:outline", {{"word", wording(meaning.word)}, {"meaning", wording(meaning.text)}}) +
                        "      ");
    ui::probe({"help/outline/", meaning.key});
  }
  ImGui::EndTable();
}

struct KeyRow {
  std::string keys, text;
};

std::vector<KeyRow> all_rows() {
  std::vector<KeyRow> rows;
  for (const Command& command : commands()) {
    const std::string &keys = wording(command.keys), &text = wording(command.text);
    if (!command.joined) {
      rows.push_back({keys, text});
    } else {
      rows.back().keys += "  " + keys;
      if (rows.back().text != text) rows.back().text += "; " + text;  // else another key
    }
  }
  return rows;
}

void key_rows(const Frame& frame, std::span<const KeyRow> rows) {
  ImGui::TableNextColumn();
  for (const KeyRow& row : rows) {
    ui::text(frame, row.keys, {.ink = frame.theme.accent});
  }
  ImGui::TableNextColumn();
  for (const KeyRow& row : rows) ui::text(frame, row.text + "      ");
}

}  // namespace

void draw_help(Frame& frame) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  dim_screen(frame, screen);
  ImGui::SetNextWindowPos({0.5f * screen.x, 0.5f * screen.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {screen.x, screen.y});  // large type: it scrolls
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {6 * frame.unit, 5 * frame.unit});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {2 * frame.unit, 0});
  const bool open = ImGui::Begin("Keys", nullptr,
                                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
  if (open) {
    ui::heading(frame, wording("panels:keys"));
    ImGui::SameLine(0, 6 * frame.unit);
    if (ui::button(frame, "help/close", wording("panels:close"), "")) frame.front.help = false;
    const bool large = frame.view.presentation;  // closer, so that all of it is on one page
    ImGui::PushFont(large ? frame.fonts.small : frame.fonts.text);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {2 * frame.unit, large ? 0.25f * frame.unit : 1.5f * frame.unit});
    if (ImGui::BeginTable("keys", 4, ImGuiTableFlags_SizingFixedFit)) {
      const std::vector<KeyRow> rows = all_rows();
      const std::span<const KeyRow> all = rows;
      const std::size_t half = (all.size() + 1) / 2;
      key_rows(frame, all.first(half));
      key_rows(frame, all.subspan(half));
      ImGui::EndTable();
    }
    outline_rows(frame);
    ImGui::PopStyleVar();
    ImGui::PopFont();
    const bool outside = !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    if (outside && ui::clicked()) frame.front.help = false;
  }
  ImGui::End();
  ImGui::PopStyleVar(3);
}

}  // namespace hydra
