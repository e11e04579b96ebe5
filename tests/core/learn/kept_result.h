// Results that pages quote, held against what is measured: HYDRA_KEEP_RESULTS=1 measures all of their runs and writes
// assets/results/KEY.json; without it a test measures a few of them and compares (the first of each, or with
// HYDRA_ALL_CASES=1 some more and what takes long).
#pragma once
#include <string>
#include <vector>

#include "core/learn/results.h"
#include "tests/support/sanitized.h"

namespace hydra::test {

class KeptResult {
 public:
  static bool keeps();  // HYDRA_KEEP_RESULTS is set
  // test: its name, by which it is run again.
  KeptResult(std::string key, std::string of, std::string test);
  ~KeptResult();  // writes the file where everything was measured

  // How many of so many runs are measured this time.
  static Index runs(Index all, Index some) { return keeps() ? all : all_cases() ? some : 1; }
  static bool takes_long_ones() { return keeps() || all_cases(); }
  // Of seeds from the first on. With the kernels that the file was written with each value is the kept one, to its last
  // decimal; with others, which round otherwise, their mean is within the margin of the kept ones'.
  void add(const std::string& setting, const std::string& number, const std::vector<double>& values, double margin,
           std::uint64_t first_seed = 0);

 private:
  std::string key_;
  learn::Result made_;
};

}  // namespace hydra::test
