// What was done, as a list that can be played: a gesture by where it ended, what runs in time by the steps that it
// took. What only looks outside (saving, copying, closing, timing) is not in it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/scene/actions.h"

namespace hydra {

class ActionList {
 public:
  // What a user has done, in this order; it was not refused.
  void note(const Action& action);
  // What a tool that was started before does of itself: it is done again when the list is played.
  void note_of_tool(const Action& action);

  // Training has begun by the last action; it has taken that many steps since.
  void begin_training() { training_ = list_.size() - 1; }
  bool training() const { return training_.has_value(); }
  void end_training(int steps);

  // With what is under way, as if it ended here.
  std::vector<Action> actions() const;

 private:
  struct Repelled {
    int steps = 0;
  };
  void end_gesture();
  void push(const Action& action);

  std::vector<Action> list_;
  std::variant<std::monostate, Edit, act::Collapse, Repelled> gesture_;
  std::optional<std::size_t> training_;  // at which place of the list
};

// A line each. Lines that are empty or begin with # say nothing.
std::string spelled(const std::vector<Action>& actions);
struct ListedAction {
  Action action;
  std::string place;  // "lesson.actions:12", for sentences
};
// name: of the text, in sentences. Throws InputError.
std::vector<ListedAction> parse_actions(std::string_view text, const std::string& name);

// Why a list may not do that; empty: it may. A list writes no file, answers no question and ends no program.
std::string why_not_played(const Action& action);

}  // namespace hydra
