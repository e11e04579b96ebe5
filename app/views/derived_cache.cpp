#include "app/views/derived_cache.h"

#include <cmath>
#include <limits>

#include "app/widgets/format.h"
#include "core/analysis/forms.h"
#include "core/analysis/reach.h"
#include "core/analysis/weighted.h"

namespace hydra {

void DerivedCache::set_trace(std::shared_ptr<const Trace> trace) {
  if (trace == trace_) return;
  trace_ = std::move(trace);
  ranges_.clear();
  biases_.clear();
  explained_.reset();
  std::erase_if(turned_, [](const auto& entry) { return entry.second.matrix.expired(); });
  std::erase_if(hatched_, [](const auto& entry) { return entry.second.matrix.expired(); });
  std::erase_if(largest_, [](const auto& entry) { return entry.second.matrix.expired(); });
}

MatPtr<float> DerivedCache::value_weighted(int layer, int head) {
  const LayerTrace<float>& l = trace_->layers[static_cast<std::size_t>(layer)];
  const HeadTrace<float>& h = l.heads[static_cast<std::size_t>(head)];
  Weighted& kept = weighted_[{layer, head}];
  if (kept.attention != h.attention || kept.V != h.V || kept.contribution != h.contribution)
    kept = {h.attention, h.V, h.contribution, share(value_weighted_attention(l, head))};
  return kept.result;
}

MatPtr<float> DerivedCache::form(const MatrixRef& ref) {
  const AttentionWeights<float>& w = trace_->layers[static_cast<std::size_t>(ref.layer)].input.weights;
  const bool asks = ref.quantity == Quantity::query_key;
  const MatPtr<float>&left = asks ? w.W_Q : w.W_V, &right = asks ? w.W_K : w.W_O;
  Form& kept = forms_[{ref.layer, ref.quantity, ref.head}];
  if (kept.left != left || kept.right != right) kept = {left, right, share(form_of(*trace_, ref))};
  return kept.result;
}

MatPtr<float> DerivedCache::mean_attention(int layer, const std::vector<bool>& heads) {
  const LayerTrace<float>& l = trace_->layers[static_cast<std::size_t>(layer)];
  std::vector<int> chosen;
  for (std::size_t h = 0; h < l.heads.size(); ++h)
    if (h < heads.size() && heads[h]) chosen.push_back(static_cast<int>(h));
  if (chosen.empty())
    for (std::size_t h = 0; h < l.heads.size(); ++h) chosen.push_back(static_cast<int>(h));
  std::vector<MatPtr<float>> patterns;
  for (const int h : chosen) patterns.push_back(l.heads[static_cast<std::size_t>(h)].attention);
  if (patterns != mean_.patterns) mean_ = {std::move(patterns), share(hydra::mean_attention(l, chosen))};
  return mean_.result;
}

MatPtr<float> DerivedCache::bias(const MatrixRef& ref) {
  MatPtr<float>& kept = biases_[{ref.layer, ref.quantity, ref.head}];
  if (!kept) kept = share(Mat<float>(values_of(*trace_, ref)));
  return kept;
}

const Explained& DerivedCache::explained(const CellRef& cell, const std::vector<bool>& mean_heads) {
  if (!explained_ || explained_->explanation.cell != cell || explained_heads_ != mean_heads) {
    explained_ = lay_out(explain(*trace_, cell, mean_heads));
    explained_heads_ = mean_heads;
  }
  return *explained_;
}

MatPtr<float> DerivedCache::transposed(const MatPtr<float>& matrix) {
  Turned& kept = turned_[matrix.get()];
  if (kept.matrix.lock() != matrix) kept = {matrix, share(Mat<float>(matrix->transpose()))};
  return kept.result;
}

MatPtr<float> DerivedCache::unread_hatched(const MatPtr<float>& matrix, Index d_k) {
  Hatched& kept = hatched_[matrix.get()];
  if (kept.matrix.lock() != matrix || kept.d_k != d_k)
    kept = {matrix, d_k, sliced(*matrix, d_k, -std::numeric_limits<float>::infinity())};
  return kept.result;
}

MatPtr<float> DerivedCache::head_reach(const AttentionWeights<float>& weights, Index heads, int head, Split split) {
  std::vector<MatPtr<float>> from{weights.W_Q, weights.W_K, weights.W_V};
  Reach& kept = reach_[split];
  if (kept.weights != from || kept.heads != heads || kept.head != head)
    kept = {std::move(from), heads, head, share(hydra::head_reach(weights, heads, head, split))};
  return kept.result;
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

float DerivedCache::shared_range(const MatrixRef& ref) {
  const std::pair<int, Quantity> key{ref.layer, ref.quantity};
  if (const auto found = ranges_.find(key); found != ranges_.end()) return found->second;
  const LayerTrace<float>& l = trace_->layers[static_cast<std::size_t>(ref.layer)];
  float largest = 0;
  const auto include = [&](const MatPtr<float>& matrix) { largest = std::max(largest, max_abs(matrix)); };
  if (ref.quantity == Quantity::value_weighted) {
    for (std::size_t h = 0; h < l.heads.size(); ++h) include(value_weighted(ref.layer, static_cast<int>(h)));
  } else if (has_head(ref.quantity)) {
    for (std::size_t h = 0; h < l.heads.size(); ++h)
      include(backing_of(*trace_, {ref.quantity, ref.layer, static_cast<int>(h)}).matrix);
  } else {
    const MatrixRef whole{ref.quantity, ref.layer, kNoHead};
    include(is_bias(ref.quantity) ? bias(whole) : backing_of(*trace_, whole).matrix);
  }
  const auto range = static_cast<float>(ui::nice_ceiling(largest > 0 ? largest : 1));
  return ranges_[key] = range;
}

}  // namespace hydra
