// Roles: what each head does, heads by measures, every number beside that of random heads.
#include "app/views/head_marks.h"
#include "app/views/roles/roles_parts.h"
#include "app/views/ui.h"
#include "app/views/views.h"

namespace hydra {

namespace {

void toolbar(Frame& frame) {
  ViewState& view = frame.view;
  ui::Chips chips(frame);
  chips.choice("roles/this", "This sentence", view.roles.pooled, false, "Measured on the sentence that is shown.");
  chips.choice("roles/all", ui::words("All ", frame.roles.marked->size(), " marked sentences"), view.roles.pooled, true,
               "Measured with the same weights on every sentence with marked relations, over all their rows.");
  const float em = ImGui::GetFontSize();
  ui::apart(em, 16 * em);
  auto threshold = real(view.roles.threshold);
  ImGui::SetNextItemWidth(7 * em);
  if (ImGui::SliderFloat("##threshold", &threshold, 0, 1, "", ImGuiSliderFlags_AlwaysClamp))
    view.roles.threshold = threshold;
  ui::probe("roles/threshold");
  ui::tip(
      "A head is called after its best role when the score is at least this (of an offset at least 0.90), stands on "
      "three rows or more, and is higher than almost any layer of random heads reaches; else it is mixed. A head that "
      "looks everywhere alike is called uniform at any threshold.");
  ImGui::SameLine(0, 2 * frame.unit);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(("a role from " + ui::fixed(threshold, 2)).c_str());
}

std::string reading_help(const Frame& frame) {
  const RoleTable& table = *frame.roles.table;
  const std::string layers = table.bounds ? std::to_string(table.bounds->layers) + " random layers" : "random layers";
  return ui::words(
      "Bar: the score; the head's own colour where it is named after it. Line: the mean of ", table.random_heads,
      " random heads. Thin line: what at most one in twenty of ", layers,
      " exceeds with any head in any column; a name needs more. Dot: the share of rows whose maximum is a target. "
      "Ring: the same for the relation's best fixed offset. A pattern is not a cause: removal says how much of Y "
      "goes with the head.");
}

}  // namespace

void draw_roles_view(Frame& frame) {
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  if (room.x < 12 * ImGui::GetFontSize() || room.y < 8 * ImGui::GetFontSize()) return;  // folded to nothing
  toolbar(frame);
  sharing_caption(frame, "roles/sharing", frame.view.layer);
  if (!frame.roles.fault.empty()) {
    ui::soft_text(frame, "Measured on this sentence: " + frame.roles.fault + ".");
    ui::probe("roles/fault");
  }
  for (const std::string& file : frame.roles.skipped) ui::soft_text(frame, "Skipped: " + file);
  ui::failure_text(frame, frame.roles.failure);
  if (!frame.roles.table) return ui::waiting_text(frame, frame.roles.failure);
  const std::string help = reading_help(frame);
  ImFont* font = frame.fonts.small;
  const float help_height = font->CalcTextSizeA(font->FontSize, 1e9f, room.x, help.c_str()).y + frame.unit;
  const float top = ImGui::GetCursorScreenPos().y + frame.unit;
  const float height = origin.y + room.y - top - help_height - frame.unit;
  draw_role_table(frame, {origin.x, top}, {room.x, height});
  ImGui::SetCursorScreenPos({origin.x, origin.y + room.y - help_height});
  ui::soft_text(frame, help);
}

}  // namespace hydra
