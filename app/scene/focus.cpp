#include "app/scene/focus.h"

#include <utility>

namespace hydra {

void inspect(ViewState& view, const Site& ref) {
  view.inspected = ref;
  set_open(view, Side::inspector, true);
}

// What was measured of a document before, and is still shown, may have had more heads.
static bool is_there(const ViewState& view, int head) {
  return view.selected_heads.empty() || head < static_cast<int>(view.selected_heads.size());
}

void forget_selection(ViewState& view) {
  if (view.selection && !view.sides.inspector_whole) view.sides.inspector = false;  // its two lines, and no more
  view.selection.reset();
  view.made.reset();
  view.breadcrumb.clear();
}

// Opens the matrix in the place of the one that is open, at the same number. One that the trace does not have goes when
// the trace is adopted.
static void carry_over(ViewState& view, const Site& to) {
  if (view.inspected == to) return;
  const bool along = view.selection && view.selection->site == view.inspected;
  view.inspected = to;
  if (!along) return forget_selection(view);
  view.selection->site = to;
  view.breadcrumb.clear();
}

void focus_layer(ViewState& view, int layer) {
  if (view.layer == layer) return;
  view.layer = layer;
  Site to = view.inspected;
  if (is_of_model(to.quantity)) return;
  to.layer = layer;
  carry_over(view, to);
}

void select(ViewState& view, const Cell& cell, std::vector<Cell> by) {
  if (cell.site.layer == view.layer && cell.site.head != kNoHead && !is_there(view, cell.site.head)) return;
  if (!is_of_model(cell.site.quantity)) focus_layer(view, cell.site.layer);
  view.selection = cell;
  view.made.reset();
  if (entry_of(cell.site.quantity).cols == Axis::next_word) view.readout_column = cell.col;
  if (cell.site.head != kNoHead) view.focused_head = cell.site.head, view.head_beyond.reset();
  view.breadcrumb = std::move(by);
  inspect(view, cell.site);
}

void focus_head(ViewState& view, int head) {
  if (!is_there(view, head)) return;
  view.focused_head = head;
  view.head_beyond.reset();
  view.average = false;
  view.heads.rollout.reset();
  if (view.inspected.head != kNoHead) carry_over(view, {view.inspected.quantity, view.inspected.layer, head});
}

void focus(ViewState& view, std::optional<int> to_layer, std::optional<int> to_head) {
  const int layer = to_layer.value_or(view.layer);
  if (!to_head) return focus_layer(view, layer);
  if (layer == view.layer) return focus_head(view, *to_head);
  focus_layer(view, layer);
  view.focused_head = *to_head;
  view.head_beyond.reset();
  view.average = false;
  if (view.inspected.head != kNoHead) carry_over(view, {view.inspected.quantity, view.inspected.layer, *to_head});
}

}  // namespace hydra
