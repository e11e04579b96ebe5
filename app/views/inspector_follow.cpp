#include "app/views/inspector_follow.h"

namespace hydra {

namespace {

bool has_matrices(ViewId view) { return view != ViewId::likeness && view != ViewId::tradeoff; }

}  // namespace

void follow_view(ViewState& view) {
  if (view.inspector_view == view.view) return;
  const bool first = !view.inspector_view;
  view.inspector_view = view.view;
  view.inspector_kept = false;
  if (first || view.selection) return;
  if (view.view == ViewId::heads || view.view == ViewId::roles)
    view.inspected = {Quantity::attention, view.layer, view.focused_head};
  else if (view.view == ViewId::mixing)
    view.inspected = {Quantity::W_O, view.layer, view.focused_head};
  else if (view.view == ViewId::flow || view.view == ViewId::design)
    view.inspected = {Quantity::W_Q, view.layer, view.focused_head};
}

bool inspector_shown(const ViewState& view) {
  return view.inspector_open && (has_matrices(view.view) || view.selection || view.inspector_kept);
}

}  // namespace hydra
