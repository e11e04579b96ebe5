#include "core/explain/explain.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "core/document/evaluate.h"
#include "core/model/program.h"
#include "tests/core/analysis/random_documents.h"
#include "tests/core/explain/laws.h"
#include "tests/support/sanitized.h"

using namespace hydra;
using namespace hydra::test;

namespace {

// What the program says a quantity is made of; of the quantities that C stands for, too.
bool is_operand(const Trace& trace, Quantity operand, const Site& site) {
  const Quantity result = site.quantity;
  const auto reads = program_at(trace, site).node_of(result).reads();
  if (result == Quantity::Y && (operand == Quantity::concat || operand == Quantity::W_O)) return true;
  return std::find(reads.begin(), reads.end(), operand) != reads.end();
}

}  // namespace

TEST_CASE("explain: every number of random configurations adds up", "[core][explain]") {
  for (std::uint64_t seed = 0; seed < (test::kSanitized ? 20 : 100); ++seed) {
    INFO("seed " << seed);
    const auto trace = evaluate(test::some_document(seed));
    test::for_each_matrix(*trace, [&](const Site& ref) {
      const Shape shape = shape_of(*trace, ref);
      for (Index row = 0; row < shape.rows; ++row)
        for (Index col = 0; col < shape.cols; ++col) test::check_adds_up(*trace, explain(*trace, {ref, row, col}));
    });
  }
}

TEST_CASE("explain: numbers come from where the program says, so a walk always ends", "[core][explain]") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto trace = evaluate(test::some_document(seed));
    test::for_each_matrix(*trace, [&](const Site& ref) {
      for (const Step& step : explain(*trace, {ref, 0, 0}).steps)
        for (const Term& term : step.terms)
          for (const Operand& factor : term.factors)
            if (factor.source) {
              const Site& source = factor.source->site;
              if (ref.quantity == Quantity::X && ref.layer > 0)
                REQUIRE(source == leaves_of(*trace, ref.layer - 1));
              else if ((ref.quantity == Quantity::final || ref.quantity == Quantity::transformed) &&
                       !is_parameter(source.quantity) && source.quantity != Quantity::activated)
                REQUIRE(source == last_stream(*trace));
              else
                REQUIRE((source.layer == ref.layer && is_operand(*trace, source.quantity, ref)));
            }
    });
  }
}

TEST_CASE("explain: the first operands lead from Y to an input number", "[core][explain]") {
  const auto trace = evaluate(default_document());
  Cell cell{{Quantity::Y}, 7, 12};
  std::string path;
  for (int depth = 0; depth < 12; ++depth) {
    path += symbol(cell.site, true) + " ";
    const Explanation e = explain(*trace, cell);
    if (e.steps[0].terms.empty()) break;
    REQUIRE(e.steps[0].terms[0].factors[0].source);
    cell = *e.steps[0].terms[0].factors[0].source;
  }
  CHECK(path == "Y Z_1 O_1 A_1 S_1 Q_1 X E ");
}

TEST_CASE("explain: a score is its dot product, scaled", "[core][explain]") {
  const auto trace = evaluate(default_document());
  const Explanation e = explain(*trace, {{Quantity::scores, 0, 2}, 7, 1});
  CHECK(e.title == "S₃[it → animal]");
  REQUIRE(e.steps.size() == 2);
  CHECK(e.steps[0].terms.size() == 8);
  CHECK(e.steps[0].terms[3].label == "k = 3");
  CHECK(e.steps[0].terms[3].factors[1].source == Cell{{Quantity::K, 0, 2}, 1, 3});
  CHECK(e.steps[1].terms[0].factors[1].label == "√8");
  CHECK(e.steps[1].terms[0].factors[1].value == Approx(std::sqrt(8.0)));
}

TEST_CASE("explain: scale, temperature and mask each have their step", "[core][explain]") {
  Document document = default_document();
  document.layers[0].settings.scale = false;
  const Cell cell{{Quantity::scores, 0, 0}, 3, 1};
  CHECK(explain(*evaluate(document), cell).steps.size() == 1);
  document.layers[0].settings.temperature = 2;
  CHECK(explain(*evaluate(document), cell).steps.size() == 2);
  document.layers[0].mask.kind = Mask::Kind::causal;
  const auto trace = evaluate(document);
  CHECK(explain(*trace, cell).steps.size() == 3);
  const Explanation hidden = explain(*trace, {{Quantity::scores, 0, 0}, 1, 3});
  CHECK(hidden.masked);
  CHECK(hidden.steps.size() == 1);
  CHECK(hidden.steps[0].terms.empty());
}

TEST_CASE("explain: a masked key weighs nothing, a row without keys says so", "[core][explain]") {
  Document document = default_document();
  Mat<std::uint8_t> allowed = Mat<std::uint8_t>::Ones(12, 12);
  allowed.row(4).setZero();
  allowed(5, 1) = 0;
  document.layers[0].mask = {Mask::Kind::custom, share(std::move(allowed))};
  const auto trace = evaluate(document);
  REQUIRE(trace->tokens.size() == 12);
  const Explanation hidden = explain(*trace, {{Quantity::attention, 0, 0}, 5, 1});
  CHECK(hidden.masked);
  CHECK(hidden.steps.size() == 1);
  CHECK(hidden.steps[0].result == 0);
  const Explanation beside = explain(*trace, {{Quantity::attention, 0, 0}, 5, 2});
  REQUIRE(beside.steps.size() == 3);
  CHECK(beside.steps[1].terms.size() == 11);  // the keys that the row sees
  CHECK(std::ranges::all_of(beside.steps[1].terms, [](const Term& term) { return term.value > 0; }));
  const Explanation row = explain(*trace, {{Quantity::attention, 0, 0}, 4, 1});
  REQUIRE(row.steps.size() == 1);
  CHECK(row.steps[0].text.find("nothing to attend to") != std::string::npos);
  CHECK(row.steps[0].result == 0);
}

TEST_CASE("explain: an entry of X set by hand is an input number", "[core][explain]") {
  Document document = default_document();
  document.embedding.edits = {{2, 5, 9.0f}};
  const auto trace = evaluate(document);
  CHECK(explain(*trace, {{Quantity::X}, 2, 5}).steps[0].terms.empty());
  CHECK(explain(*trace, {{Quantity::X}, 2, 6}).steps[0].terms.size() == 2);
}

TEST_CASE("explain: biases add a step, and Y has two readings", "[core][explain]") {
  Document document = default_document();
  document.layers[0].weights.b_Q = document.layers[0].weights.b_O =
      share(RowVec<float>(RowVec<float>::Constant(64, 2)));
  const auto trace = evaluate(document);
  const Explanation q = explain(*trace, {{Quantity::Q, 0, 4}, 2, 5});
  REQUIRE(q.steps.size() == 2);
  CHECK(q.steps[1].terms[1].factors[0].source == Cell{{Quantity::b_Q, 0, 4}, 0, 5});
  const Explanation y = explain(*trace, {{Quantity::Y}, 2, 5});
  REQUIRE(y.steps.size() == 3);
  CHECK(y.steps[0].terms.size() == 9);
  CHECK(y.steps[1].terms.size() == 64);
}

TEST_CASE("explain: the mean is over the chosen heads", "[core][explain]") {
  const auto trace = evaluate(default_document());
  std::vector<bool> chosen(8, false);
  chosen[1] = chosen[6] = true;
  const Explanation e = explain(*trace, {{Quantity::mean_attention}, 3, 4}, chosen);
  REQUIRE(e.steps[0].terms.size() == 2);
  CHECK(e.steps[0].terms[1].label == "head 7");
  const auto& heads = trace->layers[0].heads;
  CHECK(e.value == Approx(((*heads[1].attention)(3, 4) + (*heads[6].attention)(3, 4)) / 2));
}

TEST_CASE("explain: a weight of a head names its place in the combined matrix", "[core][explain]") {
  const auto trace = evaluate(default_document());
  const Explanation e = explain(*trace, {{Quantity::W_Q, 0, 2}, 3, 4});
  CHECK(e.steps[0].text == "a weight: an input number; in the combined matrix it is W_Q[3, 20]");
}
