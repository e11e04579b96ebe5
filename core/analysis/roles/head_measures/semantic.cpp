// Pearson's correlation of A_ij with the similarity of the words i and j over the pairs that count, -1 to 1. Over
// several sentences: of the deviations from each sentence's means, so that the sentences' lengths say nothing.
#include <cmath>

#include "core/analysis/roles/role_claims.h"

namespace hydra {

namespace {

enum { kCovariance, kOfAttention, kOfSimilarity, kRows };  // times the number of pairs; rows with such a pair

// Sums of squares of deviations from the sentence's means.
void add_semantic(MatIn<float> attention, const SentenceTargets& targets, OwnSums& sums) {
  if (!targets.similarity || targets.similarity->pairs < 2) return;
  const Similarity& similarity = *targets.similarity;
  double sum = 0, squares = 0, products = 0;
  Eigen::Array<double, 1, Eigen::Dynamic> a(attention.cols());
  for (Index i = 0; i < attention.rows(); ++i) {
    a = attention.row(i).array().cast<double>() * similarity.counted.row(i).array().cast<double>();
    sum += a.sum();
    squares += a.square().sum();
    products += (a * similarity.values.row(i).array().cast<double>()).sum();
  }
  if (!std::isfinite(sum)) return;
  const double n = similarity.pairs;
  // What rounding leaves of a constant is no variance.
  const auto variance = [n](double total, double total_squares) {
    const double v = total_squares - total * total / n;
    return v > 1e-10 * total_squares ? v : 0;
  };
  const double of_attention = variance(sum, squares), of_similarity = variance(similarity.sum, similarity.squares);
  if (of_attention > 0 && of_similarity > 0) sums[kCovariance] += products - sum * similarity.sum / n;
  sums[kOfAttention] += of_attention;
  sums[kOfSimilarity] += of_similarity;
  sums[kRows] += static_cast<double>(counted_rows(similarity));
}

}  // namespace

const HeadMeasure head_number::semantic{
    .key = "semantic",
    .brief = "core:measure.semantic.brief",
    .title = "core:measure.semantic",
    .tip = "core:measure.semantic.tip",
    .formula = "core:measure.semantic.formula",
    .source = "core:measure.semantic.source",
    .group = RoleGroup::content,
    .kind = NumberKind::correlation,
    .claim = kSemanticClaim,
    .add_pattern = add_semantic,
    .value =
        [](const OwnSums& own, const RoleSums&) {
          return ratio_of(own[kCovariance], std::sqrt(own[kOfAttention] * own[kOfSimilarity]));
        },
    .rows = [](const OwnSums& own, const RoleSums&) { return static_cast<Index>(own[kRows]); },
};

}  // namespace hydra
