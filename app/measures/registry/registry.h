// What is measured of a trace in the background, for whoever asks: a view that draws asks for a measure by its type,
// and gets the newest there is. What nobody asked for in a whole frame is left. What was measured of the document that
// is looked at, or of the one before the last step, is kept within kMostAside, so that undo brings it back.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/measures/registry/measure.h"
#include "core/type_key.h"

namespace hydra {

class Measures {
 public:
  // Of results that nobody asks for.
  static constexpr std::size_t kMostAsideOfOne = std::size_t{64} << 20, kMostAside = std::size_t{256} << 20;

  // Asks for it, in this frame. The reference holds until the next settle.
  template <class M>
  const Measured<M>& get(const typename M::Wanted& wanted) {
    SlotOf<M>& slot = slot_of<M>();
    slot.wanted = wanted;
    slot.asked = true;
    return slot.shown;
  }
  // What was measured of that moment and is kept; null: nothing. Asks for nothing.
  template <class M>
  std::shared_ptr<const typename M::Result> known(const Moment& of, const typename M::Wanted& wanted) {
    return M::is_there(of, wanted) ? slot_of<M>().known(M::key(of, wanted)) : nullptr;
  }
  // In this frame what there is of it is not left, though nobody asks.
  template <class M>
  void hold() {
    slot_of<M>().held = true;
  }
  // What is under way ends; what is shown stays, until again() or something else is wanted.
  template <class M>
  void stop() {
    slot_of<M>().stop();
  }
  template <class M>
  void again() {
    SlotOf<M>& slot = slot_of<M>();
    slot.job.forget();
    slot.shown.stopped = false;
  }

  // Begins what a user starts, in the place of the same that is under way. stop_started ends it.
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
  std::size_t bytes_aside() const;  // of results that nobody asked for in the last frame
  // Each measure's: how its notice begins, and why the newest could not be had.
  template <class Tell>
  void each_failure(const Tell& tell) const {
    for (const auto& [type, slot] : slots_) tell(slot->failed, slot->background().failure(), slot->told);
  }

 private:
  struct Slot {
    virtual ~Slot() = default;
    virtual bool settle(const Moment& now, std::chrono::milliseconds patience) = 0;
    virtual void leave(const Moment&) {}
    virtual BackgroundWork& background() = 0;
    virtual void finish() = 0;
    virtual bool computing() const = 0;
    virtual std::size_t bytes_aside() const { return 0; }
    virtual void drop_oldest() {}
    const char* failed = nullptr;
    bool asked = false, held = false;  // in this frame
    bool started = false;              // by a user: nobody needs to ask
    bool kept = false;                 // in the last one that drew a whole view
    mutable std::string told;          // the failure that was said last
  };

  // What a slot does with its worker, whoever began it.
  template <class M, class Key>
  struct WorkOf : Slot {
    using Result = typename M::Result;
    struct Answer {
      std::shared_ptr<const Result> value;
      std::optional<Key> key;
      typename M::Wanted wanted{};
      std::shared_ptr<const Trace> of;
      bool whole = false;     // not a part that was published
      std::size_t bytes = 0;  // of the value
    };
    using Work = BackgroundJob<Key, Answer, typename M::Kept>;

    // The answer without its value; compute(turn): that.
    template <class Compute>
    static typename Work::Compute answering(Answer answer, Compute compute) {
      return [answer = std::move(answer), compute = std::move(compute)](const typename Work::Turn& turn) {
        const auto with = [&](Result result, bool complete) {
          Answer made = answer;
          if constexpr (requires { M::bytes(result); }) made.bytes = M::bytes(result);
          made.value = std::make_shared<const Result>(std::move(result));
          made.whole = complete;
          return made;
        };
        const MeasureTurn<M> publishing{
            turn, [&](Result part, bool enough) { turn.publish(with(std::move(part), false), enough); }};
        return with(compute(publishing), true);
      };
    }
    // True when another result is shown, or one of another key; what was shown before is handed to left.
    template <class Left>
    bool take(const Left& left) {
      return job.poll([&](Answer answer) { show(std::move(answer), left); });
    }
    template <class Left>
    void show(Answer answer, const Left& left) {
      Answer before{std::exchange(shown.value, std::move(answer.value)),
                    std::exchange(shown_key, std::move(answer.key)),
                    std::exchange(shown.wanted, std::move(answer.wanted)),
                    std::exchange(shown.of, std::move(answer.of)),
                    std::exchange(whole, answer.whole),
                    std::exchange(bytes, answer.bytes)};
      if (before.value && before.whole && before.key != shown_key) left(std::move(before));
    }
    // Says of what is shown how it stands; true when that has changed.
    bool tell(bool older, bool computing, float progress) {
      Measured<M>& s = shown;
      const bool changed =
          s.progress != progress || s.older != older || s.computing != computing || s.failure != job.failure();
      s.progress = progress, s.older = older, s.computing = computing, s.failure = job.failure();
      return changed;
    }
    void stop() {
      if (job.computing()) job.stop(), shown.stopped = true;
    }
    BackgroundWork& background() override { return job; }

    Measured<M> shown;
    std::optional<Key> shown_key;
    bool whole = false;     // what is shown
    std::size_t bytes = 0;  // of it
    Work job;
  };

  template <class M>
  using KeyOf = decltype(M::key(std::declval<const Moment&>(), std::declval<const typename M::Wanted&>()));

  template <class M>
  struct SlotOf final : WorkOf<M, KeyOf<M>> {
    using Key = KeyOf<M>;
    using Base = WorkOf<M, Key>;
    using Base::job, Base::shown, Base::shown_key, Base::whole, Base::bytes;
    using typename Base::Answer;

    bool settle(const Moment& now, std::chrono::milliseconds patience) override {
      const auto left = [&](Answer answer) { put_aside(std::move(answer), now); };
      bool changed = this->take(left);
      std::erase_if(aside, [&](const Answer& answer) { return !M::is_kept(*answer.key, now, false); });
      const bool there = M::is_there(now, wanted);
      const std::optional<Key> key = there ? std::optional(M::key(now, wanted)) : std::nullopt;
      if (!there && M::kForgets) job.forget();
      if (there && job.asked() != key) {
        shown.stopped = false;
        const auto known = std::ranges::find(aside, key, &Answer::key);
        if (whole && shown_key == key) {
          job.has(*key);
        } else if (known != aside.end()) {
          Answer answer = std::move(*known);
          aside.erase(known);
          job.has(*key);
          this->show(std::move(answer), left);
          changed = true;
        } else {
          ask(*key, now, patience);
          changed |= this->take(left);
        }
      }
      const bool older = shown_key != key, done = !older && whole;
      // The trace of the same document may be another, with other layers whole: it holds no more than that one.
      if (M::kOfTrace && !older && shown.value) shown.of = now.trace;
      changed |= this->tell(older, job.computing() && !done, done ? 1 : job.progress());
      if (!older) shown.stopped = false;
      return changed;
    }
    void ask(const Key& key, const Moment& now, std::chrono::milliseconds patience) {
      const double cost = M::cost(now, wanted);
      // What still computes beyond what was waited for is a rest that nobody wants any more.
      if (cost > kStopped || !job.computing_much()) job.stop();
      const auto compute = [of = MeasuredOf{now.trace, now.document, now.stamp, now.marked, now.bounds},
                            wanted = wanted](const MeasureTurn<M>& turn) { return M::compute(of, wanted, turn); };
      job.ask(key, Base::answering({nullptr, key, wanted, M::kOfTrace ? now.trace : nullptr}, compute),
              cost <= kWaitedFor ? patience : std::chrono::milliseconds(0));
    }
    void put_aside(Answer answer, const Moment& now) {
      answer.of = nullptr;
      if (M::is_kept(*answer.key, now, false) && answer.bytes <= kMostAsideOfOne) aside.push_back(std::move(answer));
    }
    std::shared_ptr<const typename M::Result> known(const Key& key) const {
      if (shown_key == key && whole) return shown.value;
      const auto found = std::ranges::find(aside, std::optional(key), &Answer::key);
      return found == aside.end() ? nullptr : found->value;
    }
    void leave(const Moment& now) override {
      const bool computing = job.computing();
      const bool gone = job.leave(
          [&](Answer answer) {
            this->show(std::move(answer), [&](Answer before) { put_aside(std::move(before), now); });
          },
          [&](const Key& key) { return M::is_kept(key, now, computing) && (computing || bytes <= kMostAsideOfOne); },
          M::kLetsGo);
      if (gone) forget_shown();
      shown.failure = job.failure();
      std::erase_if(aside, [&](const Answer& answer) { return !M::is_kept(*answer.key, now, false); });
    }
    void finish() override { job.finish_enough(); }
    bool computing() const override { return job.computing_much(); }
    std::size_t bytes_aside() const override {
      std::size_t sum = this->kept || this->held ? 0 : bytes;
      for (const Answer& answer : aside) sum += answer.bytes;
      return sum;
    }
    void drop_oldest() override {
      if (!aside.empty()) return void(aside.erase(aside.begin()));
      job.let_go();
      forget_shown();
    }
    void forget_shown() { shown = {}, shown_key.reset(), whole = false, bytes = 0; }

    typename M::Wanted wanted{};
    std::vector<Answer> aside;  // whole ones of other keys, the oldest first
  };

  template <class M>
  struct StartedOf final : WorkOf<M, int> {
    using Base = WorkOf<M, int>;
    using Base::job, Base::shown;

    void start(const typename M::Wanted& wanted) {
      job.stop();
      take();
      const auto compute = [wanted, before = shown.value](const MeasureTurn<M>& turn) {
        return M::compute(wanted, before.get(), turn);
      };
      ++runs;
      job.ask(runs, Base::answering({nullptr, runs, wanted, nullptr}, compute), std::chrono::milliseconds(0));
      this->started = true;
      newest = wanted;
      shown = {shown.value, nullptr, wanted, "", 0, true, shown.value != nullptr, false};
    }
    // It may be what the run before came to.
    bool take() {
      const bool taken = Base::take([](auto&&) {});
      shown.wanted = newest;
      return taken;
    }
    bool settle(const Moment&, std::chrono::milliseconds) override {
      const bool computing = job.computing();  // before what is finished is taken, so that none is missed
      const bool changed = take();
      const float progress = job.progress(0);
      return this->tell(shown.value && this->shown_key != runs, computing, computing ? progress : 1) || changed;
    }
    void finish() override { job.finish(); }
    bool computing() const override { return false; }  // what it publishes wakes who shows it

    typename M::Wanted newest{};
    int runs = 0;
  };

  template <class S, class M>
  S& slot_as() {
    std::unique_ptr<Slot>& slot = slots_[type_key<M>()];
    if (!slot) {
      slot = std::make_unique<S>();
      slot->failed = M::kFailed;
      slot->background().on_finished(wake_);
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

  std::unordered_map<TypeKey, std::unique_ptr<Slot>> slots_;
  std::function<void()> wake_;
};

}  // namespace hydra
