// A training run as the Learn view shows it.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/choices.h"
#include "app/views/frame/explained.h"
#include "core/learn/opened/head_coupling.h"
#include "core/learn/opened/pruning.h"
#include "core/learn/runs/followed.h"
#include "core/learn/timeline.h"

namespace hydra {

// What the heads of the model are worth, at one step of a run.
struct PruningTold {
  int branch = 0, step = 0;
  std::shared_ptr<const learn::HeadWorth> worth;
  std::shared_ptr<const learn::ClosedGates> closed;
  std::shared_ptr<const learn::Pruning> important, greedy;
};

// A step of the run, opened, with what its page draws.
struct OpenedTold {
  std::shared_ptr<const learn::OpenedStep> step;  // null: there is none yet
  // Of a sequence of its batch, in each head of a layer: the pattern, and the loss's derivatives by it and by the
  // scores.
  struct Patterns {
    Index sequence = 0, layer = 0;
    std::vector<std::string> tokens;
    std::vector<std::pair<Index, Index>> gold;  // where a row would have to look for what it is asked
    struct Head {
      Array<float> attention, by_attention, by_scores;
    };
    std::vector<Head> heads;
  };
  std::shared_ptr<const Patterns> patterns;
  // Of weights, what the facet says of them.
  struct Weights {
    learn::Facet facet = learn::Facet::gradient;
    std::vector<std::pair<Site, Array<float>>> matrices;
  };
  std::shared_ptr<const Weights> weights;
  std::optional<Cell> number;               // whose update is told: the selected one, else one that is pulled strongly
  std::shared_ptr<const Explanation> told;  // null: there is no number that is trained
  std::shared_ptr<const Explained> update;  // the same, laid out
  std::shared_ptr<const learn::HeadCoupling> coupling;
  Array<float> coupling_change;  // of it, for the picture
  int silenced = 0;              // heads so far, while it is measured
  std::shared_ptr<const learn::SoftmaxSlopes> slopes;
  bool older = false;  // of another step than the one that is shown; that is being opened
  std::string failure;
};

// What is followed over the steps of the run.
struct FollowedTold {
  struct Line {
    int first = 0, apart = 1;
    std::vector<std::vector<double>> tracks;  // [layers x heads] at first, first + apart, ...; NaN: not measured
  };
  learn::Followed of;
  std::vector<Line> branches;
  bool complete = false;  // every step that is kept is measured
  std::string failure;
};

// A run that another was begun after: it can be taken up again.
struct RunAside {
  std::string name;   // by what made it
  std::string begun;  // "2026-11-26 11.39"
  int branches = 1, steps = 0;
  bool at_once = true;  // its steps are there; else they are trained again
};

struct LearnTold {
  std::shared_ptr<const learn::Task> chosen;        // what the controls are of
  std::shared_ptr<const learn::Task> task;          // of the run; null: there is none
  std::shared_ptr<const learn::Timeline> timeline;  // null: there is none
  int branch = 0, step = 0;                         // where the document is, or was before it was edited
  bool fits = false;                                // the document is of the run's model
  bool edited = false;                              // it has other weights or gates than that step
  bool usable = false;                              // a run of what is chosen can begin with the document as it is
  bool begins_anew = false;                         // what the controls say needs another model
  bool training = false, playing = false;
  int goal = 0;                 // training ends there at the latest
  int best_step = -1;           // up to the one that is shown, at which what is held out had the least loss,
  double best_loss = 0;         // and which; -1: it is not clearly above that now
  double per_second = 0;        // steps, while training
  int recalled = -1;            // a step that is not kept and is trained again, to be shown; -1: none
  float recall_progress = 1;    // of it
  std::string fault;            // why what the controls say cannot be trained; else empty
  PruningTold pruning;          // while its page is open; null: not yet measured
  float pruning_progress = 1;   // below 1: another is being measured
  std::string pruning_failure;  // why it could not be
  std::string told;             // how the last stretch ended, or what could not be shown: at this place alone
  int told_branch = -1, told_step = 0;
  std::string name;             // of the run, by what made it
  std::vector<RunAside> aside;  // the last one first
  int again = 0, again_of = 0;  // while the branches of a file are trained again: how many are there, of how many
  OpenedTold opened;            // while the page of gradients is open
  FollowedTold followed;        // while its chart is open
};

}  // namespace hydra
