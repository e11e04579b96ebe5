#include "core/analysis/head_forms.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/linalg/fit.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

constexpr double kNotDefined = std::numeric_limits<double>::quiet_NaN();

// Outputs that differ from their mean by less than this share of their size do not vary: floats round by about 1e-7.
constexpr double kRounding = 1e-6;

// ||a^T g||^2
double cross_square(const Eigen::MatrixXd& a, const Eigen::MatrixXd& g) {
  Eigen::MatrixXd product(a.cols(), g.cols());
  product.noalias() = a.transpose() * g;
  return product.squaredNorm();
}

// The unbiased estimate of HSIC of two centred outputs but for a factor that cancels. With K = a a^T and L = g g^T,
// centred so that K 1 = 0, the three terms of Song et al. 2012, equation 5, need no more than ||a^T g||^2 = tr(K L) and
// the diagonals k and l.
double hsic(const HeadOutput& a, const HeadOutput& g) {
  const auto n = static_cast<double>(a.centred.rows());
  return cross_square(a.centred, g.centred) - a.squares.dot(g.squares) * n / (n - 2) +
         a.square * g.square / ((n - 1) * (n - 2));
}

// Of an output and itself, which is a sum of squares: 0 where it is no more than rounding, or not defined.
double own_hsic(const HeadOutput& output) {
  if (!output.varies || output.centred.rows() < kLeastForCka) return 0;
  const double own = hsic(output, output);
  return own <= 1e-12 * output.square * output.square ? 0 : own;
}

// From the kept rows of an output.
void finish(HeadOutput& output) {
  const double size = output.centred.norm();
  if (output.centred.rows() > 0) output.centred.rowwise() -= output.centred.colwise().mean().eval();
  output.squares = output.centred.rowwise().squaredNorm();
  output.square = output.squares.sum();
  output.varies = std::sqrt(output.square) > kRounding * size;
  output.hsic = own_hsic(output);
}

// Of the rows of a that count, those that count in both.
HeadOutput only(const HeadOutput& a, const RowCounts& both) {
  HeadOutput kept;
  kept.counts = both;
  fit(kept.centred, number_of(both), a.centred.cols());
  Index from = 0, to = 0;
  for (std::size_t row = 0; row < both.size(); ++row) {
    if (both[row]) kept.centred.row(to++) = a.centred.row(from);
    from += a.counts[row];
  }
  finish(kept);
  return kept;
}

HeadForm finished(HeadForm form) {
  const Eigen::MatrixXd left = form.left.transpose() * form.left, right = form.right.transpose() * form.right;
  form.square = left.cwiseProduct(right).sum();
  // The sum of these products is exact to about 1e-16 of this size.
  if (!(form.square > 1e-13 * left.trace() * right.trace())) form.square = std::isnan(form.square) ? form.square : 0;
  return form;
}

}  // namespace

HeadOutput head_output(const std::vector<Array<float>>& outputs, RowCounts counts) {
  HeadOutput output;
  output.counts = std::move(counts);
  fit(output.centred, number_of(output.counts), outputs.front()->cols());
  std::size_t row = 0;
  Index to = 0;
  for (const Array<float>& part : outputs)
    for (Index i = 0; i < part->rows(); ++i)
      if (output.counts[row++]) output.centred.row(to++) = part->row(i).cast<double>();
  finish(output);
  return output;
}

double cka(const HeadOutput& a, const HeadOutput& g) {
  if (a.counts != g.counts) {
    const RowCounts both = in_both(a.counts, g.counts);
    return cka(only(a, both), only(g, both));
  }
  if (!(a.hsic > 0) || !(g.hsic > 0)) return kNotDefined;
  return std::clamp(hsic(a, g) / std::sqrt(a.hsic * g.hsic), -1.0, 1.0);
}

std::string why_no_hsic(const HeadOutput& output) {
  if (output.hsic > 0) return "";
  const Index rows = output.centred.rows();
  if (rows < kLeastForCka) return wording("core:no_cka.few_tokens", {{"n", rows}, {"least", kLeastForCka}});
  if (!output.centred.allFinite()) return wording("core:no_cka.not_finite");
  return wording(output.varies ? "core:no_cka.nothing_shared" : "core:no_cka.constant");
}

double unrelated_cka(const HeadOutput& a, const HeadOutput& g, Random& random) {
  if (a.counts != g.counts) {
    const RowCounts both = in_both(a.counts, g.counts);
    return unrelated_cka(only(a, both), only(g, both), random);
  }
  HeadOutput shuffled = g;
  for (Index k = g.centred.rows(); k > 1; --k) {
    const auto other = static_cast<Index>(random.bits() % static_cast<std::uint64_t>(k));
    shuffled.centred.row(k - 1).swap(shuffled.centred.row(other));
    std::swap(shuffled.squares(k - 1), shuffled.squares(other));
  }
  return cka(a, shuffled);
}

HeadForm query_key_form(const AttentionWeights<float>& weights, Index head, Index d_k) {
  return finished({weights.W_Q->middleCols(head * d_k, d_k).cast<double>(),
                   weights.W_K->middleCols(kv_column(weights, weights.W_Q.cols() / d_k, head), d_k).cast<double>()});
}

HeadForm value_output_form(const AttentionWeights<float>& weights, Index head, Index d_k) {
  return finished({weights.W_V->middleCols(kv_column(weights, weights.W_Q.cols() / d_k, head), d_k).cast<double>(),
                   weights.W_O->middleRows(head * d_k, d_k).transpose().cast<double>()});
}

Stamp query_key_stamp(const AttentionWeights<float>& w, Index head, Index d_k) {
  const Index key = kv_column(w, w.W_Q.cols() / d_k, head);
  return (Key("query_key") << w.W_Q.stamp_of_columns(head * d_k, d_k) << w.W_K.stamp_of_columns(key, d_k)).stamp();
}

Stamp value_output_stamp(const AttentionWeights<float>& w, Index head, Index d_k) {
  const Index value = kv_column(w, w.W_Q.cols() / d_k, head);
  return (Key("value_output") << w.W_V.stamp_of_columns(value, d_k) << w.W_O.stamp_of_rows(head * d_k, d_k)).stamp();
}

double cosine(const HeadForm& a, const HeadForm& g) {
  if (!(a.square > 0) || !(g.square > 0)) return kNotDefined;
  Eigen::MatrixXd left(a.left.cols(), g.left.cols()), right(a.right.cols(), g.right.cols());
  left.noalias() = a.left.transpose() * g.left;
  right.noalias() = a.right.transpose() * g.right;
  return std::clamp(left.cwiseProduct(right).sum() / std::sqrt(a.square * g.square), -1.0, 1.0);
}

}  // namespace hydra
