#include "core/attention/ways.h"

#include <catch2/catch.hpp>
#include <thread>

#include "core/linalg/matmul.h"
#include "core/linalg/same_bits.h"
#include "tests/support/models/layers.h"

using namespace hydra;

namespace {

struct Size {
  Index n, d_model, heads;
};
// Around the sizes of tiles and blocks, and the smallest.
constexpr Size kSizes[] = {{1, 4, 2},   {2, 2, 2},    {63, 8, 1},  {64, 8, 2},  {65, 12, 3}, {127, 8, 4},
                           {128, 4, 2}, {129, 16, 2}, {256, 4, 1}, {257, 4, 2}, {300, 8, 2}};

template <class S>
double difference(const Mat<S>& a, const Mat<S>& b) {
  return (a - b).template cast<double>().cwiseAbs().maxCoeff();
}

template <class S>
void check_against_forward(const LayerInput<S>& input, double tolerance) {
  const LayerTrace<S> trace = forward<S>(input);
  for (const WayEntry& entry : ways()) {
    CAPTURE(entry.key, input.n(), input.d_model(), input.heads, static_cast<int>(input.mask.kind));
    CHECK(difference<S>(compute<S>(input, entry.way).output, *trace.output) <= tolerance);
  }
}

}  // namespace

TEST_CASE("ways: all give what the forward pass gives, at awkward sizes and under every mask", "[core][ways]") {
  Random random(3);
  for (const Size& size : kSizes) {
    check_against_forward<double>(
        test::random_layer<double>(random, size.n, size.d_model, size.heads, true, size.heads), 1e-12);
    LayerInput<double> input = test::random_layer<double>(random, size.n, size.d_model, size.heads, true);
    check_against_forward<double>(input, 1e-12);
    input.mask = test::causal_mask();
    input.settings.temperature = 0.5;
    check_against_forward<double>(input, 1e-12);
    input.mask = test::random_mask(random, size.n);
    Mat<std::uint8_t> allowed = *input.mask.allowed;
    allowed.row(size.n / 2).setZero();       // a query that may attend to nothing
    allowed.leftCols(size.n / 2).setZero();  // and tiles in which nobody may attend to anything
    input.mask.allowed = share(std::move(allowed));
    input.settings.scale = false;
    input.gates.assign(static_cast<std::size_t>(size.heads), 0.5);
    check_against_forward<double>(input, 1e-12);
    for (const Index d_k : {1, 5, 33})
      check_against_forward<double>(test::random_layer<double>(random, size.n, size.d_model, size.heads, true, 1, d_k),
                                    1e-12);
  }
}

TEST_CASE("ways: in floats within rounding, however large the scores", "[core][ways]") {
  Random random(4);
  for (const float size : {1.0f, 30.0f}) {
    LayerInput<float> input = test::random_layer<float>(random, 200, 16, 4);
    input.X = share(Mat<float>(*input.X * size));
    // A score of size^2 rounds that much more, and its weight with it; values are of size.
    check_against_forward<float>(input, 1e-6 * static_cast<double>(size * size * size));
  }
}

TEST_CASE("ways: threads do not change a bit", "[core][ways]") {
  Random random(5);
  const LayerInput<float> input = test::random_layer<float>(random, 150, 16, 4);
  ThreadPool pool(3);
  for (const WayEntry& entry : ways())
    CHECK(same_bits<float>(share(compute<float>(input, entry.way).output),
                           share(compute<float>(input, entry.way, &pool).output)));
}

TEST_CASE("ways: memory as counted by hand", "[core][ways]") {
  Random random(6);
  for (const Index n : {400, 800}) {
    const LayerInput<float> input = test::random_layer<float>(random, n, 16, 4);
    const auto bytes = [](Index numbers) { return static_cast<std::size_t>(4 * numbers); };
    // concat, one head's Q, K and V, one pattern
    CHECK(compute<float>(input, Way::per_head).peak_bytes == bytes(16 * n + 3 * 4 * n + n * n));
    CHECK(compute<float>(input, Way::combined).peak_bytes == bytes(16 * n + 3 * 16 * n + 4 * n * n));
    const LayerInput<float> wide = test::random_layer<float>(random, n, 16, 4, false, 1, 10);  // C has 40 columns
    CHECK(compute<float>(wide, Way::per_head).peak_bytes == bytes(40 * n + 3 * 10 * n + n * n));
    CHECK(compute<float>(wide, Way::combined).peak_bytes == bytes(40 * n + 3 * 40 * n + 4 * n * n));
    // The tiles' memory does not grow with n.
    CHECK(compute<float>(input, Way::tiled).peak_bytes == bytes(16 * n + 3 * 16 * n + kTileQueries * kTileKeys));
  }
}

TEST_CASE("ways: the memory is known before", "[core][ways]") {
  Random random(7);
  for (const Index kv_heads : {4, 2, 1})
    for (const Index n : {1, 5, 127, 300}) {
      const LayerInput<float> input = test::random_layer<float>(random, n, 16, 4, true, 4 / kv_heads, n == 127 ? 7 : 0);
      for (const WayEntry& entry : ways()) {
        CAPTURE(entry.key, n, kv_heads);
        CHECK(bytes_needed(input, n, entry.way) == compute<float>(input, entry.way).peak_bytes);
      }
    }
}

TEST_CASE("ways: each ends in the middle of a run that is wanted no more", "[core][ways]") {
  Random random(8);
  const LayerInput<float> input = test::random_layer<float>(random, 1024, 64, 32),
                          small = test::random_layer<float>(random, 100, 8, 2);
  std::stop_source before;
  before.request_stop();
  ThreadPool pool(2);
  for (const WayEntry& entry : ways()) {
    CAPTURE(entry.key);
    const std::int64_t done = multiply_adds_done();
    CHECK_THROWS_AS(compute<float>(input, entry.way, &pool, before.get_token()), Stopped);
    CHECK(multiply_adds_done() == done);
    std::stop_source meanwhile;
    const std::jthread other([&] { meanwhile.request_stop(); });
    CHECK_THROWS_AS(compute<float>(input, entry.way, &pool, meanwhile.get_token()), Stopped);
    CHECK(compute<float>(small, entry.way, &pool).output.allFinite());  // the pool is whole
  }
}
