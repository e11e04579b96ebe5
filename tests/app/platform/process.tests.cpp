#include "app/platform/process.h"

#include <catch2/catch.hpp>

using namespace hydra;

TEST_CASE("process: it is as old as its tests are, and takes some memory", "[platform]") {
  const double before = seconds_since_start();
  CHECK(before >= 0);
  CHECK(before < 3600);
  CHECK(seconds_since_start() >= before);
  CHECK(resident_megabytes() > 1);
  CHECK(resident_megabytes() < 4096);
}
