// Likeness, trees, maps, effective heads and ranks against the NumPy and SciPy values of
// scripts/make_likeness_golden.py.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/analysis/likeness/clustering.h"
#include "core/analysis/likeness/diversity.h"
#include "tests/support/data.h"

using namespace hydra;
using nlohmann::json;

namespace {

constexpr double kTolerance = 1e-6;

Array<float> matrix(const json& rows) {
  Mat<float> values(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()));
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      values(i, j) = rows.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j)).get<float>();
  return share(std::move(values));
}

// The case's sentences as traces: what likeness reads of them.
std::vector<LayerTrace<float>> traces_of(const json& c) {
  std::vector<LayerTrace<float>> traces;
  for (std::size_t s = 0; s < c.at("lengths").size(); ++s) {
    LayerTrace<float>& trace = traces.emplace_back();
    AttentionWeights<float>& w = trace.input.weights;
    w.W_Q = matrix(c.at("W_Q"));
    w.W_K = matrix(c.at("W_K"));
    w.W_V = matrix(c.at("W_V"));
    w.W_O = matrix(c.at("W_O"));
    trace.input.heads = c.at("heads");
    trace.input.X = share(Mat<float>(Mat<float>::Zero(c.at("lengths").at(s), w.W_Q->rows())));
    for (std::size_t h = 0; h < c.at("heads").get<std::size_t>(); ++h) {
      HeadTrace<float>& head = trace.heads.emplace_back();
      head.attention = matrix(c.at("attention").at(s).at(h));
      head.scores = share(Mat<float>(head.attention->array().log()));
      head.output = matrix(c.at("output").at(s).at(h));
      head.Q = matrix(c.at("Q").at(h));
      head.K = matrix(c.at("K").at(h));
    }
  }
  return traces;
}

void check(double ours, const json& golden) {
  CAPTURE(ours, golden.dump());
  if (golden.is_null())
    CHECK(std::isnan(ours));
  else if (golden.is_string())
    CHECK(ours == std::numeric_limits<double>::infinity());
  else
    CHECK(std::abs(ours - golden.get<double>()) <= kTolerance * std::max(1.0, std::abs(golden.get<double>())));
}

void check_matrix(const Mat<double>& ours, const json& golden) {
  REQUIRE(ours.rows() == static_cast<Index>(golden.size()));
  for (Index i = 0; i < ours.rows(); ++i)
    for (Index g = 0; g < ours.cols(); ++g) {
      CAPTURE(i, g);
      check(ours(i, g), golden.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(g)));
    }
}

void check_tree(const Clustering& ours, const json& golden) {
  REQUIRE(ours.merges.size() == golden.at("merges").size());
  for (std::size_t k = 0; k < ours.merges.size(); ++k) {
    const json& merge = golden.at("merges").at(k);
    CAPTURE(k);
    CHECK(ours.merges[k].left == merge.at(0).get<int>());
    CHECK(ours.merges[k].right == merge.at(1).get<int>());
    check(ours.merges[k].distance, merge.at(2));
    CHECK(ours.merges[k].size == merge.at(3).get<int>());
  }
  CHECK(ours.leaves == golden.at("leaf_order").get<std::vector<int>>());
}

// Up to the sign of each axis; axes that are as long as another, or as a third, are not determined. Returns the number
// of axes that were compared.
int check_map(const HeadMap& ours, const json& golden) {
  const std::vector<double> values = golden.at("eigenvalues");
  const bool plane = values.size() < 3 || values[1] - values[2] > 1e-9 * values[0] || values[1] <= 0;
  if (plane) check(ours.stress, golden.at("stress"));
  int compared = 0;
  for (const std::size_t axis : {0u, 1u}) {
    if (axis >= values.size() || values[axis] < 1e-6) continue;
    if (axis > 0 && values[axis - 1] - values[axis] < 1e-3 * values[0]) continue;
    if (axis + 1 < values.size() && values[axis] - values[axis + 1] < 1e-3 * values[0]) continue;
    double same = 0, mirrored = 0;
    for (Index h = 0; h < ours.points.rows(); ++h) {
      const double at = golden.at("points").at(static_cast<std::size_t>(h)).at(axis);
      same = std::max(same, std::abs(ours.points(h, static_cast<Index>(axis)) - at));
      mirrored = std::max(mirrored, std::abs(ours.points(h, static_cast<Index>(axis)) + at));
    }
    CAPTURE(axis);
    CHECK(std::min(same, mirrored) <= kTolerance);
    ++compared;
  }
  return compared;
}

void check_spectrum(const Spectrum& ours, const json& golden) {
  CHECK(ours.numerical_rank == golden.at("rank").get<Index>());
  check(ours.effective_rank, golden.at("effective_rank"));
  REQUIRE(ours.values.size() == golden.at("values").size());
  for (std::size_t k = 0; k < ours.values.size(); ++k) check(ours.values[k], golden.at("values").at(k));
}

}  // namespace

TEST_CASE("likeness: every measure, tree, map and rank equals NumPy's and SciPy's",
          "[core][analysis][likeness][golden]") {
  const json cases = json::parse(std::ifstream(test::data("likeness_golden.json")));
  REQUIRE(cases.size() >= 10);
  int trees = 0, axes = 0;
  for (std::size_t number = 0; number < cases.size(); ++number) {
    const json &c = cases.at(number), &golden = c.at("measures");
    const std::vector<LayerTrace<float>> traces = traces_of(c);
    LikenessMatrices matrices;
    matrices.set(traces);
    for (const LikenessEntry& entry : likenesses()) {
      CAPTURE(number, entry.key);
      check_matrix(matrices.matrix(entry.measure), golden.at(entry.key));
      const Mat<double> between = distances(entry.measure, matrices.matrix(entry.measure));
      axes += check_map(classical_scaling(between), golden.at("maps").at(entry.key));
      if (!golden.at("trees").contains(entry.key)) continue;  // rounding would decide it
      check_tree(average_linkage(between), golden.at("trees").at(entry.key));
      ++trees;
    }
    CAPTURE(number);
    check_matrix(matrices.pattern_gram(), golden.at("gram"));
    check(effective_heads(matrices.pattern_gram()), golden.at("effective_heads"));
    for (std::size_t h = 0; h < traces[0].heads.size(); ++h) {
      CAPTURE(h);
      const LayerInput<float>& input = traces[0].input;
      const HeadRanks ranks{product_spectrum(*traces[0].heads[h].Q, *traces[0].heads[h].K),
                            query_key_spectrum(input.weights, input.heads, static_cast<Index>(h))};
      check_spectrum(ranks.scores, golden.at("ranks").at(h).at("scores"));
      check_spectrum(ranks.query_key, golden.at("ranks").at(h).at("query_key"));
    }
  }
  CHECK(trees >= 50);
  CHECK(axes >= 70);
}
