#include "app/views/marks/mark_pairs.h"

#include "app/views/frame/ui.h"
#include "app/views/mask/mask_paint.h"
#include "app/views/shell/parts.h"
#include "core/document/text/marks.h"
#include "core/error.h"

namespace hydra {

namespace {

bool is_marked(const Frame& frame, const GoldPair& pair) { return std::ranges::binary_search(shown_gold(frame), pair); }

void toggle(Frame& frame, Index row, Index col) {
  const std::string& relation = frame.view.marking.relation;
  if (relation.empty()) {
    mark_hands(frame).focus = true;
    return frame.notice.say(wording("marks:no_name"));
  }
  if (row == col) return frame.notice.refuse(wording("marks:itself", {{"token", nth(frame.trace.tokens, row)}}));
  const GoldPair pair{static_cast<int>(row), static_cast<int>(col)};
  const bool on = !is_marked(frame, pair);
  // What ships with a sentence is no mark of this document.
  const MarkedText* own = marks_of(frame.document.marks, frame.trace.tokens);
  const AnnotatedSentence here = own ? annotated(*own) : AnnotatedSentence{};
  const std::vector<GoldPair>* pairs = pairs_called(here, relation);
  if (!on && !(pairs && std::ranges::binary_search(*pairs, pair)))
    return frame.notice.refuse(wording("marks:shipped", {{"relation", relation}}));
  frame.out.apply(MarkPair{relation, pair.from, pair.to, on});
  if (on && !layer_of(frame).input.sees(kNoHead, row, col)) frame.notice.say(wording("marks:hidden"), 6);
}

}  // namespace

bool mark_tool_shown(const ViewState& view) { return view.marking.on && view.view == ViewId::heads; }
bool pair_tool_shown(const ViewState& view) { return mark_tool_shown(view) || mask_tool_shown(view); }

void open_mark_tool(Frame& frame) {
  const ViewState& view = frame.view;
  frame.choose(view.mask.on, false);
  frame.choose(view.marking.on, true);
  frame.choose(view.view, ViewId::heads);
  frame.choose(view.shown_relation, std::nullopt);
  if (view.selection && is_pair(view.selection->site.quantity))
    mark_hands(frame).row = view.selection->row, mark_hands(frame).col = view.selection->col;
  if (!view.marking.relation.empty()) return;
  const std::vector<std::string> names = relations_in(frame.document.marks);
  if (names.empty())
    mark_hands(frame).focus = true;
  else
    frame.choose(view.marking.relation, names.front());
}

void close_mark_tool(Frame& frame) { frame.choose(frame.view.marking.on, false); }

bool marks_pairs(const Frame& frame, const Site& ref) {
  return mark_tool_shown(frame.view) && is_pair(ref.quantity) && ref.layer == frame.view.layer;
}

void mark_on_picture(Frame& frame, const Heatmap& heatmap, CellHit hit, bool transposed) {
  MarkHands& tool = mark_hands(frame);
  if (transposed) std::swap(hit.row, hit.col);
  if (hit.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (hit.hovered && hit.clicked) {
    tool.row = hit.row, tool.col = hit.col;
    toggle(frame, hit.row, hit.col);
  }
  const Index row = transposed ? tool.col : tool.row, col = transposed ? tool.row : tool.col;
  if (row >= heatmap.rows || col >= heatmap.cols) return;
  draw_cell_outline(frame.canvas, heatmap, row, row + 1, col, col + 1, frame.theme.accent, 0.4f * frame.unit);
}

void mark_keys(Frame& frame) {
  if (!mark_tool_shown(frame.view) || !numbers_have_keys(frame)) return;
  MarkHands& tool = mark_hands(frame);
  if (pair_keys(tool.row, tool.col, std::ssize(frame.trace.tokens))) toggle(frame, tool.row, tool.col);
}

}  // namespace hydra
