// How alike two heads of a layer or of a stack are, in six measures: of their patterns, of their outputs, of their
// weights. On one sentence, or pooled over several: sums over all their rows. Between heads of different layers
// patterns and outputs are of the same tokens, and weights act on the stream that the layers share, where they share
// one (axes_change).
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/head_place.h"
#include "core/attention/forward.h"
#include "core/linalg/progress.h"

namespace hydra {

// Of heads i and g; a_i = vec(A_i), the pattern row by row. Rows that attend to nothing, or are not finite, do not
// count; NaN is "n/a", also where no row counts.
//   cosine   <a_i, a_g> / (|a_i| |a_g|): 0 to 1
//   js_bits  mean over rows of JS(p, q) = H(m) - (H(p) + H(q)) / 2, m = (p + q) / 2, in bits: 0 to 1. Its root is a
//            metric. Clark et al. 2019, section 6 (there: summed, natural logarithms, smoothed rows).
//   kl_bits  [i, g]: mean over rows of KL(p || q) = sum_j p_j log2(p_j / q_j), p of head i, q of head g: 0 and up, not
//            symmetric, infinite where a row of g has 0 at a key to which i attends.
//   cka      linear centred kernel alignment of the outputs O_i, O_g: HSIC(i, g) / sqrt(HSIC(i, i) HSIC(g, g)), 0 to 1.
//            Kornblith et al. 2019, section 3. Where the tokens do not exceed d_k it is biased upwards, so there HSIC
//            is the unbiased estimator (Song et al. 2012, equation 5), which may be negative and needs 4 tokens; of
//            heads of different widths d_k is the larger. NaN where an output differs from its mean by no more than
//            rounding (1e-6 of its size), or HSIC(i, i) is 0.
//   qk       cosine of W_Q^i W_K^iT and W_Q^g W_K^gT as vectors: -1 to 1; NaN where one is zero (or no more than
//            rounding: 3e-7 of |W_Q^i| |W_K^i|). Computed as sum((W_Q^iT W_Q^g) o (W_K^iT W_K^g)), so nothing
//            d_model x d_model is built.
//   ov       the same of W_V^i W_O^i: sum((W_V^iT W_V^g) o (W_O^i W_O^gT)).
enum class Likeness { cosine, js_bits, kl_bits, cka, qk, ov };
inline constexpr int kLikenesses = 6;

struct LikenessEntry {
  Likeness measure;
  const char* key;      // "js_bits": in files
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

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hydra
