// The pair of tokens that a key selects first in Heads.
#pragma once
#include <optional>

#include "app/views/context.h"

namespace hydra {

// The largest weight of a row; null where the pattern is not held.
std::optional<Cell> strongest_pair(const Frame& frame, const Site& pattern, Index row);
// Of the large pattern, in the row that the status line asks about: its pronoun's (usual_token.h). None of a rollout,
// which is of no site.
std::optional<Cell> asked_pair(const Frame& frame);

}  // namespace hydra
