// What stands before the layers and after them besides tables, the final norm and the readout: types of tokens, the
// norm after the embedding, the transform, the cap of the logits. Worked by hand.
#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/document/model.h"
#include "core/explain/explain.h"
#include "core/explain/links.h"
#include "core/io/file.h"
#include "core/learn/model.h"
#include "core/text/token_types.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using M = ModelSetting;
using test::fault_at;

namespace {

// "it [SEP] it": two numbers a token, one head that gives nothing, so that what is read out is X.
Document small(const std::string& embedding, const std::string& more = "") {
  return parse_document(R"({"hydrascope": 1, "tokens": ["it", "[SEP]", "it"], "d_model": 2, "layers": [{"heads": 1,
    "residual": true, "weights": {"init": "zero"}}], "embedding": {"kind": "learned", "positions": "none",
    "vocabulary": ["it", "[SEP]"], "E": [[1, 2], [3, -1]])" +
                            embedding + "}" + more + "}",
                        "f");
}

const char* const kTypes = R"(, "types": 2, "T": [[10, 0], [0, 10]])";

Mat<float> numbers(std::initializer_list<float> all) {
  Mat<float> rows(static_cast<Index>(all.size()) / 2, 2);
  std::ranges::copy(all, rows.data());
  return rows;
}

bool is_near(const Array<float>& ours, const Mat<float>& theirs) {
  return ours.rows() == theirs.rows() && (*ours - theirs).cwiseAbs().maxCoeff() < 1e-6f;
}

}  // namespace

TEST_CASE("model ends: types change behind the first [SEP], and once", "[model_ends]") {
  const std::vector<std::string> tokens{"[CLS]", "a", "[SEP]", "b", "[SEP]", "c"};
  CHECK(token_types(tokens, 2) == IndexLists{{0}, {0}, {0}, {1}, {1}, {1}});
  CHECK(token_types(tokens, 5) == token_types(tokens, 2));
  CHECK(token_types(tokens, 1) == IndexLists{{0}, {0}, {0}, {0}, {0}, {0}});
  CHECK(token_types(std::vector<std::string>{"SEP", "[sep]", "a"}, 2) == IndexLists{{0}, {0}, {0}});
}

TEST_CASE("model ends: a token's type is a row of a table that is added", "[model_ends]") {
  const auto trace = evaluate(small(kTypes));
  CHECK(*trace->types == numbers({10, 0, 10, 0, 0, 10}));
  CHECK(*trace->X == numbers({11, 2, 13, -1, 1, 12}));
  CHECK_FALSE(trace->summed);
  CHECK(formula(*trace, {Quantity::X}) == "X = E + S");
  CHECK(formula(*trace, {Quantity::T}) == "W_S = a row for each type of tokens");
  CHECK(cell_title(*trace, {{Quantity::types}, 2, 1}) == "S[it, 1]");
  const Explanation X = explain(*trace, {{Quantity::X}, 2, 1});
  REQUIRE(X.steps.size() == 1);
  CHECK(X.steps[0].terms[1].factors[0].source == Cell{{Quantity::types}, 2, 1});
  CHECK(explain(*trace, {{Quantity::types}, 2, 1}).steps[0].terms[0].factors[0].source == Cell{{Quantity::T}, 1, 1});
  // Of one table row the tokens of that type, and the other way.
  CHECK(linked(*trace, {{Quantity::T}, 0, 1}, {Quantity::X}) ==
        std::vector<Region>{{0, 1, 1, 2, Region::Role::affected}, {1, 2, 1, 2, Region::Role::affected}});
  CHECK(linked(*trace, {{Quantity::X}, 2, 1}, {Quantity::T}) == std::vector<Region>{{1, 2, 1, 2, Region::Role::input}});
}

TEST_CASE("model ends: what words, places and types add up to is normed, and the norm is X", "[model_ends]") {
  const std::string tables = std::string(kTypes) + R"(, "positions": "learned", "P": [[0, 0], [0, 2], [1, 0]])";
  const Document layer = parse_document(R"({"hydrascope": 1, "tokens": ["it", "[SEP]", "it"], "d_model": 2,
    "layers": [{"heads": 1, "residual": true, "weights": {"init": "zero"}}], "embedding": {"kind": "learned",
    "vocabulary": ["it", "[SEP]"], "E": [[1, 2], [3, -1]])" +
                                            tables + R"(}, "embedding_norm": {"kind": "layer",
    "epsilon": 1e-12, "gain_E": [2, 1], "shift_E": [0, 5]}})",
                                        "f");
  const auto trace = evaluate(layer);
  CHECK(*trace->summed == numbers({11, 2, 13, 1, 2, 12}));
  CHECK(is_near(trace->X, numbers({2, 4, 2, 4, -2, 6})));
  CHECK(trace->layers[0].input.X == trace->X);
  CHECK(formula(*trace, {Quantity::summed}) == "X° = E + P + S");
  CHECK(formula(*trace, {Quantity::X}) == "X = (X° − mean) / √(variance + ε) ⊙ γ_E + β_E");
  const Explanation X = explain(*trace, {{Quantity::X}, 2, 1});
  CHECK(X.steps.back().result == Approx(6));
  CHECK(linked(*trace, {{Quantity::gain_E}, 0, 1}, {Quantity::X}) ==
        std::vector<Region>{{0, 3, 1, 2, Region::Role::affected}});
  CHECK(linked(*trace, {{Quantity::X}, 2, 1}, {Quantity::summed}) ==
        std::vector<Region>{{2, 3, 0, 2, Region::Role::input}});
  CHECK(linked(*trace, {{Quantity::T}, 1, 0}, {Quantity::X}) ==
        std::vector<Region>{{2, 3, 0, 2, Region::Role::affected}});

  const Document rms = hydra::apply(layer, SetModelSetting{M::embedding_norm_kind, 1});
  CHECK_FALSE(rms.weights.shift_E);
  CHECK(static_cast<double>((*evaluate(rms)->X)(0, 0)) == Approx(2 * 11 / std::sqrt((121 + 4) / 2.0)));

  // An entry that is set by hand stands in the place of what the norm gives, and only there.
  const auto edited = evaluate(hydra::apply(layer, set_cell(Quantity::X, 1, 0, 7)));
  CHECK((*edited->X)(1, 0) == 7);
  CHECK((*edited->X)(1, 1) == (*trace->X)(1, 1));
  CHECK_THAT(explain(*edited, {{Quantity::X}, 1, 0}).steps[0].text, Contains("set by hand"));
  CHECK(explain(*edited, {{Quantity::X}, 1, 1}).steps.size() > 3);
  // What is set to what it is anyway is no edit: rows as they are seeded go through the norm as well.
  CHECK(seeded_rows(layer, 1, 2) == Mat<float>(trace->X->bottomRows(2)));
}

TEST_CASE("model ends: a stage of the embedding stays where nothing of it changed", "[model_ends]") {
  Document document = small(kTypes, R"(, "embedding_norm": {"kind": "layer"})");
  const auto first = evaluate(document);
  const auto gained = evaluate(hydra::apply(document, set_cell(Quantity::gain_E, 0, 1, 3)), first.get());
  CHECK(gained->summed == first->summed);
  CHECK_FALSE(gained->X == first->X);
  CHECK((*gained->X)(0, 1) == 3 * (*first->X)(0, 1));
  document.tokens = {{"it", "it", "it"}};  // of which none is of the second type
  const auto one = evaluate(document);
  CHECK(evaluate(hydra::apply(document, set_cell(Quantity::T, 1, 0, 9)), one.get())->X == one->X);
  CHECK_FALSE(evaluate(hydra::apply(document, set_cell(Quantity::T, 0, 0, 9)), one.get())->X == one->X);
}

TEST_CASE("model ends: the transform is a linear map and an activation before the norm and the readout",
          "[model_ends]") {
  const Document document = small("", R"(, "transform": {"activation": "relu", "W_T": [[1, 0], [1, -1]],
    "b_T": [0, 1]}, "readout": {"kind": "tied"})");
  const auto trace = evaluate(document);
  CHECK(*trace->model.transformed == numbers({3, -1, 2, 2, 3, -1}));  // of [1, 2] and [3, -1]
  CHECK(*trace->model.activated == numbers({3, 0, 2, 2, 3, 0}));
  CHECK(trace->model.final == trace->model.activated);
  CHECK(*trace->model.logits == numbers({3, 9, 6, 4, 3, 9}));
  CHECK(formula(*trace, {Quantity::transformed}) == "M = R W_T + b_T");
  CHECK(formula(*trace, {Quantity::activated}) == "M' = relu(M)");
  CHECK(formula(*trace, {Quantity::final}) == "N = M'");
  CHECK(explain(*trace, {{Quantity::transformed}, 0, 1}).steps.size() == 2);
  const auto normed = evaluate(hydra::apply(document, SetModelSetting{M::final_norm, 1}));
  CHECK(is_near(normed->model.final, numbers({1, -1, 0, 0, 1, -1}) * (1 / std::sqrt(1 + 1e-5f / 2.25f))));
  const auto smooth = evaluate(hydra::apply(document, SetModelSetting{M::transform_activation, 1}));
  CHECK(static_cast<double>((*smooth->model.activated)(0, 1)) == Approx(-0.15865525).epsilon(1e-4));
  CHECK(linked(*trace, {{Quantity::W_T}, 0, 1}, {Quantity::logits}) ==
        std::vector<Region>{{0, 3, 0, 2, Region::Role::affected}});
}

TEST_CASE("model ends: capped logits are c tanh(l / c), and their probabilities those of the capped", "[model_ends]") {
  const Document document = small("", R"(, "readout": {"kind": "tied", "cap": 4})");
  const auto trace = evaluate(document), free = evaluate(hydra::apply(document, SetModelSetting{M::logit_cap, 0}));
  CHECK(*free->model.logits == numbers({5, 1, 1, 10, 5, 1}));
  const double first = 4 * std::tanh(1.25), second = 4 * std::tanh(0.25);
  CHECK(static_cast<double>((*trace->model.logits)(0, 0)) == Approx(first));
  CHECK(static_cast<double>((*trace->model.logits)(0, 1)) == Approx(second));
  CHECK(static_cast<double>((*trace->model.probabilities)(0, 0)) == Approx(1 / (1 + std::exp(second - first))));
  CHECK(formula(*trace, {Quantity::logits}) == "L = 4 tanh((N W_Eᵀ) / 4)");
  const Explanation logit = explain(*trace, {{Quantity::logits}, 0, 0});
  REQUIRE(logit.steps.size() == 4);
  CHECK(logit.steps[0].result == 5);
  CHECK(logit.steps[1].formula == "logit / c");
  CHECK(logit.steps[3].result == Approx(first));
  CHECK(hydra::apply(document, SetModelSetting{M::readout, 0}).settings.logit_cap == 0);
}

TEST_CASE("model ends: all of it is written and read again, edits as edits", "[model_ends]") {
  Document document = small(R"(, "types": 3)", R"(, "embedding_norm": {"kind": "rms", "epsilon": 1e-12},
    "transform": {"activation": "silu"}, "final_norm": {}, "readout": {"kind": "own", "cap": 30})");
  const std::string plain = document_text(document);
  CHECK_THAT(plain, Contains(R"("types": 3)") && Contains(R"("embedding_norm": {)") &&
                        Contains(R"("epsilon": 1e-12)") && Contains(R"("activation": "silu")") &&
                        Contains(R"("cap": 30)") && !Contains("W_T"));
  CHECK(same_document(parse_document(plain, "f"), document));
  for (const auto& [quantity, row] :
       {std::pair(Quantity::T, 2), {Quantity::W_T, 1}, {Quantity::b_T, 0}, {Quantity::gain_E, 0}}) {
    CAPTURE(entry_of(quantity).key);
    const Document changed = hydra::apply(document, set_cell(quantity, row, 1, 2.5f));
    CHECK_FALSE(same_document(changed, document));
    CHECK(same_document(parse_document(document_text(changed), "f"), changed));
  }
  // With the switch goes what belongs to it.
  document = hydra::apply(hydra::apply(document, SetModelSetting{M::transform, 0}), SetModelSetting{M::types, 0});
  CHECK_FALSE(document.weights.W_T);
  CHECK_FALSE(document.weights.T);
  CHECK(document.settings.transform_activation == Activation::gelu);
  CHECK(describe(SetModelSetting{M::types, 2}) == "token types 2");
}

TEST_CASE("model ends: what is wrong is said with its place and a remedy", "[model_ends]") {
  const auto refused = [](const std::string& embedding, const std::string& more, const std::string& place,
                          const std::string& word) {
    CHECK_THROWS_WITH(small(embedding, more), fault_at("f: " + place, word));
  };
  refused(R"(, "types": 17)", "", "/embedding/types", "from 0 to 16");
  refused(R"(, "types": 1.5)", "", "/embedding/types", "whole number");
  refused(R"(, "T": [[1, 2]])", "", "/embedding/T", "\"types\"");
  refused(R"(, "types": 2, "T": [[1, 2]])", "", "/embedding/T", "1 row where 2");
  refused("", R"(, "embedding_norm": {"epsilon": 0})", "/embedding_norm/epsilon", "from 1e-12 to 1");
  refused("", R"(, "embedding_norm": {"kind": "rms", "shift_E": [1, 2]})", "/embedding_norm/shift_E",
          "for a layer norm");
  refused("", R"(, "transform": {"activation": "tanh"})", "/transform/activation", "\"gelu\"");
  refused("", R"(, "transform": {"W_T": [[1, 2]]})", "/transform/W_T", "1 row where 2");
  refused("", R"(, "readout": {"cap": 3})", "/readout/cap", "of a readout");
  refused("", R"(, "readout": {"kind": "tied", "cap": -1})", "/readout/cap", "from 0 to 1000");
  const auto other = [](const std::string& text) { return parse_document(R"({"hydrascope": 1, )" + text + "}", "f"); };
  CHECK_THROWS_WITH(other(R"("embedding": {"types": 2})"), fault_at("f: /embedding/types", "for learned embeddings"));
  CHECK_THROWS_WITH(other(R"("tokens": ["a"], "d_model": 1, "layers": [{"heads": 1}],
                              "embedding": {"kind": "explicit", "X": [[1]]}, "embedding_norm": {})"),
                    fault_at("f: /embedding_norm", "words that are embedded"));
  CHECK_THROWS_WITH(hydra::apply(default_document(), SetModelSetting{M::types, 2}),
                    Contains("let the embedding be learned"));
  const Document given = other(R"("tokens": ["a"], "d_model": 1, "layers": [{"heads": 1}],
                                  "embedding": {"kind": "explicit", "X": [[1]]})");
  CHECK_THROWS_WITH(hydra::apply(given, SetModelSetting{M::embedding_norm, 1}), Contains("given number by number"));
}

TEST_CASE("model ends: what is not trained is refused by name", "[model_ends]") {
  Document document = small("", R"(, "readout": {"kind": "tied"})");
  learn::Running running;
  running.length = 3, running.slots = 1;
  CHECK_NOTHROW(learn::shape_of(document, running));
  for (const auto& [setting, value, part] : {std::tuple(M::types, 2.0, "types of tokens"),
                                             {M::embedding_norm, 1.0, "norms its embedding"},
                                             {M::transform, 1.0, "transform"},
                                             {M::logit_cap, 3.0, "capped"}})
    CHECK_THROWS_WITH(learn::shape_of(hydra::apply(document, SetModelSetting{setting, value}), running),
                      Contains(part) && Contains("not trained here"));
}

TEST_CASE("model ends: the transform has the activations of a feed-forward part, by the same names", "[model_ends]") {
  const auto same = [](const char* a, const char* b) { return std::string_view(a) == b; };
  CHECK(std::ranges::equal(entry_of(M::transform_activation).names, entry_of(LayerSetting::activation).names, same));
  CHECK(std::ranges::equal(entry_of(M::transform_activation).labels, entry_of(LayerSetting::activation).labels, same));
}
