#include "core/weights/config.h"

#include <catch2/catch.hpp>

#include "core/error.h"

using namespace hydra;

TEST_CASE("config: the head counts of a width are its divisors up to the limit", "[core][config]") {
  CHECK(head_counts(1) == std::vector<Index>{1});
  CHECK(head_counts(12) == std::vector<Index>{1, 2, 3, 4, 6, 12});
  CHECK(head_counts(13) == std::vector<Index>{1, 13});
  CHECK(head_counts(512) == std::vector<Index>{1, 2, 4, 8, 16, 32, 64, 128});
}

TEST_CASE("config: sizes within the limits pass", "[core][config]") {
  CHECK_NOTHROW(check_sizes(1, 1, 1));
  CHECK_NOTHROW(check_sizes(12, 64, 8));
  CHECK_NOTHROW(check_sizes(1024, 1024, 128));
}

TEST_CASE("config: other sizes are refused with one sentence", "[core][config]") {
  CHECK_THROWS_WITH(check_sizes(0, 64, 8), "the sentence has no tokens; at least 1 is needed");
  CHECK_THROWS_WITH(check_sizes(1025, 64, 8), "the sentence has 1025 tokens; at most 1024 are possible");
  CHECK_THROWS_WITH(check_sizes(1, 0, 1), "d_model is 0; it must be from 1 to 1024");
  CHECK_THROWS_WITH(check_sizes(1, 1025, 1), "d_model is 1025; it must be from 1 to 1024");
  CHECK_THROWS_WITH(check_sizes(1, 64, 0), "heads is 0; it must be from 1 to 128");
  CHECK_THROWS_WITH(check_sizes(1, 64, -8), "heads is -8; it must be from 1 to 128");
  CHECK_THROWS_WITH(check_sizes(1, 258, 129), "heads is 129; it must be from 1 to 128");
  CHECK_THROWS_WITH(check_sizes(1, 15, 4), "4 heads do not divide d_model 15; possible are 1, 3, 5, 15");
  CHECK_THROWS_AS(check_sizes(1, 15, 4), InputError);
}
