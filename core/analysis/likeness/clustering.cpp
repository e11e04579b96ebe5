#include "core/analysis/likeness/clustering.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/linalg/decompositions.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

double distance_of(Likeness measure, double value, double back) {
  switch (measure) {
    case Likeness::js_bits:
      return std::sqrt(std::max(value, 0.0));
    case Likeness::kl_bits:
      return (value + back) / 2;
    default:
      return std::max(1 - value, 0.0);
  }
}

// The pair of clusters that merges next: the nearest, of equals the one with the lowest numbers. numbers ascend.
std::pair<Index, Index> nearest(const Mat<double>& between, const std::vector<int>& numbers) {
  std::pair<Index, Index> best(numbers[0], numbers[1]);
  for (std::size_t a = 0; a < numbers.size(); ++a)
    for (std::size_t b = a + 1; b < numbers.size(); ++b)
      if (between(numbers[a], numbers[b]) < between(best.first, best.second)) best = {numbers[a], numbers[b]};
  return best;
}

// The heads below a cluster, left before right.
void collect(const std::vector<Merge>& merges, int heads, int cluster, std::vector<int>& leaves) {
  if (cluster < heads) return leaves.push_back(cluster);
  const Merge& merge = merges[static_cast<std::size_t>(cluster - heads)];
  collect(merges, heads, merge.left, leaves);
  collect(merges, heads, merge.right, leaves);
}

std::vector<int> leaves_of(const std::vector<Merge>& merges) {
  const int heads = static_cast<int>(merges.size()) + 1;
  std::vector<int> leaves;
  collect(merges, heads, 2 * heads - 2, leaves);
  return leaves;
}

// 1 or -1: what makes the largest entry positive, the first of those that are as large but for rounding.
double sign_of(const Eigen::VectorXd& axis) {
  const double largest = axis.cwiseAbs().maxCoeff();
  for (const double value : axis)
    if (std::abs(value) >= largest * (1 - 1e-9)) return value < 0 ? -1 : 1;
  return 1;
}

double stress_of(const Mat<double>& distances, const Mat<double>& points) {
  double error = 0, size = 0;
  for (Index i = 0; i < points.rows(); ++i)
    for (Index g = i + 1; g < points.rows(); ++g) {
      const double d = distances(i, g);
      error += std::pow(d - (points.row(i) - points.row(g)).norm(), 2);
      size += d * d;
    }
  return size > 0 ? std::sqrt(error / size) : 0;
}

}  // namespace

const std::string& stress_in_words(double stress) {
  return wording(stress < 1e-6     ? "core:clustering.exact"
                 : stress <= 0.025 ? "core:clustering.excellent"
                 : stress <= 0.05  ? "core:clustering.good"
                 : stress <= 0.1   ? "core:clustering.fair"
                                   : "core:clustering.poor");
}

Mat<double> distances(Likeness measure, MatIn<double> values) {
  const Index h = values.rows();
  Mat<double> between(h, h);
  double largest = -1;
  for (Index i = 0; i < h; ++i)
    for (Index g = 0; g < h; ++g) {
      between(i, g) = i == g ? 0 : distance_of(measure, values(i, g), values(g, i));
      if (i != g && std::isfinite(between(i, g))) largest = std::max(largest, between(i, g));
    }
  for (Index k = 0; k < between.size(); ++k)
    if (!std::isfinite(between.data()[k])) between.data()[k] = largest < 0 ? 1 : largest;
  return between;
}

Clustering average_linkage(const Mat<double>& distances) {
  assert(distances.rows() == distances.cols() && distances.rows() > 0);
  const int heads = static_cast<int>(distances.rows()), clusters = 2 * heads - 1;
  Mat<double> between = Mat<double>::Zero(clusters, clusters);
  between.topLeftCorner(heads, heads) = distances;
  std::vector<int> numbers, sizes(static_cast<std::size_t>(clusters), 1);
  for (int k = 0; k < heads; ++k) numbers.push_back(k);
  Clustering clustering;
  for (int made = heads; made < clusters; ++made) {
    const auto [left, right] = nearest(between, numbers);
    const int left_size = sizes[static_cast<std::size_t>(left)], right_size = sizes[static_cast<std::size_t>(right)];
    // No tree of averages turns back; rounding could.
    const double last = clustering.merges.empty() ? 0 : clustering.merges.back().distance;
    clustering.merges.push_back({static_cast<int>(left), static_cast<int>(right), std::max(between(left, right), last),
                                 left_size + right_size});
    sizes[static_cast<std::size_t>(made)] = left_size + right_size;
    std::erase_if(numbers, [l = left, r = right](int number) { return number == l || number == r; });
    for (const int other : numbers)
      between(made, other) = between(other, made) =
          (left_size * between(left, other) + right_size * between(right, other)) / (left_size + right_size);
    numbers.push_back(made);
  }
  clustering.leaves = leaves_of(clustering.merges);
  return clustering;
}

Clustering oriented(Clustering clustering, const std::vector<int>& last) {
  if (last.size() != clustering.leaves.size()) return clustering;
  const int heads = static_cast<int>(last.size());
  std::vector<double> places(static_cast<std::size_t>(2 * heads - 1));  // sums over the heads of a cluster
  for (int place = 0; place < heads; ++place)
    places[static_cast<std::size_t>(last[static_cast<std::size_t>(place)])] = place;
  const auto size = [&](int cluster) {
    return cluster < heads ? 1 : clustering.merges[static_cast<std::size_t>(cluster - heads)].size;
  };
  for (std::size_t k = 0; k < clustering.merges.size(); ++k) {
    Merge& merge = clustering.merges[k];
    const double left = places[static_cast<std::size_t>(merge.left)],
                 right = places[static_cast<std::size_t>(merge.right)];
    if (left / size(merge.left) > right / size(merge.right)) std::swap(merge.left, merge.right);
    places[static_cast<std::size_t>(heads) + k] = left + right;
  }
  clustering.leaves = leaves_of(clustering.merges);
  return clustering;
}

HeadMap classical_scaling(const Mat<double>& distances) {
  const Index h = distances.rows();
  HeadMap map{Mat<double>::Zero(h, 2), 0};
  Eigen::MatrixXd B = -0.5 * distances.cwiseAbs2();
  B.rowwise() -= B.colwise().mean().eval();
  B.colwise() -= B.rowwise().mean().eval();
  const EigenPairs pairs = eigen_pairs(B);
  const double largest = pairs.values.cwiseAbs().maxCoeff();
  for (Index axis = 0; axis < std::min<Index>(2, h); ++axis) {
    const double value = pairs.values(h - 1 - axis);
    if (!(value > 1e-12 * largest)) continue;  // not positive but for rounding
    const Eigen::VectorXd direction = pairs.vectors.col(h - 1 - axis);
    map.points.col(axis) = sign_of(direction) * std::sqrt(value) * direction;
  }
  map.stress = stress_of(distances, map.points);
  return map;
}

HeadMap aligned(HeadMap map, const Mat<double>& last) {
  if (last.rows() != map.points.rows() || last.cols() != map.points.cols()) return map;
  const Eigen::Matrix2d common = map.points.transpose() * (last.rowwise() - last.colwise().mean().eval());
  map.points = (map.points * nearest_turn(common)).eval();
  return map;
}

}  // namespace hydra
