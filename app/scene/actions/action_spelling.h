// Actions as text: a line each, {"GoTo": {"layer": 0, "head": 3}}.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "app/scene/actions/actions.h"

namespace hydra {

// What has no spelling because it is too large (a whole document, all weights) is recorded as what made it: throws
// InputError.
std::string spelled(const Action& action);
// name: of the text, in sentences. Throws InputError, with the place and what was expected there.
Action parse_action(std::string_view text, const std::string& name);

// What it takes in memory, with its matrices, whoever shares them.
std::size_t bytes_of(const Action& action);

}  // namespace hydra
