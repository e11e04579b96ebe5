// What is measured of a trace beside the frame, for whoever asks: a view that draws asks for a measure by its type, and
// gets the newest there is. What nobody asked for in a whole frame is left.
//
// A measure is a struct in a pair of files here:
//   Wanted    what the view says: a value, without a trace
//   Result    what it comes to
//   Kept      what its worker keeps between requests, made on its thread
//   kFailed   how the notice of a failure begins
//   is_there(now, wanted)      whether it can be measured of that moment: what the last frame wanted need not be in the
//                              next one
//   compute(of, wanted, turn)  on the worker's thread; throws Stopped when stop is requested. turn: a JobTurn<Kept>, or
//   a
//                              MeasureTurn, which publishes what there is so far
// and where it is another than of MeasureOfTrace, from which it is derived: key, is_kept, is_little, stops, kLetsGo.
//
// A measure that a user starts, and that is never left, has Wanted, Result, Kept and kFailed as well, and
//   compute(wanted, before, turn)  before: what there is of the one that was started before it, or null
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <utility>

#include "app/work/job.h"
#include "core/attention/trace.h"
#include "core/document/document.h"
#include "core/document/pooled.h"

namespace hydra {

class KnownBounds;

// What is shown: a document, the trace that there is of it, and what is known of sentences and of random layers.
struct Moment {
  const std::shared_ptr<const Trace>& trace;
  const Document& document;
  std::uint64_t version;  // of the document
  std::uint64_t newest;   // of the one that is edited: another while that before is looked at
  const MarkedSentences& marked;
  const std::shared_ptr<KnownBounds>& bounds;
};
// The same, for a worker.
struct MeasuredOf {
  std::shared_ptr<const Trace> trace;
  Document document;
  std::uint64_t version;
  MarkedSentences marked;
  std::shared_ptr<KnownBounds> bounds;  // safe on several threads
};

// What holds of most measures: they depend on the trace, take a moment, and are left when it goes.
struct MeasureOfTrace {
  template <class Wanted>
  struct TraceKey {
    std::shared_ptr<const Trace> trace;
    Wanted wanted;
    bool operator==(const TraceKey&) const = default;
  };
  // All that the result depends on.
  template <class Wanted>
  static TraceKey<Wanted> key(const Moment& now, const Wanted& wanted) {
    return {now.trace, wanted};
  }
  // Whether what nobody asks for any more goes on, and its result stays.
  template <class Wanted>
  static bool is_kept(const TraceKey<Wanted>& key, const Moment& now, bool) {
    return key.trace == now.trace;
  }
  template <class Wanted>
  static bool is_little(const Moment&, const Wanted&) {  // it is waited for
    return true;
  }
  template <class Wanted>
  static bool stops(const Moment&, const Wanted&) {  // an older request is told to stop: it may take seconds
    return false;
  }
  static constexpr bool kOfTrace = true;   // what is shown says of which trace it is, and keeps it
  static constexpr bool kForgets = false;  // what cannot be measured any more is not gone on with
  static constexpr bool kLetsGo = false;   // what is kept goes when nobody asks any more: it may be much
};

// Whether the trace has the layer, with every stage of it: another may have fewer, or another one whole.
inline bool has_whole(const Trace& trace, int layer) {
  return layer < static_cast<int>(trace.layers.size()) && trace.layer(layer).is_whole();
}

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

// publish(part, enough): see Job.
template <class M>
struct MeasureTurn : JobTurn<typename M::Kept> {
  std::function<void(typename M::Result, bool)> publish;
};

class Measures {
 public:
  // Asks for it, in this frame. The reference holds until the next settle.
  template <class M>
  const Measured<M>& get(const typename M::Wanted& wanted) {
    SlotOf<M>& slot = slot_of<M>();
    slot.wanted = wanted;
    slot.asked = true;
    return slot.shown;
  }
  // In this frame what there is of it is not left, though nobody asks.
  template <class M>
  void hold() {
    slot_of<M>().held = true;
  }
  // What is under way ends; what is shown stays, until again() or something else is wanted.
  template <class M>
  void stop() {
    SlotOf<M>& slot = slot_of<M>();
    if (slot.job.computing()) slot.job.stop(), slot.shown.stopped = true;
  }
  template <class M>
  void again() {
    SlotOf<M>& slot = slot_of<M>();
    slot.job.forget();
    slot.shown.stopped = false;
  }

  // Begins what a user starts, in the place of the same that is under way. stop() ends it.
  template <class M>
  void start(const typename M::Wanted& wanted) {
    started_slot<M>().start(wanted);
  }
  // What there is of it: older while that is of the one before.
  template <class M>
  const Measured<M>& started() {
    return started_slot<M>().shown;
  }
  template <class M>
  void stop_started() {
    started_slot<M>().stop();
  }

  // Takes over what is finished, and asks for what the last frame wanted of this moment, waiting for each that is
  // little up to patience. True when something that was wanted is another now.
  bool settle(const Moment& now, std::chrono::milliseconds patience);
  // A frame's layouts begin; they are over: what was not asked for in any of them is left. Not called for a frame that
  // drew no view, or not all of one.
  void begin_frame();
  void end_frame(const Moment& now);

  void finish();           // waits; the next settle takes the results over, but for a rest that may wait
  void finish_rest();      // the same, and waits for that, too
  bool computing() const;  // more than a rest that may wait
  void on_finished(std::function<void()> wake);
  // Each measure's: how its notice begins, and why the newest could not be had.
  template <class Tell>
  void each_failure(const Tell& tell) const {
    for (const auto& [type, slot] : slots_) tell(slot->failed, slot->beside().failure(), slot->told);
  }

 private:
  struct Slot {
    virtual ~Slot() = default;
    virtual bool settle(const Moment& now, std::chrono::milliseconds patience) = 0;
    virtual void leave(const Moment& now) = 0;
    virtual Beside& beside() = 0;
    virtual void finish() = 0;
    virtual bool computing() const = 0;
    const char* failed = nullptr;
    bool asked = false, held = false;  // in this frame
    bool started = false;              // by a user: nobody needs to ask
    bool kept = false;                 // in the last one that drew a whole view
    mutable std::string told;          // the failure that was said last
  };

  template <class M>
  struct SlotOf final : Slot {
    using Key = decltype(M::key(std::declval<const Moment&>(), std::declval<const typename M::Wanted&>()));
    struct Answer {
      Measured<M> measured;
      std::optional<Key> key;
      std::string failure;
    };
    using Work = Job<Key, Answer, typename M::Kept>;

    static typename Work::Compute measuring(const Moment& now, const typename M::Wanted& wanted, const Key& key) {
      return [of = MeasuredOf{now.trace, now.document, now.version, now.marked, now.bounds}, wanted,
              key](const typename Work::Turn& turn) {
        const auto answer = [&](typename M::Result result) {
          return Answer{{std::make_shared<const typename M::Result>(std::move(result)),
                         M::kOfTrace ? of.trace : nullptr, wanted, ""},
                        key,
                        ""};
        };
        const MeasureTurn<M> publishing{
            turn, [&](typename M::Result part, bool enough) { turn.publish(answer(std::move(part)), enough); }};
        return answer(M::compute(of, wanted, publishing));
      };
    }

    bool settle(const Moment& now, std::chrono::milliseconds patience) override {
      bool changed = take();
      const bool there = M::is_there(now, wanted);
      const std::optional<Key> key = there ? std::optional(M::key(now, wanted)) : std::nullopt;
      if (!there && M::kForgets) job.forget();
      if (there && job.asked() != key) {
        // What still computes beyond what was waited for is a rest that nobody wants any more.
        if (M::stops(now, wanted) || !job.computing_much()) job.stop();
        shown.stopped = false;
        job.ask(*key, measuring(now, wanted, *key),
                M::is_little(now, wanted) ? patience : std::chrono::milliseconds(0));
        changed |= take();
      }
      const float progress = job.progress();
      const bool older = shown_key != key, computing = job.computing();
      changed |= shown.progress != progress || shown.older != older || shown.computing != computing ||
                 shown.failure != job.failure();
      shown.progress = progress;
      shown.older = older;
      shown.computing = computing;
      shown.failure = job.failure();
      if (!older) shown.stopped = false;
      return changed;
    }
    bool take() {
      const bool news = job.poll([this](Answer answer) {
        const bool stopped = shown.stopped;
        shown = std::move(answer.measured);
        shown.stopped = stopped;
        shown_key = std::move(answer.key);
      });
      return news;
    }
    void leave(const Moment& now) override {
      Answer left{std::move(shown), std::move(shown_key), ""};
      const bool computing = job.computing();
      job.leave(
          left, [&](const Key& key) { return M::is_kept(key, now, computing); }, M::kLetsGo);
      shown = std::move(left.measured);
      shown_key = std::move(left.key);
      shown.failure = job.failure();
    }
    Beside& beside() override { return job; }
    void finish() override { job.finish_enough(); }
    bool computing() const override { return job.computing_much(); }

    typename M::Wanted wanted{};
    Measured<M> shown;
    std::optional<Key> shown_key;
    Work job;
  };

  template <class M>
  struct StartedOf final : Slot {
    struct Answer {
      std::shared_ptr<const typename M::Result> value;
      int run = 0;
      std::string failure;
    };
    using Work = Job<int, Answer, typename M::Kept>;

    void start(const typename M::Wanted& wanted) {
      job.stop();
      take();
      const auto compute = [wanted, before = shown.value, run = ++runs](const typename Work::Turn& turn) {
        const auto answer = [&](typename M::Result result) {
          return Answer{std::make_shared<const typename M::Result>(std::move(result)), run, ""};
        };
        const MeasureTurn<M> publishing{
            turn, [&](typename M::Result part, bool enough) { turn.publish(answer(std::move(part)), enough); }};
        return answer(M::compute(wanted, before.get(), publishing));
      };
      job.ask(runs, compute, std::chrono::milliseconds(0));
      started = true;
      shown = {shown.value, nullptr, wanted, "", 0, true, shown.value != nullptr, false};
    }
    void stop() {
      if (job.computing()) job.stop(), shown.stopped = true;
    }
    bool take() {
      return job.poll([this](Answer answer) {
        shown.value = std::move(answer.value);
        shown.older = answer.run != runs;
      });
    }
    bool settle(const Moment&, std::chrono::milliseconds) override {
      const bool computing = job.computing();  // before what is finished is taken, so that none is missed
      bool changed = take();
      const float progress = job.progress(0);
      changed |= std::exchange(shown.progress, computing ? progress : 1) != shown.progress;
      changed |= std::exchange(shown.computing, computing) != computing;
      changed |= std::exchange(shown.failure, job.failure()) != job.failure();
      return changed;
    }
    void leave(const Moment&) override {}
    Beside& beside() override { return job; }
    void finish() override { job.finish(); }
    bool computing() const override { return false; }  // what it publishes wakes who shows it

    Measured<M> shown;
    int runs = 0;
    Work job;
  };

  template <class S, class M>
  S& slot_as() {
    std::unique_ptr<Slot>& slot = slots_[std::type_index(typeid(M))];
    if (!slot) {
      slot = std::make_unique<S>();
      slot->failed = M::kFailed;
      slot->beside().on_finished(wake_);
    }
    return static_cast<S&>(*slot);
  }
  template <class M>
  SlotOf<M>& slot_of() {
    return slot_as<SlotOf<M>, M>();
  }
  template <class M>
  StartedOf<M>& started_slot() {
    return slot_as<StartedOf<M>, M>();
  }

  std::unordered_map<std::type_index, std::unique_ptr<Slot>> slots_;
  std::function<void()> wake_;
};

}  // namespace hydra
