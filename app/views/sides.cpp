#include "app/views/sides.h"

#include "app/views/inspector_follow.h"

namespace hydra {

namespace {

bool has_matrices(ViewId view) {
  return view != ViewId::likeness && view != ViewId::tradeoff && view != ViewId::stream;
}

}  // namespace

void inspect_own_matrix(ViewState& view) {
  if (view.view == ViewId::heads && view.inspector.offers)
    view.inspected = {Quantity::W_Q, view.layer, view.focused_head};
  else if (view.view == ViewId::heads || view.view == ViewId::roles)
    view.inspected = {Quantity::attention, view.layer, view.focused_head};
  else if (view.view == ViewId::mixing)
    view.inspected = {Quantity::W_O, view.layer, view.focused_head};
  else if (view.view == ViewId::flow || view.view == ViewId::design)
    view.inspected = {Quantity::W_Q, view.layer, view.focused_head};
}

void follow_view(ViewState& view) {
  if (view.inspector_view == view.view) return;
  const bool first = !view.inspector_view;
  view.inspector_view = view.view;
  view.inspector_kept = false;
  if (!first && !view.selection) inspect_own_matrix(view);
}

bool inspector_shown(const ViewState& view) {
  // A page to be read leaves the room to the view until a number is asked for.
  const bool always = has_matrices(view.view) && !view.notes.open;
  return view.inspector_open && (always || view.selection || view.inspector_kept);
}

bool are_called(const ViewState& view) { return view.presentation || view.narrow; }

bool is_open(const ViewState& view, Side side) {
  const bool called = are_called(view);
  switch (side) {
    case Side::model:
      return called ? view.sides.model : view.model_panel_open && !view.notes.open;
    case Side::notes:
      return called ? view.sides.notes : view.notes.open;
    case Side::inspector:
      break;
  }
  return called ? view.sides.inspector : inspector_shown(view);
}

void set_open(ViewState& view, Side side, bool open) {
  if (side == Side::inspector) view.inspector.revealed.reset();  // where it stands the grid may have been elsewhere
  if (!are_called(view)) {
    if (side == Side::model) view.model_panel_open = open;
    if (side == Side::notes || (side == Side::model && open)) view.notes.open = side == Side::notes && open;
    if (side == Side::inspector) view.inspector_open = view.inspector_kept = open;
    return;
  }
  Sides& sides = view.sides;
  if (side == Side::inspector) sides.inspector = open;
  if (side == Side::notes) sides.notes = open, sides.model &= !open;
  if (side == Side::model) sides.model = open, sides.notes &= !open;
}

}  // namespace hydra
