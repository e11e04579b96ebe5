#include "app/views/likeness/likeness_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/draw/format.h"
#include "app/draw/nth.h"

namespace hydra {

namespace {

constexpr double kTimeConstant = 0.07;  // seconds; 2.3 of them are nine tenths of the way
constexpr double kLongestStep = 1.0 / 30;
constexpr float kRowThere = 0.01f;
constexpr double kThere = 0.002;  // of a range

// A range that holds what it must, and does not follow every small change.
double range_for(double largest, double last, bool hold) {
  if (largest <= last && (hold || largest > 0.5 * last)) return last;
  return largest > 1e-9 ? ui::close_ceiling(largest) : last > 0 ? last : 1;
}

}  // namespace

void LikenessMotion::take_cells() {
  const MatView<double> values = *table_->matrix(table_->ordered_by);
  const std::vector<int>& order = order_;
  const auto h = std::ssize(order);
  Mat<float> cells(h, h);
  least_ = std::numeric_limits<double>::infinity();
  most_ = -least_;
  missing_ = infinite_ = false;
  for (Index r = 0; r < h; ++r)
    for (Index c = 0; c < h; ++c) {
      const double value = values(nth(order, r), nth(order, c));
      cells(r, c) = std::isfinite(value) ? real(value) : -std::numeric_limits<float>::infinity();
      if (r == c) continue;
      missing_ |= std::isnan(value);
      infinite_ |= std::isinf(value);
      if (!std::isfinite(value)) continue;
      least_ = std::min(least_, value);
      most_ = std::max(most_, value);
    }
  if (least_ > most_) least_ = most_ = 0;
  cells_ = share(std::move(cells));
}

void LikenessMotion::take_pairs() {
  const LikenessEntry& entry = nth(likenesses(), table_->ordered_by);
  const MatView<double> values = *table_->matrix(table_->ordered_by);
  alike_ = unlike_ = std::nullopt;
  double nearest = 0, farthest = 0;
  for (Index r = 0; r < values.rows(); ++r)
    for (Index c = 0; c < values.cols(); ++c) {
      if (r == c || std::isnan(values(r, c))) continue;
      const double away = std::abs(values(r, c) - entry.same);
      const std::pair pair(static_cast<int>(r), static_cast<int>(c));
      if (!alike_ || away < nearest) alike_ = pair, nearest = away;
      if (!unlike_ || away > farthest) unlike_ = pair, farthest = away;
    }
  if (!(farthest - nearest > kThere * std::abs(entry.high - entry.low))) alike_ = unlike_ = std::nullopt;
}

void LikenessMotion::take_ranges(bool hold) {
  const double largest = map_.size() > 0 ? map_.cwiseAbs().maxCoeff() : 0;
  half_side_goal_ = range_for(largest, half_side_goal_, hold);
  largest_ = range_for(most_, largest_, hold);
  distance_goal_ = range_for(tree_.merges.empty() ? 0 : tree_.merges.back().distance, distance_goal_, hold);
}

void LikenessMotion::show(const std::shared_ptr<const LikenessTable>& table, bool hold, bool by_tree) {
  if (table == table_ && by_tree == by_tree_) return;
  const bool same_heads = table_ && table_->clustering.leaves.size() == table->clustering.leaves.size();
  const bool same_kind = same_heads && table_->ordered_by == table->ordered_by;
  table_ = table;
  by_tree_ = by_tree;
  tree_ = oriented(table->clustering, same_heads ? tree_.leaves : std::vector<int>{});
  map_ = same_heads ? aligned(table->map, map_).points : table->map.points;
  order_ = tree_.leaves;
  if (!by_tree) std::iota(order_.begin(), order_.end(), 0);
  take_cells();
  take_pairs();
  negative_ = (same_kind && negative_) || least_ < -kThere;
  if (!same_kind) half_side_goal_ = distance_goal_ = largest_ = 0;
  take_ranges(hold);
  goal_rows_.resize(order_.size());
  for (std::size_t k = 0; k < order_.size(); ++k) nth(goal_rows_, order_[k]) = real(k);
  moving_ = true;
  if (same_heads) return;
  rows_ = goal_rows_;
  points_ = Mat<double>(map_);  // see fit.h
  half_side_ = half_side_goal_;
  distance_ = distance_goal_;
}

void LikenessMotion::advance(float seconds, bool at_once) {
  if (!moving_) return;
  const double step = std::min(static_cast<double>(seconds), kLongestStep);
  const double share = at_once ? 1 : 1 - std::exp(-step / kTimeConstant);
  reordering_ = moving_ = false;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    rows_[k] += real(share) * (goal_rows_[k] - rows_[k]);
    if (std::abs(goal_rows_[k] - rows_[k]) > kRowThere)
      reordering_ = true;
    else
      rows_[k] = goal_rows_[k];
  }
  points_ += share * (map_ - points_);
  half_side_ += share * (half_side_goal_ - half_side_);
  distance_ += share * (distance_goal_ - distance_);
  const double off = std::max({points_.size() > 0 ? (map_ - points_).cwiseAbs().maxCoeff() / half_side_goal_ : 0.0,
                               std::abs(half_side_goal_ - half_side_) / half_side_goal_,
                               std::abs(distance_goal_ - distance_) / distance_goal_});
  moving_ = reordering_ || off > kThere;
  if (moving_) return;
  points_ = Mat<double>(map_);  // see fit.h
  half_side_ = half_side_goal_;
  distance_ = distance_goal_;
}

const Array<float>& PatternDifference::of(const Array<float>& first, const Array<float>& second) {
  if (first.stamp() == first_ && second.stamp() == second_) return difference_;
  first_ = first.stamp();
  second_ = second.stamp();
  difference_ = share(Mat<float>(*first - *second));
  largest_ = difference_->cwiseAbs().maxCoeff();
  return difference_;
}

}  // namespace hydra
