#include "app/scene/sides.h"

#include "app/scene/inspector_follow.h"

namespace hydra {

namespace {

bool has_matrices(ViewId view) {
  return view != ViewId::likeness && view != ViewId::tradeoff && view != ViewId::stream;
}

}  // namespace

std::optional<Site> own_matrix(const ViewState& view, bool offers) {
  const auto of_head = [&](Quantity quantity) { return Site{quantity, view.layer, view.focused_head}; };
  if (view.view == ViewId::heads && offers) return of_head(Quantity::W_Q);
  if (view.view == ViewId::heads || view.view == ViewId::roles) return of_head(Quantity::attention);
  if (view.view == ViewId::mixing) return of_head(Quantity::W_O);
  if (view.view == ViewId::flow || view.view == ViewId::design) return of_head(Quantity::W_Q);
  return std::nullopt;
}

void follow_view(ViewState& view, bool offers) {
  if (view.inspector_view == view.view) return;
  const bool first = !view.inspector_view;
  view.inspector_view = view.view;
  view.inspector_kept = false;
  if (!first && !view.selection) view.inspected = own_matrix(view, offers).value_or(view.inspected);
}

bool inspector_shown(const ViewState& view) {
  // A page to be read leaves the room to the view until a number is asked for.
  const bool always = has_matrices(view.view) && !view.notes_open;
  return view.inspector_open && (always || view.selection || view.inspector_kept);
}

bool are_called(const ViewState& view) { return view.presentation || view.narrow; }

bool is_open(const ViewState& view, Side side) {
  const bool called = are_called(view);
  switch (side) {
    case Side::model:
      return called ? view.sides.model : view.model_panel_open && !view.notes_open;
    case Side::notes:
      return called ? view.sides.notes : view.notes_open;
    case Side::inspector:
      break;
  }
  return called ? view.sides.inspector : inspector_shown(view);
}

void set_open(ViewState& view, Side side, bool open) {
  if (!are_called(view)) {
    if (side == Side::model) view.model_panel_open = open;
    if (side == Side::notes || (side == Side::model && open)) view.notes_open = side == Side::notes && open;
    if (side == Side::inspector) view.inspector_open = view.inspector_kept = open;
    return;
  }
  Sides& sides = view.sides;
  if (side == Side::inspector) sides.inspector = open;
  if (side == Side::notes) sides.notes = open, sides.model &= !open;
  if (side == Side::model) sides.model = open, sides.notes &= !open;
}

}  // namespace hydra
