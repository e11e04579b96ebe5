// A measure of a document, asked for as a view asks for it.
#pragma once
#include "app/measures/registry/registry.h"
#include "core/document/evaluate.h"
#include "core/measures/known_bounds.h"

namespace hydra::test {

template <class M>
struct Measuring {
  explicit Measuring(Document first = default_document()) : document(std::move(first)) {}

  Document document;
  std::shared_ptr<const Trace> trace = evaluate(document);
  Stamp before;  // of the document that was there before the last one
  MarkedSentences marked = shipped_sentences();
  typename M::Wanted wanted{};
  std::shared_ptr<KnownBounds> bounds = std::make_shared<KnownBounds>();
  Measures measures;

  Moment now() const { return {trace, document, stamp_of(document), before, marked, bounds}; }
  void set(Document other) {
    before = stamp_of(document);
    document = std::move(other);
    trace = evaluate(document);
  }
  const Measured<M>& shown() { return measures.get<M>(wanted); }
  // True when what is shown is another, or further.
  bool update(std::chrono::milliseconds patience = std::chrono::milliseconds(0)) {
    shown();
    return measures.settle(now(), patience);
  }
  const Measured<M>& finished() {
    update();
    measures.finish();
    update();
    return shown();
  }
  bool computing() const { return measures.computing(); }
  // A frame in which nobody asks.
  void leave() {
    measures.begin_frame();
    measures.end_frame(now());
  }
};

// A measure that a user starts.
template <class M>
struct Starting {
  std::shared_ptr<const Trace> trace;
  Document document;
  MarkedSentences marked;
  std::shared_ptr<KnownBounds> bounds;
  Measures measures;

  Moment now() const { return {trace, document, stamp_of(document), {}, marked, bounds}; }
  void start(const typename M::Wanted& wanted) { measures.start<M>(wanted); }
  void cancel() { measures.stop_started<M>(); }
  bool update() { return measures.settle(now(), std::chrono::milliseconds(0)); }
  const Measured<M>& shown() { return measures.started<M>(); }
  // A frame in which nobody looks does not end it.
  void finish() {
    measures.begin_frame();
    measures.end_frame(now());
    measures.finish();
    update();
  }
};

}  // namespace hydra::test
