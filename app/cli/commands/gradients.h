// `hydrascope gradients`: the derivatives of a loss by every weight of a document, as JSON.
#pragma once
#include <string>
#include <vector>

#include "app/cli/document_options.h"

namespace hydra {

struct GradientsOptions : DocumentOptions {
  std::string loss = "mse";
  std::string target;  // the file with the target
  std::string out = "-";
};

// Exit code 0. Throws InputError.
int run_gradients(const GradientsOptions& options);

}  // namespace hydra
