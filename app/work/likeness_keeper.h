// The likeness of the heads beside the frame loop (newest.h): asked for again whenever what it depends on changes.
#pragma once
#include "app/views/heads_together.h"
#include "app/work/newest.h"

namespace hydra {

class LikenessKeeper {
 public:
  LikenessKeeper();

  struct Wanted {
    std::shared_ptr<const Trace> trace;
    int layer;
    const Document& document;
    std::uint64_t version;  // of the document
    bool pooled;            // over all marked sentences; else over the trace's own
    LikenessWanted measures;
    const MarkedSentences& marked;
  };
  // Takes over what is finished, and asks for what is missing, waiting for it up to patience when it is not much work.
  // True when shown() has another table.
  bool update(const Wanted& wanted, std::chrono::milliseconds patience);
  // Nobody looks: what the worker keeps between requests goes, and the table when it is not of this trace.
  void leave(const std::shared_ptr<const Trace>& trace);
  void finish() { work_.finish(); }  // waits; update takes the result over
  bool computing() const { return work_.computing(); }
  // Called on the worker's thread when a table is finished.
  void on_finished(std::function<void()> wake) { work_.on_finished(std::move(wake)); }

  const LikenessShown& shown() const { return shown_; }

 private:
  struct Request {
    std::shared_ptr<const Trace> trace;
    int layer;
    std::optional<Document> pooled;
    LikenessWanted measures;
    MarkedSentences marked;
  };
  struct Measuring;  // what the worker keeps between requests

  bool take();
  bool is_new(const Wanted& wanted);

  LikenessShown shown_;
  std::shared_ptr<const Trace> trace_;  // what was last asked for
  int layer_ = 0;
  std::optional<std::uint64_t> version_;
  LikenessWanted measures_;
  std::shared_ptr<std::atomic<int>> done_ = std::make_shared<std::atomic<int>>(0);  // sentences of the table in work
  bool left_ = true;
  // No request: let go of what is kept between them.
  Newest<std::optional<Request>, std::optional<LikenessShown>> work_;
};

}  // namespace hydra
