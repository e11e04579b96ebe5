#include "core/analysis/mixing.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "core/attention/stages.h"
#include "core/linalg/fit.h"
#include "core/linalg/random.h"

namespace hydra {

namespace {

constexpr double kUndefinedShare = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t kOrderSeed = 1;

double ratio(double part, double whole) { return whole > 0 ? part / whole : kUndefinedShare; }

// Adds the products of what stands in the same place, in doubles, row by row.
void add_product(MatIn<float> a, MatIn<float> b, double& sum) {
  for (Index i = 0; i < a.rows(); ++i) sum += a.row(i).cast<double>().dot(b.row(i).cast<double>());
}

// What every head adds to a block of rows, block by block: a large trace does not keep it.
template <class Use>
void for_contributions(const LayerTrace<float>& layer, ThreadPool* pool, const Use& use) {
  const Index n = layer.input.n(), heads = layer.input.heads;
  std::vector<Mat<float>> made(static_cast<std::size_t>(heads));
  for (Index k = 0; k < block_count(n); ++k) {
    const RowBlock block = block_of(n, k);
    parallel_for(pool, heads, [&](Index h) {
      const HeadTrace<float>& head = layer.heads[static_cast<std::size_t>(h)];
      Mat<float>& rows = made[static_cast<std::size_t>(h)];
      fit(rows, block.rows, layer.input.d_model());
      if (layer.again)
        contribute<float>(layer.input, head, h, block.row, rows);
      else
        rows = head.contribution->middleRows(block.row, block.rows);
    });
    use(block.row, made);
  }
}

Shares shares_of(const RowVec<double>& size, const RowVec<double>& along, double output, double bias) {
  Shares shares;
  for (Index i = 0; i < size.size(); ++i) {
    shares.size.push_back(ratio(size(i), size.sum()));
    shares.along.push_back(ratio(along(i), output));
  }
  shares.bias_along = ratio(bias, output);
  return shares;
}

// ||sum of the Z of a set|| while heads join it, one after the other.
class Silenced {
 public:
  explicit Silenced(const Mat<double>& gram) : gram_(gram), cross_(RowVec<double>::Zero(gram.rows())) {}
  double with(Index head) const { return squared_ + 2 * cross_(head) + gram_(head, head); }
  void add(Index head) {
    squared_ = with(head);
    cross_ += gram_.row(head);
  }
  double norm() const { return std::sqrt(std::max(0.0, squared_)); }  // heads that cancel may round below 0

 private:
  const Mat<double>& gram_;
  double squared_ = 0;
  RowVec<double> cross_;  // <sum of the set, Z_g>
};

std::vector<int> shuffled(std::vector<int> order, Random& random) {
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random.bits() % k]);
  return order;
}

// open: the heads that can be silenced.
void add_greedy(const Mat<double>& gram, std::vector<int> open, double output_norm, Silencing& silencing) {
  Silenced silenced(gram);
  silencing.change.push_back(0);
  while (!open.empty()) {
    auto best = open.begin();
    for (auto head = open.begin(); head != open.end(); ++head)
      if (silenced.with(*head) < silenced.with(*best)) best = head;
    silenced.add(*best);
    silencing.order.push_back(*best);
    silencing.change.push_back(ratio(silenced.norm(), output_norm));
    open.erase(best);
  }
}

void add_random(const Mat<double>& gram, const std::vector<int>& open, double output_norm, std::uint64_t seed,
                Silencing& silencing) {
  const std::size_t steps = open.size() + 1;
  std::vector<std::vector<double>> change(steps);
  Random random(seed);
  for (int order = 0; order < kRandomOrders; ++order) {
    Silenced silenced(gram);
    change[0].push_back(0);
    std::size_t k = 0;
    for (const int head : shuffled(open, random)) {
      silenced.add(head);
      change[++k].push_back(ratio(silenced.norm(), output_norm));
    }
  }
  for (std::vector<double>& at : change) {
    std::sort(at.begin(), at.end());
    silencing.random_mean.push_back(std::accumulate(at.begin(), at.end(), 0.0) / kRandomOrders);
    silencing.random_low.push_back(at[kRandomOrders / 10]);
    silencing.random_high.push_back(at[kRandomOrders - 1 - kRandomOrders / 10]);
  }
}

// <Z_i, Z_g> for all pairs of which one is stale.
void renew_gram(const LayerTrace<float>& layer, const std::vector<bool>& stale, ThreadPool* pool, Mat<double>& gram) {
  std::vector<std::pair<Index, Index>> pairs;
  for (Index i = 0; i < gram.rows(); ++i)
    for (Index g = i; g < gram.rows(); ++g)
      if (stale[static_cast<std::size_t>(i)] || stale[static_cast<std::size_t>(g)]) pairs.emplace_back(i, g);
  if (pairs.empty()) return;
  for (const auto& [i, g] : pairs) gram(i, g) = 0;
  for_contributions(layer, pool, [&](Index, const std::vector<Mat<float>>& Z) {
    parallel_for(pool, static_cast<Index>(pairs.size()), [&](Index k) {
      const auto [i, g] = pairs[static_cast<std::size_t>(k)];
      add_product(Z[static_cast<std::size_t>(i)], Z[static_cast<std::size_t>(g)], gram(i, g));
    });
  });
  for (const auto& [i, g] : pairs) gram(g, i) = gram(i, g);
}

void measure_tokens(const LayerTrace<float>& layer, ThreadPool* pool, Mixing& mixing) {
  const MatView<float> Y = *layer.output;
  const Index n = Y.rows(), heads = layer.input.heads;
  fit(mixing.size, n, heads);
  fit(mixing.along, n, heads);
  for_contributions(layer, pool, [&](Index first, const std::vector<Mat<float>>& Z) {
    parallel_for(pool, heads, [&](Index h) {
      const Mat<float>& rows = Z[static_cast<std::size_t>(h)];
      for (Index t = first; t < first + rows.rows(); ++t) {
        const auto z = rows.row(t - first).cast<double>();
        mixing.size(t, h) = z.squaredNorm();
        mixing.along(t, h) = z.dot(Y.row(t).cast<double>());
      }
    });
  });
  for (Index t = 0; t < n; ++t) {
    const RowVec<double> y = Y.row(t).cast<double>();
    mixing.output.push_back(y.squaredNorm());
    const Array<float>& b_O = layer.input.weights.b_O;
    mixing.bias.push_back(b_O ? b_O->row(0).cast<double>().dot(y) : 0);
  }
}

void measure_gates(const LayerTrace<float>& layer, ThreadPool* pool, Mixing& mixing) {
  mixing.ungated = layer.input.gates.empty() ? layer.output : ungated(layer, pool).output;
  mixing.gate_change.assign(static_cast<std::size_t>(layer.output->rows()), 0);
  if (layer.input.gates.empty()) return;
  for (Index t = 0; t < layer.output->rows(); ++t) {
    const RowVec<double> before = mixing.ungated->row(t).cast<double>();
    const double d = (layer.output->row(t).cast<double>() - before).squaredNorm(), y = before.squaredNorm();
    mixing.gate_change[static_cast<std::size_t>(t)] = std::sqrt(ratio(d, y));
    mixing.gate_difference += d;
    mixing.gate_whole += y;
  }
}

// What follows from the sums.
void finish(Mixing& mixing) {
  const double output_norm = std::sqrt(std::accumulate(mixing.output.begin(), mixing.output.end(), 0.0));
  mixing.ablation.clear();
  for (Index h = 0; h < mixing.heads(); ++h)
    mixing.ablation.push_back(ratio(std::sqrt(mixing.gram(h, h)), output_norm));
  mixing.silencing = silencing_of(mixing.gram, output_norm, kOrderSeed);
  if (mixing.gate_whole > 0) mixing.gate_change_overall = std::sqrt(mixing.gate_difference / mixing.gate_whole);
}

void append(std::vector<double>& to, const std::vector<double>& more) { to.insert(to.end(), more.begin(), more.end()); }

void append(Mat<double>& to, const Mat<double>& more) {
  to.conservativeResize(to.rows() + more.rows(), more.cols());
  to.bottomRows(more.rows()) = more;
}

}  // namespace

Shares Mixing::shares() const {
  return shares_of(size.colwise().sum(), along.colwise().sum(), std::accumulate(output.begin(), output.end(), 0.0),
                   std::accumulate(bias.begin(), bias.end(), 0.0));
}

Shares Mixing::shares(Index token) const {
  const auto t = static_cast<std::size_t>(token);
  return shares_of(size.row(token), along.row(token), output[t], bias[t]);
}

Mixing MixingMeasures::of(const LayerTrace<float>& layer) {
  const Index heads = layer.input.heads, d_k = layer.input.d_k();
  std::vector<bool> stale(static_cast<std::size_t>(heads), true);
  const bool comparable = gram_.rows() == heads;
  contributions_.resize(stale.size());
  for (std::size_t h = 0; h < stale.size(); ++h) {
    stale[h] = !comparable || contributions_[h] != layer.heads[h].contribution.stamp();
    contributions_[h] = layer.heads[h].contribution.stamp();
  }
  gram_.conservativeResize(heads, heads);
  renew_gram(layer, stale, pool_, gram_);

  Mixing mixing;
  mixing.gram = gram_;
  measure_tokens(layer, pool_, mixing);
  for (Index h = 0; h < heads; ++h)
    mixing.block_norm.push_back(layer.input.weights.W_O->middleRows(h * d_k, d_k).cast<double>().norm());
  measure_gates(layer, pool_, mixing);
  finish(mixing);
  return mixing;
}

Mixing pooled_mixing(const std::vector<LayerTrace<float>>& sentences, ThreadPool* pool) {
  assert(!sentences.empty());
  Mixing all;
  for (const LayerTrace<float>& sentence : sentences) {
    const Mixing one = MixingMeasures(pool).of(sentence);
    if (all.gram.size() == 0) {
      all = one;
      all.ungated = nullptr;
      continue;
    }
    append(all.size, one.size);
    append(all.along, one.along);
    append(all.output, one.output);
    append(all.bias, one.bias);
    append(all.gate_change, one.gate_change);
    all.gram += one.gram;
    all.gate_difference += one.gate_difference;
    all.gate_whole += one.gate_whole;
  }
  finish(all);
  return all;
}

Silencing silencing_of(const Mat<double>& gram, double output_norm, std::uint64_t seed) {
  Silencing silencing;
  std::vector<int> open;
  for (Index h = 0; h < gram.rows(); ++h) (gram(h, h) == 0 ? silencing.silent : open).push_back(static_cast<int>(h));
  add_greedy(gram, open, output_norm, silencing);
  if (gram.allFinite()) {
    add_random(gram, open, output_norm, seed, silencing);
  } else {  // percentiles need numbers that can be ordered
    for (auto* curve : {&silencing.random_mean, &silencing.random_low, &silencing.random_high})
      curve->assign(silencing.change.size(), kUndefinedShare);
  }
  return silencing;
}

namespace {

Mat<double> cosines(const Mat<double>& gram) {
  Mat<double> cosines(gram.rows(), gram.cols());
  for (Index i = 0; i < gram.rows(); ++i)
    for (Index g = 0; g < gram.cols(); ++g) cosines(i, g) = ratio(gram(i, g), std::sqrt(gram(i, i) * gram(g, g)));
  return cosines;
}

}  // namespace

Mat<double> writing_cosines(const LayerTrace<float>& layer, Index token) {
  const Mat<double> vectors = contributions_to(layer, token).cast<double>();
  return cosines(vectors * vectors.transpose());
}

Mat<double> writing_cosines(const Mixing& mixing) { return cosines(mixing.gram); }

}  // namespace hydra
