// One token after the other: what a language model does when it writes. Keys and values of earlier tokens never change
// under a causal mask, so they are kept (the KV cache) and a step computes only what is new.
#pragma once
#include "core/attention/forward.h"
#include "core/model/program.h"

namespace hydra {

template <class S>
class Decoder {
 public:
  // Of the layer's weights, settings and gates; its X and painting are not used, nor is its mask but for the
  // window. Room for so many
  // tokens.
  Decoder(const LayerInput<S>& layer, Index capacity);

  // Takes the next token's row of X [d_model] and gives its row of Y: the last row of a causal run over all tokens so
  // far. Fewer than capacity must have been taken.
  RowVec<S> step(const RowVec<S>& x);

  // Takes several tokens at once, rows of X, without their Y: their keys and values as that many steps would leave
  // them, up to rounding.
  void take(MatIn<S> X);

  Index tokens() const { return tokens_; }
  std::size_t cache_bytes() const;  // of the keys and values of the tokens so far

 private:
  void append(MatIn<S> X);  // keys and values behind those that are there
  // Of a head, of all columns or of a half; row [1 x tokens so far].
  void score(MatIn<S> q, Index h, const Mask& mask, Half half, MatOut<S> row) const;
  // From the scores of all heads, in their rows, to what each gives.
  template <class Row, class Score, class Give>
  void talk(const Mask& mask, const Row& row, const Score& score, const Give& give);

  LayerInput<S> layer_;
  Mat<S> K_, V_;   // [capacity x kv_width] of all heads that have their own, side by side; the first tokens_ rows count
  Mat<S> scores_;  // [heads x capacity]
  S lambda_ = 0;   // of differential attention
  Index tokens_ = 0;
};

}  // namespace hydra
