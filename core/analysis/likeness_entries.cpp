#include "core/analysis/likeness.h"

namespace hydra {

const std::array<LikenessEntry, kLikenesses>& likenesses() {
  static const std::array<LikenessEntry, kLikenesses> entries{{
      {Likeness::cosine, "cosine", "Cosine of the patterns", "cosine", "⟨aᵢ, a_g⟩ / (‖aᵢ‖ ‖a_g‖), aᵢ = vec(Aᵢ)",
       "0 (no key in common) to 1 (the same pattern); where heads talk after softmax from −1",
       "standard; attention patterns taken as vectors",
       "How much two heads attend to the same keys, large weights counting most: 1 for the same pattern, 0 when no "
       "query "
       "has a key that both attend to.",
       1, 0, 1, false},
      {Likeness::js_bits, "js_bits", "Jensen-Shannon divergence", "JS",
       "mean over rows of H((p + q) / 2) − (H(p) + H(q)) / 2, H in bits",
       "0 (the same rows) to 1 bit (rows that share no key)", "Clark et al. 2019, section 6",
       "How far two heads' rows are apart as distributions: 0 when they are the same, 1 bit when they never look at "
       "the "
       "same key.",
       0, 0, 1, false},
      {Likeness::kl_bits, "kl_bits", "Kullback-Leibler divergence", "KL",
       "mean over rows of Σ p log2 (p / q), p of the row's head, q of the column's; where rows do not sum to 1 + (Σ q "
       "− Σ p) / ln 2",
       "0 (the same rows) upwards, without end; not symmetric", "Kullback and Leibler 1951",
       "How many bits are lost when the column's head stands for the row's head: infinite (∞) only where a mask, or a "
       "row set by hand, lets the column's head give 0 to a key that the row's head attends to.",
       0, 0, 4, false},
      {Likeness::cka, "cka", "Linear CKA of the outputs", "CKA", "HSIC(i, g) / √(HSIC(i, i) HSIC(g, g)) of Oᵢ and O_g",
       "about 0 (unrelated, on average) to 1 (the same but for rotation and scale); may be below 0",
       "Kornblith et al. 2019, section 3; unbiased estimator: Song et al. 2012, equation 5",
       "Whether what leaves two heads sets the same tokens apart from one another, whatever directions they write in. "
       "n/a below 4 tokens, for an output that is the same for every token, and for one no two tokens of "
       "which share what sets them apart.",
       1, 0, 1, false},
      {Likeness::qk, "qk", "Cosine of W_Q W_Kᵀ", "QK", "⟨W_Qⁱ W_Kⁱᵀ, W_Q^g W_K^gᵀ⟩ / (‖W_Qⁱ W_Kⁱᵀ‖ ‖W_Q^g W_K^gᵀ‖)",
       "−1 (opposite) over 0 (unrelated) to 1 (the same)", "the query-key circuit of Elhage et al. 2021",
       "Whether two heads' weights look for the same pairs of features, whatever the sentence: n/a for a head whose "
       "product "
       "is 0.",
       1, -1, 1, true},
      {Likeness::ov, "ov", "Cosine of W_V W_O", "OV", "⟨W_Vⁱ W_Oⁱ, W_V^g W_O^g⟩ / (‖W_Vⁱ W_Oⁱ‖ ‖W_V^g W_O^g‖)",
       "−1 (opposite) over 0 (unrelated) to 1 (the same)", "the output-value circuit of Elhage et al. 2021",
       "Whether two heads' weights write the same thing when they attend to the same token, whatever the sentence: n/a "
       "for "
       "a head whose product is 0.",
       1, -1, 1, true},
  }};
  return entries;
}

}  // namespace hydra
