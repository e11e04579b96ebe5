// `hydrascope fit`: what a head of each width, or so many heads, can be brought to do, as JSON.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/linalg/types.h"

namespace hydra {

struct FitOptions {
  std::string file;
  std::vector<std::string> sets;
  int layer = 1;
  std::optional<std::string> pattern, widths;  // a list: 1,2,4
  bool without_mask = false;                   // else that of the layer
  std::optional<std::string> heads;            // a list; then it is the question how many heads
  std::optional<Index> relations, tokens, d_model;
  std::uint64_t seed = 0;
  int seeds = 5;
  std::string out = "-";
};

// Exit code 0. Throws InputError. Shows its progress on standard error when that is a terminal.
int run_fit(const FitOptions& options);

}  // namespace hydra
