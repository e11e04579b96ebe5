// What each part of the stream does to the logits of the next word by itself: its direct effect (Elhage et al. 2021,
// section "Zero-layer transformers"; a whole stream read so is the logit lens).
//
// Logits are linear in what is read out, which is the last stream or its norm. A norm divides each row by a number that
// depends on all of it; with that number held at what it is, and of each part its own mean taken away, the norm is
// linear as well. So the parts of the last stream - what enters the layer, what each head, b_O and the feed-forward
// part add - and what they are made of in turn can be read out one by one. Those that no other stands for, the norms'
// shifts and b_U add up to the logits. A transform before the readout is passed likewise, what its activation
// multiplies each number by held at what it is, and so is a cap of the logits; what b_T gives stands with the shifts. A
// norm after a sum is passed in the same way; where a layer does not carry the stream on, what stands before it has no
// direct effect.
//
// It is what a part writes, not what would be missing without it: later parts read it, too, and without it the norm
// would divide by another number.
#pragma once
#include "core/analysis/stream/stream.h"

namespace hydra {

// The parts of a token's stream as they are read out, as answers to one question: each line through the norms that
// follow it.
struct DirectPaths {
  enum class Part {
    none,    // read by later parts alone
    sum,     // stands for others
    counts,  // no other line stands for it
  };
  std::vector<std::vector<Part>> parts;  // of each layer its lines
  std::vector<Mat<float>> rows;          // of each layer [lines x d_model]; zeros for none
  Mat<float> shifts;                     // [1 x d_model] of the norms
  Array<float> readout, bias;            // W_U, or E where it is tied; b_U or nothing: the question's columns
  RowVec<double> capped;                 // what the cap multiplies each logit by; empty where there is none
  bool tied = false;

  // On all words [lines x words], and of the norms' shifts and b_U [1 x words].
  Mat<float> effects(int layer) const;
  Mat<float> constants() const;
  // On one of them, by what its logit multiplies the final stream by [1 x d_model].
  RowVec<double> reader(Index word) const;
  double effect(int layer, int line, const RowVec<double>& reader) const;
  double constant(Index word) const;
  // Of any vector that heads of the layer might add, on that word: what passes the norms that their outputs pass.
  double effect_of(int layer, MatView<float> added, const RowVec<double>& reader) const;

  // A norm on the way out, as it is on this token's row; or a transform, with W_T before what it multiplies by.
  struct FixedNorm {
    double root;  // what it divides by
    bool centred;
    RowVec<double> gain;
    Array<float> through = {};
  };
  // Of each layer those that its heads' outputs pass, the last one first; nothing where no path leads out directly.
  std::vector<std::optional<std::vector<FixedNorm>>> after_heads;
};
// There must be a readout.
DirectPaths direct_paths(const Trace& trace, const Stream& stream, Index question = 0);

// On which words the most, of every line.
struct DirectEffect {
  struct OnWord {
    Index word = 0;  // of the vocabulary
    float effect = 0;
    bool operator==(const OnWord&) const = default;
  };
  std::vector<OnWord> raised, lowered;  // the most first; at most kMostTold, none by 0 and none that is not finite
};
inline constexpr Index kMostTold = 8;
DirectEffect told_of(MatView<float> effects);  // [1 x words]

struct DirectEffects {
  Index question = 0;
  DirectPaths paths;
  std::vector<std::vector<DirectEffect>> lines;  // of each layer
  DirectEffect constants, logits;
  double off = 0;  // the largest |sum of all that counts - logit|, as both are rounded
};
// There must be a readout.
std::shared_ptr<const DirectEffects> direct_effects(const Trace& trace, const Stream& stream, Index question = 0,
                                                    ThreadPool* pool = nullptr);

// One stream and question after the other, keeping the last; null where nothing is read out.
class DirectMeasures {
 public:
  explicit DirectMeasures(ThreadPool* pool = nullptr) : pool_(pool) {}
  std::shared_ptr<const DirectEffects> of(const Trace& trace, const Stream& stream, Index question = 0);

 private:
  ThreadPool* pool_;
  Stamp of_;
  std::shared_ptr<const DirectEffects> kept_;
};

}  // namespace hydra
