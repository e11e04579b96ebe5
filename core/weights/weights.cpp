#include "core/weights/weights.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/linalg/random.h"
#include "core/linalg/same_bits.h"

namespace hydra {

namespace {

template <class S>
using Field = std::pair<Quantity, Array<S> AttentionWeights<S>::*>;
template <class S, class W = AttentionWeights<S>>
constexpr std::array<Field<S>, std::size(kWeights)> kFields{{{Quantity::W_Q, &W::W_Q},
                                                             {Quantity::W_K, &W::W_K},
                                                             {Quantity::W_V, &W::W_V},
                                                             {Quantity::W_O, &W::W_O},
                                                             {Quantity::b_Q, &W::b_Q},
                                                             {Quantity::b_K, &W::b_K},
                                                             {Quantity::b_V, &W::b_V},
                                                             {Quantity::b_O, &W::b_O},
                                                             {Quantity::gain_Q, &W::gain_Q},
                                                             {Quantity::gain_K, &W::gain_K},
                                                             {Quantity::sink, &W::sink},
                                                             {Quantity::W_G, &W::W_G},
                                                             {Quantity::w_G, &W::w_G},
                                                             {Quantity::P_L, &W::P_L},
                                                             {Quantity::P_W, &W::P_W},
                                                             {Quantity::offset_bias, &W::offset_bias},
                                                             {Quantity::lambda_q1, &W::lambda_q1},
                                                             {Quantity::lambda_k1, &W::lambda_k1},
                                                             {Quantity::lambda_q2, &W::lambda_q2},
                                                             {Quantity::lambda_k2, &W::lambda_k2},
                                                             {Quantity::gain_O, &W::gain_O},
                                                             {Quantity::gain_1, &W::gain_1},
                                                             {Quantity::shift_1, &W::shift_1},
                                                             {Quantity::gain_2, &W::gain_2},
                                                             {Quantity::shift_2, &W::shift_2},
                                                             {Quantity::W_1, &W::W_1},
                                                             {Quantity::b_1, &W::b_1},
                                                             {Quantity::W_3, &W::W_3},
                                                             {Quantity::W_2, &W::W_2},
                                                             {Quantity::b_2, &W::b_2},
                                                             {Quantity::gain_Y, &W::gain_Y},
                                                             {Quantity::shift_Y, &W::shift_Y},
                                                             {Quantity::gain_F, &W::gain_F},
                                                             {Quantity::shift_F, &W::shift_F}}};

// By quantity its place among them, or -1.
constexpr auto kFieldOf = [] {
  std::array<signed char, kQuantities> places{};
  places.fill(-1);
  signed char place = 0;
  for (const auto& [quantity, field] : kFields<float>) places[static_cast<std::size_t>(quantity)] = place++;
  return places;
}();

}  // namespace

template <class S>
const Array<S>* field_of(const AttentionWeights<S>& weights, Quantity quantity) {
  const signed char place = kFieldOf[static_cast<std::size_t>(quantity)];
  return place < 0 ? nullptr : &(weights.*kFields<S>[static_cast<std::size_t>(place)].second);
}
template <class S>
Array<S>* field_of(AttentionWeights<S>& weights, Quantity quantity) {
  return const_cast<Array<S>*>(field_of(std::as_const(weights), quantity));
}
template Array<float>* field_of(AttentionWeights<float>&, Quantity);
template Array<double>* field_of(AttentionWeights<double>&, Quantity);
template const Array<float>* field_of(const AttentionWeights<float>&, Quantity);
template const Array<double>* field_of(const AttentionWeights<double>&, Quantity);

bool same_bits(const AttentionWeights<float>& a, const AttentionWeights<float>& b) {
  return std::ranges::all_of(kWeights, [&](Quantity W) { return same_bits(*field_of(a, W), *field_of(b, W)); });
}

Array<float> make_weight(Quantity quantity, Mat<float> values) {
  return with_part_stamps(quantity, share(std::move(values)));
}

Array<float> with_part_stamps(Quantity quantity, const Array<float>& values) {
  const Axis rows = entry_of(quantity).rows;
  const auto stamps = [](Index count) { return std::make_shared<const std::vector<Stamp>>(new_stamps(count)); };
  if (rows == Axis::head_dim || rows == Axis::heads) return values.with_row_stamps(stamps(values.rows()));
  return values.with_column_stamps(stamps(values.cols()));
}

namespace {
// Uniform within the bound.
Array<float> drawn_matrix(Index rows, Index cols, double bound, std::uint64_t seed, Quantity quantity) {
  Random random(hash(entry_of(quantity).key, seed));
  Mat<float> W(rows, cols);
  for (Index k = 0; k < W.size(); ++k) W.data()[k] = static_cast<float>(bound * (2 * random.uniform() - 1));
  return make_weight(quantity, std::move(W));
}

Array<float> initial_matrix(Index rows, Index cols, Init init, std::uint64_t seed, Quantity quantity) {
  if (init == Init::zero) return make_weight(quantity, Mat<float>::Zero(rows, cols));
  if (init == Init::identity) return make_weight(quantity, Mat<float>::Identity(rows, cols));
  return drawn_matrix(rows, cols, std::sqrt(6.0 / static_cast<double>(rows + cols)), seed, quantity);
}

// What the mean of each group must be multiplied with to have the size of its blocks again; 1 where it is 0.
void keep_norms(MatIn<float> blocks, const KeyGroups& before, const KeyGroups& after, Mat<float>& means, Index d_k) {
  for (Index k = 0; k < after.sets(); ++k) {
    double squares = 0;
    for (Index h = after.first(k); h < after.last(k); ++h)
      squares += blocks.middleCols(before.set_of(h) * d_k, d_k).cast<double>().squaredNorm();
    const double norm = means.middleCols(k * d_k, d_k).cast<double>().norm();
    if (norm > 0)
      means.middleCols(k * d_k, d_k) *=
          static_cast<float>(std::sqrt(squares / static_cast<double>(after.heads_of(k))) / norm);
  }
}

// Blocks of d_k columns, one for each set, for other sets: repeated, or the means of groups.
Array<float> regrouped(const Array<float>& blocks, const KeyGroups& before, const KeyGroups& after, bool keep_norm) {
  const Index d_k = blocks.cols() / before.sets();
  Mat<double> sums = Mat<double>::Zero(blocks.rows(), after.sets() * d_k);
  std::vector<Stamp> stamps;
  for (Index col = 0; col < sums.cols(); ++col) {
    const Index set = col / d_k, group = after.heads_of(set);
    Key key("mean of a group");
    key << keep_norm << group;
    for (Index h = after.first(set); h < after.last(set); ++h) {
      const Index first = before.set_of(h) * d_k;
      sums.col(col) += blocks->col(first + col % d_k).cast<double>();
      key << blocks.stamp_of_columns(first + col % d_k, 1);
      if (keep_norm) key << blocks.stamp_of_columns(first, d_k);
    }
    sums.col(col) /= static_cast<double>(group);
    stamps.push_back(key.stamp());
  }
  Mat<float> means = sums.cast<float>();
  if (keep_norm && after.sets() < before.sets()) keep_norms(*blocks, before, after, means, d_k);
  return share_columns(std::move(means), std::move(stamps));
}

}  // namespace

Array<float> initial_parameter(Quantity parameter, const LayerWidths& widths, Init init, std::uint64_t seed) {
  using Start = QuantityRow::Start;
  const Index rows = widths.rows(parameter), cols = widths.cols(parameter);
  switch (entry_of(parameter).start) {
    case Start::drawn:
      return initial_matrix(rows, cols, init, seed, parameter);
    case Start::small:  // of N(0, 0.1^2) in the paper's program
      return init == Init::xavier ? drawn_matrix(rows, cols, 0.1 * std::sqrt(3.0), seed, parameter)
                                  : make_weight(parameter, Mat<float>::Zero(rows, cols));
    case Start::absent:
      return {};
    case Start::zeros:
      return make_weight(parameter, Mat<float>::Zero(rows, cols));
    case Start::ones:
      return make_weight(parameter, Mat<float>::Ones(rows, cols));
  }
  return {};
}

AttentionWeights<float> initial_weights(const LayerWidths& widths, Init init, std::uint64_t seed) {
  AttentionWeights<float> weights;
  for (const Quantity W : {Quantity::W_Q, Quantity::W_K, Quantity::W_V, Quantity::W_O})
    *field_of(weights, W) = initial_parameter(W, widths, init, seed);
  return weights;
}

AttentionWeights<float> with_key_groups(const AttentionWeights<float>& weights, const KeyGroups& before,
                                        const KeyGroups& after, bool keep_norm) {
  AttentionWeights<float> changed = weights;
  if (before == after) return changed;
  changed.W_K = regrouped(weights.W_K, before, after, keep_norm);
  for (Array<float>* values : {&changed.W_V, &changed.b_K, &changed.b_V, &changed.gain_K})
    if (*values) *values = regrouped(*values, before, after, false);
  return changed;
}

AttentionWeights<float> with_kv_heads(const AttentionWeights<float>& weights, Index heads, Index kv_heads,
                                      bool keep_norm) {
  const Index from = weights.W_K.cols() / (weights.W_Q.cols() / heads);
  return with_key_groups(weights, {heads, heads / from}, {heads, heads / kv_heads}, keep_norm);
}

}  // namespace hydra
