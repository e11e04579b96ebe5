#include "core/analysis/stream/routing.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/cost/cost.h"
#include "core/attention/layer_gradient.h"
#include "core/work/progress.h"

namespace hydra {

namespace {

// The stream that the feed-forward part reads, before a norm of its own.
Quantity stream_of_feed_forward(const LayerProgram& program) {
  const Quantity read = program.node_of(Quantity::inner).reads()[0];
  const bool normed_first = read == Quantity::norm_1 || read == Quantity::norm_2;
  return normed_first ? program.node_of(read).reads()[0] : read;
}

// A row of the matrix: of the token, over some columns of what the part gives for it.
class RoutedRow {
 public:
  RoutedRow(LayerGradient& walk, Index token, Index columns) : walk_(walk), token_(token), columns_(columns) {}

  void of(Quantity part, Quantity stream, MatOut<double> row) const {
    const MatView<double> value = walk_.value(part);
    const Index n = value.rows(), d_model = value.cols();
    for (Index k = 0; k < columns_; ++k) {
      Mat<double> by = Mat<double>::Zero(n, d_model);
      by(token_, k * d_model / columns_) = 1;
      walk_.back(part, by);
      row = row.cwiseMax(walk_.grad(stream).cwiseAbs().rowwise().maxCoeff().transpose());
    }
  }

 private:
  LayerGradient& walk_;
  Index token_, columns_;
};

}  // namespace

Routing routing(const LayerTrace<float>& layer, const BlockTrace<float>& block, Index columns, ThreadPool* pool,
                const std::stop_token& stop) {
  const LayerProgram& program = program_of(layer.input.settings);
  const Index n = layer.input.n();
  Routing result;
  result.columns = std::clamp<Index>(columns, 1, layer.input.d_model());
  result.attention = Mat<double>::Zero(n, n);
  const bool feed_forward = program.makes(Quantity::feed_forward), normed = norms_outputs(layer.input.settings);
  if (feed_forward) result.feed_forward = Mat<double>::Zero(n, n);
  const LayerInput<double> input = in_double(layer.input);
  const Mat<double> stream = block.input->cast<double>();
  parallel_for(pool, n, [&](Index token) {
    Progress{stop}.check();
    LayerGradient walk(input, stream);
    const RoutedRow row(walk, token, result.columns);
    row.of(normed ? Quantity::normed_Y : Quantity::Y, Quantity::X, result.attention.row(token));
    if (feed_forward)
      row.of(normed ? Quantity::normed_F : Quantity::feed_forward, stream_of_feed_forward(program),
             result.feed_forward.row(token));
  });
  return result;
}

double cost_of_column(const LayerTrace<float>& layer) {
  const auto n = static_cast<double>(layer.input.n());
  return 2 * n * multiply_adds_of(sizes_of(layer.input), n).total();  // for every token
}

Index affordable_columns(const LayerTrace<float>& layer, double multiply_adds) {
  return std::clamp<Index>(static_cast<Index>(multiply_adds / cost_of_column(layer)), 1, layer.input.d_model());
}

}  // namespace hydra
