// The line over the table of all heads: the layer, the job and the text that leave a row, how many heads have a name,
// and how many would have one by chance.
#include "app/views/frame/text_field.h"
#include "app/views/frame/ui.h"
#include "app/views/roles/roles_parts.h"
#include "app/views/roles/roles_rows.h"

namespace hydra {

namespace {

void layer_choice(Frame& frame) {
  const std::optional<int>& chosen = frame.view.roles.filter.layer;
  const auto name_of = [](int layer) { return wording("roles:filter.layer", {{"layer", layer + 1}}); };
  ImGui::SetNextItemWidth(6.5f * ImGui::GetFontSize());
  const std::string& any = wording("roles:filter.any_layer");
  const bool open = ImGui::BeginCombo("##layer", imgui_text(chosen ? name_of(*chosen) : any));
  ui::probe("roles/filter/layer");
  ui::tip(frame, wording("roles:filter.layer.tip"));
  if (!open) return;
  ui::close_on_escape();
  if (ImGui::Selectable(imgui_text(any), !chosen)) frame.choose(chosen, std::nullopt);
  ui::probe("roles/filter/layer/any");
  for (int layer = 0; layer < int_size(stack_roles_of(frame).layers); ++layer) {
    if (ImGui::Selectable(imgui_text(name_of(layer)), chosen == layer)) frame.choose(chosen, layer);
    ui::probe({"roles/filter/layer/", layer + 1});
  }
  ImGui::EndCombo();
}

void role_choice(Frame& frame) {
  const std::string& chosen = frame.view.roles.filter.role;
  ImGui::SetNextItemWidth(11 * ImGui::GetFontSize());
  const std::string& any = wording("roles:filter.any_role");
  const bool open = ImGui::BeginCombo("##role", imgui_text(chosen.empty() ? any : spelled(frame, chosen)));
  ui::probe("roles/filter/role");
  ui::tip(frame, wording("roles:filter.role.tip"));
  if (!open) return;
  ui::close_on_escape();
  if (ImGui::Selectable(imgui_text(any), chosen.empty())) frame.choose(chosen, "");
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
  if (ui::text_field(frame, "##text", wording("roles:filter.hint").c_str(), text))
    frame.choose(frame.view.roles.filter.text, text);
  ui::probe("roles/filter/text");
  ui::tip(frame, wording("roles:filter.text.tip"));
}

// "12 of 144: 9 named"
std::string count_of(const Frame& frame) {
  const RoleRows& rows = frame.made.of<RoleRows>();
  const auto left = int_size(rows.places);
  if (left == rows.heads) return wording("roles:count", {{"heads", rows.heads}, {"named", rows.named}});
  return wording("roles:count_left", {{"left", left}, {"heads", rows.heads}, {"named", rows.named}});
}

// What stands beside the count, and shorter.
std::vector<std::string> by_chance(const Frame& frame) {
  const StackRoles& roles = stack_roles_of(frame);
  const auto layers = int_size(roles.layers);
  const auto bounded = std::ranges::count_if(
      roles.layers, [](const auto& layer) { return layer.table->bounds && layer.table->bounds->layers > 0; });
  if (roles.unnamed > 0) {
    const auto known = layers - roles.unnamed;
    return {wording("roles:naming", {{"known", known}, {"layers", layers}}),
            wording("roles:naming.brief", {{"known", known}, {"layers", layers}})};
  }
  if (bounded == 0) return {wording("roles:no_names"), wording("roles:no_names.brief")};
  const std::string chance = ui::number(kNamedByChance * static_cast<double>(bounded), As::tenths);
  return {wording("roles:by_chance", {{"layers", bounded}, {"named", chance}}),
          wording("roles:by_chance.brief", {{"layers", bounded}, {"named", chance}})};
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
    const std::string& all = wording("roles:filter.none");
    ui::flow_line(ui::chip_width(all));
    if (ui::chip(frame, "roles/filter/none", all, false, wording("roles:filter.none.tip"))) frame.choose(filter, {});
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
  ui::tip(frame, wording("roles:chance.tip", {{"chance", chance.front()}}));
}

}  // namespace hydra
