// Dropout of weights in documents: files, edits, and what is said of it.
#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/explain/explain.h"
#include "core/io/file.h"
#include "core/ops/dropout.h"
#include "tests/support/faults.h"

using namespace hydra;
using test::fault_at;

namespace {

Document dropping_document(const std::string& layer) {
  return parse_document(
      R"({"hydrascope": 1, "sentence": "a b c d e f", "d_model": 12, "layers": [{"heads": 2}, {"heads": 2)" + layer +
          "}]}",
      "file");
}

}  // namespace

TEST_CASE("dropout: files say what is wrong with it in a sentence, and keep the seed beside it",
          "[document][dropout]") {
  const struct {
    std::string layer, place, word;
  } faults[] = {{R"(, "dropout": 1)", "/layers/1/dropout", "from 0 to 0.99"},
                {R"(, "dropout": -0.1)", "/layers/1/dropout", "from 0 to 0.99"},
                {R"(, "dropout": 0.1, "dropout_seed": 1.5)", "/layers/1/dropout_seed", "whole number"},
                {R"(, "dropout": 0.1, "dropout_seed": -1)", "/layers/1/dropout_seed", "from 0 to"}};
  for (const auto& [layer, place, word] : faults) {
    INFO(layer);
    CHECK_THROWS_WITH(dropping_document(layer), fault_at(place, word));
  }
  const Document document = dropping_document(R"(, "dropout": 0.25, "dropout_seed": 7)");
  const std::string text = document_text(document);
  CHECK(text.find(R"("dropout_seed": 7)") != std::string::npos);
  CHECK(same_document(parse_document(text, "file"), document));
  CHECK(describe(SetSetting{LayerSetting::dropout, 0.25}) == "dropout 0.25");
  CHECK(describe(SetSetting{LayerSetting::dropout_seed, 7}) == "dropout seed 7");
  const Document none = hydra::apply(document, Edit(SetSetting{LayerSetting::dropout, 0}, 1));
  CHECK(same_document(none, dropping_document("")));  // the seed goes with it
}

TEST_CASE("dropout: arithmetic and formula say what is dropped, of the layer by its number", "[document][dropout]") {
  const Document document = dropping_document(R"(, "dropout": 0.5, "dropout_seed": 7)");
  const auto trace = evaluate(document);
  const dropout::Rule rule = dropout::rule_of(document.layer(1).settings, 1, 1);
  int dropped = 0;
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 6; ++j) {
      const Explanation e = explain(*trace, {{Quantity::dropped_attention, 1, 1}, i, j});
      REQUIRE(e.steps.size() == 1);
      CHECK(e.steps.back().result == Approx(e.value).margin(1e-6));
      const bool gone = dropout::Row(rule, i).factor(j) == 0;
      CHECK((e.value == 0) == gone);
      CHECK((e.steps.back().text.find("dropped: ") == 0) == gone);
      dropped += gone;
    }
  CHECK(dropped > 5);
  CHECK(formula(*trace, {Quantity::dropped_attention, 1, 1}) ==
        "D₂ = A₂ / (1 − 0.5), a share of 0.5 dropped by seed 7");
  CHECK(formula(*trace, {Quantity::output, 1, 1}) == "O₂ = D₂ V₂");
  CHECK_FALSE(exists(*trace, {Quantity::dropped_attention, 0, 1}));
}
