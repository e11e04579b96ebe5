// What was done, as a list that can be played: a gesture by where it ended, what runs in time by the steps that it
// took. What only looks outside (saving, copying, closing, timing) is not in it. It is bounded: one that has become too
// long, or to which something was done that only what is gone can tell (an undo beyond where it begins), begins later.
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/scene/actions/actions.h"
#include "app/scene/scene.h"

namespace hydra {

class ActionList {
 public:
  // By bytes_of: some ten thousand actions. What is older than half of it goes at once.
  static constexpr std::size_t kMostBytes = std::size_t{16} << 20;

  explicit ActionList(const Document& begun_with) { begin_ = Begin{begun_with, {}, 0, 0, true}; }
  void keep_at_most(std::size_t bytes) { most_ = bytes; }

  // Before each action: the scene that it finds, and how deep in the history (History::depth) that is. at_rest: nothing
  // is under way, and whoever opens that document and looks there can go on alike. A list may begin there, but not in
  // Learn, whose runs are in no scene.
  void find(const Document& document, const ViewState& view, std::size_t depth, bool at_rest);
  // After each: how deep it is now.
  void leave(const ViewState& view, std::size_t depth, bool redone = false);
  void use_learn();  // something depends on what was done there

  // What a user has done, in this order; it was not refused.
  void note(const Action& action);
  // What only looks, from one view state to another: of several without anything between the last one stands for all,
  // where it leads there by itself.
  void note_look(const Action& action, const ViewState& from, const ViewState& to);
  // What a tool that was started before does of itself: it is done again when the list is played.
  void note_of_tool(const Action& action);

  // Training has begun by the last action; it has taken that many steps since.
  void begin_training();
  bool training() const { return training_.has_value(); }
  void end_training(int steps);

  // With what is under way, as if it ended here.
  std::vector<Action> actions() const;
  // The same, from any document: after what it begins with. now: what that is when nothing is kept.
  std::vector<Action> from_nothing(const Scene& now) const;
  bool begins_later() const { return begins_later_; }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Repelled {
    int steps = 0;
  };
  struct Begin {
    Document document;
    std::optional<ViewState> view;  // none: before the first action
    std::size_t depth, top;         // Undo and Redo of a list from there come to what stands between them
    bool knows_learn;               // nothing was done in Learn before
    bool reaches(std::size_t from, std::size_t to, bool redone);
  };
  void end_gesture();
  void push(const Action& action);
  void lose();

  std::size_t most_ = kMostBytes;
  std::deque<Action> list_;
  std::size_t bytes_ = 0;
  std::optional<Begin> begin_;  // none: with the next action that finds all at rest
  struct Middle {
    Begin begin;
    std::size_t place, bytes;  // of the list
  };
  std::optional<Middle> middle_;    // where it begins when it has become too long
  std::optional<ViewState> found_;  // by the last one, which only looks
  std::size_t depth_ = 0;
  bool used_learn_ = false, begins_later_ = false;
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
