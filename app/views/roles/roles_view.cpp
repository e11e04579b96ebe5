// Roles: what each head does, heads by measures, every number next to that of random heads.
#include "app/views/frame/ui.h"
#include "app/views/roles/roles_parts.h"
#include "app/views/roles/roles_rows.h"
#include "app/views/shared/head_marks.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"
#include "app/widgets/matrix/drag_cursor.h"
#include "core/document/text/marks.h"

namespace hydra {

namespace {

// What the heads are measured on where sentences are pooled, and how much of it the model knows.
std::string pooled_tip(const RoleTable* named) {
  std::string tip = named && !named->source.empty() ? wording("roles:pooled_of_task.tip", {{"task", named->source}})
                                                    : wording("roles:pooled.tip");
  if (named && named->known_words < 1)
    tip += " " + wording("roles:known_words", {{"percent", ui::number(100 * named->known_words, As::whole)}});
  return tip + " " + wording("roles:pooled_painted");
}

// Sentences that are measured on when they are asked for.
struct SentenceSet {
  RolesOver over;
  const char* name;
  std::string label, tip;
  std::string why_not;  // empty: it can be chosen
};
std::vector<SentenceSet> other_sets_of(const Frame& frame, bool of_task) {
  std::vector<SentenceSet> sets;
  const std::size_t shipped = frame.sentences.marked->size(), own = frame.document.marks.size(),
                    folder = frame.sentences.folder->size();
  if (of_task || frame.view.roles.over == RolesOver::shipped)
    sets.push_back({RolesOver::shipped, "roles/over/shipped", wording("roles:over.shipped", {{"n", shipped}}),
                    wording("roles:over.shipped.tip"), ""});
  sets.push_back({RolesOver::own, "roles/over/own", wording("roles:over.own", {{"n", own}}),
                  wording("roles:over.own.tip"), own > 0 ? "" : wording("roles:over.own.none")});
  sets.push_back({RolesOver::folder, "roles/over/folder", wording("roles:over.folder", {{"n", folder}}),
                  wording("roles:over.folder.tip", {{"folder", own_sentences_folder()}}),
                  folder > 0 ? "" : wording("roles:over.folder.none", {{"folder", own_sentences_folder()}})});
  return sets;
}

// Behind a chip that says which of them is measured on; and a chip that names the heads so in the other views.
void other_sets(Frame& frame, ui::Chips& chips, bool of_task) {
  const RolesState& roles = frame.view.roles;
  const std::vector<SentenceSet> sets = other_sets_of(frame, of_task);
  const auto shown = std::ranges::find(sets, roles.over, &SentenceSet::over);
  const bool on = shown != sets.end();
  if (chips.chip("roles/over", on ? shown->label : wording("roles:over"), on, wording("roles:over.tip")))
    ImGui::OpenPopup("roles over");
  if (ImGui::BeginPopup("roles over")) {
    ui::close_on_escape();
    for (const SentenceSet& set : sets) {
      if (ImGui::MenuItem(imgui_text(set.label), nullptr, roles.over == set.over, set.why_not.empty()))
        frame.choose(roles.over, set.over);
      ui::probe(set.name);
      ui::tip(frame, set.why_not.empty() ? set.tip : set.why_not);
    }
    ImGui::EndPopup();
  }
  // Of a model that answers a task's questions the names come from its task, whatever is measured on.
  if (roles.over == roles.names || (roles_of(frame).table && roles_of(frame).table->named)) return;
  if (chips.chip("roles/use_names", wording("roles:use_names"), false, wording("roles:use_names.tip")))
    frame.choose(roles.names, roles.over);
}

void toolbar(Frame& frame) {
  const ViewState& view = frame.view;
  ui::Chips chips(frame);
  const std::string& this_sentence = wording("roles:this_sentence");
  if (frame.hands.of<PagesDrawn>().of_roles > 1) {
    page_chips(chips, frame);
    chips.apart(0.8f * ImGui::GetFontSize(), ui::chip_width(this_sentence));
  }
  if (frame.trace.layers.size() > 1) {
    chips.choice("roles/layer/focus", wording("roles:this_layer"), view.roles.all_layers, false,
                 wording("roles:this_layer.tip"));
    chips.choice("roles/layer/all", wording("roles:all_layers"), view.roles.all_layers, true,
                 wording("roles:all_layers.tip"));
    chips.apart(0.8f * ImGui::GetFontSize(), ui::chip_width(this_sentence));
  }
  const RolesOver& over = view.roles.over;
  chips.choice("roles/this", this_sentence, over, RolesOver::sentence, wording("roles:this_sentence.tip"));
  const RoleTable* named = roles_of(frame).table ? &roles_of(frame).table->naming() : nullptr;
  const bool of_task = named && !named->jobs.empty();
  chips.choice("roles/all",
               of_task ? wording(frame.document.file ? "roles:pooled_of_repeats" : "roles:pooled_of_task",
                                 {{"n", named->sentences.size()}})
                       : wording("roles:pooled", {{"n", frame.sentences.marked->size()}}),
               over, RolesOver::known, pooled_tip(named));
  other_sets(frame, chips, of_task);
  const float em = ImGui::GetFontSize();
  ui::apart(em, 16 * em);
  auto threshold = real(view.roles.threshold);
  ImGui::SetNextItemWidth(7 * em);
  if (ImGui::SliderFloat("##threshold", &threshold, 0, 1, "", ImGuiSliderFlags_AlwaysClamp))
    frame.choose(view.roles.threshold, threshold);
  ui::drag_cursor();
  ui::probe("roles/threshold");
  ui::tip(frame, wording("roles:threshold.tip"));
  ImGui::SameLine(0, 2 * frame.unit);
  ui::text(frame, wording("roles:threshold", {{"score", ui::number(threshold, As::brief)}}), {.aligned = true});
}

std::string painted_note(const Frame& frame) {
  if (frame.view.roles.over == RolesOver::sentence) return {};
  for (const Layer& layer : frame.document.layers)
    for (const PaintedHead<float>& head : layer.painted)
      if (!head.empty()) return " " + wording("roles:painted");
  return {};
}

// Relations that this document marks, where others are measured.
std::string own_note(const Frame& frame) {
  const RolesOver over = frame.view.roles.over;
  const std::vector<std::string> own = relations_in(frame.document.marks);
  if (own.empty() || over == RolesOver::own || over == RolesOver::sentence) return {};
  return " " + wording("roles:own_apart", {{"relations", listed(own)}, {"n", own.size()}});
}

std::string reading_help(const Frame& frame) {
  const RoleTable& table = shown_roles(frame, 0);
  std::string text = wording("roles:reading", {{"heads", table.random_heads}}) + " ";
  if (!frame.view.presentation)
    text += (table.bounds ? wording("roles:reading_marks", {{"layers", table.bounds->layers}})
                          : wording("roles:reading_marks.unbounded")) +
            " ";
  text += wording("roles:no_cause") + painted_note(frame) + own_note(frame);
  if (frame.view.roles.over != RolesOver::known) {
    if (table.named)
      text += " " + wording("roles:named_on", {{"n", table.named->sentences.size()}, {"task", table.named->source}});
    if (table.known_words < 1)
      text += " " + wording("roles:known_words", {{"percent", ui::number(100 * table.known_words, As::whole)}});
  }
  return frame.view.roles.over != RolesOver::sentence || frame.sentences.marks ? text
                                                                               : text + " " + wording("roles:unmarked");
}

// What is shown of the layer in focus, or of all.
struct ShownState {
  const std::string &fault, &failure;
  bool is_there;
};
ShownState shown_state(const Frame& frame) {
  const StackRoles& all = stack_roles_of(frame);
  if (shows_all_roles(frame)) return {all.fault, all.failure, !all.layers.empty()};
  return {roles_of(frame).fault, roles_of(frame).failure, roles_of(frame).table != nullptr};
}

// The filter and how far measuring is, over the table of all heads.
void above_all_layers(Frame& frame) {
  const RolesState& roles = frame.view.roles;
  const float width = ImGui::GetContentRegionAvail().x, high = std::max(2.0f, 0.5f * frame.unit);
  const ImVec2 bar = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, high});  // its place is kept, so that nothing jumps
  if (stack_roles_of(frame).progress < 1 && !frame.view.still)
    ui::progress_bar(frame, "roles/progress", bar, {width, high}, stack_roles_of(frame).progress);
  if (stack_roles_of(frame).layers.empty()) return;
  if (roles.filter.layer && *roles.filter.layer >= int_size(stack_roles_of(frame).layers))
    frame.choose(roles.filter.layer, std::nullopt);
  // Neither an order nor a filter tells what is hidden.
  RoleOrder order{roles.sorted, roles.by_role && !roles.sorted};
  RoleFilter filter = roles.filter;
  if (frame.view.guessing) order.by_role = false, filter.role.clear(), filter.text.clear();
  if (order.column && hides(frame, nth(role_columns(), *order.column))) order.column.reset();
  renew_rows(stack_roles_of(frame), order, filter, frame.made.of<RoleRows>());
  draw_role_filter(frame);
}

// What stands over the table.
void draw_upper_part(Frame& frame) {
  toolbar(frame);
  const bool all = shows_all_roles(frame);
  if (!all) sharing_caption(frame, "roles/sharing", frame.view.layer);
  const ShownState shown = shown_state(frame);
  if (!shown.fault.empty()) {
    ui::soft_text(frame, wording("roles:fault", {{"fault", shown.fault}}));
    ui::probe("roles/fault");
  }
  for (const std::string& file : frame.sentences.skipped)
    if (frame.view.roles.over == RolesOver::folder) ui::soft_text(frame, wording("roles:skipped", {{"file", file}}));
  ui::failure_text(frame, shown.failure);
  if (all) above_all_layers(frame);
}

}  // namespace

void draw_roles_view(Frame& frame) {
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  if (room.x < 12 * ImGui::GetFontSize() || room.y < 8 * ImGui::GetFontSize()) return;  // folded to nothing
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {2 * frame.unit, 1.25f * frame.unit});
  draw_upper_part(frame);
  ImGui::PopStyleVar();
  if (!shown_state(frame).is_there) return ui::waiting_text(frame, shown_state(frame).failure);
  const std::string help = reading_help(frame);
  ImFont* font = frame.fonts.small;
  const float help_height = font->CalcTextSizeA(font->FontSize, 1e9f, room.x, help.c_str()).y + frame.unit;
  const float top = ImGui::GetCursorScreenPos().y + frame.unit, left = origin.y + room.y - top;
  // Many heads need what room there is more than how they are read.
  const bool helps = !shows_all_roles(frame) || left > 6 * help_height;
  {
    const Canvas::Part part(frame.canvas, "roles.table");
    const float table =
        draw_role_table(frame, {origin.x, top}, {room.x, left - (helps ? help_height + frame.unit : 0)});
    if (frame.canvas.stands_alone())
      return frame.canvas.text_within(font, {origin.x, top + table + 2 * frame.unit}, frame.theme.ink_soft, help,
                                      room.x);
  }
  if (!helps) return;
  ImGui::SetCursorScreenPos({origin.x, origin.y + room.y - help_height});
  ui::soft_text(frame, help);
}

}  // namespace hydra
