#include "core/learn/opened/head_coupling.h"

#include <cmath>
#include <limits>
#include <utility>

namespace hydra::learn {

namespace {

// What stands of all sequences of a step one over the other: of a layer's heads side by side, or of the model.
Mat<float> gradients_of(const Run& run, Quantity quantity, int layer) {
  const lanes::Place place = run.compiled().value_of(quantity, layer).gradient;
  Index rows = 0;
  for (Index s = 0; s < run.batch().count(); ++s) rows += run.batch().length(s);
  Mat<float> all(rows, place.cols);
  Index row = 0;
  for (Index s = 0; s < run.batch().count(); ++s)
    for (Index t = 0; t < run.batch().length(s); ++t, ++row)
      for (Index c = 0; c < place.cols; ++c) all(row, c) = run.executor().number(s, place, t, c);
  return all;
}

template <class A, class B>
double relative_change(const A& before, const B& after) {
  const double size = static_cast<double>(before.norm());
  return size > 0 ? static_cast<double>((after - before).norm()) / size : std::numeric_limits<double>::quiet_NaN();
}

// By the heads' outputs as W_O reads them, of each layer; and by the logits.
struct Entering {
  std::vector<Mat<float>> heads;
  Mat<float> answers;
  explicit Entering(const Run& run) : answers(gradients_of(run, Quantity::logits, 0)) {
    for (int k = 0; k < static_cast<int>(run.compiled().shape().layers.size()); ++k)
      heads.push_back(gradients_of(run, Quantity::concat, k));
  }
};

}  // namespace

HeadCoupling head_coupling(const OpenedStep& opened, ThreadPool* pool, const Progress& progress) {
  HeadCoupling made;
  for (Index k = 0; k < opened.layers(); ++k) made.most = std::max(made.most, opened.heads(k));
  for (Index k = 0; k < opened.layers(); ++k)
    for (Index h = 0; h < opened.heads(k); ++h) made.heads.push_back(static_cast<int>(k * made.most + h));
  const auto heads = static_cast<Index>(made.heads.size());
  made.change.resize(heads, heads);
  const StepStart& start = opened.start();
  Run run(start.task, *start.document, start.recipe, start.seed, true);
  std::vector<double> gates = start.gates;
  run.set_gates(gates);
  run.go_to(start.state);
  made.loss = run.take_step(pool).loss;
  const Entering before(run);
  gates.resize(static_cast<std::size_t>(opened.layers() * made.most), 1);
  for (Index s = 0; s < heads; ++s) {
    progress.step();
    const auto silent = static_cast<std::size_t>(made.heads[static_cast<std::size_t>(s)]);
    const double was = std::exchange(gates[silent], 0);
    run.set_gates(gates);
    run.go_to(start.state);
    made.losses.push_back(run.take_step(pool).loss);
    gates[silent] = was;
    const Entering now(run);
    made.answers.push_back(relative_change(before.answers, now.answers));
    for (Index i = 0; i < heads; ++i) {
      const Index layer = made.heads[static_cast<std::size_t>(i)] / made.most,
                  head = made.heads[static_cast<std::size_t>(i)] % made.most;
      const auto k = static_cast<std::size_t>(layer);
      const Index width = before.heads[k].cols() / opened.heads(layer);
      made.change(s, i) = relative_change(before.heads[k].middleCols(head * width, width),
                                          now.heads[k].middleCols(head * width, width));
    }
  }
  return made;
}

namespace {

SoftmaxSlopes::Head slopes_of(const OpenedStep& opened, Index layer, Index head) {
  SoftmaxSlopes::Head made;
  const auto at = [&](Quantity quantity) { return Site{quantity, static_cast<int>(layer), static_cast<int>(head)}; };
  double rows = 0, squares = 0;
  for (Index s = 0; s < opened.sequences(); ++s) {
    const Mat<float> scores = opened.of_sequence(s, at(Quantity::scores), false),
                     by = opened.of_sequence(s, at(Quantity::scores), true);
    for (Index i = 0; i < scores.rows(); ++i) {
      double count = 0, sum = 0, top = -std::numeric_limits<double>::infinity();
      for (Index j = 0; j < scores.cols(); ++j) {
        if (!opened.sees(layer, head, i, j)) continue;
        const auto score = static_cast<double>(scores(i, j));
        count += 1, sum += score, top = std::max(top, score);
        squares += std::pow(static_cast<double>(by(i, j)), 2);
      }
      if (count < 2) continue;  // one key: its weight is 1 whatever the score
      double apart = 0, all = 0, all_squares = 0;
      for (Index j = 0; j < scores.cols(); ++j) {
        if (!opened.sees(layer, head, i, j)) continue;
        const double score = static_cast<double>(scores(i, j)), weight = std::exp(score - top);
        apart += std::pow(score - sum / count, 2);
        all += weight, all_squares += weight * weight;
      }
      rows += 1;
      made.spread += std::sqrt(apart / count);
      made.largest += 1 / all;
      made.slope += 1 - all_squares / (all * all);
    }
  }
  if (rows > 0) made.spread /= rows, made.largest /= rows, made.slope /= rows;
  made.by_scores = std::sqrt(squares);
  const Mat<float> by_W_Q = opened.of_parameter({Quantity::W_Q, static_cast<int>(layer), kNoHead}, Facet::gradient);
  const Index width = by_W_Q.cols() / opened.heads(layer);
  made.by_W_Q = static_cast<double>(by_W_Q.middleCols(head * width, width).norm());
  return made;
}

}  // namespace

SoftmaxSlopes softmax_slopes(const OpenedStep& opened, Index layer, ThreadPool* pool) {
  SoftmaxSlopes made;
  made.layer = layer;
  auto document = std::make_shared<Document>(*opened.start().document);
  Layer& other = document->layer(layer);
  made.is_scaled = other.settings.scale;
  other.settings.scale = !other.settings.scale;
  made.factor = 1 / std::sqrt(static_cast<double>(other.d_k(document->d_model)));
  StepStart start = opened.start();
  start.document = document;
  const OpenedStep otherwise(std::move(start), pool);
  const OpenedStep &scaled = made.is_scaled ? opened : otherwise, &unscaled = made.is_scaled ? otherwise : opened;
  made.loss_scaled = scaled.scores().loss, made.loss_unscaled = unscaled.scores().loss;
  for (Index h = 0; h < opened.heads(layer); ++h) {
    made.scaled.push_back(slopes_of(scaled, layer, h));
    made.unscaled.push_back(slopes_of(unscaled, layer, h));
  }
  return made;
}

}  // namespace hydra::learn
