// How alike the heads of two models are on the same sentence, each of one with each of the other: by what they attend
// to and by what leaves them. Their weights act on axes of their own, so that nothing is said of these.
#pragma once
#include "core/analysis/likeness/likeness.h"

namespace hydra {

inline constexpr std::array kBetweenModels = {Likeness::cosine, Likeness::js_bits, Likeness::kl_bits, Likeness::cka};

struct BetweenModels {
  std::vector<HeadPlace> here, there;               // rows and columns
  std::array<Array<double>, kLikenesses> matrices;  // [here x there], see likeness.h; null: not asked for
  Likeness measure = Likeness::cosine;              // that was asked for
  // What the most alike of the other model's heads comes to by chance, when all of them are drawn anew in their layers
  // (redrawn_heads.h): the cosine that one in twenty exceeds, over draws and heads of here. NaN where there is none.
  double chance_cosine = std::numeric_limits<double>::quiet_NaN();
  int draws = 0;

  const Array<double>& matrix(Likeness of) const { return matrices[static_cast<std::size_t>(of)]; }
};

// The column that is most alike to that row, by the measure that was asked for; none: no number of it is one.
std::optional<Index> most_alike(const BetweenModels& between, Index row);

// here, there: layers of each on one sentence of as many tokens. One of kBetweenModels and the cosine are computed.
BetweenModels between_models(const std::vector<LayerTrace<float>>& here, const std::vector<LayerTrace<float>>& there,
                             Likeness measure, ThreadPool* pool = nullptr, const Progress& progress = {});

}  // namespace hydra
