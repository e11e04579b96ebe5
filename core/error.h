// The one exception that means "the user's input is wrong". Its text is one sentence naming the place and the remedy;
// commands print it and exit 2, the window shows it as a notice and keeps the old document.
#pragma once
#include <stdexcept>

namespace hydra {

struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace hydra
