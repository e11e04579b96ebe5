// What stands over the window: a question, the dialog that opens and saves by name, the menu of examples, the keys.
#pragma once
#include <memory>
#include <optional>

#include "app/views/shell/file_picking.h"
#include "app/views/shell/question.h"

namespace hydra {

struct LayoutDraft;  // app/views/mapping/layout_draft.h

struct Front {
  std::optional<Question> question;           // must be answered before anything else
  FileDialog file_dialog = FileDialog::none;  // asked for or open
  FilePicking picking;                        // in it
  std::shared_ptr<const LayoutDraft> layout;  // the page that lays arrays out is open, on this
  int layout_turn = 0;                        // Tab (by -1 Shift Tab) goes to another part of it
  std::size_t documents_aside = 0;            // unsaved ones of earlier windows, put aside
  bool examples_asked = false;                // by a key: their menu opens
  bool help = false;                          // all keys

  bool asks() const { return question || file_dialog != FileDialog::none || layout; }
};

}  // namespace hydra
