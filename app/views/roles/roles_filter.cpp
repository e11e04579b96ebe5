// The line over the table of all heads: the layer, the job and the text that leave a row, how many heads have a name,
// and how many would have one by chance.
#include "app/views/roles/roles_parts.h"
#include "app/views/roles/roles_rows.h"
#include "app/views/text_field.h"
#include "app/views/ui.h"

namespace hydra {

namespace {

void layer_choice(Frame& frame) {
  const std::optional<int>& chosen = frame.view.roles.filter.layer;
  const auto name_of = [](int layer) { return ui::words("layer ", layer + 1); };
  ImGui::SetNextItemWidth(6.5f * ImGui::GetFontSize());
  const bool open = ImGui::BeginCombo("##layer", chosen ? name_of(*chosen).c_str() : "any layer");
  ui::probe("roles/filter/layer");
  ui::tip(frame, "Only the heads of one layer.");
  if (!open) return;
  ui::close_on_escape();
  if (ImGui::Selectable("any layer", !chosen)) frame.choose(chosen, std::nullopt);
  ui::probe("roles/filter/layer/any");
  for (int layer = 0; layer < int_size(stack_roles_of(frame).layers); ++layer) {
    if (ImGui::Selectable(name_of(layer).c_str(), chosen == layer)) frame.choose(chosen, layer);
    ui::probe({"roles/filter/layer/", layer + 1});
  }
  ImGui::EndCombo();
}

void role_choice(Frame& frame) {
  const std::string& chosen = frame.view.roles.filter.role;
  ImGui::SetNextItemWidth(11 * ImGui::GetFontSize());
  const bool open = ImGui::BeginCombo("##role", chosen.empty() ? "any role" : imgui_text(spelled(frame, chosen)));
  ui::probe("roles/filter/role");
  ui::tip(frame, "Only the heads that are called so.");
  if (!open) return;
  ui::close_on_escape();
  if (ImGui::Selectable("any role", chosen.empty())) frame.choose(chosen, "");
  ui::probe("roles/filter/role/any");
  for (const auto& [role, heads] : frame.made.of<RoleRows>().roles) {
    const std::string label = ui::words(role, "  (", heads, ")");
    if (ImGui::Selectable(imgui_text(spelled(frame, label)), chosen == role)) frame.choose(chosen, role);
    ui::probe({"roles/filter/role/", role});
  }
  ImGui::EndCombo();
}

void text_choice(Frame& frame) {
  ImGui::SetNextItemWidth(11 * ImGui::GetFontSize());
  std::string text = frame.view.roles.filter.text;
  if (ui::text_field(frame, "##text", "words, or 2.3", text)) frame.choose(frame.view.roles.filter.text, text);
  ui::probe("roles/filter/text");
  ui::tip(frame, "Only the rows with these letters in their role, or of a head: 2.3 is head 3 of layer 2.");
}

// "Showing 12 of 144 heads. 9 have a name; ..."
std::string count_of(const Frame& frame) {
  const RoleRows& rows = frame.made.of<RoleRows>();
  const auto left = int_size(rows.places);
  const std::string heads = ui::counted(rows.heads, "head");
  return (left == rows.heads ? heads : ui::words(left, " of ", heads)) + ": " + ui::words(rows.named, " named");
}

// What stands beside the count, and shorter.
std::vector<std::string> by_chance(const Frame& frame) {
  const StackRoles& roles = stack_roles_of(frame);
  const auto layers = int_size(roles.layers);
  const auto bounded = std::ranges::count_if(
      roles.layers, [](const auto& layer) { return layer.table->bounds && layer.table->bounds->layers > 0; });
  if (roles.unnamed > 0) {
    const std::string known = ui::words(layers - roles.unnamed, " of ", layers, " layers");
    return {"names are being measured beside random heads: " + known, "being measured: " + known};
  }
  if (bounded == 0) return {"no names: random layers of this size take too long to compare them with", "no names"};
  const std::string chance = ui::number(kNamedByChance * static_cast<double>(bounded), As::tenths);
  return {ui::words("by chance: of ", bounded, " untrained layers at most ", chance, " have one on average"),
          ui::words("by chance ", chance, " layers of ", bounded)};
}

}  // namespace

void draw_role_filter(Frame& frame) {
  const float em = ImGui::GetFontSize();
  layer_choice(frame);
  ui::flow_line(11 * em);
  role_choice(frame);
  ui::flow_line(11 * em);
  text_choice(frame);
  const RoleFilter& filter = frame.view.roles.filter;
  if (filter != RoleFilter{}) {
    ui::flow_line(ui::chip_width("All rows"));
    if (ui::chip(frame, "roles/filter/none", "All rows", false, "Takes the filter away.")) frame.choose(filter, {});
  }
  const std::string count = count_of(frame);
  const std::vector<std::string> chance = by_chance(frame);
  const float gap = 3 * frame.unit, counted = text_width(frame.fonts.text, count) + gap;
  ui::apart(2 * frame.unit, counted + text_width(frame.fonts.small, chance.back()) + 2 * frame.unit);
  ui::text(frame, count, {.aligned = true});
  ui::probe("roles/count");
  ImGui::SameLine(0, gap);
  ui::soft_text(frame, fitting(frame.fonts.small, ImGui::GetContentRegionAvail().x, chance));
  ui::probe("roles/chance");
  ui::tip(
      frame,
      chance.front() +
          ". The test of chance is of a layer: at most one of twenty layers of random heads has a head above it. Where "
          "all layers are looked at at once so many more names are chance.");
}

}  // namespace hydra
