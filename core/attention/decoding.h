// One token after the other: what a language model does when it writes. Keys and values of earlier tokens never change
// under a causal mask, so they are kept (the KV cache) and a step computes only what is new. After the first step of a
// thread none asks for memory.
#pragma once
#include <vector>

#include "core/attention/block.h"
#include "core/attention/forward.h"
#include "core/model/program.h"

namespace hydra {

// A layer's heads.
template <class S>
class Decoder {
 public:
  // Of the layer's weights, settings and gates; its X and painting are not used, nor are its masks, which must be
  // causal, but for their windows and the pads before the words. Room for so many tokens.
  Decoder(const LayerInput<S>& layer, Index capacity);

  // Takes the next token's row of X [d_model] and gives its row of Y: the last row of a causal run over all tokens so
  // far. Fewer than capacity must have been taken.
  RowVec<S> step(const RowVec<S>& x);
  void step(MatIn<S> x, MatOut<S> y, ThreadPool* pool = nullptr);  // rows [1 x d_model], which must not overlap

  // Takes several tokens at once, rows of X, without their Y: their keys and values as that many steps would leave
  // them, up to rounding.
  void take(MatIn<S> X);
  // The first tokens: their keys and values as a trace has them, with rows that were set by hand.
  void take(const LayerTrace<S>& trace);

  Index tokens() const { return tokens_; }
  std::size_t cache_bytes() const;  // of the keys and values of the tokens so far

 private:
  void append(MatIn<S> X);  // keys and values behind those that are there
  void finish_keys(Index count);
  // Those that the next token sees in a head.
  Index first_key(Index h) const;
  Index keys(Index h) const { return tokens_ + 1 - first_key(h); }
  MatOut<S> row(Mat<S>& of_heads, Index h) { return of_heads.block(h, 0, 1, keys(h)); }
  // Of a head, of all columns or of a half; row [1 x keys].
  void score(Index h, Half half, MatOut<S> row) const;
  void attend(Index h);              // a head that hears no other
  void talk();                       // all heads, where they hear one another
  void give(Index h, MatOut<S> by);  // what the head takes from the values

  LayerInput<S> layer_;
  std::vector<scores::Rule<S>> rules_;  // of the heads
  Index value_heads_ = 1;  // sets of values: as of keys, or one for each head, where rows of them were set by hand
  Mat<S> K_, V_;  // [capacity x kv_width] of all heads that have their own, side by side; the first tokens_ rows count
  // Of the token that is taken: rows of all heads side by side; and a row for each head, as long as there are keys.
  Mat<S> q_, new_values_, gates_, concat_, scores_, second_, heard_;
  S lambda_ = 0;  // of differential attention
  Index tokens_ = 0;
};

// A whole layer: its heads and what its program has around them.
template <class S>
class BlockDecoder {
 public:
  BlockDecoder(const LayerInput<S>& layer, Index capacity);

  // The first tokens, all at once: rows of the stream that enters the layer. Gives those that leave it, to the bit as a
  // forward pass does; rows set by hand count.
  Array<S> take(const Array<S>& stream, ThreadPool* pool = nullptr);
  // The next token: rows [1 x d_model], which must not overlap.
  void step(MatIn<S> stream, MatOut<S> leaves, ThreadPool* pool = nullptr);

  Index tokens() const { return heads_.tokens(); }

 private:
  struct Stage {
    Quantity quantity;
    Index first, cols;  // of row_
  };
  MatOut<S> of(const Stage& stage) { return row_.middleCols(stage.first, stage.cols); }
  const Stage& stage_of(Quantity quantity) const;
  void carry_out(std::span<const ProgramNode> nodes, MatIn<S> stream, ThreadPool* pool);

  LayerInput<S> layer_;
  const LayerProgram& program_;
  Decoder<S> heads_;
  std::vector<Stage> stages_;  // what heads give, and what the program makes around them
  Mat<S> row_;                 // of the token that is taken: all of them side by side
};

}  // namespace hydra
