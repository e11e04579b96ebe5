// Weights that are dropped, and what is left of the others: D[i,j] = 0 with probability p, else A[i,j] / (1 - p), so
// that its mean over seeds is A (Srivastava et al. 2014, with the division where it drops, as all frameworks have it).
// Which ones follows from the seed, the layer's and the head's numbers and the pair's places alone, so it is the same
// however and how often heads are computed: with s(x) the first number of SplitMix64 from the state x
// (linalg/random.h), the number that is drawn for a pair is the uniform one from s(s(s(s(seed) + layer) + head) + i) +
// j, and those below p are dropped.
#pragma once
#include "core/linalg/random.h"
#include "core/linalg/types.h"
#include "core/model/settings.h"

namespace hydra::dropout {

// Of a head.
struct Rule {
  double rate = 0;  // p
  std::uint64_t key = 0;
};
inline std::uint64_t first_from(std::uint64_t state) { return Random(state).bits(); }
inline Rule rule_of(const LayerSettings& settings, Index layer, Index head) {
  const auto number = [](Index value) { return static_cast<std::uint64_t>(value); };
  return {settings.dropout,
          first_from(first_from(first_from(number(settings.dropout_seed)) + number(layer)) + number(head))};
}
// What its weight is multiplied by: 0, or 1 / (1 - p).
class Row {
 public:
  Row(const Rule& rule, Index query)
      : rate_(rule.rate), state_(first_from(rule.key + static_cast<std::uint64_t>(query))) {}
  double factor(Index key) const {
    return Random(state_ + static_cast<std::uint64_t>(key)).uniform() < rate_ ? 0 : 1 / (1 - rate_);
  }

 private:
  double rate_;
  std::uint64_t state_;
};

// The block of queries from that one on and of keys from that one on; D may be A. The derivative of a number by A from
// that by D is the same of it.
template <class S>
void forward(MatIn<S> A, const Rule& rule, Index first_query, Index first_key, MatOut<S> D) {
  for (Index i = 0; i < A.rows(); ++i) {
    const Row row(rule, first_query + i);
    for (Index j = 0; j < A.cols(); ++j)
      D(i, j) = A(i, j) == 0 ? S(0) : A(i, j) * static_cast<S>(row.factor(first_key + j));
  }
}

}  // namespace hydra::dropout
