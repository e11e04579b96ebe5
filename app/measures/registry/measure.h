// What a measure is: something of a trace that takes long to compute and is computed in the background (registry.h).
//
// A measure is a struct in a pair of files in app/measures:
//   Wanted    what the view says: a value, without a trace
//   Result    what it comes to
//   Kept      what its worker keeps between requests, made on its thread
//   kFailed   a text: how the notice of a failure begins
//   is_there(now, wanted)      whether it can be measured of that moment: what the last frame wanted need not be in the
//                              next one
//   compute(of, wanted, turn)  on the worker's thread; throws Stopped when stop is requested. turn: a JobTurn<Kept>, or
//                              a MeasureTurn, which publishes what there is so far
//   bytes(result)              that it holds, about, and nothing else does
// and where it is another than of MeasureOfTrace, from which it is derived: key, is_kept, cost, kLetsGo.
//
// A measure that a user starts, and that is never left, has Wanted, Result, Kept and kFailed as well, and
//   compute(wanted, before, turn)  before: what there is of the one that was started before it, or null
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "app/work/background_job.h"
#include "core/attention/trace.h"
#include "core/document/document.h"
#include "core/measures/pooled.h"

namespace hydra {

class KnownBounds;

// What is looked at: a document, the trace that there is of it, which may be a moment older, and what is known of
// sentences and of random layers.
struct Moment {
  const std::shared_ptr<const Trace>& trace;
  const Document& document;
  Stamp stamp;  // of the document
  Stamp other;  // of the one that can be looked at beside it: before the last step, or, there, now; of nothing: none
  const MarkedSentences& marked;
  const std::shared_ptr<KnownBounds>& bounds;
};
// The same, for a worker.
struct MeasuredOf {
  std::shared_ptr<const Trace> trace;
  Document document;
  Stamp stamp;
  MarkedSentences marked;
  std::shared_ptr<KnownBounds> bounds;  // safe on several threads
};

// Multiply-adds: what costs no more is waited for, within a frame's patience; what costs more than that many stops
// when something newer is asked for, since it may take seconds.
inline constexpr double kWaitedFor = 2e7, kStopped = 1e9;

// What holds of most measures: they depend on the trace, take a moment, and are left when it goes.
struct MeasureOfTrace {
  template <class Wanted>
  struct TraceKey {
    Stamp document;                       // that the trace is of
    std::shared_ptr<const Trace> partly;  // the trace, where later layers are of a document before; else null
    Wanted wanted;
    bool operator==(const TraceKey&) const = default;
  };
  // All that the result depends on.
  template <class Wanted>
  static TraceKey<Wanted> key(const Moment& now, const Wanted& wanted) {
    return {now.trace->document, now.trace->older_from ? now.trace : nullptr, wanted};
  }
  // Whether what nobody asks for any more goes on, and its result stays.
  template <class Wanted>
  static bool is_kept(const TraceKey<Wanted>& key, const Moment& now, bool) {
    if (key.partly) return key.partly == now.trace;
    return key.document == now.trace->document || key.document == now.stamp || key.document == now.other;
  }
  template <class Wanted>
  static double cost(const Moment&, const Wanted&) {  // multiply-adds, about
    return 0;
  }
  static constexpr bool kOfTrace = true;   // what is shown says of which trace it is, and keeps it
  static constexpr bool kForgets = false;  // what cannot be measured any more is not gone on with
  static constexpr bool kLetsGo = false;   // what is kept goes when nobody asks any more: it may be much
};

// Whether the trace has the layer, with every stage of it: another may have fewer, or another one whole.
inline bool has_whole(const Trace& trace, int layer) {
  return layer < static_cast<int>(trace.layers.size()) && trace.layer(layer).is_whole();
}

// For bytes(result).
template <class S>
std::size_t bytes_of(const Array<S>& values) {
  return static_cast<std::size_t>(values.size()) * sizeof(S);
}
template <class Values>
requires requires(const Values& values) { values.data(); }
std::size_t bytes_of(const Values& values) { return static_cast<std::size_t>(values.size()) * sizeof(*values.data()); }

// Of what its worker keeps: the threads that it computes on, and measures of the core that have them.
struct KeptThreads {
  ThreadPool pool{half_of_the_machine()};
};
template <class Of>
struct KeptMeasures : KeptThreads {
  Of measures{&pool};
};

// The newest result, which may be of a trace a moment older than the one that is drawn.
template <class M>
struct Measured {
  std::shared_ptr<const typename M::Result> value;  // null until the first is done
  std::shared_ptr<const Trace> of;
  typename M::Wanted wanted;
  std::string failure;     // why the newest could not be had; else empty
  float progress = 1;      // below 1: it is being measured anew, and that takes a while
  bool computing = false;  // it is, however long that takes
  bool older = false;      // it is not what is wanted now
  bool stopped = false;    // by the user
};

// publish(part, enough): see BackgroundJob.
template <class M>
struct MeasureTurn : JobTurn<typename M::Kept> {
  std::function<void(typename M::Result, bool)> publish;
};

}  // namespace hydra
