// Fits heads to patterns and to relations beside the frame loop (job.h), for the Trade-off view: asked for again
// whenever what they depend on changes.
#pragma once
#include "app/views/fit_shown.h"
#include "app/work/job.h"
#include "core/attention/trace.h"
#include "core/text/annotated.h"

namespace hydra {

class FitKeeper {
 public:
  static constexpr int kSeeds = 5;

  struct WidthsWanted {
    const Trace& trace;
    int layer = 0, head = 0;         // in focus; the layer is whole
    const AnnotatedSentence* marks;  // of the trace's sentence, or null
    FitChoice choice;
  };
  // Takes over what is finished, and asks for what is missing, waiting up to patience. True when shown() changed.
  bool update(const WidthsWanted& wanted, std::chrono::milliseconds patience);
  bool update(const learn::HeadsProblem& wanted, std::chrono::milliseconds patience);
  // What is under way ends; what is shown stays, until again() or something else is wanted.
  void stop();
  void again();
  // Nobody looks: a fit to what is no longer there ends.
  void leave(const Trace& trace, int layer);
  std::array<Beside*, 2> beside() { return {&widths_, &heads_}; }

  const FitShown& shown() const { return shown_; }

 private:
  struct Pool {
    ThreadPool pool{half_of_the_machine()};
  };
  struct WidthsKey {
    Stamp X, mask, rows;  // rows: of what the target is taken from; none of what is drawn
    FitChoice choice;
    bool operator==(const WidthsKey&) const = default;
  };
  struct Widths {
    std::shared_ptr<const learn::WidthCurve> curve;
    FitChoice choice;
  };
  using Heads = std::shared_ptr<const learn::HeadsCurve>;

  void take();
  template <class Job>
  bool finish_update(const Job& job, int fits, bool current, bool news);

  FitShown shown_;
  std::optional<WidthsKey> shown_widths_;
  int fits_ = 1;  // of the widths asked for
  Job<WidthsKey, Widths, Pool> widths_;
  Job<learn::HeadsProblem, Heads, Pool> heads_;
};

// The pattern that the choice asks for; of what there is nothing to take from, rows of zeros.
Mat<float> fit_target_of(const FitKeeper::WidthsWanted& wanted);

}  // namespace hydra
