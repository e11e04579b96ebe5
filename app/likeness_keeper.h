// The likeness of the heads beside the frame loop (newest.h): asked for again whenever what it depends on changes.
#pragma once
#include "app/newest.h"
#include "app/views/heads_together.h"

namespace hydra {

class LikenessKeeper {
 public:
  struct Wanted {
    std::shared_ptr<const Trace> trace;
    const Document& document;
    std::uint64_t version;  // of the document
    bool pooled;            // over all marked sentences; else over the trace's own
    LikenessWanted measures;
    const MarkedSentences& marked;
  };
  bool update(const Wanted&, std::chrono::milliseconds) { return false; }
  void finish() {}
  bool computing() const { return false; }
  void on_finished(const std::function<void()>&) {}
  const LikenessShown& shown() const { return shown_; }

 private:
  LikenessShown shown_;
};

}  // namespace hydra
