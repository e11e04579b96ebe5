// The page of notes beside the view.
#pragma once
#include <utility>
#include <vector>

#include "core/document/document.h"

namespace hydra {

struct NotesState {
  bool open = false;    // in the place of the model panel; in presentation mode sides.h says
  float width = 0;      // 0: default; in units of the text size
  Notes shown;          // of the document that was last drawn
  bool begins = false;  // another page: from its beginning
  // How each of its paragraphs, the title first, was last broken into lines: for letters so high and a width.
  struct Lines {
    float size = 0, width = 0;
    std::vector<std::pair<std::size_t, std::size_t>> bytes;  // where each begins and ends
  };
  std::vector<Lines> lines;
  std::vector<bool> told;  // by paragraph: answers that are shown
};

}  // namespace hydra
