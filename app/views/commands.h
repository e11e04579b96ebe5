// Everything the keyboard does, in one table: it runs the keys and writes the help.
#pragma once
#include <span>

#include "app/platform/heard.h"
#include "app/views/context.h"

namespace hydra {

inline constexpr int kPeekKey = 'B';  // held: the state before the last change is shown

struct Command {
  const char* keys;  // as shown in the help
  const char* text;  // what it does, for the help
  bool ctrl, shift;
  int key;
  int count = 1;                                  // consecutive keys (1 .. 9): run gets which
  bool in_text = false;                           // also while text is being typed
  void (*run)(Frame&, int) = nullptr;             // null: described here, handled by the view that has the focus
  Heard::State (*state)(const Frame&) = nullptr;  // null: it is neither on nor off, and always to be had
  int first = 0;                                  // which the first of consecutive keys is
  bool opens_view = false;
  char typed = 0;       // runs it as well, wherever the keyboard has it
  bool joined = false;  // in the help it stands in the line of the one before
};

std::span<const Command> commands();
void run_commands(Frame& frame);

}  // namespace hydra
