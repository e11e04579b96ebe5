#include "core/analysis/silencing.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/linalg/random.h"

namespace hydra {

namespace {

// Of the output; NaN where that is 0.
double part_of(double norm, double output_norm) {
  return output_norm > 0 ? norm / output_norm : std::numeric_limits<double>::quiet_NaN();
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
    silencing.change.push_back(part_of(silenced.norm(), output_norm));
    open.erase(best);
  }
}

// What stands at one number of silenced heads, in any order of equally likely ones.
void add_spread(std::vector<double> values, Silencing& silencing) {
  std::sort(values.begin(), values.end());
  const std::size_t count = values.size(), tenth = count / 10;
  silencing.random_mean.push_back(std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(count));
  silencing.random_low.push_back(values[tenth]);
  silencing.random_high.push_back(values[count - 1 - tenth]);
}

// After k heads of all orders each set of k heads is as likely as any other: so the sets are gone through.
void add_all_orders(const Mat<double>& gram, const std::vector<int>& open, double output_norm, Silencing& silencing) {
  const std::size_t heads = open.size();
  std::vector<double> squares(std::size_t{1} << heads, 0);  // of the sum of a set's Z, by the set's bits
  std::vector<std::vector<double>> change(heads + 1);
  change[0].push_back(0);
  for (std::size_t set = 1; set < squares.size(); ++set) {
    const auto last = static_cast<std::size_t>(std::bit_width(set)) - 1;
    const std::size_t rest = set & ~(std::size_t{1} << last);
    double cross = 0;
    for (std::size_t k = 0; k < last; ++k)
      if (rest >> k & 1) cross += gram(open[last], open[k]);
    squares[set] = squares[rest] + 2 * cross + gram(open[last], open[last]);
    change[static_cast<std::size_t>(std::popcount(set))].push_back(
        part_of(std::sqrt(std::max(0.0, squares[set])), output_norm));
  }
  for (std::vector<double>& at : change) add_spread(std::move(at), silencing);
}

void add_random(const Mat<double>& gram, const std::vector<int>& open, double output_norm, std::uint64_t seed,
                Silencing& silencing) {
  std::vector<std::vector<double>> change(open.size() + 1);
  Random random(seed);
  silencing.random_orders = kRandomOrders;
  for (int order = 0; order < kRandomOrders; ++order) {
    Silenced silenced(gram);
    change[0].push_back(0);
    std::size_t k = 0;
    for (const int head : shuffled(open, random)) {
      silenced.add(head);
      change[++k].push_back(part_of(silenced.norm(), output_norm));
    }
  }
  for (std::vector<double>& at : change) add_spread(std::move(at), silencing);
}

}  // namespace

Silencing silencing_of(const Mat<double>& gram, double output_norm, std::uint64_t seed) {
  Silencing silencing;
  std::vector<int> open;
  for (Index h = 0; h < gram.rows(); ++h) (gram(h, h) == 0 ? silencing.silent : open).push_back(static_cast<int>(h));
  add_greedy(gram, open, output_norm, silencing);
  if (gram.allFinite()) {
    if (static_cast<int>(open.size()) <= kMostHeadsInAllOrders)
      add_all_orders(gram, open, output_norm, silencing);
    else
      add_random(gram, open, output_norm, seed, silencing);
  } else {  // percentiles need numbers that can be ordered
    for (auto* curve : {&silencing.random_mean, &silencing.random_low, &silencing.random_high})
      curve->assign(silencing.change.size(), std::numeric_limits<double>::quiet_NaN());
  }
  return silencing;
}

}  // namespace hydra
