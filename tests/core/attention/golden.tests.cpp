// The whole layer against NumPy and PyTorch on the configurations of scripts/make_golden.py.
#include <catch2/catch.hpp>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/attention/forward.h"
#include "tests/support/data.h"

using namespace hydra;
using nlohmann::json;

namespace {

template <class S>
Mat<S> matrix(const json& rows) {
  Mat<S> values(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()));
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j) {
      const json& value = rows.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j));
      values(i, j) = value.is_null() ? -std::numeric_limits<S>::infinity() : value.get<S>();
    }
  return values;
}

template <class S>
LayerInput<S> layer_input(const json& c) {
  LayerInput<S> input;
  input.X = share(matrix<S>(c.at("X")));
  input.heads = c.at("heads");
  input.group_size = input.heads / c.value("kv_heads", input.heads);
  input.settings.scale = c.at("scale");
  input.settings.temperature = c.at("temperature");
  AttentionWeights<S>& w = input.weights;
  const auto bias = [&](const char* name) {
    return c.contains(name) ? share(RowVec<S>(matrix<S>(json::array({c.at(name)})))) : Array<S>();
  };
  w = {share(matrix<S>(c.at("W_Q"))),
       share(matrix<S>(c.at("W_K"))),
       share(matrix<S>(c.at("W_V"))),
       share(matrix<S>(c.at("W_O"))),
       bias("b_Q"),
       bias("b_K"),
       bias("b_V"),
       bias("b_O")};
  if (c.at("mask") == "causal") input.mask.kind = Mask::Kind::causal;
  if (c.at("mask") == "custom")
    input.mask = {Mask::Kind::custom, share(Mat<std::uint8_t>(matrix<float>(c.at("allowed")).cast<std::uint8_t>()))};
  return input;
}

// The largest deviation as a fraction of the largest golden entry. Masked scores must be the same ones.
template <class S>
double deviation(const Array<S>& array, const json& golden) {
  const Mat<S> ours = *array;
  const Mat<double> expected = matrix<double>(golden);
  REQUIRE((ours.rows() == expected.rows() && ours.cols() == expected.cols()));
  double largest = 0, worst = 0;
  for (Index k = 0; k < ours.size(); ++k) {
    const double theirs = expected.data()[k];
    if (std::isinf(theirs)) {
      REQUIRE(ours.data()[k] == -std::numeric_limits<S>::infinity());
      continue;
    }
    largest = std::max(largest, std::abs(theirs));
    const double difference = std::abs(static_cast<double>(ours.data()[k]) - theirs);
    if (!(difference <= worst)) worst = difference;  // keeps a NaN
  }
  return worst == 0 ? 0 : worst / largest;
}

const json& goldens() {
  static const json cases = json::parse(std::ifstream(hydra::test::data("attention_golden.json")));
  return cases;
}

template <class S>
constexpr double kTolerance = std::is_same_v<S, float> ? 1e-5 : 1e-12;

}  // namespace

TEMPLATE_TEST_CASE("forward: every stage equals NumPy's", "[core][attention][golden]", float, double) {
  using S = TestType;
  REQUIRE(goldens().size() >= 29);
  for (const json& c : goldens()) {
    CAPTURE(c.at("X").size(), c.at("X").at(0).size(), c.at("heads").dump(), c.at("mask").dump());
    const LayerTrace<S> trace = forward<S>(layer_input<S>(c));
    const json& expected = c.at("numpy");
    REQUIRE(trace.heads.size() == expected.at("heads").size());
    for (std::size_t h = 0; h < trace.heads.size(); ++h) {
      const HeadTrace<S>& head = trace.heads[h];
      const json& stages = expected.at("heads").at(h);
      CHECK(deviation(head.Q, stages.at("Q")) <= kTolerance<S>);
      CHECK(deviation(head.K, stages.at("K")) <= kTolerance<S>);
      CHECK(deviation(head.V, stages.at("V")) <= kTolerance<S>);
      CHECK(deviation(head.scores, stages.at("scores")) <= kTolerance<S>);
      CHECK(deviation(head.attention, stages.at("attention")) <= kTolerance<S>);
      CHECK(deviation(head.output, stages.at("output")) <= kTolerance<S>);
      CHECK(deviation(head.contribution, stages.at("contribution")) <= kTolerance<S>);
    }
    CHECK(deviation(trace.output, expected.at("output")) <= kTolerance<S>);
  }
}

TEMPLATE_TEST_CASE("forward: attention and output equal those of PyTorch's nn.MultiheadAttention",
                   "[core][attention][golden]", float, double) {
  using S = TestType;
  int compared = 0;
  for (const json& c : goldens()) {
    if (!c.contains("torch")) continue;
    CAPTURE(c.at("X").size(), c.at("X").at(0).size(), c.at("heads").dump(), c.at("mask").dump());
    const LayerTrace<S> trace = forward<S>(layer_input<S>(c));
    for (std::size_t h = 0; h < trace.heads.size(); ++h)
      CHECK(deviation(trace.heads[h].attention, c.at("torch").at("attention").at(h)) <= kTolerance<S>);
    CHECK(deviation(trace.output, c.at("torch").at("output")) <= kTolerance<S>);
    ++compared;
  }
  CHECK(compared >= 20);
}
