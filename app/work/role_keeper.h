// The role table beside the frame loop (newest.h): asked for again whenever what it depends on changes. What random
// layers reach takes longer and changes seldom: it is measured by a worker of its own, and until it is known the heads
// have no names.
#pragma once
#include <stop_token>

#include "app/views/head_roles.h"
#include "app/work/newest.h"
#include "core/document/known_bounds.h"

namespace hydra {

class RoleKeeper {
 public:
  RoleKeeper();
  ~RoleKeeper();

  struct Wanted {
    std::shared_ptr<const Trace> trace;
    int layer;
    const Document& document;
    std::uint64_t version;  // of the document
    bool pooled;            // over all marked sentences; else over the trace's own
    double threshold;       // of the labels
  };
  // Takes over what is finished, and asks for what is missing, waiting for it up to patience when it is not much work.
  // True when roles() changed.
  bool update(const Wanted& wanted, std::chrono::milliseconds patience);
  void finish() { tables_.finish(); }        // waits for the table; update takes the result over
  void finish_names() { bounds_.finish(); }  // waits for the bounds, once update has asked for them
  bool computing() const { return tables_.computing(); }
  // Called on a worker's thread when something is finished.
  void on_finished(std::function<void()> wake);

  const HeadRoles& roles() const { return roles_; }

 private:
  struct Request {
    std::shared_ptr<const Trace> trace;
    int layer;
    Document document;
    bool pooled;
    MarkedSentences marked;
  };
  struct Answer {
    std::shared_ptr<const RoleTable> table;
    std::string fault;
  };
  struct BoundsRequest {
    RandomInput random;
    std::stop_token stop;
  };
  struct Measuring;  // what the worker keeps between requests

  bool take();
  bool take_bounds();
  bool add_known_bounds();  // to the table
  void ask_bounds();
  void label(double threshold);

  HeadRoles roles_;
  std::shared_ptr<const Trace> trace_;  // what was last asked for
  int layer_ = 0;
  std::optional<std::uint64_t> version_;
  bool pooled_ = false;
  double threshold_ = -1;  // what the labels were made with; -1: they are to be made
  std::shared_ptr<KnownBounds> known_ = std::make_shared<KnownBounds>();
  RandomInput wanted_bounds_;  // what bounds were last asked for
  std::stop_source stop_;      // their measuring
  Newest<Request, Answer> tables_;
  Newest<BoundsRequest, bool> bounds_;  // whether they are known now
};

}  // namespace hydra
