#include "app/work/mixing_keeper.h"

#include <algorithm>
#include <utility>

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
        // A fault may leave it half-made: then it is not kept.
        const auto kept = measuring ? std::exchange(measuring, nullptr) : std::make_shared<Measuring>();
        MixingShown shown{trace, std::make_shared<const Mixing>(kept->measures.of(trace->layers.front())), ""};
        measuring = kept;
        return shown;
      }) {}

bool MixingKeeper::update(const std::shared_ptr<const Trace>& trace, std::chrono::milliseconds patience) {
  if (asked_ != trace) {
    asked_ = trace;
    work_.ask(trace, patience);
  }
  auto finished = work_.take();
  if (finished) shown_ = std::move(*finished);
  auto failure = work_.take_failure();
  if (failure) shown_.failure = std::move(*failure);
  return finished || failure;
}

}  // namespace hydra
