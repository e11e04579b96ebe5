// Everything the keyboard does, in one table: it runs the keys, writes the help, and gives buttons of the same their
// tips.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "app/platform/heard.h"
#include "app/views/frame/context.h"

namespace hydra {

inline constexpr int kPeekKey = 'B';  // held: the state before the last change is shown

struct Command {
  const char* keys;  // as shown in the help: a text, or where it is a character or F5 that itself
  const char* text;  // a text: what it does, for the help
  bool ctrl, shift;
  int key;
  int count = 1;                                        // consecutive keys (1 .. 9): run gets which
  bool in_text = false;                                 // also while text is being typed
  void (*run)(Frame&, int) = nullptr;                   // null: described here, handled by the view that has the focus
  bool (*is_on)(const Frame&) = nullptr;                // null: it is neither on nor off
  std::string (*why_not)(const Frame&, int) = nullptr;  // a sentence; empty: it can be done. null: it always can
  int first = 0;                                        // which the first of consecutive keys is
  bool opens_view = false;
  char typed = 0;              // runs it as well, wherever the keyboard has it
  bool joined = false;         // in the help it stands in the line of the one before
  const char* name = nullptr;  // by which its buttons ask for it, and are known to tests; null: it has none
  const char* tip = nullptr;   // a text, of these, without the key
};

std::span<const Command> commands();
const Command& command(std::string_view name);
std::string tip_of(const Command& command);  // "Light or dark ground. Key: T"
bool can(const Frame& frame, const Command& command);
Heard::State state_of(const Frame& frame, const Command& command);
// Runs it, or says why not. k: which of consecutive keys.
void perform(Frame& frame, const Command& command, int k = 0);
inline void perform(Frame& frame, std::string_view name) { perform(frame, command(name)); }

void run_commands(Frame& frame);  // whose keys were pressed

}  // namespace hydra
