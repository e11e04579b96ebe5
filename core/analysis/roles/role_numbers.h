// Every number of RoleMeasures, so that what is done to all of them is written once.
#pragma once
#include "core/analysis/roles/roles.h"

namespace hydra {

// visit(kind, field, rows): field(m) is that number of m, to read or to write, rows(m) on how many rows it stands.
// like: as many offsets as it has.
template <class Visit>
void for_each_number(const RoleMeasures& like, const Visit& visit) {
  using Kind = NumberKind;
  for (std::size_t k = 0; k < kHeadNumbers; ++k)
    visit(
        kHeadMeasures[k]->kind, [k](auto& m) -> auto& { return m.numbers[k].value; },
        [k](const RoleMeasures& m) { return m.numbers[k].rows; });
  visit(
      Kind::share, [](auto& m) -> auto& { return m.positional_share; },
      [](const RoleMeasures& m) { return m.positional_rows; });
  for (std::size_t k = 0; k < like.offsets.size(); ++k) {
    visit(
        Kind::share, [k](auto& m) -> auto& { return m.offsets[k].attention; },
        [](const RoleMeasures& m) { return m.rows; });
    visit(
        Kind::share, [k](auto& m) -> auto& { return m.offsets[k].maxima; },
        [](const RoleMeasures& m) { return m.rows; });
  }
  for (std::size_t p = 0; p < kTokenPatterns; ++p) {
    visit(
        Kind::share, [p](auto& m) -> auto& { return m.patterns[p].mass; },
        [p](const RoleMeasures& m) { return m.patterns[p].rows; });
    visit(
        Kind::share, [p](auto& m) -> auto& { return m.patterns[p].accuracy; },
        [p](const RoleMeasures& m) { return m.patterns[p].rows; });
  }
  for (std::size_t j = 0; j < like.jobs.size(); ++j) {
    visit(
        Kind::share, [j](auto& m) -> auto& { return m.jobs[j].mass; },
        [j](const RoleMeasures& m) { return m.jobs[j].rows; });
    visit(
        Kind::share, [j](auto& m) -> auto& { return m.jobs[j].accuracy; },
        [j](const RoleMeasures& m) { return m.jobs[j].rows; });
  }
  for (double RestScore::*number : {&RestScore::first, &RestScore::self, &RestScore::marks})
    visit(
        Kind::share, [number](auto& m) -> auto& { return m.rest.*number; },
        [](const RoleMeasures& m) { return m.rest.rows; });
  for (std::size_t r = 0; r < kRelations; ++r) {
    visit(
        Kind::share, [r](auto& m) -> auto& { return m.relations[r].mass; },
        [r](const RoleMeasures& m) { return m.relations[r].rows; });
    visit(
        Kind::share, [r](auto& m) -> auto& { return m.relations[r].accuracy; },
        [r](const RoleMeasures& m) { return m.relations[r].rows; });
  }
}

}  // namespace hydra
