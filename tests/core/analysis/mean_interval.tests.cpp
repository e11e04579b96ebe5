// The interval of a mean: worked by hand, and by how often it has the mean of what was drawn.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "core/analysis/mean_interval.h"
#include "core/linalg/random.h"

using namespace hydra;

TEST_CASE("mean interval: of symmetric values it is Student's", "[core][mean_interval]") {
  // mean 2, s = 1, t(2 degrees) = 4.3027
  const double three[] = {1, 2, 3};
  const MeanInterval of = mean_interval(three);
  CHECK(of.mean == 2);
  CHECK(of.low == Approx(2 - 4.3027 / std::sqrt(3.0)));
  CHECK(of.high == Approx(2 + 4.3027 / std::sqrt(3.0)));
  const double two[] = {-1, 1};
  CHECK(mean_interval(two).high == Approx(12.7062 * std::sqrt(2.0) / std::sqrt(2.0)));
}

TEST_CASE("mean interval: Hall's ends are where his transformation has Student's", "[core][mean_interval]") {
  const double skewed[] = {0, 0, 0, 0, 0, 1, 1, 2, 3, 9};
  const MeanInterval of = mean_interval(skewed);
  double squares = 0, cubes = 0;
  for (const double value : skewed) squares += std::pow(value - 1.6, 2), cubes += std::pow(value - 1.6, 3);
  const double s = std::sqrt(squares / 9), g = cubes * 10 / (9 * 8) / (s * s * s);
  const auto transformed = [&](double mu) {
    const double W = (1.6 - mu) / s;
    return W + g * W * W / 3 + g * g * W * W * W / 27 + g / 60;
  };
  CHECK(of.mean == Approx(1.6));
  CHECK(transformed(of.low) == Approx(student(9) / std::sqrt(10.0)));
  CHECK(transformed(of.high) == Approx(-student(9) / std::sqrt(10.0)));
  CHECK(of.high - of.mean > of.mean - of.low);  // the long tail is where the mean may be
}

TEST_CASE("mean interval: of one value no ends, of equal ones themselves, of none nothing", "[core][mean_interval]") {
  const double one[] = {3}, equal[] = {2, 2, 2, 2};
  const double undefined[] = {MeanInterval::kNone, 4};
  CHECK(mean_interval(one).mean == 3);
  CHECK(std::isnan(mean_interval(one).low));
  CHECK(mean_interval(equal).low == 2);
  CHECK(mean_interval(equal).high == 2);
  CHECK(mean_interval(undefined).mean == 4);
  CHECK(std::isnan(mean_interval(undefined).high));
  CHECK(std::isnan(mean_interval({}).mean));
}

TEST_CASE("mean interval: 95 in 100 have the mean, also of effects that few sentences have", "[core][mean_interval]") {
  struct Drawn {
    const char* name;
    std::function<double(Random&)> draw;
    double mean;
    Index enough;  // rows from which it holds
  };
  const auto exponential = [](Random& random) { return -std::log(1 - random.uniform()); };
  const auto some = [&](double share) {
    return [=](Random& random) { return random.uniform() < share ? exponential(random) : 0.0; };
  };
  const Drawn all[] = {
      {"normal", [](Random& random) { return random.normal(); }, 0, 10},
      {"exponential", exponential, 1, 10},
      {"three in ten", some(0.3), 0.3, 20},
      {"one in ten", some(0.1), 0.1, 40},
      {"lognormal", [](Random& random) { return std::exp(random.normal()); }, std::exp(0.5), 40},
      {"nine in ten right", [](Random& random) { return random.uniform() < 0.9 ? 1.0 : 0.0; }, 0.9, 40}};
  for (const Drawn& of : all)
    for (const Index rows : {10, 20, 40, 64, 200, 1000}) {
      if (rows < of.enough) continue;
      CAPTURE(of.name, rows);
      Random random(hash(of.name, static_cast<std::uint64_t>(rows)));
      const int tries = rows < 200 ? 2000 : 600;
      int holds = 0;
      std::vector<double> values(static_cast<std::size_t>(rows));
      for (int k = 0; k < tries; ++k) {
        for (double& value : values) value = of.draw(random);
        const MeanInterval interval = mean_interval(values);
        if (interval.low <= of.mean && of.mean <= interval.high) ++holds;
      }
      CHECK(holds > 0.91 * tries);
      CHECK(holds < 0.985 * tries);
    }
}

TEST_CASE("share interval: worked by hand, and nothing of what is no share", "[core][analysis][mean_interval]") {
  const MeanInterval half = share_interval(0.5, 100);
  CHECK(half.low == Approx(0.40383).epsilon(1e-4));
  CHECK(half.high == Approx(0.59617).epsilon(1e-4));
  CHECK(share_interval(0, 10).low == 0);
  CHECK(share_interval(0, 10).high == Approx(0.27753).epsilon(1e-4));
  CHECK(share_interval(1, 10).high == Approx(1).epsilon(1e-12));
  for (const double share : {-0.1, 1.1, double(NAN)}) CHECK(std::isnan(share_interval(share, 10).low));
  CHECK(std::isnan(share_interval(0.5, 0).low));
}

// Of sequences with several answers, which go together or not: at least so often.
TEST_CASE("share interval: holds the share in 95 of 100, and more where a sequence has several answers",
          "[core][analysis][mean_interval]") {
  for (const double share : {0.03, 0.2, 0.5, 0.9})
    for (const Index sequences : {10, 64, 256, 1000})
      for (const int answers : {1, 8})
        for (const bool together : {false, true}) {
          CAPTURE(share, sequences, answers, together);
          Random random(hash("share", static_cast<std::uint64_t>(sequences) + static_cast<std::uint64_t>(answers)));
          int holds = 0;
          constexpr int kTries = 1000;
          for (int k = 0; k < kTries; ++k) {
            double right = 0;
            for (Index s = 0; s < sequences; ++s) {
              const bool all = random.uniform() < share;
              for (int a = 0; a < answers; ++a) right += together ? all : random.uniform() < share;
            }
            const MeanInterval interval = share_interval(right / (static_cast<double>(sequences) * answers), sequences);
            holds += interval.low <= share && share <= interval.high;
          }
          CHECK(holds > 0.91 * kTries);
          if (answers > 1 && !together) CHECK(holds > 0.99 * kTries);
        }
}
