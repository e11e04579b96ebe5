// The model panel, the document's notes in its place, and the inspector: panels at the sides of the window. In
// presentation mode, where the view has the whole of it, the model is a drawer over the view; notes and inspector,
// which speak of what the view shows, take a side and a strip below.
#pragma once

namespace hydra {

struct ViewState;

enum class Side { model, notes, inspector };

struct Drawers {  // of presentation mode
  bool model = false, notes = false, inspector = false;
  bool inspector_whole = false;  // all steps, and the matrix
  bool touched = false;          // the model was opened this frame, by the click that would close it
};

bool is_open(const ViewState& view, Side side);
void set_open(ViewState& view, Side side, bool open);
inline void toggle(ViewState& view, Side side) { set_open(view, side, !is_open(view, side)); }

}  // namespace hydra
