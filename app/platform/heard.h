// What a window tells of itself to who hears or reads it instead of seeing it. A plain value: what is the same is not
// told again.
#pragma once
#include <string>
#include <vector>

namespace hydra {

struct Heard {
  enum class Kind { view, page, command };
  enum class State { plain, off, on, disabled };
  // What can be asked for, of one of the program's tables.
  struct Offer {
    Kind kind;
    int index;  // in its table
    State state;
    const char *name, *keys;  // as in aria-keyshortcuts, "Control+Z"; both stay
    bool operator==(const Offer&) const = default;
  };

  std::string status;    // the line at the bottom
  std::string number;    // the selected one, with its arithmetic
  std::string place;     // view, page, layer and head
  std::string keyboard;  // what has it: a part of the window, a control, a question
  std::string sentence;  // that the heads read
  std::vector<Offer> offers;
  bool keeps_tab = true, keeps_shift_tab = true;  // else the next Tab leaves the window
  bool operator==(const Heard&) const = default;
};

}  // namespace hydra
