// The strip over the patterns while pairs are marked.
#include "app/views/frame/text_field.h"
#include "app/views/frame/ui.h"
#include "app/views/marks/mark_pairs.h"
#include "core/document/text/marks.h"
#include "core/error.h"

namespace hydra {

namespace {

void choose_name(Frame& frame, const std::string& name) {
  MarkHands& hands = mark_hands(frame);
  hands.name.reset(), hands.refused.clear();
  try {
    if (!name.empty()) check_relation_name(name);
    frame.choose(frame.view.marking.relation, name);
  } catch (const InputError& fault) {
    hands.refused = fault.what();
  }
}

void name_field(Frame& frame) {
  MarkHands& hands = mark_hands(frame);
  std::string text = hands.name.value_or(frame.view.marking.relation);
  const float width = 13 * ImGui::GetFontSize();
  ui::flow_line(width);
  ImGui::SetNextItemWidth(width);
  if (std::exchange(hands.focus, false)) ImGui::SetKeyboardFocusHere();
  const bool entered = ui::text_field(frame, "##relation", wording("marks:name.hint").c_str(), text,
                                      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ui::probe("marks/name");
  ui::tip(frame, wording("marks:name.tip"));
  const bool active = ImGui::IsItemActive();
  if (entered || (!active && hands.name))
    choose_name(frame, text);
  else if (active)
    hands.name = text;
}

// Those that the document has, and one that has no pair yet.
void relation_chips(Frame& frame, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    ui::flow_line(ui::chip_width(name));
    const bool on = name == frame.view.marking.relation;
    if (ui::chip(frame, "marks/relation/" + name, spelled(frame, name), on, wording("marks:relation.tip"),
                 on ? frame.theme.gold : 0))
      choose_name(frame, name);
  }
}

// "“her” → “dog”", of the pair under the pointer, else of that of the keys; nothing of a word with itself.
std::string pair_text(const Frame& frame) {
  const MarkHands& tool = mark_hands(frame);
  const auto n = std::ssize(frame.trace.tokens);
  Index row = std::min(tool.row, n - 1), col = std::min(tool.col, n - 1);
  if (const std::optional<Cell>& hover = frame.was.cell; hover && is_pair(hover->site.quantity))
    row = hover->row, col = hover->col;
  if (row == col) return {};
  return wording("mask:pair", {{"query", nth(frame.trace.tokens, row)}, {"key", nth(frame.trace.tokens, col)}}) + "   ";
}

// How many pairs the relation has here, and in all the sentences that the document marks.
std::string counts_text(const Frame& frame) {
  const std::string& relation = frame.view.marking.relation;
  std::size_t pairs = 0, sentences = 0;
  for (const MarkedText& text : frame.document.marks)
    for (const MarkedRelation& marked : text.relations)
      if (marked.name == relation) pairs += marked.pairs.size(), ++sentences;
  return wording("marks:counts", {{"here", shown_gold(frame).size()}, {"n", pairs}, {"sentences", sentences}});
}

}  // namespace

void draw_marks_bar(Frame& frame) {
  if (!mark_tool_shown(frame.view)) return;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const std::vector<std::string> names = relations_in(frame.document.marks);
  const std::string& relation = frame.view.marking.relation;
  ui::text(frame, wording("marks:title"), {.font = frame.fonts.strong, .aligned = true});
  name_field(frame);
  relation_chips(frame, names);
  if (std::ranges::binary_search(names, relation)) {
    const std::string& drop = wording("marks:drop");
    ui::flow_line(ui::chip_width(drop));
    if (ui::button(frame, "marks/drop", drop, wording("marks:drop.tip", {{"relation", relation}})))
      frame.out.apply(DropRelation{relation});
  }
  const std::string& done = wording("marks:done");
  ui::flow_line(ui::chip_width(done));
  if (ui::button(frame, "marks/done", done, wording("marks:done.tip"))) close_mark_tool(frame);
  const std::string& refused = mark_hands(frame).refused;
  ImFont* font = frame.fonts.small;
  const std::string told = pair_text(frame) + counts_text(frame);
  const std::string line =
      !refused.empty() ? refused
      : relation.empty()
          ? wording("marks:no_name")
          : fitting(font, width,
                    {told + "   " + wording("marks:hint"), told + "   " + wording("marks:hint.brief"), told});
  const ImVec2 pos = ImGui::GetCursorScreenPos();
  frame.canvas.text_at(font, pos, refused.empty() ? frame.theme.ink_soft : frame.theme.warning, spelled(frame, line),
                       width);
  ui::probe("marks/line", pos, {pos.x + width, pos.y + font->FontSize});
  ImGui::Dummy({width, font->FontSize});
  ui::probe("marks/bar", start, {start.x + width, ImGui::GetItemRectMax().y});
}

}  // namespace hydra
