// What was measured of training and pages quote: assets/results/KEY.json, each file written by the test that measures
// it (tests/core/learn/kept_result.h), never by hand.
//
//   {"of": "collapse: its recipe with what each experiment of the page does", "test": "results: ...",
//    "settings": {"identical": {"first_seed": 0, "accuracy": [0.6012, ...], "alike": [...]}, ...}}
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/spread.h"
#include "core/linalg/types.h"

namespace hydra::learn {

// What was measured of runs, one for each seed.
class Measured {
 public:
  Measured(std::vector<double> values) : values_(std::move(values)), spread_(spread_of(values_)) {}
  const std::vector<double>& values() const { return values_; }
  Index runs() const { return std::ssize(values_); }
  Measured first(Index runs) const;  // of the first seeds; of all where there are no more
  // NaN of no run.
  double mean() const { return spread_.mean; }
  double median() const { return spread_.median; }
  double least() const { return spread_.least; }
  double most() const { return spread_.most; }
  Index below(double bound) const;  // so many of the runs

 private:
  std::vector<double> values_;
  Spread spread_;
};

struct ResultSetting {
  std::uint64_t first_seed = 0;
  std::map<std::string, Measured, std::less<>> numbers;  // "accuracy": by seed, from the first on
};
struct Result {
  std::string of, test;
  std::map<std::string, ResultSetting, std::less<>> settings;
  // Of no run where nothing is measured so, or not yet.
  const Measured& measured(std::string_view setting, std::string_view number) const;
};

// Throws InputError with one sentence naming the place.
Result parse_result(std::string_view json, const std::string& name);
std::string result_text(const Result& result);  // as parse_result reads it; numbers with at most four decimals
const Result& result(std::string_view key);     // one that ships; else an empty one

// As pages write them: ".37", "1.00", "(not measured)" for NaN; "twenty", from 0 to 99; "each of twenty runs", "none of
// ...", "nineteen of ...".
std::string share_words(double share, int decimals = 2);
std::string range_words(const Measured& measured, int decimals = 2);  // ".25 to .57"
std::string count_words(Index count);
std::string runs_words(Index count, Index runs);

}  // namespace hydra::learn
