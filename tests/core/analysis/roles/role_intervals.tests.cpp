// The intervals of pooled scores: what they cover, and their extremes.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/analysis/roles/role_intervals.h"
#include "core/linalg/random.h"

using namespace hydra;

namespace {

constexpr auto kSelf = static_cast<std::size_t>(TokenPattern::self);

// Sentences of 1 to 5 rows each. A sentence has a level of its own, and its rows lie about it: masses, or yes and no.
std::vector<RoleSums> drawn(Random& random, int sentences, double mean, double between, bool yes_or_no) {
  std::vector<RoleSums> all;
  for (int s = 0; s < sentences; ++s) {
    RoleSums sums;
    for (Eigen::ArrayXd* by_offset : {&sums.attention, &sums.present, &sums.maxima, &sums.free})
      *by_offset = Eigen::ArrayXd::Zero(3);
    const double level = mean + between * random.uniform(-1, 1);
    const int rows = 1 + static_cast<int>(5 * random.uniform());
    for (int i = 0; i < rows; ++i) {
      const double spread = std::min({0.2, level, 1 - level});
      const double mass =
          yes_or_no ? static_cast<double>(random.uniform() < level) : level + spread * random.uniform(-1, 1);
      sums.patterns[kSelf].mass += mass;
      ++sums.patterns[kSelf].rows;
      ++sums.rows;
      sums.own[place_of(head_number::mean_distance)][0] += 3 * mass;
    }
    all.push_back(std::move(sums));
  }
  return all;
}

struct Coverage {
  double share = 0, plain = 0;
};
Coverage coverage(int sentences, double mean, double between, bool yes_or_no) {
  Random random(static_cast<std::uint64_t>(1000 * mean) + static_cast<std::uint64_t>(sentences));
  constexpr int kTrials = 2000;
  int share = 0, plain = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const RoleIntervals i = intervals_of(drawn(random, sentences, mean, between, yes_or_no));
    share += i.low.patterns[kSelf].mass <= mean && mean <= i.high.patterns[kSelf].mass;
    plain += i.low[head_number::mean_distance] <= 3 * mean && 3 * mean <= i.high[head_number::mean_distance];
  }
  return {static_cast<double>(share) / kTrials, static_cast<double>(plain) / kTrials};
}

}  // namespace

TEST_CASE("role intervals: of 100 intervals about 95 have the true number", "[core][analysis][roles]") {
  const auto [sentences, mean, between, yes_or_no] = GENERATE(table<int, double, double, bool>({{40, 0.5, 0.3, false},
                                                                                                {40, 0.9, 0.1, false},
                                                                                                {40, 0.9, 0.1, true},
                                                                                                {40, 0.1, 0.05, true},
                                                                                                {20, 0.6, 0.3, true},
                                                                                                {12, 0.3, 0.2, false},
                                                                                                {12, 0.5, 0.4, true}}));
  const Coverage c = coverage(sentences, mean, between, yes_or_no);
  CAPTURE(sentences, mean, between, yes_or_no, c.share, c.plain);
  CHECK(c.share >= 0.93);
  CHECK(c.share <= 0.985);
  if (mean > 0.2 && mean < 0.8) CHECK(c.plain >= 0.92);  // of a skewed sum the plain one may fall short
}

TEST_CASE("role intervals: a score of 1 on all rows is not sure", "[core][analysis][roles]") {
  std::vector<RoleSums> all(6);
  for (RoleSums& sums : all) {
    sums.rows = sums.patterns[kSelf].rows = 5;
    sums.patterns[kSelf].mass = 5;
  }
  const RoleIntervals i = intervals_of(all);
  CHECK(i.high.patterns[kSelf].mass == Approx(1));
  CHECK(i.low.patterns[kSelf].mass < 0.95);
  CHECK(i.low.patterns[kSelf].mass > 0.7);
}

TEST_CASE("role intervals: none of one sentence, none of what no sentence has", "[core][analysis][roles]") {
  Random random(3);
  const RoleIntervals one = intervals_of(drawn(random, 1, 0.5, 0.2, false));
  CHECK(std::isnan(one.low.patterns[kSelf].mass));
  const RoleIntervals i = intervals_of(drawn(random, 5, 0.5, 0.2, false));
  CHECK(std::isnan(i.low.patterns[0].mass));
  CHECK(std::isnan(i.high[head_number::semantic]));
  CHECK(i.low.patterns[kSelf].mass < i.high.patterns[kSelf].mass);
}

TEST_CASE("role intervals: more sentences, a narrower interval, a correlation stays within 1",
          "[core][analysis][roles]") {
  Random random(4);
  const RoleIntervals few = intervals_of(drawn(random, 5, 0.5, 0.2, false)),
                      many = intervals_of(drawn(random, 80, 0.5, 0.2, false));
  const auto width = [](const RoleIntervals& i) { return i.high.patterns[kSelf].mass - i.low.patterns[kSelf].mass; };
  CHECK(width(many) < width(few));
  std::vector<RoleSums> all = drawn(random, 8, 0.5, 0.2, false);
  for (RoleSums& sums : all) {
    // A covariance, and the variances of both.
    sums.own[place_of(head_number::semantic)] = {0.9 + 0.1 * random.uniform(), 1, 1};
  }
  const RoleIntervals i = intervals_of(all);
  CHECK(i.low[head_number::semantic] < i.high[head_number::semantic]);
  CHECK(i.high[head_number::semantic] < 1);
}
