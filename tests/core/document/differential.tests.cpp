// Documents with differential attention: what files and edits may say of it, what stands around it, and what its
// numbers are made of.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/analysis/cost/cost.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/document/weights_in_use.h"
#include "core/error.h"
#include "core/explain/explain.h"
#include "core/explain/links.h"
#include "core/explain/overflow.h"
#include "core/io/file.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

namespace {

using L = LayerSetting;

Document with(const Document& document, L setting, double value, int layer = 0) {
  return hydra::apply(document, Edit{SetSetting{setting, value}, layer});
}

// Eight heads of eight numbers; of every row that λ is made of the first number set.
Document differential() {
  Document document = with(hydra::apply(default_document(), SetModelWidth{64}), L::differential, 1);
  for (const auto& [row, value] : {std::pair{Quantity::lambda_q1, 0.5f},
                                   {Quantity::lambda_k1, 1.0f},
                                   {Quantity::lambda_q2, -1.0f},
                                   {Quantity::lambda_k2, 0.25f}})
    document = hydra::apply(document, set_cell(row, 0, 0, value));
  return document;
}

Document read_layer(const std::string& layer, const std::vector<std::string>& sets = {}) {
  return parse_document(
      R"({"hydrascope": 1, "sentence": "a b c", "d_model": 12, "layers": [{"heads": 2)" + layer + "}]}", "file", sets);
}

}  // namespace

TEST_CASE("differential: files say what is wrong with it in a sentence", "[document][variants]") {
  const struct {
    std::string layer, place, word;
  } faults[] = {
      {R"(, "differential": true)", "/layers/0/differential", "object"},
      {R"(, "differential": {"lambda": 1})", "/layers/0/differential/lambda", "not known"},
      {R"(, "differential": {"lambda_0": 1.5})", "/layers/0/differential/lambda_0", "from 0 to 1"},
      {R"(, "differential": {"lambda_0": "half"})", "/layers/0/differential/lambda_0", "number"},
      {R"(, "differential": {}, "talking_heads": "after")", "/layers/0", "one of the two must be off"},
      {R"(, "differential": {}, "rotary": {"width": 4})", "/layers/0", "at most the 3 numbers of half a head, not 4"},
      {R"(, "differential": {}, "weights": {"lambda_q1": [1, 2]})", "/layers/0/weights/lambda_q1", "2 numbers where 3"},
      {R"(, "differential": {}, "weights": {"gain_O": [1, 2, 3]})", "/layers/0/weights/gain_O", "3 numbers where 12"},
      {R"(, "weights": {"lambda_k2": [1, 2, 3]})", "/layers/0/weights/lambda_k2", "\"differential\" is needed"},
      {R"(, "weights": {"edits": {"gain_O": [[0, 2]]}})", "/layers/0/weights/edits/gain_O",
       "\"differential\" is needed"}};
  for (const auto& [layer, place, word] : faults) {
    CAPTURE(layer);
    CHECK_THROWS_WITH(read_layer(layer), fault_at("file: " + place, word));
    CHECK_THROWS_AS(read_layer(layer), InputError);
  }
  CHECK_THROWS_WITH(read_layer(R"(, "differential": {})", {"/layers/0/heads=4"}),
                    fault_at("file: /layers/0", "d_k must be even, not 3"));
  CHECK(read_layer("", {"/layers/0/differential={\"lambda_0\": 0.5}"}).layer(0).settings.lambda_0 == 0.5);
  const Document of_file = read_layer(R"(, "differential": {})", {"/layers/0/differential/lambda_0=0.75"});
  CHECK(of_file.layer(0).settings.differential);
  CHECK(of_file.layer(0).settings.lambda_0 == 0.75);
  CHECK(of_file.layer(0).weights.lambda_q1.cols() == 3);
  CHECK(read_layer(R"(, "differential": {})").layer(0).settings.lambda_0 == static_cast<double>(0.2f));
}

TEST_CASE("differential: it is written and read back to the bit, with the numbers that were set",
          "[document][variants]") {
  Document document = hydra::apply(with(differential(), L::lambda_0, 0.3), set_cell(Quantity::gain_O, 0, 7, 2));
  const std::string text = document_text(document);
  CHECK(text.find("\"lambda_0\": 0.3") != std::string::npos);
  const Document again = parse_document(text, "again");
  CHECK(same_document(again, document));
  CHECK(document_text(again) == text);
  document.layer(0).source.kind = WeightSource::Kind::explicit_values;
  CHECK(same_document(parse_document(document_text(document), "again"), document));
  const auto trace = evaluate(document);
  CHECK(*evaluate(again)->layer(0).output == *trace->layer(0).output);
  for (const char* key :
       {"\"lambda\": [", "\"scores_2\": [", "\"attention_2\": [", "\"own_attention\": [", "\"normed_output\": ["})
    CHECK(trace_text(*trace).find(key) != std::string::npos);
}

TEST_CASE("differential: switched on it begins as the paper has it for the layer, and leaves nothing behind",
          "[document][variants]") {
  CHECK(paper_lambda_0(0) == Approx(0.2));
  Document document = default_document();
  for (int layer = 0; layer < 2; ++layer) document = hydra::apply(document, Edit{AddLayer{}, layer});
  const Document plain = document;
  for (int layer = 0; layer < 3; ++layer) {
    document = with(document, L::differential, 1, layer);
    const LayerSettings& settings = document.layer(layer).settings;
    CHECK(settings.lambda_0 == static_cast<double>(static_cast<float>(0.8 - 0.6 * std::exp(-0.3 * layer))));
  }
  document = with(with(document, L::lambda_0, 0.9, 1), L::differential, 1, 1);  // is on already
  CHECK(document.layer(1).settings.lambda_0 == static_cast<double>(0.9f));
  const AttentionWeights<float>& weights = document.layer(1).weights;
  CHECK(weights.lambda_k1.cols() == 4);
  CHECK(weights.lambda_k1->cwiseAbs().maxCoeff() < 0.18f);  // near 0: λ begins near λ_0
  CHECK(weights.lambda_k1->norm() > 0);
  CHECK(*weights.gain_O == Mat<float>::Ones(1, 64));
  for (int layer = 0; layer < 3; ++layer) document = with(document, L::differential, 0, layer);
  CHECK(same_document(document, plain));
}

TEST_CASE("differential: its rows begin as the layer's weights do, and go with the number of heads",
          "[document][variants]") {
  const auto row_of = [](Init init) -> Mat<float> {
    const Document document = with(hydra::apply(default_document(), SetWeightSource{init, 7}), L::differential, 1);
    return *document.layer(0).weights.lambda_q1;
  };
  CHECK(row_of(Init::zero) == Mat<float>::Zero(1, 4));
  CHECK(row_of(Init::identity) == Mat<float>::Zero(1, 4));
  CHECK(row_of(Init::xavier).norm() > 0);
  Document document = differential();
  CHECK(hydra::apply(document, SetHeads{4}).layer(0).weights.lambda_q1.cols() == 8);
  CHECK(hydra::apply(document, SetHeads{4}).layer(0).weights.gain_O.cols() == 64);
  const Document narrow = hydra::apply(document, SetHeads{64});  // one number a head: no halves
  CHECK_FALSE(narrow.layer(0).settings.differential);
  CHECK_FALSE(narrow.layer(0).weights.lambda_q1);
  CHECK(same_document(parse_document(document_text(narrow), "again"), narrow));
  CHECK_THROWS_WITH(with(narrow, L::differential, 1), fault_at("differential attention", "d_k must be even, not 1"));
  // Rotary positions turn at most a half.
  document = with(with(hydra::apply(default_document(), SetModelWidth{64}), L::rotary, 1), L::rotary_width, 8);
  CHECK(with(document, L::differential, 1).layer(0).settings.rotary_width == 4);
}

TEST_CASE("differential: heads either talk or take differences", "[document][variants]") {
  const Document document = differential();
  const LayerShape shape = document.layer(0).shape(64);
  const auto possible = [&](const Document& of, L setting) {
    return is_possible(of.layer(0).settings, entry_of(setting), shape);
  };
  CHECK_FALSE(possible(document, L::talking_heads));
  CHECK(possible(document, L::lambda_0));
  const double both = static_cast<double>(TalkingHeads::both);
  CHECK_THROWS_WITH(with(document, L::talking_heads, both),
                    fault_at("differential attention", "one of the two must be off"));
  const Document talking = with(default_document(), L::talking_heads, both);
  CHECK_FALSE(possible(talking, L::differential));
  CHECK_FALSE(possible(default_document(), L::lambda_0));
  CHECK_THROWS_WITH(with(talking, L::differential, 1),
                    fault_at("differential attention", "one of the two must be off"));
}

TEST_CASE("differential: formulas, and arithmetic down to the exponentials of λ", "[document][variants]") {
  const auto trace = evaluate(differential());
  const auto formula_of = [&](Quantity quantity, int head = 1) { return formula(*trace, {quantity, 0, head}); };
  CHECK(formula_of(Quantity::scores) == "S₂ = Q₂ K₂ᵀ (columns 0–3) / √4");
  CHECK(formula_of(Quantity::scores_2) == "S'₂ = Q₂ K₂ᵀ (columns 4–7) / √4");
  CHECK(formula_of(Quantity::own_attention) == "A°₂ = softmax(S₂)");
  CHECK(formula_of(Quantity::attention_2) == "A'₂ = softmax(S'₂)");
  CHECK(formula_of(Quantity::attention) == "A₂ = A°₂ − λ A'₂");
  CHECK(formula_of(Quantity::lambda, kNoHead) == "λ = exp(λ_q1 · λ_k1) − exp(λ_q2 · λ_k2) + 0.2");
  CHECK(formula_of(Quantity::normed_output) == "O°₂ = (1 − 0.2) O₂ / √(mean square + ε) ⊙ γ_O²");
  CHECK(formula_of(Quantity::concat, kNoHead) == "C = [O°₁ … O°₈]");
  CHECK(formula(*evaluate(with(differential(), L::qk_norm, 1)), {Quantity::normed_Q, 0, 0}) ==
        "Q°₁ = Q₁ / √(mean square + ε) ⊙ γ_Q¹, each half by itself");
  CHECK(formula(*evaluate(with(differential(), L::rotary, 1)), {Quantity::rotated_K, 0, 1}) ==
        "K'₂ = K₂ rotated, pair j by i / 10000^(2j/4) of each half");

  const Explanation weight = explain(*trace, {{Quantity::attention, 0, 1}, 4, 2});
  REQUIRE(weight.steps.size() == 1);
  REQUIRE(weight.steps[0].terms.size() == 2);
  CHECK(weight.steps[0].terms[0].factors[0].source == Cell{{Quantity::own_attention, 0, 1}, 4, 2});
  CHECK(weight.steps[0].terms[1].factors[1].source == Cell{{Quantity::lambda}, 0, 0});
  CHECK(weight.steps[0].terms[1].factors[2].source == Cell{{Quantity::attention_2, 0, 1}, 4, 2});
  CHECK(weight.steps[0].result == Approx(weight.value).margin(1e-6));

  const Explanation lambda = explain(*trace, {{Quantity::lambda}, 0, 0});
  REQUIRE(lambda.steps.size() == 5);
  CHECK(lambda.steps[0].terms.size() == 4);
  CHECK(lambda.steps[2].terms[0].factors[1].source == Cell{{Quantity::lambda_k2}, 0, 0});
  CHECK(lambda.steps[2].terms[0].value == -0.25);
  CHECK(lambda.steps[1].combine == Combine::exponential);
  CHECK(lambda.steps[1].result == std::exp(lambda.steps[0].result));
  CHECK(lambda.steps[4].result == Approx(lambda.steps[1].result - lambda.steps[3].result + 0.2));
  CHECK(lambda.steps[4].result == Approx(lambda.value));

  const Explanation normed = explain(*trace, {{Quantity::normed_output, 0, 1}, 4, 2});
  CHECK(normed.steps.back().terms[0].factors[0].value == Approx(0.8));
  CHECK(normed.steps.back().result == Approx(normed.value));
}

TEST_CASE("differential: links keep the halves apart, and λ is of all heads", "[document][variants]") {
  const auto trace = evaluate(differential());
  const auto is_linked = [&](const Cell& of, const Site& shown) { return !linked(*trace, of, shown).empty(); };
  for (const bool second : {false, true}) {
    const Quantity own = second ? Quantity::scores_2 : Quantity::scores;
    const Quantity other = second ? Quantity::scores : Quantity::scores_2;
    const Index col = second ? 5 : 2;
    CHECK(is_linked({{Quantity::W_Q, 0, 3}, 7, col}, {own, 0, 3}));
    CHECK_FALSE(is_linked({{Quantity::W_Q, 0, 3}, 7, col}, {other, 0, 3}));
    CHECK(is_linked({{Quantity::W_K, 0, 3}, 7, col}, {Quantity::attention, 0, 3}));
    CHECK_FALSE(is_linked({{Quantity::W_K, 0, 3}, 7, col}, {Quantity::attention, 0, 4}));
    const std::vector<Region> read = linked(*trace, {{own, 0, 3}, 4, 1}, {Quantity::Q, 0, 3});
    REQUIRE(read.size() == 1);
    CHECK(read[0].col0 == (second ? 4 : 0));
    CHECK(read[0].col1 == (second ? 8 : 4));
  }
  for (int head = 0; head < 8; ++head) {
    CHECK(is_linked({{Quantity::lambda_k2}, 0, 3}, {Quantity::attention, 0, head}));
    CHECK_FALSE(is_linked({{Quantity::lambda_k2}, 0, 3}, {Quantity::attention_2, 0, head}));
    CHECK(is_linked({{Quantity::attention, 0, head}, 2, 1}, {Quantity::lambda}));
  }
  CHECK(is_linked({{Quantity::gain_O, 0, 2}, 0, 3}, {Quantity::normed_output, 0, 2}));
  CHECK_FALSE(is_linked({{Quantity::gain_O, 0, 2}, 0, 3}, {Quantity::normed_output, 0, 1}));
}

TEST_CASE("differential: a row that λ is made of changes every head, a gain its own", "[document][variants]") {
  const Document document = differential();
  const auto before = evaluate(document);
  const auto of_row = evaluate(hydra::apply(document, set_cell(Quantity::lambda_k1, 0, 2, 3)), before.get());
  const auto of_gain = evaluate(hydra::apply(document, set_cell(Quantity::gain_O, 0, 19, 3)), before.get());
  for (std::size_t h = 0; h < 8; ++h) {
    const HeadTrace<float>&was = before->layer(0).heads[h], &row = of_row->layer(0).heads[h],
          &gain = of_gain->layer(0).heads[h];
    CHECK(row.attention.stamp() != was.attention.stamp());
    CHECK(row.own_attention.stamp() == was.own_attention.stamp());
    CHECK(row.attention_2.stamp() == was.attention_2.stamp());
    CHECK(gain.output.stamp() == was.output.stamp());
    CHECK((gain.normed_output.stamp() == was.normed_output.stamp()) == (h != 2));
  }
  CHECK(*of_row->layer(0).output ==
        *evaluate(hydra::apply(document, set_cell(Quantity::lambda_k1, 0, 2, 3)))->layer(0).output);
  const Layer& layer = document.layer(0);
  for (const std::string& word : weights_in_use(layer, weights_of_source(layer, document.columns())))
    CHECK(word == "untrained, edited");
}

TEST_CASE("differential: a λ beyond all floats is said in a sentence", "[document][variants]") {
  Document document = hydra::apply(differential(), set_cell(Quantity::lambda_q1, 0, 0, 100));
  const auto trace = evaluate(document);
  REQUIRE(trace->overflow);
  CHECK_THAT(trace->overflow->sentence, Contains("λ times the second pattern is beyond the largest number"));
  CHECK_FALSE(evaluate(differential())->overflow);
}

TEST_CASE("differential: costs count the rows of λ and what is taken away", "[document][variants]") {
  const Document plain = hydra::apply(default_document(), SetModelWidth{64}), document = differential();
  const auto sizes = [](const Document& of) { return sizes_of(evaluate(of)->layer(0).input); };
  CHECK(weight_count(sizes(document)) == weight_count(sizes(plain)) + 4 * 4);
  CHECK(parameter_count(*evaluate(document)) == parameter_count(*evaluate(plain)) + 4 * 4 + 64);  // and gains
  const MultiplyAdds ours = multiply_adds_of(sizes(document), 12), theirs = multiply_adds_of(sizes(plain), 12);
  CHECK(ours.scores == theirs.scores);
  CHECK(ours.weighted_sum == theirs.weighted_sum + 8 * 12 * 12);
  CHECK(ours.total() == theirs.total() + 8 * 12 * 12);
  CHECK(decoding_step(sizes(document), 12).weighted_sum == decoding_step(sizes(plain), 12).weighted_sum + 8 * 12);
}
