// The tile that shows best what a running softmax does: the first that rescales, and the query it is shown for.
#include "app/views/tradeoff/computed/tile_numbers.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "core/linalg/random.h"

using namespace hydra;

namespace {

const Mask kNone{Mask::Kind::none, nullptr}, kCausal{Mask::Kind::causal, nullptr};

Mat<float> rows(std::initializer_list<std::initializer_list<float>> values) {
  Mat<float> m(static_cast<Index>(values.size()), static_cast<Index>(values.begin()->size()));
  Index i = 0;
  for (const auto& row : values) {
    Index j = 0;
    for (const float value : row) m(i, j++) = value;
    ++i;
  }
  return m;
}

}  // namespace

TEST_CASE("tile numbers: the first tile with a larger maximum rescales", "[app][tiles]") {
  const float none = -std::numeric_limits<float>::infinity();
  const Mat<float> scores = rows({{3, 1, 2, 0}, {0, 1, 2, 5}, {none, none, 1, 1}, {0, 0, 0, 0.0001f}});
  CHECK(first_rescale(scores, kNone, 0, 2).tile == -1);
  CHECK(first_rescale(scores, kNone, 1, 2).tile == 1);
  CHECK(first_rescale(scores, kNone, 1, 2).by == Approx(std::exp(-4)));
  CHECK(first_rescale(scores, kNone, 1, 1).tile == 1);
  CHECK(first_rescale(scores, kNone, 1, 4).tile == -1);
  CHECK(first_rescale(scores, kNone, 2, 2).tile == -1);    // nothing counted before
  CHECK(first_rescale(scores, kNone, 3, 2).tile == -1);    // reads 1.000
  CHECK(first_rescale(scores, kCausal, 1, 2).tile == -1);  // hidden
}

TEST_CASE("tile numbers: the query asked for is shown if it rescales, else the one that does most", "[app][tiles]") {
  const Mat<float> scores = rows({{3, 1, 2, 0}, {0, 1, 2, 3}, {0, 0, 0, 9}, {5, 5, 5, 5}});
  CHECK(telling_query(scores, kNone, 2, 1) == 1);
  CHECK(telling_query(scores, kNone, 2, 0) == 2);
  CHECK(telling_query(scores, kNone, 4, 3) == 3);  // none does
}

TEST_CASE("tile numbers: the first rescaling is that of the running softmax", "[app][tiles]") {
  Random random(5);
  const Index n = 13;
  Mat<float> scores(n, n), V(n, 3);
  for (Mat<float>* m : {&scores, &V})
    for (Index k = 0; k < m->size(); ++k) m->data()[k] = static_cast<float>(random.normal());
  for (const Index side : {1, 2, 4, 16})
    for (Index query = 0; query < n; ++query) {
      const auto states = running_softmax<float>(scores.row(query), V, n, side);
      Index expected = -1;
      for (std::size_t k = states.size(); k-- > 1;)
        if (states[k].shrink < 0.9995f) expected = static_cast<Index>(k);
      const Rescale found = first_rescale(scores, kNone, query, side);
      CAPTURE(side, query);
      CHECK(found.tile == expected);
      if (expected >= 0) CHECK(found.by == states[static_cast<std::size_t>(expected)].shrink);
    }
}
