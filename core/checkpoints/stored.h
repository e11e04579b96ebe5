// How files store a model's arrays, and what is said where nobody here reads them so.
#pragma once
#include <string>
#include <vector>

#include "core/error.h"

namespace hydra {

enum class Stored { as_is, transposed };

// Arrays that no family here reads so: a layout of one's own can say what they are (layout.h).
struct UnreadModel : InputError {
  using InputError::InputError;
};

// "“wte.weight”, “wpe.weight” and 3 more", each cut where it is long.
std::string listed_names(const std::vector<std::string>& names);

}  // namespace hydra
