// How long the ways of ways.h take on this machine and what memory they hold, over lengths; and one token more with
// keys and values kept, against computing all tokens anew. Measured by a wall clock, the ways in turns, so that all see
// the same machine.
#pragma once
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/attention/ways.h"

namespace hydra {

double median(std::vector<double> values);  // of an even number the upper one of the middle; not of none

struct WayTiming {
  Way way = Way::per_head;
  Index n = 0;
  double milliseconds = 0;     // median
  std::size_t peak_bytes = 0;  // see WayResult
  int runs = 0;                // of which it is the median
};
struct LeftOut {  // not run: its memory would have been more than allowed
  Way way = Way::per_head;
  Index n = 0;
  std::size_t bytes = 0;
};
struct StepTiming {  // the n-th token under a causal mask
  Index n = 0;
  double kept_milliseconds = 0, anew_milliseconds = 0;  // medians
  std::size_t kept_bytes = 0;                           // keys and values of n tokens
  std::size_t anew_bytes = 0;  // what computing all n tokens (in tiles, if possible) holds at most
};
struct Timings {
  std::vector<WayTiming> ways;  // by length, then in the order of the enum
  std::vector<StepTiming> steps;
  std::vector<LeftOut> left_out;
  double largest_difference = 0;  // between outputs of two ways at a length, relative to the largest number in them
};
// The timing of a way at a length; null where it was not measured.
const WayTiming* timing_of(const Timings& timings, Way way, Index n);

struct TimingLimits {
  std::size_t most_bytes = std::size_t{1} << 30;  // of a way
  // Runs of a way at a length, after a first one: so many as are done in these seconds, three where a little patience
  // is enough for them.
  double seconds = 0.25, patience = 3;
  int least_runs = 3, most_runs = 15;
};
// Both are called on the measuring thread, now at least once for every length.
struct TimingWatch {
  std::function<void(const std::string& what, double share)> now;  // "n = 1024, in tiles"; share of the work before it
  std::function<void(const Timings&)> found;                       // another length is measured
};

// Weights, heads, settings and gates of the layer with n random rows of X from a fixed seed and nothing
// painted. A custom mask is cut off, or continued by rows and columns that may attend.
LayerInput<float> stretched(const LayerInput<float>& layer, Index n);

// Lengths ascending, above 0. Ends within a run when a stop is requested, with what was found so far.
Timings measure_ways(const LayerInput<float>& layer, const std::vector<Index>& lengths, const TimingLimits& limits,
                     const TimingWatch& watch, const std::stop_token& stop, ThreadPool* pool = nullptr);

}  // namespace hydra
