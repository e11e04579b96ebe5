// The residual stream: what enters a layer, what its heads and its feed-forward part add to it, what leaves, for each
// token (Elhage et al. 2021, section "The residual stream"; for what a block is see model/layer_program.cpp).
//
// A layer is told as lines, in the order in which it makes them:
//   X                what enters
//   Z_1 .. Z_h, b_O  what each head adds, times its gate; the bias where there is one
//   Y                all these together
//   sum_1            where a norm stands after the sum: the sum as it was before
//   stream_1         what the feed-forward part is added to, where it follows the heads
//   feed_forward     what the feed-forward part adds
//   normed_Y, normed_F  where a norm stands after the part: what is added of Y, or of feed_forward
//   sum_2, stream    the sum before a norm, and what leaves
// A line is part of the one that is the sum of its parts. Which that is depends on the block:
//   residual sums                      stream = X + Z_1 + .. + b_O + feed_forward, also of a parallel block
//   residual sums, norm after          sum_1 = X + Z_1 + .. + b_O, its norm stream_1; sum_2 = stream_1 + feed_forward,
//                                      its norm stream
//   residual sums, norms of the parts  stream = X + normed_Y + normed_F; Y = Z_1 + .. + b_O
//   no residual sums                   Y = Z_1 + .. + b_O (with a norm after it, stream_1 or stream is its norm); what
//                                      the feed-forward part gives (or its norm) is all that leaves, and has no parts
//   no residual sums, parallel         stream = Z_1 + .. + b_O + feed_forward
#pragma once
#include "core/attention/trace.h"

namespace hydra {

struct StreamLine {
  enum class Kind {
    stream,               // what enters, what is between, what leaves: Y and feed_forward, too, where they are that
    head,                 // Z_i
    bias,                 // b_O, one row for all tokens
    heads,                // Y: stands for the heads and b_O together, so it counts in no sum
    feed_forward,         //
    normed_heads,         // Y, or feed_forward, after a norm of its own: what is added of it
    normed_feed_forward,  //
    sum,                  // before the norm that follows it: Y and feed_forward, too, where they are that
  };
  static constexpr int kOfNone = -1;
  Site site;
  Kind kind = Kind::stream;
  int part_of = kOfNone;  // the line that it is added up to
};
std::vector<StreamLine> stream_lines(const LayerInput<float>& layer, int at);

// Of one layer. NaN where a vector that is divided by is 0.
struct StreamLayer {
  std::vector<StreamLine> lines;
  Mat<double> size;    // [n x lines] ||v||, v the line's vector for the token
  Mat<double> share;   // [n x lines] <v, s> / <s, s>, s the sum that v is part of: below 0 where it works against the
                       // others; over all parts of a sum 1 (Y for the heads and b_O). NaN of a line that is no part
  Mat<double> cosine;  // [n x lines] of v with the token's row of the first layer's X: -1 to 1
  std::vector<double> largest;  // [lines] of the finite sizes

  Index n() const { return size.rows(); }
  int leaving() const { return static_cast<int>(lines.size()) - 1; }  // the line that leaves: the last
};

// All layers, and the vectors of one token.
struct Stream {
  std::vector<std::shared_ptr<const StreamLayer>> layers;
  Index token = 0;
  std::vector<Array<float>> rows;  // of each layer [lines x d_model], to the bits of its matrices
  // The largest finite |number| in rows: of streams and sums, of the heads together and feed-forward parts, of heads
  // and biases.
  float in_streams = 0, in_parts = 0, in_heads = 0;

  const StreamLayer& layer(int k) const { return *layers[static_cast<std::size_t>(k)]; }
};

// Measures traces one after the other, keeping what did not change; of layers of which only the output is kept, it
// makes the heads again, one layer at a time, and keeps what they give where that is not much.
class StreamMeasures {
 public:
  explicit StreamMeasures(ThreadPool* pool = nullptr) : pool_(pool) {}
  Stream of(const Trace& trace, Index token);

 private:
  struct Kept {
    Stamp of;  // the layer's
    std::shared_ptr<const StreamLayer> measured;
    std::shared_ptr<const LayerTrace<float>> heads;  // their outputs alone, of a layer that is not whole; or null
    Stamp token;                                     // of the rows
    Array<float> rows;
  };
  void renew(const Trace& trace, int layer, Index token, Kept& kept) const;

  ThreadPool* pool_;
  std::vector<Kept> kept_;
};

// What a vector writes of the named features: the features with the largest numbers, and how much of it lies in the
// columns of features, |those|^2 / |v|^2 (NaN of a zero vector; the rest is in the columns of words and positions).
struct FeaturesWritten {
  std::vector<std::pair<Index, float>> strongest;  // column and number, none of them 0, the largest |number| first
  double share = 0;
};
FeaturesWritten features_written(MatView<float> row, const FeatureLayout& layout, int most);

}  // namespace hydra
