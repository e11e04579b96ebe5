// How alike two heads of a layer or of a stack are, in six measures: of their patterns, of their outputs, of their
// weights. On one sentence, or pooled over several: sums over all their rows. Between heads of different layers
// patterns and outputs are of the same tokens, and weights act on the stream that the layers share, where they share
// one (axes_change).
#pragma once
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/likeness/head_place.h"
#include "core/attention/forward.h"
#include "core/work/progress.h"

namespace hydra {

// Of heads i and g; a_i = vec(A_i), the pattern row by row. Rows that attend to nothing, or are not finite, do not
// count; NaN is "n/a", also where no row counts.
//   cosine   <a_i, a_g> / (|a_i| |a_g|): 0 to 1
//   js_bits  mean over rows of JS(p, q) = H(m) - (H(p) + H(q)) / 2, m = (p + q) / 2, in bits: 0 to 1. Its root is a
//            metric. Clark et al. 2019, section 6 (there: summed, natural logarithms, smoothed rows).
//   kl_bits  [i, g]: mean over rows of KL(p || q) = sum_j p_j log2(p_j / q_j), p of head i, q of head g: 0 and up, not
//            symmetric, infinite where a mask or a row set by hand gives 0 in g to a key to which i attends. The
//            logarithms are of the scores (shares.h): a weight that underflows in a float is not 0 to them.
//   cka      linear centred kernel alignment of what leaves the heads: HSIC(i, g) / sqrt(HSIC(i, i) HSIC(g, g)), HSIC
//            the unbiased estimator (Song et al. 2012, equation 5), which needs 4 tokens: -1 to 1, about 0 on average
//            where the outputs have nothing to do with one another. Kornblith et al. 2019, section 3, whose estimator
//            comes to .5 there where n is d_k + 1. NaN below 4 tokens, where an output differs from its mean by no more
//            than rounding (1e-6 of its size), and where all its tokens are as far from one another (HSIC(i, i) is 0).
//   qk       cosine of W_Q^i W_K^iT and W_Q^g W_K^gT as vectors: -1 to 1; NaN where one is zero (or no more than
//            rounding: 3e-7 of |W_Q^i| |W_K^i|). Computed as sum((W_Q^iT W_Q^g) o (W_K^iT W_K^g)), so nothing
//            d_model x d_model is built.
//   ov       the same of W_V^i W_O^i: sum((W_V^iT W_V^g) o (W_O^i W_O^gT)).
enum class Likeness { cosine, js_bits, kl_bits, cka, qk, ov };
inline constexpr int kLikenesses = 6;

struct LikenessEntry {
  Likeness measure;
  const char* key;  // "js_bits": in files
  // Keys of texts.
  const char* title;    // "Jensen-Shannon divergence": on the screen
  const char* brief;    // "JS": where there is little room
  const char* formula;  // as in the table above, with Unicode; ascii_spelling makes it plain
  const char* range;    // "0 (the same rows) to 1 bit (rows that share no key)"
  const char* source;   // "Clark et al. 2019, section 6"
  const char* tip;      // one sentence: what it says, for a second-year student
  double same;          // its value for a head and itself
  double low, high;     // the colours' range; kl_bits has no end: high is where its colours start to be fitted
  bool of_weights;      // says nothing of the sentence
};
const std::array<LikenessEntry, kLikenesses>& likenesses();  // in the order of the enum

// One layer on one or several sentences (at least one); the same weights, so the same heads, in each.
using LayerOnSentences = std::vector<LayerTrace<float>>;

// Of all their heads, layer after layer.
std::vector<HeadPlace> head_places(const std::vector<LayerOnSentences>& layers);

// The first layer (but the last) that does not carry its stream on, so that the weights of the layers after it act on
// other axes; nothing where all do.
std::optional<int> axes_change(const std::vector<LayerTrace<float>>& layers);

// CKA over pairs of heads, the tokens of one of them in another order each time: what outputs that have nothing to do
// with one another come to on so many tokens. Not a number where no pair has a CKA.
struct UnrelatedOutputs {
  double median = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();  // what one in twenty exceeds
  int draws = 0;
};

// All pairs, kept from one set of traces to the next: only pairs with a head whose matrices changed are computed again,
// and only the measures that are asked for. What is kept has the bits of what is computed from scratch.
class LikenessMatrices {
 public:
  explicit LikenessMatrices(ThreadPool* pool = nullptr);
  ~LikenessMatrices();
  LikenessMatrices(LikenessMatrices&&) noexcept;
  LikenessMatrices& operator=(LikenessMatrices&&) noexcept;

  // Of one layer, or of several on the same sentences. Computes nothing.
  void set(LayerOnSentences layer) { set_layers({std::move(layer)}); }
  void set_layers(std::vector<LayerOnSentences> layers);
  // Steps of what follows: each pair that is computed for a matrix. What is stopped can be gone on with.
  void set_progress(Progress progress);
  // [h x h]; the diagonal is `same` (NaN where the head itself is n/a). The reference holds until the next set(), which
  // must have been called once.
  const Mat<double>& matrix(Likeness measure);
  // [h x h] <a_i, a_g>, whose eigenvalues say how many heads there are in effect (diversity.h).
  const Mat<double>& pattern_gram();
  // What CKA comes to between heads' outputs of which one has its tokens shuffled.
  UnrelatedOutputs unrelated_outputs();
  // By head, why it has no CKA with any: "its output is the same for every token"; empty where it has.
  std::vector<std::string> why_no_cka();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hydra
