// `hydrascope train`: a task learned, with its curve, as JSON.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/linalg/types.h"

namespace hydra {

struct TrainOptions {
  std::string task = "induction";
  std::optional<std::string> text;  // --task text: the file to read
  bool characters = false;          // of it, not words
  std::optional<Index> heads, d_model, layers, batch;
  std::uint64_t seed = 0;
  int seeds = 1;  // from that on, one after the other
  std::optional<int> steps;
  std::optional<std::string> optimizer;
  std::optional<std::string> schedule;
  std::optional<int> warm_up;
  std::optional<double> rate, beta_1, beta_2, epsilon, momentum, decay, least, clip;
  std::optional<double> drop, noise, repel, gates, apart;
  bool identical = false;
  std::optional<std::string> run;       // a file of a run (runs/run_file.h): taken again, with nothing of the above
  std::optional<std::string> branch;    // of it, by name or number; else the one that was looked at
  int every = 10;                       // so many steps from point to point of the curve
  std::optional<std::string> save;      // the trained document, of the first seed
  std::optional<std::string> sentence;  // of what is saved: words of the task between spaces
  std::string out = "-";
  bool operator==(const TrainOptions&) const = default;
};

// Exit code 0. Throws InputError. Shows its progress on standard error when that is a terminal.
int run_train(const TrainOptions& options);

// `hydrascope train merge`: what runs in other processes have written, as one.
struct MergeOptions {
  std::vector<std::string> files;
  std::string out = "-";
};
int run_merge(const MergeOptions& options);

}  // namespace hydra
