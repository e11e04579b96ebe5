// The role table beside the frame loop (job.h): asked for again whenever what it depends on changes. What random layers
// reach takes longer and changes seldom: it is a job of its own, and until it is known the heads have no names.
#pragma once
#include "app/views/head_roles.h"
#include "app/work/job.h"
#include "core/document/known_bounds.h"
#include "core/learn/named_roles.h"

namespace hydra {

class RoleKeeper {
 public:
  RoleKeeper();

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
  Beside& tables() { return tables_; }
  Beside& names() { return bounds_; }  // asked for by update, once there is a table

  const HeadRoles& roles() const { return roles_; }
  const std::shared_ptr<KnownBounds>& known() const { return known_; }

 private:
  struct Asked {
    std::shared_ptr<const Trace> trace;
    int layer = 0;
    std::optional<std::uint64_t> version;  // where sentences are pooled
    bool operator==(const Asked&) const = default;
  };
  struct Answer {
    std::shared_ptr<const RoleTable> table;
    std::string fault;
  };
  struct Measuring {
    ThreadPool pool{half_of_the_machine()};
    learn::NamedRoles tables{&pool};
  };
  using Measure = Job<Asked, Answer, Measuring>;
  struct AskedBounds {
    RandomInput random;
    bool operator==(const AskedBounds& other) const { return same_random_input(random, other.random); }
  };

  Measure::Compute measuring(const Wanted& wanted) const;
  bool take();
  bool take_bounds();
  bool add_known_bounds();  // to the table
  void ask_bounds();
  void label(double threshold);

  HeadRoles roles_;
  std::weak_ptr<const Trace> marked_;  // whose marks are found
  double threshold_ = -1;              // what the labels were made with; -1: they are to be made
  std::shared_ptr<KnownBounds> known_ = std::make_shared<KnownBounds>();
  Measure tables_;
  Job<AskedBounds, bool> bounds_;  // whether they are known now
};

}  // namespace hydra
