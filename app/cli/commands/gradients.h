// `hydrascope gradients`: the derivatives of a loss by every weight of a document, as JSON.
#pragma once
#include <string>
#include <vector>

namespace hydra {

struct GradientsOptions {
  std::string file;
  std::vector<std::string> sets;
  std::string loss = "mse";
  std::string target;  // the file with the target
  std::string out = "-";
};

// Exit code 0. Throws InputError.
int run_gradients(const GradientsOptions& options);

}  // namespace hydra
