// Heads that share keys and values, in a document: edits, files, names, links.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/analysis/forms.h"
#include "core/analysis/likeness/diversity.h"
#include "core/analysis/likeness/likeness.h"
#include "core/analysis/roles/sight.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/explain/links.h"
#include "core/explain/quantity.h"
#include "core/io/file.h"
#include "core/linalg/same_bits.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Matchers::Contains;
using test::fault_at;

namespace {

Document shared(Index heads, Index kv_heads) {
  return hydra::apply(hydra::apply(default_document(), SetHeads{heads}), SetKvHeads{kv_heads});
}

const Layer& layer_of(const Document& document) { return document.layers.front(); }

double largest(const Mat<float>& values) { return static_cast<double>(values.cwiseAbs().maxCoeff()); }

// How far apart what the documents compute is.
double difference(const Document& a, const Document& b) {
  return largest(*evaluate(a)->layers[0].output - *evaluate(b)->layers[0].output);
}

}  // namespace

TEST_CASE("kv heads: a group's keys and values are the means of its heads'", "[core][document][kv_heads]") {
  const Document before = default_document(), after = hydra::apply(before, SetKvHeads{2});
  CHECK(layer_of(after).kv_heads() == 2);
  const Mat<float>&W = *layer_of(before).weights.W_K, &pooled = *layer_of(after).weights.W_K;
  REQUIRE((pooled.rows() == 64 && pooled.cols() == 16));
  for (const Index col : {0, 5, 7})  // of the second group: heads 5 to 8
    CHECK(pooled(3, 8 + col) ==
          Approx((W(3, 32 + col) + W(3, 40 + col) + W(3, 48 + col) + W(3, 56 + col)) / 4).epsilon(1e-6));
  CHECK(layer_of(after).weights.W_V->cols() == 16);
  CHECK(layer_of(after).weights.W_Q == layer_of(before).weights.W_Q);
  CHECK(layer_of(after).weights.W_O == layer_of(before).weights.W_O);
  CHECK(difference(before, after) > 0.01);
}

TEST_CASE("kv heads: repeating them changes no output", "[core][document][kv_heads]") {
  const Document two = shared(8, 2), four = hydra::apply(two, SetKvHeads{4}), own = hydra::apply(two, SetKvHeads{8});
  CHECK(layer_of(own).group_size == 1);  // each head its own again, as two names for it would not be the same document
  CHECK(layer_of(own).weights.W_K->cols() == 64);
  CHECK(difference(two, four) == 0);
  CHECK(difference(two, own) == 0);
  CHECK(same_document(hydra::apply(own, SetKvHeads{8}), own));
}

TEST_CASE("kv heads: another head count keeps groups where it can", "[core][document][kv_heads]") {
  const Document two = shared(8, 2);  // groups of 4
  const Document sixteen = hydra::apply(two, SetHeads{16}), four = hydra::apply(two, SetHeads{4});
  CHECK(layer_of(sixteen).kv_heads() == 4);
  CHECK(layer_of(four).kv_heads() == 1);
  for (const Document* cut : {&sixteen, &four})
    for (const auto W : {&AttentionWeights<float>::W_Q, &AttentionWeights<float>::W_K, &AttentionWeights<float>::W_V})
      CHECK(layer_of(*cut).weights.*W == layer_of(two).weights.*W);  // the same combined matrices
  const Document apart = hydra::apply(two, SetHeads{2});
  CHECK(layer_of(apart).group_size == 1);
  CHECK(same_bits<float>(layer_of(apart).weights.W_K, layer_of(hydra::apply(two, SetKvHeads{8})).weights.W_K));
  const Document wide = hydra::apply(two, SetModelWidth{32});
  CHECK(layer_of(wide).kv_heads() == 2);
  CHECK(layer_of(wide).weights.W_V->cols() == 8);
}

TEST_CASE("kv heads: what cannot be shared is refused with one sentence", "[core][document][kv_heads]") {
  const Document plain = default_document();
  for (const Index wrong : {0, 3, 5, 16, -1})
    CHECK_THROWS_WITH(hydra::apply(plain, SetKvHeads{wrong}),
                      fault_at("keys and values", "a divisor of the number of heads"));
  const Document slices = hydra::apply(plain, SetSplit{Split::slice});
  CHECK_THROWS_WITH(hydra::apply(slices, SetKvHeads{2}), fault_at("keys and values", "slices"));
  const Document two = shared(8, 2);
  CHECK_THROWS_WITH(hydra::apply(two, SetSplit{Split::slice}), fault_at("heads", "keys and values of their own"));
  CHECK_THROWS_WITH(hydra::apply(two, DesignHead{0, std::nullopt}), fault_at("heads", "keys and values of their own"));
  CHECK_THROWS_WITH(hydra::apply(two, set_cell(Quantity::W_K, 0, 16, 1)), fault_at("W_K", "64 x 16"));
}

TEST_CASE("kv heads: a model put aside keeps its own", "[core][document][kv_heads]") {
  Document document = hydra::apply(default_document(), set_cell(Quantity::W_Q, 0, 0, 2));
  document = hydra::apply(hydra::apply(document, SwitchModel{ModelKind::untrained}), SetKvHeads{4});
  CHECK(layer_of(document).weights.W_K->cols() == 32);
  CHECK(document.aside.front().layers.front().weights.W_K->cols() == 64);
  CHECK_NOTHROW(check_document(hydra::apply(document, SwitchModel{ModelKind::untrained})));
  const Document untrained = hydra::apply(hydra::apply(document, SetWeightSource{Init::xavier, 3}), SetKvHeads{4});
  CHECK(is_untrained(layer_of(untrained)));
}

TEST_CASE("kv heads: files", "[core][document][kv_heads]") {
  const Document two = shared(8, 2);
  const std::string text = document_text(two);
  CHECK_THAT(text, Contains("\"kv_heads\": 2"));
  CHECK(same_document(parse_document(text, "f"), two));
  CHECK_THAT(document_text(default_document()), !Contains("kv_heads"));
  CHECK(parse_document(R"({"hydrascope": 1, "layers": [{"kv_heads": 8}]})", "f").layers[0].group_size == 1);
  const Document seeded = parse_document(R"({"hydrascope": 1, "layers": [{"kv_heads": 1}]})", "f");
  CHECK(layer_of(seeded).weights.W_K->cols() == 8);
  const auto refused = [](const std::string& layer) {
    try {
      parse_document(R"({"hydrascope": 1, "layers": [)" + layer + "]}", "f");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  for (const char* wrong : {R"({"kv_heads": 3})", R"({"kv_heads": 0})", R"({"kv_heads": 16})", R"({"kv_heads": -2})"})
    CHECK_THAT(refused(wrong), fault_at("f: /layers/0/kv_heads", "a divisor of the number of heads"));
  CHECK_THAT(refused(R"({"kv_heads": 2.5})"), Contains("/layers/0/kv_heads"));
  CHECK_THAT(refused(R"({"kv_heads": 2, "split": "slice"})"), Contains("/layers/0/kv_heads") && Contains("slices"));
  CHECK_THAT(refused(R"({"heads": 2, "kv_heads": 1, "weights": {"designs": [null, {"preset": "previous"}]}})"),
             Contains("/layers/0/weights/designs") && Contains("kv_heads"));
}

TEST_CASE("kv heads: the trace says who shares", "[core][document][kv_heads]") {
  const nlohmann::json layer = nlohmann::json::parse(trace_text(*evaluate(shared(8, 2)))).at("layers").at(0);
  CHECK(layer.at("kv_heads") == 2);
  CHECK(layer.at("heads").at(3).at("kv_head") == 0);
  CHECK(layer.at("heads").at(4).at("kv_head") == 1);
  CHECK(layer.at("heads").at(3).at("K") == layer.at("heads").at(0).at("K"));
  CHECK_FALSE(nlohmann::json::parse(trace_text(*evaluate(default_document()))).at("layers").at(0).contains("kv_heads"));
}

TEST_CASE("kv heads: names, shapes and places", "[core][document][kv_heads]") {
  const auto trace = evaluate(shared(8, 2));
  CHECK(shape_of(*trace, {Quantity::W_K, 0, kNoHead}).cols == 16);
  CHECK(shape_of(*trace, {Quantity::W_Q, 0, kNoHead}).cols == 64);
  const Cell own{{Quantity::W_V, 0, 6}, 5, 3};
  CHECK(editable_cell(*trace, own) == Cell{{Quantity::W_V, 0, kNoHead}, 5, 11});
  CHECK(value_at(*trace, own) == value_at(*trace, {{Quantity::W_V, 0, 4}, 5, 3}));
  CHECK(sharing_heads(*trace, {Quantity::K, 0, 1}) == "heads 1–4");
  CHECK(sharing_heads(*trace, {Quantity::Q, 0, 1}).empty());
  CHECK_THAT(formula(*trace, {Quantity::K, 0, 5}), Contains("of heads 5–8"));
  CHECK_THAT(formula(*trace, {Quantity::W_K, 0, 5}), Contains("columns 8–15 of W_K"));
  // The number stands in every head of its group, and reaches all of them.
  CHECK(linked(*trace, own, {Quantity::W_V, 0, 4}).at(0).role == Region::Role::self);
  CHECK(linked(*trace, own, {Quantity::W_V, 0, 3}).empty());
  CHECK(linked(*trace, own, {Quantity::output, 0, 7}).at(0).role == Region::Role::affected);
  CHECK(linked(*trace, {{Quantity::W_Q, 0, 6}, 5, 3}, {Quantity::scores, 0, 7}).empty());
}

TEST_CASE("kv heads: a shared value moves its column in the strip of every head of the group, and none between",
          "[core][document][kv_heads]") {
  const auto trace = evaluate(shared(8, 2));
  std::vector<Index> columns;
  for (const Region& region : linked(*trace, {{Quantity::W_V, 0, 2}, 3, 4}, {Quantity::concat, 0, kNoHead})) {
    CHECK(region.role == Region::Role::affected);
    CHECK(region.col1 == region.col0 + 1);
    columns.push_back(region.col0);
  }
  CHECK(columns == std::vector<Index>{4, 12, 20, 28});
}

TEST_CASE("kv heads: no V is called shared where one of the group is painted", "[core][document][kv_heads]") {
  const Document two = shared(8, 2);
  const Document painted = hydra::apply(two, PaintValue{1, 0, share(RowVec<float>(RowVec<float>::Ones(8)))});
  const auto trace = evaluate(painted);
  for (const int head : {0, 1, 3}) CHECK(sharing_heads(*trace, {Quantity::V, 0, head}).empty());
  CHECK(sharing_heads(*trace, {Quantity::V, 0, 5}) == "heads 5–8");
  CHECK(sharing_heads(*trace, {Quantity::K, 0, 1}) == "heads 1–4");
}

TEST_CASE("kv heads: every measure is that of the heads with their group's keys repeated",
          "[core][document][kv_heads]") {
  const Document two = shared(8, 2);
  const auto trace = evaluate(two), repeated = evaluate(hydra::apply(two, SetKvHeads{8}));
  LikenessMatrices measured, expected;
  measured.set({trace->layers[0]});
  expected.set({repeated->layers[0]});
  for (const LikenessEntry& entry : likenesses()) {
    CAPTURE(entry.key);
    CHECK(measured.matrix(entry.measure).isApprox(expected.matrix(entry.measure), 1e-12));
  }
  const AttentionWeights<float>&w = trace->layers[0].input.weights, &all = repeated->layers[0].input.weights;
  for (const int head : {0, 3, 4, 7}) {
    CHECK(query_key_spectrum(w, 8, head).values == query_key_spectrum(all, 8, head).values);
    CHECK(head_sight(w, 8, head, Split::projection) == head_sight(all, 8, head, Split::projection));
    for (const Quantity form : {Quantity::query_key, Quantity::value_output})
      CHECK(form_of(*trace, {form, 0, head}) == form_of(*repeated, {form, 0, head}));
  }
}
