#include "app/work/mixing_keeper.h"

#include <algorithm>

namespace hydra {

namespace {

// Made on the worker's thread, when it is first asked.
struct Measuring {
  ThreadPool pool{half_of_the_machine()};
  MixingMeasures measures{&pool};
};

}  // namespace

MixingKeeper::MixingKeeper()
    : work_([measuring = std::shared_ptr<Measuring>()](const std::shared_ptr<const Trace>& trace) mutable {
        if (!measuring) measuring = std::make_shared<Measuring>();
        return MixingShown{trace, std::make_shared<const Mixing>(measuring->measures.of(trace->layers.front()))};
      }) {}

bool MixingKeeper::update(const std::shared_ptr<const Trace>& trace, std::chrono::milliseconds patience) {
  if (asked_ != trace) {
    asked_ = trace;
    work_.ask(trace, patience);
  }
  auto finished = work_.take();
  if (finished) shown_ = std::move(*finished);
  return finished.has_value();
}

}  // namespace hydra
