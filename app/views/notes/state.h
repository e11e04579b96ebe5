// The page of notes beside the view.
#pragma once
#include "core/document/document.h"

namespace hydra {

struct NotesState {
  bool open = false;  // in the place of the model panel; in presentation mode a drawer (drawers.h)
  float width = 0;    // 0: default; in units of the text size
  Notes shown;        // of the document that was last drawn
};

}  // namespace hydra
