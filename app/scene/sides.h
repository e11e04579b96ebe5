// The model panel, the document's notes in its place, and the inspector: panels at the sides of the window. In
// presentation mode and in a narrow window they are closed until one is asked for, and the inspector is a strip below
// the view. None covers it but on a phone: what a panel changes is to be seen.
#pragma once
#include "core/json/named.h"

namespace hydra {

struct ViewState;

enum class Side { model, notes, inspector };

struct Sides {  // open where they are called
  bool model = false, notes = false, inspector = false;
  bool inspector_whole = false;  // all steps, and the matrix
  bool operator==(const Sides&) const = default;
};
HYDRA_NAMED(Sides, model, notes, inspector, inspector_whole)

bool are_called(const ViewState& view);  // in presentation mode, in a narrow window
bool is_open(const ViewState& view, Side side);
void set_open(ViewState& view, Side side, bool open);

}  // namespace hydra
