// What the heads do, of the layer in focus and of all layers: the role tables, in the sentence or over text that the
// model knows. What random layers reach takes longer and changes seldom: it follows, layer by layer, and until it is
// known the heads of a layer have no names.
#pragma once
#include "app/measures/registry/registry.h"
#include "app/measures/roles_over.h"
#include "core/learn/opened/named_roles.h"

namespace hydra {

struct MeasureOfRoles : MeasureOfTrace {
  struct Kept : KeptThreads {
    learn::NamedRoles tables{&pool};
    // The same ones for the same marks, and for the same folder.
    MarkedSentences own, folder, with_folder;
    std::vector<MarkedText> marks;
    // Throws InputError where there are none.
    MarkedSentences set_of(const MeasuredOf& of, const RolesText& text);
    // That the trace's own sentence may be among.
    MarkedSentences here_of(const MeasuredOf& of, const RolesText& text);
  };
  template <class Wanted>
  struct Key : TraceKey<Wanted> {
    Stamp newest;  // the document, of which the trace may be a moment behind: tables are named by its designs and text
    bool operator==(const Key&) const = default;
  };
  template <class Wanted>
  static Key<Wanted> key(const Moment& now, const Wanted& wanted) {
    return {MeasureOfTrace::key(now, wanted), now.stamp};
  }
  static constexpr const char* kFailed = "measures:roles.failed";
};

struct RolesMeasure : MeasureOfRoles {
  struct Wanted {
    int layer = 0;
    RolesText text;
    bool operator==(const Wanted&) const = default;
  };
  struct Result {
    std::shared_ptr<const RoleTable> table;
    std::string fault;  // why it is not pooled, though asked for; else empty
  };
  static bool is_there(const Moment& now, const Wanted& wanted) { return has_whole(*now.trace, wanted.layer); }
  static double cost(const Moment& now, const Wanted& wanted);
  static std::size_t bytes(const Result& result);
  static Result compute(const MeasuredOf& of, const Wanted& wanted, const MeasureTurn<RolesMeasure>& turn);
};

struct StackRolesMeasure : MeasureOfRoles {
  struct Wanted {
    RolesText text;
    bool operator==(const Wanted&) const = default;
  };
  struct Result {
    StackRoleTables tables;
    std::string fault;
  };
  static constexpr bool kLetsGo = true;
  static bool is_there(const Moment& now, const Wanted&) { return !now.trace->older_from; }
  static double cost(const Moment& now, const Wanted& wanted);
  static std::size_t bytes(const Result& result);
  static Result compute(const MeasuredOf& of, const Wanted& wanted, const MeasureTurn<StackRolesMeasure>& turn);
};

}  // namespace hydra
