// Heads that share keys and values by groups that are given.
#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/explain/links.h"
#include "core/explain/quantity.h"
#include "core/io/file.h"
#include "tests/support/faults.h"
#include "tests/support/models/layers.h"
#include "tests/support/other_computations.h"

using namespace hydra;
using test::fault_at;

namespace {

const std::vector<Index> kGiven = {0, 0, 0, 1, 2, 2, 2, 2};

Document given() { return hydra::apply(default_document(), SetKvOf{kGiven}); }
Document grouped_document(const std::string& layer) {
  return parse_document(
      R"({"hydrascope": 1, "sentence": "a b c", "d_model": 8, "layers": [{"heads": 4)" + layer + "}]}", "file");
}
double apart(const Document& a, const Document& b) {
  return static_cast<double>((*evaluate(a)->layers[0].output - *evaluate(b)->layers[0].output).cwiseAbs().maxCoeff());
}

}  // namespace

TEST_CASE("kv of: each set is the mean of what its heads read, and repeated it changes nothing", "[document][kv_of]") {
  const Document before = default_document(), after = given();
  const Layer& layer = after.layer(0);
  CHECK(layer.kv_heads() == 3);
  const Mat<float>&W = *before.layer(0).weights.W_K, &pooled = *layer.weights.W_K;
  REQUIRE(pooled.cols() == 24);
  CHECK(pooled(3, 2) == Approx((W(3, 2) + W(3, 10) + W(3, 18)) / 3).epsilon(1e-6));
  CHECK(pooled(3, 8 + 2) == W(3, 24 + 2));
  CHECK(pooled(3, 16 + 2) == Approx((W(3, 34) + W(3, 42) + W(3, 50) + W(3, 58)) / 4).epsilon(1e-6));
  const Document own = hydra::apply(after, SetKvHeads{8});
  CHECK(own.layer(0).kv_of.empty());
  CHECK(apart(own, after) == 0);
  CHECK(apart(hydra::apply(own, SetKvOf{kGiven}), after) < 1e-6);
  const auto trace = evaluate(after);
  const LayerTrace<float>& of = trace->layer(0);
  CHECK(of.heads[0].K == of.heads[2].K);  // the very same matrix
  CHECK(of.heads[4].V == of.heads[7].V);
  CHECK_FALSE(of.heads[3].K == of.heads[4].K);
}

TEST_CASE("kv of: every way of computing heads reads the same sets", "[core][kv_of]") {
  Random random(71);
  LayerInput<double> input = test::random_layer<double>(random, 90, 12, 6, true, 2);
  input.group_size = 1;
  input.weights.kv_of = {0, 1, 1, 1, 1, 2};
  CHECK(input.kv_heads() == 3);
  test::check_other_computations(input);
  input.mask = test::causal_mask();
  input.settings.rotary = true;
  test::check_other_computations(input);
  input.settings.qk_norm = true;
  input.settings.qk_norm_over = NormOver::all_heads;
  input.weights.gain_Q = test::random_bias<double>(random, 12);
  input.weights.gain_K = test::random_bias<double>(random, 6);
  test::check_other_computations(input);
}

TEST_CASE("kv of: files say what is wrong with it in a sentence, and groups of one size are kv_heads",
          "[document][kv_of]") {
  const struct {
    std::string layer, place, word;
  } faults[] = {
      {R"(, "kv_of": 2)", "/layers/0/kv_of", "array"},
      {R"(, "kv_of": [0, 1])", "/layers/0/kv_of", "for each of the 4 heads, not for 2"},
      {R"(, "kv_of": [1, 1, 1, 1])", "/layers/0/kv_of", "the first one reads set 0"},
      {R"(, "kv_of": [0, 0, 2, 2])", "/layers/0/kv_of", "head 2 cannot read set 2 after one that reads set 0"},
      {R"(, "kv_of": [0, 1, 0, 1])", "/layers/0/kv_of", "stand side by side"},
      {R"(, "kv_heads": 2, "kv_of": [0, 0, 0, 1])", "/layers/0/kv_of", "one of the two is needed"},
      {R"(, "kv_of": [0, 0, 0, 1], "split": "slice")", "/layers/0/kv_of", "cannot share keys and values"}};
  for (const auto& [layer, place, word] : faults) {
    INFO(layer);
    CHECK_THROWS_WITH(grouped_document(layer), fault_at(place, word));
  }
  CHECK(same_document(grouped_document(R"(, "kv_of": [0, 0, 1, 1])"), grouped_document(R"(, "kv_heads": 2)")));
  CHECK(same_document(grouped_document(R"(, "kv_of": [0, 1, 2, 3])"), grouped_document("")));
  const Document document = grouped_document(R"(, "kv_of": [0, 0, 0, 1])");
  CHECK(document.layer(0).weights.W_V->cols() == 4);
  const std::string text = document_text(document);
  CHECK(text.find(R"("kv_of": [0, 0, 0, 1])") != std::string::npos);
  CHECK(same_document(parse_document(text, "file"), document));
}

TEST_CASE("kv of: names, links and edits know whose keys they are", "[document][kv_of]") {
  const Document document = given();
  const auto trace = evaluate(document);
  CHECK(sharing_heads(*trace, {Quantity::K, 0, 1}) == "heads 1–3");
  CHECK(sharing_heads(*trace, {Quantity::K, 0, 3}).empty());
  const Cell of_last{{Quantity::W_K, 0}, 5, 17};  // of the third set
  CHECK(in_its_head(*trace, of_last).site.head == 4);
  CHECK(linked(*trace, of_last, {Quantity::scores, 0, 3}).empty());
  CHECK(linked(*trace, of_last, {Quantity::scores, 0, 6}).size() == 1);
  CHECK(describe(SetKvOf{kGiven}) == "keys and values shared by 3, 1, 4 heads");
  const Document cut = hydra::apply(document, SetHeads{4});
  CHECK(cut.layer(0).kv_of.empty());
  CHECK(cut.layer(0).kv_heads() == 4);
  const Document wide = hydra::apply(document, SetHeadSizes{8, 5});
  CHECK(wide.layer(0).kv_of == kGiven);
  CHECK(wide.layer(0).weights.W_K->cols() == 15);
  CHECK_THROWS_WITH(hydra::apply(document, SetKvOf{{0, 1}}), fault_at("there must be a set", "8 heads"));
}
