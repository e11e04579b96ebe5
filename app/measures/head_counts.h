// Models of few and of many heads, trained in the background when a user starts it: independent runs, each on one
// thread. What they have come to is shown as they go on, and kept until the program ends: it depends on no document.
#pragma once
#include <memory>
#include <vector>

#include "app/measures/registry/registry.h"
#include "core/learn/opened/head_counts.h"

namespace hydra {

struct HeadCountsMeasure {
  using Wanted = learn::CountsAsked;
  // Of one task, one width and one number of steps: all that was trained of it, or is being trained.
  struct Trained {
    std::string task;
    Index d_model = 0;
    int steps = 0;
    bool grid = false;  // models of CountsAsked::also, at one rate; else by heads
    learn::CountRuns runs;
  };
  struct Result {
    std::vector<std::shared_ptr<const Trained>> trained;  // by task, then width, then steps
    double seconds_left = -1;                             // below 0: not known yet

    // Null: nothing was.
    const Trained* of(std::string_view task, Index d_model, int steps, bool grid = false) const;
    const Trained* of(const learn::CountsAsked& asked) const;
  };
  struct Kept {
    ThreadPool pool{threads_of_the_machine()};
  };
  static constexpr const char* kFailed = "measures:head_counts.failed";
  // Runs that are done are not trained again: they would come to the same bits.
  static Result compute(const Wanted& asked, const Result* before, const MeasureTurn<HeadCountsMeasure>& turn);

  // By its key, made once. From any thread; throws InputError where there is no such task.
  static const std::shared_ptr<const learn::Task>& task(const std::string& key);
  static const learn::CountExample& example(const std::string& key);
};

}  // namespace hydra
