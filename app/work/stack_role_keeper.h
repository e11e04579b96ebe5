// The role tables of all layers beside the frame loop (job.h), as role_keeper.h does it of one: the tables, and what
// random layers reach, layer by layer, which takes longer.
#pragma once
#include "app/work/role_keeper.h"

namespace hydra {

class StackRoleKeeper {
 public:
  // known: bounds that were measured before, shared with whoever measures others.
  explicit StackRoleKeeper(std::shared_ptr<KnownBounds> known) : known_(std::move(known)) {}

  // Takes over what is finished, and asks for what is missing, waiting for it up to patience when it is not much work.
  // What is under way for an older request is stopped when it is much. True when roles() changed. wanted.layer does not
  // count.
  bool update(const RoleKeeper::Wanted& wanted, const MarkedSentences& marked, std::chrono::milliseconds patience);
  // Nobody looks: what is asked for goes on, and goes with the tables when they are not of this trace. What the worker
  // keeps between requests goes when it is done.
  void leave(const std::shared_ptr<const Trace>& trace);
  Beside& tables() { return tables_; }
  Beside& names() { return names_; }  // asked for by update, once there are tables

  const StackRoles& roles() const { return roles_; }

 private:
  struct Asked {
    std::shared_ptr<const Trace> trace;
    std::optional<std::uint64_t> version;  // where sentences are pooled
    bool operator==(const Asked&) const = default;
  };
  struct Answer {
    StackRoleTables tables;
    std::string fault, failure;
  };
  struct Measuring {
    ThreadPool pool{half_of_the_machine()};
    learn::NamedRoles tables{&pool};
  };
  struct Threads {
    ThreadPool pool{half_of_the_machine()};
  };
  using Measure = Job<Asked, Answer, Measuring>;

  static Measure::Compute measuring(const RoleKeeper::Wanted& wanted, const MarkedSentences& marked);
  bool take();
  bool take_names();
  void ask_names();
  bool add_known_names();
  bool label(double threshold);  // what has no labels yet, or others

  StackRoles roles_;
  Answer answer_;
  StackRoleTables measured_;  // what the layers shown were made of, before their names
  double threshold_ = -1;     // of the labels
  int named_ = 0;             // layers that the present request for names was seen to be through with
  std::shared_ptr<KnownBounds> known_;
  Measure tables_;
  Job<StackRoleTables, bool, Threads> names_;
};

}  // namespace hydra
