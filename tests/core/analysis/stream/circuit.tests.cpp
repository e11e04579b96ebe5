#include "core/analysis/stream/circuit.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "tests/core/analysis/random_documents.h"

using namespace hydra;

namespace {

constexpr std::array kAll{true, true, true};

Document stack(std::uint64_t seed, int layers, Index d_model, Index heads) {
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{d_model}), SetHeads{heads});
  document.tokens = std::vector<std::string>{"a", "b"};
  for (int k = 1; k < layers; ++k) document = hydra::apply(document, {AddLayer{}, k - 1});
  for (int k = 0; k < layers; ++k)
    document = hydra::apply(document, {SetWeightSource{Init::xavier, seed * 100 + static_cast<std::uint64_t>(k)}, k});
  return document;
}

bool same(const Circuit& a, const Circuit& b) {
  if (a.heads != b.heads || a.pairs.size() != b.pairs.size()) return false;
  for (std::size_t k = 0; k < a.pairs.size(); ++k)
    for (const Into into : {Into::query, Into::key, Into::value}) {
      const Mat<double>&x = a.pairs[k]->into(into), &y = b.pairs[k]->into(into);
      if (x.rows() != y.rows() || x.cols() != y.cols()) return false;
      for (Index i = 0; i < x.size(); ++i)
        if (x.data()[i] != y.data()[i] && !(std::isnan(x.data()[i]) && std::isnan(y.data()[i]))) return false;
    }
  return true;
}

}  // namespace

TEST_CASE("circuit: all pairs of layers, each as composition has it", "[circuit]") {
  const auto trace = evaluate(stack(3, 4, 32, 4));
  const Circuit circuit = CircuitMeasures().of(*trace);
  CHECK(circuit.layers() == 4);
  CHECK(circuit.count() == 6 * 16 * 3);
  for (int later = 1; later < 4; ++later)
    for (int earlier = 0; earlier < later; ++earlier) {
      const Composition pair = composition(writes_of(trace->layer(earlier).input), reads_of(trace->layer(later).input));
      CHECK(circuit.between(earlier, later).query == pair.query);
      CHECK(circuit.score({earlier, 1, later, 2, Into::key}) == pair.key(1, 2));
    }
  CHECK(circuit.has({0, 3, 1, 3, Into::value}));
  CHECK_FALSE(circuit.has({1, 0, 1, 0, Into::value}));
  CHECK_FALSE(circuit.has({0, 4, 1, 0, Into::value}));
  CHECK_FALSE(circuit.has({0, 0, 4, 0, Into::value}));
}

TEST_CASE("circuit: one layer has no lines and needs no random heads", "[circuit]") {
  const Circuit circuit = CircuitMeasures().of(*evaluate(stack(1, 1, 16, 2)));
  CHECK(circuit.pairs.empty());
  CHECK(circuit.count() == 0);
  CHECK_FALSE(circuit.random);
  CHECK(lines_from(circuit, 0, kAll).empty());
}

TEST_CASE("circuit: lines come from a threshold up, the strongest first, into what is asked for", "[circuit]") {
  const Circuit circuit = CircuitMeasures().of(*evaluate(stack(5, 3, 16, 4)));
  CHECK(lines_from(circuit, 0, kAll).size() == circuit.count());
  const std::vector<CircuitLine> lines = lines_from(circuit, 0.3, kAll);
  REQUIRE_FALSE(lines.empty());
  for (std::size_t k = 0; k < lines.size(); ++k) {
    CHECK(lines[k].score >= 0.3);
    CHECK(lines[k].score == circuit.score(lines[k]));
    if (k > 0) CHECK(lines[k].score <= lines[k - 1].score);
  }
  const std::vector<CircuitLine> keys = lines_from(circuit, 0.3, {false, true, false});
  CHECK(keys.size() < lines.size());
  for (const CircuitLine& line : keys) CHECK(line.into == Into::key);
}

// The claim of the page: at the usual threshold a stack without training shows 1 % of its lines, or about 20.
TEST_CASE("circuit: random stacks show few lines at the usual threshold, over hundreds of seeds", "[circuit]") {
  struct Size {
    int layers;
    Index d_model, heads;
    int seeds;
  };
  for (const Size size : {Size{2, 16, 2, 300},
                          {2, 64, 8, 200},
                          {3, 32, 4, 200},
                          {4, 32, 1, 100},
                          {2, 16, 16, 100},
                          {12, 48, 12, 20},
                          {24, 32, 4, 20}}) {
    CircuitMeasures measures;
    double passed = 0, expected = 0;
    for (int seed = 1; seed <= size.seeds; ++seed) {
      const Circuit circuit =
          measures.of(*evaluate(stack(static_cast<std::uint64_t>(seed), size.layers, size.d_model, size.heads)));
      const double least = circuit.usual_least();
      passed += static_cast<double>(lines_from(circuit, least, kAll).size());
      expected += circuit.random->share(least) * static_cast<double>(circuit.count());
      CHECK(circuit.random->share(least) * static_cast<double>(circuit.count()) <= 20.001);
    }
    CAPTURE(size.layers, size.d_model, size.heads, passed / size.seeds, expected / size.seeds);
    CHECK(passed > 0.3 * expected);
    CHECK(passed < 2 * expected);
  }
}

TEST_CASE("circuit: the share of random heads falls from all to none, and is where it was asked to be", "[circuit]") {
  const Circuit circuit = CircuitMeasures().of(*evaluate(stack(1, 2, 64, 8)));
  const RandomScores& random = *circuit.random;
  CHECK(random.share(0) == 1);
  CHECK(random.share(1.01) < 1e-12);
  double last = 1;
  for (double least = 0; least < 0.4; least += 0.001) {
    CHECK(random.share(least) <= last + 2e-3);  // where the tail begins the two meet but for rounding
    last = random.share(least);
  }
  for (const double share : {0.9, 0.5, 0.1, 0.02, 0.01, 1e-3, 1e-6})
    CHECK(random.share(random.least(share)) == Approx(share).epsilon(0.02));
  double square = 0;
  for (const double score : random.sorted()) square += score * score;
  CHECK(std::sqrt(square / static_cast<double>(random.sorted().size())) ==
        Approx(random_composition(64)).epsilon(0.03));
  CHECK(random_scores(32, 4, 8) == random_scores(32, 4, 8));
}

// A head may be wider than the stream that it reads: then its form has all of the stream's rank.
TEST_CASE("circuit: heads wider than d_model, alone and beside narrow ones", "[circuit]") {
  for (const Index d_model : {1, 2, 4})
    for (const auto& [first, second] : {std::pair<Index, Index>{64, 64}, {64, 1}, {1, 64}, {2, 4}}) {
      Document document = stack(1, 2, d_model, 1);
      document = hydra::apply(document, {SetHeadSizes{1, first}, 0});
      document = hydra::apply(document, {SetHeadSizes{1, second}, 1});
      const Circuit circuit = CircuitMeasures().of(*evaluate(document));
      CAPTURE(d_model, first, second);
      for (const double score : circuit.random->sorted()) {
        CHECK(score > 0);
        CHECK(score < 1 + 1e-6);
      }
      for (const CircuitLine& line : lines_from(circuit, 0, kAll)) {
        CHECK(line.score < 1 + 1e-6);
        if (d_model == 1) CHECK(line.score == Approx(1));  // numbers, of which each reads the other
      }
      CHECK(lines_from(circuit, 0, kAll).size() == 3);
      CHECK(std::isfinite(circuit.usual_least()));
    }
}

TEST_CASE("circuit: after any edit the same as from nothing, and only what changed is measured again", "[circuit]") {
  CircuitMeasures measures;
  Document document = stack(1, 4, 16, 2);
  Circuit before = measures.of(*evaluate(document));
  const auto edit = [&](const Edit& made) {
    document = hydra::apply(document, made);
    const auto trace = evaluate(document);
    std::atomic<int> done = 0;
    const Circuit now = measures.of(*trace, {}, &done);
    CHECK(done == static_cast<int>(now.pairs.size()));
    CHECK(same(now, CircuitMeasures().of(*trace)));
    return now;
  };
  Circuit now = edit({set_cell(Quantity::W_Q, 1, 2, 0.7f), 2});  // read by, and reads: layer 3 of 4
  for (std::size_t k : {0, 3, 4, 5}) CHECK(now.pairs[k] == before.pairs[k]);
  for (std::size_t k : {1, 2}) CHECK(now.pairs[k] != before.pairs[k]);
  CHECK(now.random == before.random);
  before = now;
  now = edit({SetSentence{"three other words"}, 0});
  for (std::size_t k = 0; k < 6; ++k) CHECK(now.pairs[k] == before.pairs[k]);
  edit({SetHeads{4}, 1});
  edit({SetSplit{Split::slice}, 2});
  edit({SetKvHeads{1}, 1});
  edit({RemoveLayer{}, 0});
}

TEST_CASE("circuit: a stop ends it between two pairs of layers", "[circuit]") {
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(CircuitMeasures().of(*evaluate(stack(1, 3, 16, 2)), stop.get_token()), Stopped);
}
