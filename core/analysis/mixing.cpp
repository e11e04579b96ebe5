#include "core/analysis/mixing.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "core/attention/stages.h"
#include "core/linalg/fit.h"

namespace hydra {

namespace {

constexpr double kUndefinedShare = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t kOrderSeed = 1;

double ratio(double part, double whole) { return whole > 0 ? part / whole : kUndefinedShare; }

// Adds the products of what stands in the same place, in doubles, row by row; of what they differ by from their means
// where these are given.
void add_product(MatIn<float> a, MatIn<float> b, const Mat<double>& means, Index i, Index g, double& sum) {
  for (Index t = 0; t < a.rows(); ++t) {
    const auto x = a.row(t).cast<double>(), y = b.row(t).cast<double>();
    sum += means.size() == 0 ? x.dot(y) : (x - means.row(i)).dot(y - means.row(g));
  }
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
      if (layer.recomputed)
        compute_contribution<float>(layer.input, head, h, block.row, rows);
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

// <Z_i, Z_g> for all pairs of which one is stale.
void renew_gram(const LayerTrace<float>& layer, const std::vector<bool>& stale, const Mat<double>& means,
                ThreadPool* pool, Mat<double>& gram) {
  std::vector<std::pair<Index, Index>> pairs;
  for (Index i = 0; i < gram.rows(); ++i)
    for (Index g = i; g < gram.rows(); ++g)
      if (stale[static_cast<std::size_t>(i)] || stale[static_cast<std::size_t>(g)]) pairs.emplace_back(i, g);
  if (pairs.empty()) return;
  for (const auto& [i, g] : pairs) gram(i, g) = 0;
  for_contributions(layer, pool, [&](Index, const std::vector<Mat<float>>& Z) {
    parallel_for(pool, static_cast<Index>(pairs.size()), [&](Index k) {
      const auto [i, g] = pairs[static_cast<std::size_t>(k)];
      add_product(Z[static_cast<std::size_t>(i)], Z[static_cast<std::size_t>(g)], means, i, g, gram(i, g));
    });
  });
  for (const auto& [i, g] : pairs) gram(g, i) = gram(i, g);
}

// Of all that heads write, and of Y, over tokens.
struct Totals {
  Mat<double> heads;      // [h x d_model] sums
  RowVec<double> output;  // [d_model]
  Index tokens = 0;
};

// Which heads write, token by token. taken_out: the means of what they write and of Y, [(h + 1) x d_model], or empty.
void measure_tokens(const LayerTrace<float>& layer, const Mat<double>& taken_out, ThreadPool* pool, Mixing& mixing,
                    Totals& totals) {
  const MatView<float> Y = *layer.output;
  const Index n = Y.rows(), heads = layer.input.heads;
  const bool all = taken_out.size() == 0;
  fit(mixing.size, n, heads);
  fit(mixing.along, n, heads);
  if (totals.tokens == 0) {
    totals.heads = Mat<double>::Zero(heads, Y.cols());
    totals.output = RowVec<double>::Zero(Y.cols());
  }
  const auto of_output = [&](Index t) -> RowVec<double> {
    RowVec<double> y = Y.row(t).cast<double>();
    if (!all) y -= taken_out.row(heads);
    return y;
  };
  for_contributions(layer, pool, [&](Index first, const std::vector<Mat<float>>& Z) {
    parallel_for(pool, heads, [&](Index h) {
      const Mat<float>& rows = Z[static_cast<std::size_t>(h)];
      RowVec<double> z;
      for (Index t = first; t < first + rows.rows(); ++t) {
        z = rows.row(t - first).cast<double>();
        totals.heads.row(h) += z;
        if (!all) z -= taken_out.row(h);
        mixing.size(t, h) = z.squaredNorm();
        mixing.along(t, h) = z.dot(of_output(t));
      }
    });
  });
  for (Index t = 0; t < n; ++t) {
    totals.output += Y.row(t).cast<double>();
    const RowVec<double> y = of_output(t);
    mixing.output.push_back(y.squaredNorm());
    const Array<float>& b_O = layer.input.weights.b_O;
    mixing.bias.push_back(b_O && all ? b_O->row(0).cast<double>().dot(y) : 0);
  }
  totals.tokens += n;
}

Mat<double> means_of(const Totals& totals) {
  Mat<double> means(totals.heads.rows() + 1, totals.heads.cols());
  means << totals.heads, totals.output;
  return means / static_cast<double>(totals.tokens);
}

void measure_gates(const LayerTrace<float>& layer, ThreadPool* pool, Mixing& mixing) {
  mixing.ungated = layer.input.gates.empty() ? layer.output : ungated(layer, pool).output;
  const std::size_t first = mixing.gate_change.size();
  mixing.gate_change.resize(first + static_cast<std::size_t>(layer.output->rows()), 0);
  if (layer.input.gates.empty()) return;
  for (Index t = 0; t < layer.output->rows(); ++t) {
    const RowVec<double> before = mixing.ungated->row(t).cast<double>();
    const double d = (layer.output->row(t).cast<double>() - before).squaredNorm(), y = before.squaredNorm();
    mixing.gate_change[first + static_cast<std::size_t>(t)] = std::sqrt(ratio(d, y));
    mixing.gate_difference += d;
    mixing.gate_whole += y;
  }
}

// What follows from the sums.
void finish(Mixing& mixing) {
  const double output_norm = std::sqrt(std::accumulate(mixing.output.begin(), mixing.output.end(), 0.0));
  for (Index h = 0; h < mixing.heads(); ++h)
    mixing.ablation.push_back(ratio(std::sqrt(mixing.gram(h, h)), output_norm));
  mixing.silencing = silencing_of(mixing.gram, output_norm, kOrderSeed);
  if (mixing.gate_whole > 0) mixing.gate_change_overall = std::sqrt(mixing.gate_difference / mixing.gate_whole);
}

void append(std::vector<double>& to, const std::vector<double>& more) { to.insert(to.end(), more.begin(), more.end()); }

void append(Mat<double>& to, const Mat<double>& more) {
  const Index rows = to.rows();
  to.conservativeResize(rows + more.rows(), more.cols());
  to.bottomRows(more.rows()) = more;
}

void append(Mixing& to, const Mixing& more) {
  append(to.size, more.size);
  append(to.along, more.along);
  append(to.output, more.output);
  append(to.bias, more.bias);
  if (to.gram.size() == 0)
    to.gram = more.gram;
  else
    to.gram += more.gram;
}

Mat<double> whole_gram(const LayerTrace<float>& layer, const Mat<double>& taken_out, ThreadPool* pool) {
  const Index heads = layer.input.heads;
  Mat<double> gram(heads, heads);
  renew_gram(layer, std::vector<bool>(static_cast<std::size_t>(heads), true), taken_out, pool, gram);
  return gram;
}

std::vector<double> block_norms(const LayerTrace<float>& layer) {
  std::vector<double> norms;
  for (Index h = 0; h < layer.input.heads; ++h)
    norms.push_back(
        layer.input.weights.W_O->middleRows(h * layer.input.d_k(), layer.input.d_k()).cast<double>().norm());
  return norms;
}

// all: of all that is written.
void add_constant(const Totals& totals, Mixing& all) {
  const RowVec<double> same = totals.heads.rowwise().squaredNorm() / static_cast<double>(totals.tokens);
  for (Index h = 0; h < all.heads(); ++h) all.constant.push_back(ratio(same(h), all.gram(h, h)));
  all.constant_overall = ratio(same.sum(), all.gram.trace());
}

// What differs from token to token, out of all that is written. What is no more than rounding is nothing.
Mixing varying(const std::vector<LayerTrace<float>>& sentences, const Mixing& all, const Totals& totals,
               ThreadPool* pool) {
  constexpr double kRounding = 1e-12;  // of a square: floats round by about 1e-7
  const Mat<double> means = means_of(totals);
  Mixing mixing;
  mixing.written = Written::varying;
  Totals again;
  for (const LayerTrace<float>& sentence : sentences) {
    Mixing one;
    one.gram = whole_gram(sentence, means, pool);
    measure_tokens(sentence, means, pool, one, again);
    append(mixing, one);
  }
  mixing.constant = all.constant;
  mixing.constant_overall = all.constant_overall;
  mixing.means = means.topRows(all.heads());
  for (Index h = 0; h < all.heads(); ++h) {
    if (!(mixing.gram(h, h) <= kRounding * all.gram(h, h))) continue;
    mixing.gram.row(h).setZero();
    mixing.gram.col(h).setZero();
    mixing.size.col(h).setZero();
    mixing.along.col(h).setZero();
  }
  const auto sum = [](const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); };
  if (sum(mixing.output) <= kRounding * sum(all.output)) {
    std::fill(mixing.output.begin(), mixing.output.end(), 0);
    mixing.along.setZero();
  }
  return mixing;
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

Mixing MixingMeasures::of(const LayerTrace<float>& layer, Written written) {
  const Index heads = layer.input.heads;
  std::vector<bool> stale(static_cast<std::size_t>(heads), true);
  const bool comparable = gram_.rows() == heads;
  contributions_.resize(stale.size());
  for (std::size_t h = 0; h < stale.size(); ++h) {
    stale[h] = !comparable || contributions_[h] != layer.heads[h].contribution.stamp();
    contributions_[h] = layer.heads[h].contribution.stamp();
  }
  gram_.conservativeResize(heads, heads);
  renew_gram(layer, stale, {}, pool_, gram_);

  Mixing mixing;
  mixing.gram = gram_;
  Totals totals;
  measure_tokens(layer, {}, pool_, mixing, totals);
  add_constant(totals, mixing);
  if (written == Written::varying) mixing = varying({layer}, mixing, totals, pool_);
  mixing.block_norm = block_norms(layer);
  measure_gates(layer, pool_, mixing);
  finish(mixing);
  return mixing;
}

Mixing pooled_mixing(const std::vector<LayerTrace<float>>& sentences, ThreadPool* pool, Written written) {
  assert(!sentences.empty());
  Mixing all;
  Totals totals;
  for (const LayerTrace<float>& sentence : sentences) {
    Mixing one;
    one.gram = whole_gram(sentence, {}, pool);
    measure_tokens(sentence, {}, pool, one, totals);
    append(all, one);
  }
  add_constant(totals, all);
  if (written == Written::varying) all = varying(sentences, all, totals, pool);
  all.block_norm = block_norms(sentences.front());
  for (const LayerTrace<float>& sentence : sentences) measure_gates(sentence, pool, all);
  all.ungated = nullptr;
  finish(all);
  return all;
}

namespace {

Mat<double> cosines(const Mat<double>& gram) {
  Mat<double> cosines(gram.rows(), gram.cols());
  for (Index i = 0; i < gram.rows(); ++i)
    for (Index g = 0; g < gram.cols(); ++g) cosines(i, g) = ratio(gram(i, g), std::sqrt(gram(i, i) * gram(g, g)));
  return cosines;
}

}  // namespace

Mat<double> writing_cosines(const LayerTrace<float>& layer, Index token, const Mat<double>& means) {
  Mat<double> vectors = contributions_to(layer, token).cast<double>();
  if (means.size() > 0) vectors -= means;
  return cosines(vectors * vectors.transpose());
}

Mat<double> writing_cosines(const Mixing& mixing) { return cosines(mixing.gram); }

}  // namespace hydra
