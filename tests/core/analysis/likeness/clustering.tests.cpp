// Trees and maps of heads: by hand, their laws, and that a picture does not jump.
#include "core/analysis/likeness/clustering.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/support/models/layers.h"

using namespace hydra;
using namespace hydra::test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Mat<double> between(const Mat<double>& points) {
  Mat<double> d(points.rows(), points.rows());
  for (Index i = 0; i < d.rows(); ++i)
    for (Index g = 0; g < d.cols(); ++g) d(i, g) = (points.row(i) - points.row(g)).norm();
  return d;
}

// The heads of every merge, sorted: what the tree says, whatever its sides.
std::vector<std::vector<int>> groups(const Clustering& clustering) {
  std::vector<std::vector<int>> members;
  const int heads = static_cast<int>(clustering.leaves.size());
  for (const Merge& merge : clustering.merges) {
    std::vector<int> group;
    for (const int side : {merge.left, merge.right}) {
      if (side < heads) group.push_back(side);
      if (side >= heads) {
        const std::vector<int>& below = members[static_cast<std::size_t>(side - heads)];
        group.insert(group.end(), below.begin(), below.end());
      }
    }
    std::sort(group.begin(), group.end());
    members.push_back(group);
  }
  return members;
}

// Whether the heads of every merge stand side by side.
bool drawable(const Clustering& clustering) {
  std::vector<int> sorted = clustering.leaves;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t k = 0; k < sorted.size(); ++k)
    if (sorted[k] != static_cast<int>(k)) return false;
  for (const std::vector<int>& group : groups(clustering)) {
    std::size_t first = sorted.size(), last = 0;
    for (const int head : group) {
      const auto place = static_cast<std::size_t>(std::find(clustering.leaves.begin(), clustering.leaves.end(), head) -
                                                  clustering.leaves.begin());
      first = std::min(first, place);
      last = std::max(last, place);
    }
    if (last - first + 1 != group.size()) return false;
  }
  return true;
}

double squared_shift(const Mat<double>& a, const Mat<double>& b) { return (a - b).squaredNorm(); }

}  // namespace

TEST_CASE("distances: each measure's own, what is not finite as far as anything", "[core][analysis][clustering]") {
  Mat<double> values(3, 3);
  values << 1, 0.25, kNaN, 0.25, 1, -0.5, kNaN, -0.5, 1;
  Mat<double> expected(3, 3);
  expected << 0, 0.75, 1.5, 0.75, 0, 1.5, 1.5, 1.5, 0;
  CHECK(distances(Likeness::qk, values) == expected);
  values << 0, 0.25, 1, 0.25, 0, 0.09, 1, 0.09, 0;
  expected << 0, 0.5, 1, 0.5, 0, 0.3, 1, 0.3, 0;
  CHECK(distances(Likeness::js_bits, values).isApprox(expected));
  values << 0, 2, kInfinity, 4, 0, 1, 5, 1, 0;
  expected << 0, 3, 3, 3, 0, 1, 3, 1, 0;
  CHECK(distances(Likeness::kl_bits, values) == expected);
  values.setConstant(kNaN);
  expected << 0, 1, 1, 1, 0, 1, 1, 1, 0;
  CHECK(distances(Likeness::cka, values) == expected);
}

TEST_CASE("average linkage: worked by hand", "[core][analysis][clustering]") {
  Mat<double> d(4, 4);
  d << 0, 6, 1, 9,  //
      6, 0, 8, 2,   //
      1, 8, 0, 4,   //
      9, 2, 4, 0;
  const Clustering clustering = average_linkage(d);
  REQUIRE(clustering.merges.size() == 3);
  const auto check = [&](std::size_t k, int left, int right, double distance, int size) {
    CAPTURE(k);
    CHECK(clustering.merges[k].left == left);
    CHECK(clustering.merges[k].right == right);
    CHECK(clustering.merges[k].distance == Approx(distance));
    CHECK(clustering.merges[k].size == size);
  };
  check(0, 0, 2, 1, 2);
  check(1, 1, 3, 2, 2);
  check(2, 4, 5, (6 + 9 + 8 + 4) / 4.0, 4);
  CHECK(clustering.leaves == std::vector<int>{0, 2, 1, 3});
  CHECK(average_linkage(Mat<double>::Zero(1, 1)).leaves == std::vector<int>{0});
  CHECK(average_linkage(Mat<double>::Zero(1, 1)).merges.empty());
}

TEST_CASE("average linkage: the mean over a cluster's pairs, of equals the lowest numbers first",
          "[core][analysis][clustering]") {
  Random random(2);
  Mat<double> d = between(random_matrix<double>(random, 9, 3));
  const Clustering clustering = average_linkage(d);
  CHECK(drawable(clustering));
  const auto groups_of = groups(clustering);
  for (std::size_t k = 0; k < clustering.merges.size(); ++k) {
    const Merge& merge = clustering.merges[k];
    CHECK(merge.left < merge.right);
    CHECK(merge.size == static_cast<int>(groups_of[k].size()));
    if (k > 0) CHECK(merge.distance >= clustering.merges[k - 1].distance);
    const auto heads = [&](int side) {
      return side < 9 ? std::vector<int>{side} : groups_of[static_cast<std::size_t>(side - 9)];
    };
    double sum = 0;
    for (const int i : heads(merge.left))
      for (const int g : heads(merge.right)) sum += d(i, g);
    CHECK(merge.distance == Approx(sum / static_cast<double>(heads(merge.left).size() * heads(merge.right).size())));
  }
  const Clustering equal = average_linkage(Mat<double>::Ones(5, 5) - Mat<double>::Identity(5, 5));
  CHECK(equal.merges[0].left == 0);
  CHECK(equal.merges[0].right == 1);
  CHECK(equal.merges[1].left == 2);
  CHECK(equal.merges[1].right == 3);
  CHECK(equal.merges[2].left == 4);
}

TEST_CASE("oriented: the same tree, its leaves near to where they stood", "[core][analysis][clustering]") {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    const Clustering clustering = average_linkage(between(random_matrix<double>(random, 8, 3)));
    const Clustering mirrored = oriented(clustering, {clustering.leaves.rbegin(), clustering.leaves.rend()});
    CHECK(mirrored.leaves == std::vector<int>(clustering.leaves.rbegin(), clustering.leaves.rend()));
    CHECK(groups(mirrored) == groups(clustering));
    CHECK(oriented(clustering, clustering.leaves).leaves == clustering.leaves);
    CHECK(oriented(mirrored, clustering.leaves).leaves == clustering.leaves);
    CHECK(oriented(clustering, {}).leaves == clustering.leaves);
    const Clustering other = average_linkage(between(random_matrix<double>(random, 8, 3)));
    const Clustering turned = oriented(other, clustering.leaves);
    CHECK(drawable(turned));
    CHECK(groups(turned) == groups(other));
    for (std::size_t k = 0; k < turned.merges.size(); ++k) CHECK(turned.merges[k].distance == other.merges[k].distance);
  }
}

TEST_CASE("classical scaling: points of a plane come back, whatever their place", "[core][analysis][clustering]") {
  Random random(4);
  for (const Index h : {2, 3, 4, 12, 96}) {
    const Mat<double> d = between(random_matrix<double>(random, h, 2));
    const HeadMap map = classical_scaling(d);
    CAPTURE(h);
    CHECK(map.stress < 1e-9);
    CHECK((between(map.points) - d).cwiseAbs().maxCoeff() < 1e-9);
    CHECK(map.points.colwise().sum().cwiseAbs().maxCoeff() < 1e-9);
    CHECK(map.points.col(0).norm() >= map.points.col(1).norm());
    for (const Index axis : {0, 1})
      CHECK(map.points.col(axis).maxCoeff() >= map.points.col(axis).cwiseAbs().maxCoeff() - 1e-8);
  }
  // Corners of a regular tetrahedron do not fit.
  CHECK(classical_scaling(Mat<double>::Ones(4, 4) - Mat<double>::Identity(4, 4)).stress > 0.1);
  CHECK(classical_scaling(Mat<double>::Zero(1, 1)).points == Mat<double>::Zero(1, 2));
  CHECK(classical_scaling(Mat<double>::Zero(5, 5)).points == Mat<double>::Zero(5, 2));
  CHECK(classical_scaling(Mat<double>::Zero(5, 5)).stress == 0);
  for (const auto& [stress, words] :
       {std::pair(0.0, "exact"), {0.02, "excellent"}, {0.05, "good"}, {0.1, "fair"}, {0.11, "poor"}, {0.5, "poor"}})
    CHECK(std::string(stress_in_words(stress)) == words);
  Mat<double> line(3, 1);
  line << 0, 1, 5;
  CHECK(classical_scaling(between(line)).points.col(1).isZero());
}

TEST_CASE("aligned: undoes a turn and a mirror, and nothing is nearer", "[core][analysis][clustering]") {
  Random random(5);
  for (int round = 0; round < 20; ++round) {
    HeadMap map = classical_scaling(between(random_matrix<double>(random, 6, 3)));
    const Mat<double> before = map.points;
    const double angle = random.uniform(0, 6.28), mirror = random.bits() % 2 ? 1 : -1;
    Mat<double> turn(2, 2);
    turn << std::cos(angle), -std::sin(angle), mirror * std::sin(angle), mirror * std::cos(angle);
    map.points = before * turn;
    CHECK(squared_shift(aligned(map, before).points, before) < 1e-20);
    CHECK(aligned(map, before).stress == map.stress);
    const Mat<double> target = random_matrix<double>(random, 6, 2);
    const Mat<double> centred = target.rowwise() - target.colwise().mean().eval();
    const double best = squared_shift(aligned(map, target).points, centred);
    CHECK((between(aligned(map, target).points) - between(map.points)).cwiseAbs().maxCoeff() < 1e-12);
    for (double a = 0; a < 6.28; a += 0.1)
      for (const double m : {1.0, -1.0}) {
        turn << std::cos(a), -std::sin(a), m * std::sin(a), m * std::cos(a);
        CHECK(squared_shift(map.points * turn, centred) >= best - 1e-12);
      }
    CHECK(aligned(map, Mat<double>()).points == map.points);
  }
}
