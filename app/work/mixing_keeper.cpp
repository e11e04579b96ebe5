#include "app/work/mixing_keeper.h"

#include <algorithm>
#include <utility>

#include "app/work/kept.h"

namespace hydra {

namespace {

// Made on the worker's thread, when it is first asked.
struct Measuring {
  ThreadPool pool{half_of_the_machine()};
  MixingMeasures measures{&pool};
};

}  // namespace

MixingKeeper::MixingKeeper()
    : work_([kept = Kept<Measuring>()](const Request& request) mutable {
        return kept.with([&](Measuring& measuring) {
          const LayerTrace<float>& layer = request.trace->layer(request.layer);
          return MixingShown{request.trace, request.layer, std::make_shared<const Mixing>(measuring.measures.of(layer)),
                             ""};
        });
      }) {}

bool MixingKeeper::update(const std::shared_ptr<const Trace>& trace, int layer, std::chrono::milliseconds patience) {
  if (const Request request{trace, layer}; asked_ != request) {
    asked_ = request;
    work_.ask(request, patience);
  }
  auto finished = work_.take();
  if (finished) shown_ = std::move(*finished);
  auto failure = work_.take_failure();
  if (failure) shown_.failure = std::move(*failure);
  return finished || failure;
}

void MixingKeeper::leave(const std::shared_ptr<const Trace>& trace) {
  if (!asked_.trace || asked_.trace == trace || work_.computing()) return;
  work_.take();
  shown_ = {};
  asked_ = {};
}

}  // namespace hydra
