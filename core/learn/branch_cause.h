// What made a branch of a run: where it left another, and what was different from there on.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/learn/recipe.h"
#include "core/model/site.h"

namespace hydra::learn {

struct BranchCause {
  // A weight that was edited when the branch began: its parent's step has another number there.
  struct Edited {
    Cell cell;  // of a whole matrix
    float value = 0;
    bool operator==(const Edited&) const = default;
  };
  std::string name;
  int parent = -1, from = 0;  // the step of the parent at which it left; the first of a tree has none
  Recipe recipe;
  std::uint64_t seed = 0;     // of its data
  std::vector<double> gates;  // Run::set_gates
  std::vector<Edited> edited;
};

}  // namespace hydra::learn
