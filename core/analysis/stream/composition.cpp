#include "core/analysis/stream/composition.h"

#include <cmath>
#include <limits>

#include "core/linalg/decompositions.h"
#include "core/linalg/matmul.h"
#include "core/work/parallel.h"

namespace hydra {

namespace {

using Rows = Eigen::MatrixXd;

// ||left right^T M|| = ||R right^T M||, R the triangle of left.
Rows reduced(const Rows& left, const Rows& right, double square) {
  const double norm = square > 0 ? std::sqrt(square) : std::numeric_limits<double>::quiet_NaN();
  return OrthogonalFactors(left).R() * right.transpose() / norm;
}

template <class Make>
HeadFactors factors(Index heads, ThreadPool* pool, const Make& make) {
  std::vector<Rows> parts(static_cast<std::size_t>(heads));
  parallel_for(pool, heads, [&](Index h) { parts[static_cast<std::size_t>(h)] = make(h); });
  HeadFactors out{heads, Mat<float>(heads * parts.front().rows(), parts.front().cols())};
  Index row = 0;
  for (const Rows& part : parts) {
    out.rows.middleRows(row, part.rows()) = part.cast<float>();
    row += part.rows();
  }
  return out;
}

template <class FormOf>
HeadFactors writing(Index heads, ThreadPool* pool, const FormOf& moves) {
  return factors(heads, pool, [&](Index h) {
    const HeadForm& form = moves(h);
    return reduced(form.left, form.right, form.square);
  });
}

template <class Asks, class Moves>
LayerReads reading(Index heads, ThreadPool* pool, const Asks& asks, const Moves& moves) {
  const auto by_left = [&](const auto& of) {
    return factors(heads, pool, [&](Index h) {
      const HeadForm& form = of(h);
      return reduced(form.right, form.left, form.square);
    });
  };
  return {by_left(asks), writing(heads, pool, asks), by_left(moves)};
}

auto nth_of(const std::vector<HeadForm>& forms) {
  return [&forms](Index h) -> const HeadForm& { return forms[static_cast<std::size_t>(h)]; };
}
auto query_key_of(const LayerInput<float>& layer) {
  return [&layer](Index h) { return query_key_form(layer.weights, h, layer.d_k()); };
}
auto value_output_of(const LayerInput<float>& layer) {
  return [&layer](Index h) { return value_output_form(layer.weights, h, layer.d_k()); };
}

}  // namespace

HeadFactors writes_of(const std::vector<HeadForm>& value_output) {
  return writing(std::ssize(value_output), nullptr, nth_of(value_output));
}

LayerReads reads_of(const std::vector<HeadForm>& query_key, const std::vector<HeadForm>& value_output) {
  return reading(std::ssize(query_key), nullptr, nth_of(query_key), nth_of(value_output));
}

HeadFactors writes_of(const LayerInput<float>& layer, ThreadPool* pool) {
  return writing(layer.heads, pool, value_output_of(layer));
}

LayerReads reads_of(const LayerInput<float>& layer, ThreadPool* pool) {
  return reading(layer.heads, pool, query_key_of(layer), value_output_of(layer));
}

Mat<double> composition_scores(const HeadFactors& writes, const HeadFactors& reads, ThreadPool* pool) {
  const Index written = writes.rows.rows() / writes.heads, read = reads.rows.rows() / reads.heads;
  Mat<double> result(writes.heads, reads.heads);
  parallel_for(pool, reads.heads, [&](Index g) {
    Mat<float> met(writes.rows.rows(), read);
    multiply_transposed<float>(writes.rows, reads.rows.middleRows(g * read, read), 1.0f, met);
    for (Index h = 0; h < writes.heads; ++h)
      result(h, g) = std::sqrt(met.middleRows(h * written, written).cast<double>().squaredNorm());
  });
  return result;
}

Composition composition(const HeadFactors& writes, const LayerReads& reads, ThreadPool* pool) {
  return {composition_scores(writes, reads.query, pool), composition_scores(writes, reads.key, pool),
          composition_scores(writes, reads.value, pool)};
}

double random_composition(Index d_model) { return 1 / std::sqrt(static_cast<double>(d_model)); }

Mat<float> composed_form(const HeadOfLayer& earlier, const HeadOfLayer& later, Into into) {
  const HeadForm writes = value_output_form(earlier.layer.weights, earlier.head, earlier.layer.d_k());
  HeadForm reads = into == Into::value ? value_output_form(later.layer.weights, later.head, later.layer.d_k())
                                       : query_key_form(later.layer.weights, later.head, later.layer.d_k());
  if (into == Into::key) std::swap(reads.left, reads.right);
  const Mat<float> from = writes.left.cast<float>();
  const Mat<float> to = (reads.right * (reads.left.transpose() * writes.right)).cast<float>();  // [d_model x d_k]
  Mat<float> form(from.rows(), to.rows());
  multiply_transposed<float>(from, to, 1.0f, form);
  return form;
}

}  // namespace hydra
