#include "app/scene/actions/apply.h"

#include <variant>

#include "app/scene/focus.h"
#include "app/scene/sides.h"

namespace hydra {

void apply(ViewState& view, const act::GoTo& to) { focus(view, to.layer, to.head); }
void apply(ViewState& view, const act::Select& number) { select(view, number.cell, number.by); }
void apply(ViewState& view, const act::SelectMade& number) {
  forget_selection(view);
  view.made = number.cell;
}
void apply(ViewState& view, const act::Unselect&) { forget_selection(view); }
void apply(ViewState& view, const act::Inspect& matrix) { inspect(view, matrix.site); }
void apply(ViewState& view, const act::Show& panel) { set_open(view, panel.side, panel.open); }

bool apply_if_of_view(ViewState& view, const Action& action) {
  return std::visit(
      [&]<class Kind>(const Kind& kind) {
        if constexpr (OfView<Kind>) apply(view, kind);
        return OfView<Kind>;
      },
      action);
}

}  // namespace hydra
