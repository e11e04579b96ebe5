// Documents of several layers, as the core knows them: each edit says of which layer it is, each layer reads what the
// one before it gives. (Files have one so far.)
#include <catch2/catch.hpp>

#include "core/document/evaluate.h"
#include "core/document/history.h"
#include "core/document/role_table.h"
#include "core/document/slices.h"
#include "core/document/sweep.h"
#include "core/error.h"
#include "tests/core/document/random_edit.h"

using namespace hydra;

namespace {

Document stack(int layers) {
  Document document = hydra::apply(default_document(), SetModelWidth{32});
  for (int k = 1; k < layers; ++k) {
    Layer layer = document.layer(0);
    layer.source.seed += static_cast<std::uint64_t>(k);
    layer.weights = weights_of(layer.source, document.d_model, document.d_model);
    document.layers.push_back(std::move(layer));
  }
  return document;
}

Document one_layer(const Document& document, int layer) {
  Document one = document;
  one.layers = {document.layer(layer)};
  return one;
}

bool same_layer(const Document& a, const Document& b, int layer) {
  return same_document(one_layer(a, layer), one_layer(b, layer));
}

}  // namespace

TEST_CASE("layers: an edit changes the layer it names, and no other", "[layers]") {
  const Document document = stack(3);
  const std::vector<Edit::What> edits{SetHeads{4},
                                      SetKvHeads{2},
                                      SetMask{{Mask::Kind::causal, nullptr}},
                                      SetSetting{LayerSetting::scale, false},
                                      SetSetting{LayerSetting::temperature, 2},
                                      SetWeightSource{Init::identity, 3},
                                      set_cell(Quantity::W_V, 3, 5, 0.5f),
                                      set_cell(Quantity::b_K, 0, 5, 0.5f),
                                      SetForm{SetForm::Which::query_key, 1, 2, 3, 4},
                                      PaintAttention{1, 2, share(RowVec<float>(RowVec<float>::Constant(12, 1)))},
                                      PaintValue{1, 2, share(RowVec<float>(RowVec<float>::Constant(4, 1)))},
                                      SetSplit{Split::slice, true},
                                      SetGate{2, 0.5f},
                                      SetGates{std::vector<float>(8, 0.25f)},
                                      SetWeights{document.layer(0).weights, "tool", ""}};
  for (const Edit::What& what : edits)
    for (int at = 0; at < 3; ++at) {
      CAPTURE(what.index(), at);
      const Document changed = hydra::apply(document, {what, at});
      for (int k = 0; k < 3; ++k) {
        const bool untouched = k != at || (at == 0 && std::holds_alternative<SetWeights>(what));
        CHECK(same_layer(document, changed, k) == untouched);
      }
    }
}

TEST_CASE("layers: an edit that names none is refused where there are several, and so is a layer that is not there",
          "[layers]") {
  const Document document = stack(2);
  CHECK_THROWS_AS(hydra::apply(document, SetHeads{4}), InputError);
  CHECK_THROWS_WITH(hydra::apply(document, {SetHeads{4}, 2}), Catch::Contains("there is no layer 3"));
  CHECK_NOTHROW(hydra::apply(document, SetSentence{"one two"}));
  CHECK(hydra::apply(stack(1), SetHeads{4}).layer(0).heads == 4);
}

TEST_CASE("layers: the same edit of another layer is another gesture", "[layers]") {
  const auto drag = [](int layer, float value) { return Edit(set_cell(Quantity::W_Q, 1, 1, value), layer); };
  CHECK(one_gesture(drag(0, 1), drag(0, 2)));
  CHECK_FALSE(one_gesture(drag(0, 1), drag(1, 2)));
}

TEST_CASE("layers: each reads what the one before gives, and an edit leaves the earlier ones alone", "[layers]") {
  const Document document = stack(3);
  const auto trace = evaluate(document);
  REQUIRE(trace->layers.size() == 3);
  CHECK(trace->layer(0).input.X == trace->X);
  CHECK(trace->layer(1).input.X == trace->layer(0).output);
  CHECK(trace->layer(2).input.X == trace->layer(1).output);
  // As one layer after the other would give it.
  Document alone = one_layer(document, 1);
  alone.embedding.kind = Embedding::Kind::explicit_values;
  alone.embedding.X = trace->layer(0).output;
  CHECK(*evaluate(alone)->layer(0).output == *trace->layer(1).output);
  const auto after = evaluate(hydra::apply(document, {set_cell(Quantity::W_O, 0, 0, 3), 1}), trace.get());
  CHECK(after->layer(0).output == trace->layer(0).output);
  CHECK(after->layer(1).heads[0].attention == trace->layer(1).heads[0].attention);
  CHECK(*after->layer(2).output != *trace->layer(2).output);
}

TEST_CASE("layers: after random edits of random layers the trace is that of scratch, to the bit", "[layers]") {
  Random random(5);
  Document document = stack(3);
  for (int k = 0; k < 3; ++k)
    for (const LayerSetting on : {LayerSetting::residual, LayerSetting::norm, LayerSetting::feed_forward})
      document = hydra::apply(document, {SetSetting{on, 1}, k});
  auto trace = evaluate(document);
  int done = 0;
  for (int k = 0; k < 300; ++k) {
    const int layer = static_cast<int>(random.bits() % 3);
    Edit edit = random_edit(random, one_layer(document, layer));
    if (std::holds_alternative<ReplaceDocument>(edit.what)) continue;
    edit.layer = layer;
    try {
      document = hydra::apply(document, edit);
    } catch (const InputError&) {
      continue;  // of the sizes of one layer, not of all
    }
    ++done;
    trace = evaluate(document, trace.get());
    const auto scratch = evaluate(document);
    for (int l = 0; l < 3; ++l) {
      CAPTURE(k, l, describe(edit));
      const auto bits = [](const Array<float>& M) {
        return std::string(reinterpret_cast<const char*>(M->data()),
                           static_cast<std::size_t>(M->size()) * sizeof(float));
      };
      REQUIRE(bits(trace->layer(l).output) == bits(scratch->layer(l).output));
      for (const auto& [quantity, stage] : trace->block(l).stages)
        REQUIRE(bits(stage) == bits(scratch->block(l).of(quantity)));
    }
  }
  CHECK(done > 150);
}

TEST_CASE("layers: what is measured of a layer is of that layer", "[layers]") {
  const Document document = hydra::apply(stack(2), {SetHeads{2}, 1});
  const auto trace = evaluate(document);
  CHECK(RoleTables().of_sentence(*trace, 0, nullptr).heads.size() == 8);
  CHECK(RoleTables().of_sentence(*trace, 1, nullptr).heads.size() == 2);
  const auto entries = Sweeps().of(document, 1, {1, 4}, 0);
  CHECK(entries[1].layer().heads.size() == 4);
  CHECK(entries[1].trace->layer(0).heads.size() == 8);
  CHECK(entries[1].trace->layer(1).input.X == entries[1].trace->layer(0).output);
  CHECK(input_of(document, 1).X->isApprox(*trace->layer(0).output, 0));
  const Document sliced = hydra::apply(document, {SetSplit{Split::slice, true}, 1});
  CHECK_FALSE(sliced.layer(0).slice_factor);
  CHECK(*sliced.layer(1).slice_factor == slice_factor(document, 1));
}
