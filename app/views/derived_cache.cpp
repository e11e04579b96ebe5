#include "app/views/derived_cache.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <limits>

#include "app/widgets/format.h"
#include "core/analysis/forms.h"
#include "core/analysis/reach.h"
#include "core/analysis/score_spread.h"
#include "core/analysis/weighted.h"
#include "core/attention/mask_patterns.h"
#include "core/document/weights_in_use.h"
#include "core/linalg/strongest.h"

namespace hydra {

namespace {
constexpr double kMostSpent = 0.03;       // seconds of a frame, on pictures that may come in the next
constexpr std::size_t kMostWeighted = 8;  // large patterns kept, where there are many

MatPtr<float> at_level(MatPtr<float> matrix, int level) {
  for (int k = 0; k < level; ++k) {
    const auto rows = static_cast<int>(matrix->rows()), cols = static_cast<int>(matrix->cols());
    const std::vector<float> values = reduce(matrix->data(), rows, cols);
    matrix =
        share(Mat<float>(Eigen::Map<const Mat<float>>(values.data(), std::max(rows / 2, 1), std::max(cols / 2, 1))));
  }
  return matrix;
}
}  // namespace

void DerivedCache::set_trace(std::shared_ptr<const Trace> trace) {
  if (trace == trace_) return;
  trace_ = std::move(trace);
  trace_layout_ = layout_;
  ranges_.clear();
  score_spreads_.clear();
  biases_.clear();
  explained_.reset();
  token_.reset();
  std::erase_if(largest_, [](const auto& entry) { return entry.second.matrix.expired(); });
}

bool is_of_one_head(Quantity quantity) {
  return quantity == Quantity::scores || quantity == Quantity::attention || quantity == Quantity::value_weighted ||
         quantity == Quantity::contribution;
}

void DerivedCache::begin_frame() {
  if (++layout_ == trace_layout_ + 2) drop_unasked();
  spent_ = 0;
  pending_ = false;
}

void DerivedCache::drop_unasked() {
  const auto drop = [&](auto&... kept) { (kept.drop_before(layout_ - 1), ...); };
  drop(strongest_, strongest_of_, weighted_, forms_, means_, turned_, hatched_, reach_);
}

std::vector<std::shared_ptr<const void>> DerivedCache::made_of(const Site& ref) const {
  const HeadTrace<float>& h = trace_->layer(ref.layer).heads[static_cast<std::size_t>(ref.head)];
  switch (ref.quantity) {
    case Quantity::scores:
      return {h.scores};
    case Quantity::attention:
      return {h.attention};
    case Quantity::contribution:
      return {h.contribution};
    default:
      return {h.attention, h.V, h.contribution};
  }
}

MatPtr<float> DerivedCache::whole(const Site& ref) const {
  const LayerTrace<float>& l = trace_->layer(ref.layer);
  switch (ref.quantity) {
    case Quantity::scores:
      return scores_once(l, ref.head);
    case Quantity::attention:
      return l.heads[static_cast<std::size_t>(ref.head)].attention;
    case Quantity::contribution:
      return contribution_once(l, ref.head);
    default:
      assert(ref.quantity == Quantity::value_weighted);
      return share(value_weighted_attention(l, ref.head));
  }
}

MatPtr<float> DerivedCache::strongest(const Site& ref, int level) {
  Strongest& kept = strongest_.at({ref.layer, ref.quantity, ref.head}, layout_);
  Parts now = made_of(ref);
  if (kept.result && kept.level == level && kept.from == now) return kept.result;
  if (spent_ > kMostSpent) {
    pending_ = true;
    return kept.result;
  }
  const auto start = std::chrono::steady_clock::now();
  kept = {std::move(now), level, at_level(whole(ref), level)};
  spent_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return kept.result;
}

MatPtr<float> DerivedCache::strongest_of(const MatPtr<float>& matrix, int level) {
  Made& kept = strongest_of_.at({matrix.get(), level}, layout_);
  if (kept.result) return kept.result;
  if (spent_ > kMostSpent) {
    pending_ = true;
    return nullptr;
  }
  const auto start = std::chrono::steady_clock::now();
  kept = {{matrix}, at_level(matrix, level)};
  spent_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return kept.result;
}

const Mat<float>& DerivedCache::contributions_to(int layer, Index token) {
  if (token_ != std::pair(layer, token)) contributions_ = hydra::contributions_to(trace_->layer(layer), token);
  token_ = std::pair(layer, token);
  return contributions_;
}

double DerivedCache::score_spread(int layer) {
  const auto found = score_spreads_.find(layer);
  if (found != score_spreads_.end()) return found->second;
  return score_spreads_[layer] = hydra::score_spread(trace_->layer(layer));
}

MatPtr<float> DerivedCache::value_weighted(int layer, int head) {
  const LayerTrace<float>& l = trace_->layer(layer);
  const HeadTrace<float>& h = l.heads[static_cast<std::size_t>(head)];
  const bool known = weighted_.contains({layer, head});
  if (!known && !l.input.keep_all && weighted_.size() >= kMostWeighted) weighted_.clear();
  Made& kept = weighted_.at({layer, head}, layout_);
  Parts from{h.attention, h.V, h.contribution};  // the last is new when W_O^i or the gate is
  if (kept.from != from) kept = {std::move(from), share(value_weighted_attention(l, head))};
  return kept.result;
}

MatPtr<float> DerivedCache::form(const Site& ref) {
  const LayerInput<float>& input = trace_->layer(ref.layer).input;
  const AttentionWeights<float>& w = input.weights;
  const bool asks = ref.quantity == Quantity::query_key;
  Parts from{asks ? w.W_Q : w.W_V, asks ? w.W_K : w.W_O};
  Made& kept = forms_.at({ref.layer, ref.quantity, ref.head, input.heads}, layout_);
  if (kept.from != from) kept = {std::move(from), share(form_of(*trace_, ref))};
  return kept.result;
}

MatPtr<float> DerivedCache::mean_attention(int layer, const std::vector<bool>& heads) {
  const LayerTrace<float>& l = trace_->layer(layer);
  std::vector<int> chosen;
  for (std::size_t h = 0; h < l.heads.size(); ++h)
    if (h < heads.size() && heads[h]) chosen.push_back(static_cast<int>(h));
  if (chosen.empty())
    for (std::size_t h = 0; h < l.heads.size(); ++h) chosen.push_back(static_cast<int>(h));
  Parts patterns;
  for (const int h : chosen) patterns.push_back(l.heads[static_cast<std::size_t>(h)].attention);
  Made& kept = means_.at(layer, layout_);
  if (kept.from != patterns) kept = {std::move(patterns), share(hydra::mean_attention(l, chosen))};
  return kept.result;
}

MatPtr<float> DerivedCache::bias(const Site& ref) {
  MatPtr<float>& kept = biases_[{ref.layer, ref.quantity, ref.head}];
  if (!kept) kept = share(Mat<float>(values_of(*trace_, ref)));
  return kept;
}

const Explained& DerivedCache::explained(const Cell& cell, const std::vector<bool>& mean_heads) {
  if (!explained_ || explained_->explanation.cell != cell || explained_heads_ != mean_heads) {
    explained_ = lay_out(explain(*trace_, cell, mean_heads));
    explained_heads_ = mean_heads;
  }
  return *explained_;
}

MatPtr<float> DerivedCache::transposed(const MatPtr<float>& matrix) {
  Made& kept = turned_.at(matrix.get(), layout_);
  if (!kept.result) kept = {{matrix}, share(Mat<float>(matrix->transpose()))};
  return kept.result;
}

MatPtr<float> DerivedCache::unread_hatched(const MatPtr<float>& matrix, Index d_k) {
  Made& kept = hatched_.at({matrix.get(), d_k}, layout_);
  if (!kept.result) kept = {{matrix}, sliced(*matrix, d_k, -std::numeric_limits<float>::infinity())};
  return kept.result;
}

MatPtr<float> DerivedCache::head_reach(const AttentionWeights<float>& weights, Index heads, int head, Split split) {
  Parts from{weights.W_Q, weights.W_K, weights.W_V};
  Made& kept = reach_.at({split, heads, head}, layout_);
  if (kept.from != from) kept = {std::move(from), share(hydra::head_reach(weights, heads, head, split))};
  return kept.result;
}

namespace {
MaskShown shown(const Mask& mask, Index n) {
  MaskShown result;
  if (mask.kind == Mask::Kind::none) return result;
  Mat<float> hidden = Mat<float>::Zero(n, n);
  apply_mask<float>(mask, 0, hidden);
  result.pairs = (hidden.array() != 0).count();
  result.hidden = share(std::move(hidden));
  result.blind = blind_rows(mask, n);
  return result;
}
}  // namespace

namespace {
bool same_matrices(const AttentionWeights<float>& a, const AttentionWeights<float>& b) {
  return a.W_Q == b.W_Q && a.W_K == b.W_K && a.W_V == b.W_V && a.W_O == b.W_O && a.b_Q == b.b_Q && a.b_K == b.b_K &&
         a.b_V == b.b_V && a.b_O == b.b_O;
}
}  // namespace

const MaskShown& DerivedCache::mask(int layer) {
  const LayerInput<float>& input = trace_->layer(layer).input;
  Masked& kept = masks_[layer];
  const bool same = kept.n == input.n() && kept.mask.kind == input.mask.kind && kept.mask.allowed == input.mask.allowed;
  if (!same) kept = {input.mask, input.n(), shown(input.mask, input.n())};
  return kept.result;
}

const std::string& DerivedCache::weights_in_use(const Document& document, int layer, int head) {
  const Layer& l = document.layer(layer);
  InUse& kept = in_use_[layer];
  const Index kv_width = l.kv_width(document.d_model);
  const bool given = l.source.kind == WeightSource::Kind::explicit_values;
  const bool same_source = !given && kept.source == l.source && kept.kv_width == kv_width && kept.from.W_Q &&
                           kept.from.W_Q->rows() == document.d_model;
  const bool same =
      same_source && same_matrices(kept.weights, l.weights) && static_cast<Index>(kept.words.size()) == l.heads;
  if (!same_source) kept.from = weights_of_source(l, document.d_model);
  if (!same) {
    kept = {l.source, l.weights, kept.from, kv_width, {}};
    kept.words = hydra::weights_in_use(l, kept.from);
  }
  return kept.words[static_cast<std::size_t>(std::min(head, static_cast<int>(kept.words.size()) - 1))];
}

float DerivedCache::max_abs(const MatPtr<float>& matrix) {
  const auto found = largest_.find(matrix.get());
  if (found != largest_.end() && found->second.matrix.lock() == matrix) return found->second.value;
  float largest = 0;
  for (Index k = 0; k < matrix->size(); ++k) {
    const float a = std::abs(matrix->data()[k]);
    if (std::isfinite(a) && a > largest) largest = a;
  }
  largest_[matrix.get()] = {matrix, largest};
  return largest;
}

float DerivedCache::shared_range(const Site& ref) {
  const std::pair<int, Quantity> key{ref.layer, ref.quantity};
  if (const auto found = ranges_.find(key); found != ranges_.end()) return found->second;
  const LayerTrace<float>& l = trace_->layer(ref.layer);
  float largest = 0;
  const auto include = [&](const MatPtr<float>& matrix) { largest = std::max(largest, max_abs(matrix)); };
  if (!l.input.keep_all && ref.quantity == Quantity::value_weighted) {
    for (std::size_t h = 0; h < l.heads.size(); ++h)
      largest = std::max(largest, largest_value_weighted(l, static_cast<int>(h)));
  } else if (!l.input.keep_all && ref.quantity == Quantity::scores) {
    for (const HeadTrace<float>& head : l.heads) largest = std::max(largest, head.largest_score);
  } else if (!l.input.keep_all && ref.quantity == Quantity::contribution) {
    for (const HeadTrace<float>& head : l.heads) largest = std::max(largest, head.largest_contribution);
  } else if (ref.quantity == Quantity::value_weighted) {
    for (std::size_t h = 0; h < l.heads.size(); ++h) include(value_weighted(ref.layer, static_cast<int>(h)));
  } else if (has_head(ref.quantity)) {
    for (std::size_t h = 0; h < l.heads.size(); ++h)
      include(backing_of(*trace_, {ref.quantity, ref.layer, static_cast<int>(h)}).matrix);
  } else {
    const Site whole{ref.quantity, ref.layer, kNoHead};
    include(is_bias(ref.quantity) ? bias(whole) : backing_of(*trace_, whole).matrix);
  }
  const auto range = static_cast<float>(ui::nice_ceiling(largest > 0 ? largest : 1));
  return ranges_[key] = range;
}

}  // namespace hydra
