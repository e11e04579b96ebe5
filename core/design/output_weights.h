// W_O by recipe: the four simplest ones, and the one that comes nearest to a target.
#pragma once
#include <cstdint>
#include <vector>

#include "core/linalg/array.h"

namespace hydra {

enum class OutputPreset {
  identity,           // Y = C: every head keeps its own columns
  random_orthogonal,  // turns C without stretching it; from the seed
  average,            // every strip of Y is the mean of the heads' outputs: W_O[(g, b), c] = 1/h where b = c mod d_k
  keep_one,           // the rows of one head as they are in W_O now, all others 0
};
struct OutputPresetEntry {
  OutputPreset preset;
  const char* key;    // "random_orthogonal": in names for tests
  const char* title;  // key of "Random orthogonal"
  const char* tip;    // key of one sentence
};
const std::vector<OutputPresetEntry>& output_presets();
// As large as W_O. head is the one that keep_one keeps.
Mat<float> output_preset(OutputPreset preset, MatIn<float> W_O, Index heads, Index head, std::uint64_t seed);

// What Y should be, for one sentence.
struct OutputExample {
  Array<float> concat;  // [n x h d_k] C, gates included
  Mat<float> target;    // [n x d_model]
};
struct SolvedOutput {
  Mat<float> W_O;       // [h d_k x d_model] of least ||C W_O + b_O - target||_F over all examples, the smallest such
  double residual = 0;  // ||C W_O + b_O - target||_F^2 / ||target||_F^2 with it: 0 exact, 1 as good as Y = 0
  double before = 0;    // the same with the W_O that was there
  Index rows = 0;       // tokens in all; with no more of them than rank(C) every target is met
  Index rank = 0;       // numerical rank of C, stacked
};
// Least squares by a complete orthogonal decomposition, in doubles; pivots of C below 1e-6 of the largest count as
// 0. b_O may be null. Examples must not be empty.
SolvedOutput solve_output(const std::vector<OutputExample>& examples, MatIn<float> W_O, const Array<float>& b_O);

}  // namespace hydra
