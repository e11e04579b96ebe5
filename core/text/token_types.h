// Types of tokens (segments): up to the first [SEP], that included, a token is of type 0, after it of type 1, as BERT
// prepares one sentence or two (Devlin et al. 2019, figure 2). No token has a type that is said of it alone.
#pragma once
#include <span>
#include <string>

#include "core/linalg/index_lists.h"

namespace hydra {

inline constexpr std::string_view kSeparator = "[SEP]";

// Each token's row in a table of so many types, at least one; where there is no second, all are of the first.
IndexLists token_types(std::span<const std::string> tokens, Index types);

}  // namespace hydra
