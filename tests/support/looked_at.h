// A state of the model to be looked at, as views get one.
#pragma once
#include "app/views/frame/derived_cache.h"
#include "app/views/frame/source.h"
#include "core/measures/known_bounds.h"

namespace hydra::test {

// What is measured, and known for it, of any state.
struct MeasuringAll {
  Measures measures;
  MarkedSentences marked;
  std::shared_ptr<KnownBounds> bounds = std::make_shared<KnownBounds>();
};

struct LookedAt {
  MeasuringAll& measuring;
  Document document;
  std::shared_ptr<const Trace> trace;
  DerivedCache derived;

  LookedAt(MeasuringAll& with, Document of, std::shared_ptr<const Trace> its_trace)
      : measuring(with), document(std::move(of)), trace(std::move(its_trace)) {
    derived.set_trace(trace);
  }
  Source source() {
    return {{trace, document, trace->document, {}, measuring.marked, measuring.bounds}, derived, measuring.measures};
  }
};

}  // namespace hydra::test
