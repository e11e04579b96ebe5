// What is chosen in the Learn view, and what it asks for.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/views/learn_shown.h"

namespace hydra {

// What a run would be made of: as the controls stand. Of a task that has another recipe when it is chosen.
struct LearnSetup {
  std::string task = "induction";
  learn::Recipe recipe;
  std::uint64_t seed = 0;
  std::string text;  // of the task "text"
  bool characters = false;
  std::optional<double> stop_loss, stop_accuracy;
  bool operator==(const LearnSetup&) const = default;
};

struct LearnTrain {};  // on, from where it is; a run that cannot go on as the controls stand begins anew
struct LearnBegin {};  // with the document as it is, which must be of the task (LearnShown::usable); takes no step
struct LearnPause {};
struct LearnStep {};   // one
struct LearnReset {};  // to a start with other weights, those of the seed
struct LearnGoTo {
  int branch = 0, step = 0;
  bool done = true;  // false: it is dragged
};
struct LearnPlay {
  bool on = true;
};
struct LearnRemove {
  int branch = 0;
};
struct LearnRename {
  int branch = 0;
  std::string name;
};
struct LearnChoose {  // another task, with its recipe
  std::string task;
};
struct LearnTry {  // an experiment of the collapse page (experiments.h), as a branch from a beginning of its own
  int which = 0;
};
struct LearnTakeUp {  // a run that was put aside
  int run = 0;        // LearnShown::aside
};
struct LearnCopyCommand {};  // that trains the branch that is shown without a window, into the clipboard
using LearnAction = std::variant<LearnTrain, LearnBegin, LearnPause, LearnStep, LearnReset, LearnGoTo, LearnPlay,
                                 LearnRemove, LearnRename, LearnChoose, LearnTry, LearnTakeUp, LearnCopyCommand>;

enum class LearnPage { run, gradients, counts, collapse, pruning };
enum class LearnChart { roles, questions, likeness, gradients, composition, gates, followed };

struct LearnState {
  LearnPage page = LearnPage::run;
  LearnSetup setup;
  double pace = 0;                                       // steps a second; 0: as fast as it goes
  std::size_t most_bytes = learn::Timeline::kMostBytes;  // of a run that begins
  LearnChart chart = LearnChart::roles;
  bool more = false;               // all controls
  bool trains_hidden = false;      // in a page that nobody sees
  bool optimizer_more = false;     // of them those that seldom change
  int branch_in_view = -1;         // the timeline was scrolled to it
  int renaming = -1;               // a branch
  int renaming_starts = 0;         // frames in which its field is about to be active
  std::array<bool, 5> foretold{};  // of each experiment: what will happen is shown
  bool greedily = true;            // heads are cut in the order of the search, else by importance
  std::string name_draft;
  std::pair<std::string, std::vector<bool>> told;  // of the task of that title: answers of its page that are shown
  GradientsAsked gradients;
  learn::Followed followed;  // of that chart
};

}  // namespace hydra
