// The role table beside the frame loop (newest.h): asked for again whenever what it depends on changes.
#pragma once
#include "app/views/head_roles.h"
#include "app/work/newest.h"

namespace hydra {

class RoleKeeper {
 public:
  RoleKeeper();

  struct Wanted {
    std::shared_ptr<const Trace> trace;
    const Document& document;
    std::uint64_t version;  // of the document
    bool pooled;            // over all marked sentences; else over the trace's own
    double threshold;       // of the labels
  };
  // Takes over what is finished, and asks for what is missing, waiting for it up to patience when it is not much work.
  // True when roles() changed.
  bool update(const Wanted& wanted, std::chrono::milliseconds patience);
  void finish() { work_.finish(); }  // waits; update takes the result over
  bool computing() const { return work_.computing(); }
  // Called on the worker's thread when a table is finished.
  void on_finished(std::function<void()> wake) { work_.on_finished(std::move(wake)); }

  const HeadRoles& roles() const { return roles_; }

 private:
  struct Request {
    std::shared_ptr<const Trace> trace;
    std::optional<Document> pooled;
    MarkedSentences marked;
  };
  struct Answer {
    std::shared_ptr<const RoleTable> table;
    std::string fault;
  };
  struct Measuring;  // what the worker keeps between requests

  bool take();
  void label(double threshold);

  HeadRoles roles_;
  std::shared_ptr<const Trace> trace_;  // what was last asked for
  std::optional<std::uint64_t> version_;
  double threshold_ = -1;  // what the labels were made with
  Newest<Request, Answer> work_;
};

}  // namespace hydra
