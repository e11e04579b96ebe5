// Where a readout answers several questions, the one that views with room for one only are about: of the number that
// was selected last, or chosen by its chip; at first that which is asked at the fewest places.
#pragma once
#include "app/views/frame/ui.h"

namespace hydra {

Index question_in_view(const ViewState& view, const Source& source);
// A chip for each of them, or of many one that goes on to the next; nothing where there is one. Probe names:
// <prefix>question/0, <prefix>question/next.
void question_chips(Frame& frame, ui::Chips& chips, const std::string& prefix);
// The same as words of a line that begins with a title and is that wide.
void question_line(Frame& frame, ImVec2 pos, float width, const std::string& title, const std::string& prefix);

}  // namespace hydra
