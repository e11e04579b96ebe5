#include "core/analysis/composition.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hydra {

namespace {

// ||A M|| / (||A|| ||M||), A = left right^T of the earlier head, M = read_by onto^T of the later one, by products of
// [d_k x d_k]: ||A M||^2 = tr(B^T (left^T left) B (onto^T onto)), B = right^T read_by.
struct Reader {
  const Eigen::MatrixXd& read_by;
  Eigen::MatrixXd onto_square;
  double square;
};

double score(const HeadForm& writer, const Eigen::MatrixXd& left_square, const Reader& reader) {
  if (!(writer.square > 0 && reader.square > 0)) return std::numeric_limits<double>::quiet_NaN();
  const Eigen::MatrixXd met = writer.right.transpose() * reader.read_by;
  const Eigen::MatrixXd passed = left_square * met;  // [d_k x d_k of the reader]
  const Eigen::MatrixXd onto = met * reader.onto_square;
  const double square = passed.cwiseProduct(onto).sum();
  return std::sqrt(std::max(0.0, square) / (writer.square * reader.square));
}

Eigen::MatrixXd square_of(const Eigen::MatrixXd& factor) { return factor.transpose() * factor; }

}  // namespace

LayerForms forms_of(const LayerInput<float>& layer) {
  LayerForms forms;
  for (Index h = 0; h < layer.heads; ++h) {
    forms.query_key.push_back(query_key_form(layer.weights, h, layer.d_k()));
    forms.value_output.push_back(value_output_form(layer.weights, h, layer.d_k()));
  }
  return forms;
}

Composition composition(const LayerForms& earlier, const LayerForms& later, ThreadPool* pool) {
  const auto rows = std::ssize(earlier.value_output), cols = std::ssize(later.value_output);
  Composition scores;
  for (Mat<double>* into : {&scores.query, &scores.key, &scores.value}) into->resize(rows, cols);
  std::vector<Eigen::MatrixXd> left(earlier.value_output.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = square_of(earlier.value_output[i].left);
  parallel_for(pool, cols, [&](Index g) {
    const HeadForm &asks = later.query_key[static_cast<std::size_t>(g)],
                   &moves = later.value_output[static_cast<std::size_t>(g)];
    const Reader query{asks.left, square_of(asks.right), asks.square},
        key{asks.right, square_of(asks.left), asks.square}, value{moves.left, square_of(moves.right), moves.square};
    for (Index i = 0; i < rows; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const HeadForm& writer = earlier.value_output[at];
      scores.query(i, g) = score(writer, left[at], query);
      scores.key(i, g) = score(writer, left[at], key);
      scores.value(i, g) = score(writer, left[at], value);
    }
  });
  return scores;
}

double random_composition(Index d_model) { return 1 / std::sqrt(static_cast<double>(d_model)); }

}  // namespace hydra
