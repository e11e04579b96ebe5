// Every number of RoleMeasures, so that what is done to all of them is written once.
#pragma once
#include "core/analysis/roles/roles.h"

namespace hydra {

// visit(kind, field): field(m) is that number of m, to read or to write. like: as many offsets as it has.
template <class Visit>
void for_each_number(const RoleMeasures& like, const Visit& visit) {
  using Kind = NumberKind;
  for (std::size_t k = 0; k < kHeadNumbers; ++k)
    visit(
        kHeadMeasures[k]->kind, [k](auto& m) -> auto& { return m.numbers[k].value; });
  visit(
      Kind::share, [](auto& m) -> auto& { return m.positional_share; });
  for (std::size_t k = 0; k < like.offsets.size(); ++k) {
    visit(
        Kind::share, [k](auto& m) -> auto& { return m.offsets[k].attention; });
    visit(
        Kind::share, [k](auto& m) -> auto& { return m.offsets[k].maxima; });
  }
  for (std::size_t p = 0; p < kTokenPatterns; ++p) {
    visit(
        Kind::share, [p](auto& m) -> auto& { return m.patterns[p].mass; });
    visit(
        Kind::share, [p](auto& m) -> auto& { return m.patterns[p].accuracy; });
  }
  for (std::size_t j = 0; j < like.jobs.size(); ++j) {
    visit(
        Kind::share, [j](auto& m) -> auto& { return m.jobs[j].mass; });
    visit(
        Kind::share, [j](auto& m) -> auto& { return m.jobs[j].accuracy; });
  }
  for (double RestScore::*number : {&RestScore::first, &RestScore::self, &RestScore::marks})
    visit(
        Kind::share, [number](auto& m) -> auto& { return m.rest.*number; });
  for (std::size_t r = 0; r < kRelations; ++r) {
    visit(
        Kind::share, [r](auto& m) -> auto& { return m.relations[r].mass; });
    visit(
        Kind::share, [r](auto& m) -> auto& { return m.relations[r].accuracy; });
  }
}

}  // namespace hydra
