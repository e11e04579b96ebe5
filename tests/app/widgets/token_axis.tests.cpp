// Which words stand along an edge that has no room for all of them.
#include "app/widgets/token_axis.h"

#include <catch2/catch.hpp>

using namespace hydra;

namespace {

std::vector<int> labelled(int count, int stride, int marked) {
  std::vector<int> tokens;
  for (int t = 0; t < count; ++t)
    if (is_labelled(t, stride, marked)) tokens.push_back(t);
  return tokens;
}

}  // namespace

TEST_CASE("token axis: the marked word has a label, and none runs into it", "[widgets]") {
  CHECK(labelled(7, 1, -1) == std::vector<int>{0, 1, 2, 3, 4, 5, 6});
  CHECK(labelled(7, 1, 3) == std::vector<int>{0, 1, 2, 3, 4, 5, 6});
  CHECK(labelled(7, 2, -1) == std::vector<int>{0, 2, 4, 6});
  CHECK(labelled(7, 2, 4) == std::vector<int>{0, 2, 4, 6});
  CHECK(labelled(7, 2, 3) == std::vector<int>{0, 3, 6});
  CHECK(labelled(7, 3, 0) == std::vector<int>{0, 3, 6});
  CHECK(labelled(7, 3, 1) == std::vector<int>{1, 6});
  for (int stride = 1; stride < 6; ++stride)
    for (int marked = 0; marked < 12; ++marked) {
      const std::vector<int> tokens = labelled(12, stride, marked);
      CHECK(std::find(tokens.begin(), tokens.end(), marked) != tokens.end());
      for (std::size_t k = 1; k < tokens.size(); ++k) CHECK(tokens[k] - tokens[k - 1] >= stride);
    }
}
