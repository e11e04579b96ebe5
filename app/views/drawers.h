// The model panel, the document's notes in its place, and the inspector: panels at the sides of the window, and in
// presentation mode, where the view has the whole of it, drawers over the view, one at a time.
#pragma once

namespace hydra {

struct ViewState;

enum class Side { model, notes, inspector };

struct Drawers {  // of presentation mode
  bool model = false, notes = false, inspector = false;
  bool inspector_left = false;  // the number that opened it stands on the right
  bool touched = false;         // opened this frame, by the click that would close it
};

bool is_open(const ViewState& view, Side side);
void set_open(ViewState& view, Side side, bool open);
inline void toggle(ViewState& view, Side side) { set_open(view, side, !is_open(view, side)); }

}  // namespace hydra
