// How the heads become one output: Y = sum_i Z_i + b_O, Z_i = g_i O_i W_O^i the contribution of head i, g_i its gate.
#pragma once
#include <limits>
#include <vector>

#include "core/analysis/silencing.h"
#include "core/attention/forward.h"

namespace hydra {

// The heads' parts of an output, of one token's or of all tokens' together.
struct Shares {
  std::vector<double> size;   // ||Z_i||^2 / sum_g ||Z_g||^2: 0 to 1, sum 1; NaN where no head writes anything
  std::vector<double> along;  // <Z_i, Y> / <Y, Y>: may be negative or above 1; NaN where Y is 0
  double bias_along = 0;      // <b_O, Y> / <Y, Y>; with the heads' it sums to 1
};

// Which part of what the heads write is measured: all of it, or what differs from token to token, each head's Z_i and Y
// less their mean over all tokens. What is the same for every token may stand in b_V or in b_O, and Y is the same.
enum class Written { all, varying };

struct Mixing {
  Written written = Written::all;
  Mat<double> size;            // [n x h] ||Z_i||^2 of each token
  Mat<double> along;           // [n x h] <Z_i, Y> of each token
  std::vector<double> output;  // [n] <Y, Y> of each token
  std::vector<double> bias;    // [n] <b_O, Y> of each token; 0 without b_O
  Mat<double> gram;            // [h x h] <Z_i, Z_g>, summed over tokens
  // [h] of all that a head writes, the share that is the same for every token, n ||mean of Z_i||^2 / ||Z_i||^2: 0 to 1.
  // NaN of a head that writes nothing. And of all heads together.
  std::vector<double> constant;
  double constant_overall = std::numeric_limits<double>::quiet_NaN();
  Mat<double> means;               // [h x d_model] what is left out of each token's Z_i; empty where all is measured
  std::vector<double> block_norm;  // [h] ||W_O^i||_F: the size of its rows; what passes is ||Z_i||
  std::vector<double> ablation;    // [h] ||Z_i||_F / ||Y||_F: the relative change of Y when the head is silenced
  Silencing silencing;
  // Y as it is against Y with all gates at 1 (Y1): ||Y - Y1|| / ||Y1||, of each token and of all; 0 without gates.
  std::vector<double> gate_change;  // [n]
  double gate_change_overall = 0;
  double gate_difference = 0, gate_whole = 0;  // its squares
  Array<float> ungated;                        // [n x d_model] Y1; the layer's own output without gates

  Index heads() const { return gram.rows(); }
  Shares shares() const;             // of all tokens
  Shares shares(Index token) const;  // of one
};

// One layer on several sentences: the tokens of all, one after the other, and sums over all of them. ungated is null.
Mixing pooled_mixing(const std::vector<LayerTrace<float>>& sentences, ThreadPool* pool = nullptr,
                     Written written = Written::all);

// Makes them one after the other, keeping the products of contributions that did not change.
class MixingMeasures {
 public:
  explicit MixingMeasures(ThreadPool* pool = nullptr) : pool_(pool) {}
  Mixing of(const LayerTrace<float>& layer, Written written = Written::all);

 private:
  ThreadPool* pool_;
  std::vector<Stamp> contributions_;  // what gram_ was computed from, of all that is written
  Mat<double> gram_;
};

// [h x h] cosines of the vectors that the heads write for one token: 1 the same direction, 0 unrelated, -1 they cancel.
// NaN where a head writes nothing. means: of a Mixing, what is left out of them.
Mat<double> writing_cosines(const LayerTrace<float>& layer, Index token, const Mat<double>& means = {});
// The same of all tokens' vectors taken as one.
Mat<double> writing_cosines(const Mixing& mixing);

}  // namespace hydra
