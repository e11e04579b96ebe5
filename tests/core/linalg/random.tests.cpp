#include "core/linalg/random.h"

#include <catch2/catch.hpp>

using namespace hydra;

TEST_CASE("random: SplitMix64's published values for seed 1234567", "[core][random]") {
  Random random(1234567);
  CHECK(random.bits() == 6457827717110365317ULL);
  CHECK(random.bits() == 3203168211198807973ULL);
  CHECK(random.bits() == 9817491932198370423ULL);
}

TEST_CASE("random: uniform from 0 to below 1, normal with mean 0 and variance 1", "[core][random]") {
  Random random(5);
  double sum = 0, squares = 0, low = 1, high = 0;
  const int count = 100000;
  for (int k = 0; k < count; ++k) {
    const double u = random.uniform();
    low = std::min(low, u);
    high = std::max(high, u);
    const double z = random.normal();
    sum += z;
    squares += z * z;
  }
  CHECK((low >= 0 && low < 0.001));
  CHECK((high < 1 && high > 0.999));
  CHECK(std::abs(sum / count) < 0.02);
  CHECK(squares / count == Approx(1).epsilon(0.02));
}

TEST_CASE("random: the hash depends on every byte, the length and the seed", "[core][random]") {
  CHECK(hash("cat", 1) == hash("cat", 1));
  CHECK(hash("cat", 1) != hash("cat", 2));
  CHECK(hash("cat", 1) != hash("cas", 1));
  CHECK(hash("cat", 1) != hash(std::string_view("cat\0", 4), 1));
  CHECK(hash("", 0) != hash("", 1));
}
