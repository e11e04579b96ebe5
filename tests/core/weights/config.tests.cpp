#include "core/weights/config.h"

#include <catch2/catch.hpp>

#include "core/error.h"
#include "tests/support/faults.h"

using namespace hydra;
using test::fault_at;

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
  CHECK_THROWS_WITH(check_sizes(0, 64, 8), fault_at("the sentence", "no tokens"));
  CHECK_THROWS_WITH(check_sizes(4097, 64, 8), fault_at("the sentence", "4097 tokens; at most 4096"));
  CHECK_THROWS_WITH(check_sizes(1, 0, 1), fault_at("d_model is 0", "from 1 to 1024"));
  CHECK_THROWS_WITH(check_sizes(1, 1025, 1), fault_at("d_model is 1025", "from 1 to 1024"));
  CHECK_THROWS_WITH(check_sizes(1, 64, 0), fault_at("heads is 0", "from 1 to 128"));
  CHECK_THROWS_WITH(check_sizes(1, 64, -8), fault_at("heads is -8", "from 1 to 128"));
  CHECK_THROWS_WITH(check_sizes(1, 258, 129), fault_at("heads is 129", "from 1 to 128"));
  CHECK_THROWS_WITH(check_sizes(1, 15, 4), fault_at("4 heads", "do not divide d_model 15"));
  CHECK_THROWS_AS(check_sizes(1, 15, 4), InputError);
}
