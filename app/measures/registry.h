// What is measured of a trace beside the frame, for whoever asks: a view that draws asks for a measure by its type, and
// gets the newest there is. What nobody asked for in a whole frame is left.
//
// A measure is a struct in a pair of files here:
//   Wanted    what the view says: a value, without a trace
//   Result    what it comes to
//   Kept      what its worker keeps between requests, made on its thread
//   kFailed   how the notice of a failure begins
//   kStops    whether an older request is told to stop: it may take seconds
//   kLetsGo   whether what is kept goes when nobody asks any more: it may be much
//   is_there(trace, wanted)    whether it can be measured of that trace: what the last frame wanted need not be in the
//   next one compute(trace, wanted, kept, stop)    on the worker's thread; throws Stopped when stop is requested
#pragma once
#include <memory>
#include <string>
#include <typeindex>
#include <unordered_map>

#include "app/work/job.h"
#include "core/attention/trace.h"

namespace hydra {

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
  std::string failure;  // why the newest could not be had; else empty
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

  // Takes over what is finished, and asks for what the last frame wanted of this trace, waiting for each up to
  // patience. True when something that was wanted is another now.
  bool settle(const std::shared_ptr<const Trace>& trace, std::chrono::milliseconds patience);
  // A frame's layouts begin; they are over: what was not asked for in any of them is left. Not called for a frame that
  // drew no view, or not all of one.
  void begin_frame();
  void end_frame(const std::shared_ptr<const Trace>& trace);

  void finish();  // waits; the next settle takes the results over
  bool computing() const;
  void on_finished(std::function<void()> wake);
  // Each measure's: how its notice begins, and why the newest could not be had.
  template <class Tell>
  void each_failure(const Tell& tell) const {
    for (const auto& [type, slot] : slots_) tell(slot->failed, slot->beside().failure(), slot->told);
  }

 private:
  struct Slot {
    virtual ~Slot() = default;
    virtual bool settle(const std::shared_ptr<const Trace>& trace, std::chrono::milliseconds patience) = 0;
    virtual void leave(const std::shared_ptr<const Trace>& trace) = 0;
    virtual Beside& beside() = 0;
    const char* failed = nullptr;
    bool asked = false;        // in this frame
    bool kept = false;         // in the last one that drew a whole view
    mutable std::string told;  // the failure that was said last
  };

  template <class M>
  struct SlotOf final : Slot {
    struct Key {
      std::shared_ptr<const Trace> trace;
      typename M::Wanted wanted;
      bool operator==(const Key&) const = default;
    };

    bool settle(const std::shared_ptr<const Trace>& trace, std::chrono::milliseconds patience) override {
      const Key key{trace, wanted};
      if (job.asked() != key && M::is_there(*trace, wanted)) {
        if (M::kStops) job.stop();
        job.ask(
            key,
            [key](const auto& turn) {
              return Measured<M>{
                  std::make_shared<const typename M::Result>(M::compute(*key.trace, key.wanted, turn.kept, turn.stop)),
                  key.trace, key.wanted, ""};
            },
            patience);
      }
      return job.poll_into(shown);
    }
    void leave(const std::shared_ptr<const Trace>& trace) override {
      job.leave(
          shown, [&](const Key& key) { return key.trace == trace; }, M::kLetsGo);
    }
    Beside& beside() override { return job; }

    typename M::Wanted wanted{};
    Measured<M> shown;
    Job<Key, Measured<M>, typename M::Kept> job;
  };

  template <class M>
  SlotOf<M>& slot_of() {
    std::unique_ptr<Slot>& slot = slots_[std::type_index(typeid(M))];
    if (!slot) {
      slot = std::make_unique<SlotOf<M>>();
      slot->failed = M::kFailed;
      slot->beside().on_finished(wake_);
    }
    return static_cast<SlotOf<M>&>(*slot);
  }

  std::unordered_map<std::type_index, std::unique_ptr<Slot>> slots_;
  std::function<void()> wake_;
};

}  // namespace hydra
