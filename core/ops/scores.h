// S = Q K^T factor, and -inf where the mask hides the key: what softmax sees. Vaswani et al. 2017, equation 1, where
// the factor is 1 / sqrt(d_k). With a cap c in its place c tanh(Q K^T factor / c) (Gemma Team 2024, section 2). With a
// slope m less m (i - j) after that, i being the query's place and j the key's: ALiBi, Press et al. 2022, section 3.
// With a bias by offset more B[j - i], where an offset beyond the reach, either way, counts as it: Shaw et al. 2018,
// section 3.2, for the reach; a number for each head and offset as T5 (Raffel et al. 2020, section 2.1, whose buckets
// are offsets that have one number) and, along one axis, Swin (Liu et al. 2021, equation 4).
#pragma once
#include <algorithm>

#include "core/linalg/array.h"
#include "core/model/mask.h"
#include "core/model/settings.h"

namespace hydra::scores {

template <class S>
struct Rule {
  S factor = 1;
  S cap = 0;  // 0: none
  S slope = 0;
  const S* biases = nullptr;  // of the head's offsets from -reach on [2 reach + 1]; null: none
  Index reach = 0;
  Rule(S f, S c = 0, S m = 0)
      : factor(f), cap(c), slope(m) {}  // NOLINT(google-explicit-constructor): most have a factor alone
};
// Among a head's biases the place of an offset, key - query.
inline Index place_of_offset(Index offset, Index reach) { return std::clamp(offset, -reach, reach) + reach; }
// The rule with the biases of a head [heads x 2 reach + 1], which must outlive it; none: without.
template <class S>
Rule<S> with_biases(Rule<S> rule, const Array<S>& biases, Index head) {
  if (biases) rule.biases = biases.row(head).data(), rule.reach = biases.cols() / 2;
  return rule;
}

// ALiBi's slope of a head, 2^(-8 step / of). geometric: step h of so many steps as there are heads, h from 1: the
// paper's formula (section 3), extended to any number of heads. interleaved: the published code (Press et al.'s,
// BLOOM's and MPT's): with p the largest power of two that is no more than the heads, step h of p, and of head p + j
// step 2j - 1 of 2p.
struct Slope {
  Index step = 1, of = 1;
  double value() const;
};
Slope slope_of(Index head, Index heads, AlibiSlopes slopes);
double slope_of(const LayerSettings& settings, Index head, Index heads);  // without ALiBi 0

// How many of n keys, from the first on, a block of queries row .. row + rows may have to visit: those after its last
// query are hidden by a causal mask.
Index keys_to_visit(const Mask& mask, Index row, Index rows, Index n);

// The block of queries first_query .. [r x d_k] with keys first_key .. [m x d_k]: S [r x m]. Keys that none of the
// queries visits are not computed.
template <class S>
void forward(MatIn<S> Q, MatIn<S> K, const Rule<S>& rule, const Mask& mask, Index first_query, MatOut<S> scores,
             Index first_key = 0);

// The derivatives of a number by Q and K, from those by the scores; each is added to what stands there. Where a score
// is masked, dS must be 0: softmax::grad gives no other.
template <class S>
void grad_Q(MatIn<S> K, S factor, MatIn<S> dS, MatOut<S> dQ);  // factor dS K
// Of a cap, in the place of dS and before these: from the derivatives by the scores, of queries from that one on, those
// by the product times factor.
template <class S>
void grad_cap(MatIn<S> scores, const Rule<S>& rule, Index first_query, MatOut<S> dS);
template <class S>
void grad_K(MatIn<S> Q, S factor, MatIn<S> dS, MatOut<S> dK);  // factor dS^T Q
// By a head's biases [1 x 2 reach + 1], from the derivatives by the scores, of queries from that one on, before
// grad_cap.
template <class S>
void grad_biases(MatIn<S> dS, Index first_query, MatOut<S> dB);

}  // namespace hydra::scores
