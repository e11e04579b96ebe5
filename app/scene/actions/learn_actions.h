// What is done with a run of Learn: part of what a user can do (actions.h).
#pragma once
#include <string>

#include "core/model/one_of.h"

namespace hydra {

namespace act {

struct LearnTrain {  // on, from where it is; a run that cannot go on as the controls stand begins anew
  int steps = 0;     // that many; 0: as many as the recipe has
};
struct LearnBegin {};  // with the document as it is, which must be of the task (LearnTold::usable); takes no step
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
  int run = 0;        // LearnTold::aside
};
struct LearnCopyCommand {};  // that trains the branch that is shown without a window, into the clipboard

}  // namespace act

template <class Kind>
concept OfLearn = AnyOf<Kind, act::LearnTrain, act::LearnBegin, act::LearnPause, act::LearnStep, act::LearnReset,
                        act::LearnGoTo, act::LearnPlay, act::LearnRemove, act::LearnRename, act::LearnChoose,
                        act::LearnTry, act::LearnTakeUp, act::LearnCopyCommand>;

}  // namespace hydra
