// The measures of mixing beside the frame loop (newest.h): asked for again whenever the trace changes.
#pragma once
#include "app/views/heads_together.h"
#include "app/work/newest.h"

namespace hydra {

class MixingKeeper {
 public:
  MixingKeeper();

  // Takes over what is finished, and asks for what is missing, waiting for it up to patience. True when shown()
  // changed.
  bool update(const std::shared_ptr<const Trace>& trace, int layer, std::chrono::milliseconds patience);
  // Nobody looks: the measures go when they are not of this trace.
  void leave(const std::shared_ptr<const Trace>& trace);
  void finish() { work_.finish(); }  // waits; update takes the result over
  bool computing() const { return work_.computing(); }
  // Called on the worker's thread when measures are finished.
  void on_finished(std::function<void()> wake) { work_.on_finished(std::move(wake)); }

  const MixingShown& shown() const { return shown_; }

 private:
  MixingShown shown_;
  struct Request {
    std::shared_ptr<const Trace> trace;
    int layer = 0;
    bool operator==(const Request&) const = default;
  };
  Request asked_;
  Newest<Request, MixingShown> work_;
};

}  // namespace hydra
