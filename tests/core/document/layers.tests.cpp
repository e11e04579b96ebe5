// Documents of several layers, as the core knows them: each edit says of which layer it is, each layer reads what the
// one before it gives; there may be more of them, or fewer.
#include <catch2/catch.hpp>
#include <set>

#include "core/analysis/score_spread.h"
#include "core/document/edits/history.h"
#include "core/document/evaluate.h"
#include "core/document/limits.h"
#include "core/document/slices.h"
#include "core/error.h"
#include "core/explain/links.h"
#include "core/io/file.h"
#include "core/measures/role_tables.h"
#include "core/measures/sweep.h"
#include "tests/core/document/random_edit.h"
#include "tests/support/faults.h"

using namespace hydra;
using test::fault_at;

namespace {

Document stack(int layers) {
  Document document = hydra::apply(default_document(), SetModelWidth{32});
  for (int k = 1; k < layers; ++k) {
    Layer layer = document.layer(0);
    layer.source.seed += static_cast<std::uint64_t>(k);
    layer.weights = weights_of(layer.source, layer, document.d_model);
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
  CHECK_THROWS_WITH(hydra::apply(document, {SetHeads{4}, 2}), fault_at("layer 3", "there is no"));
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

TEST_CASE("layers: a stack is written and read back to the same bits", "[layers]") {
  Document document = hydra::apply(stack(3), {SetHeads{4}, 1});
  document = hydra::apply(document, {set_cell(Quantity::W_V, 3, 5, 0.5f), 2});
  document = hydra::apply(document, {SetSetting{LayerSetting::temperature, 2}, 0});
  const std::string text = document_text(document);
  CHECK(same_document(parse_document(text, "f"), document));
  CHECK(document_text(parse_document(text, "f")) == text);
  const Document warmer = parse_document(text, "f", {"/layers/2/temperature=3"});
  CHECK(same_document(warmer, hydra::apply(document, {SetSetting{LayerSetting::temperature, 3}, 2})));
  const Document most = stack(kMaxLayers);
  CHECK(same_document(parse_document(document_text(most), "f"), most));
}

TEST_CASE("layers: one is added after another, cut and masked alike, untrained, from a seed of its own", "[layers]") {
  Document document = stack(3);
  for (const Edit& edit :
       {Edit(SetHeads{4}, 1), Edit(SetKvHeads{2}, 1), Edit(SetMask{{Mask::Kind::causal, nullptr}}, 1),
        Edit(SetSetting{LayerSetting::temperature, 2}, 1), Edit(SetGate{1, 0.5f}, 1),
        Edit(set_cell(Quantity::W_Q, 0, 0, 3), 1)})
    document = hydra::apply(document, edit);
  const Edit edit(AddLayer{}, 1);
  const Document longer = hydra::apply(document, edit);
  REQUIRE(longer.layers.size() == 4);
  CHECK(same_layer(longer, document, 0));
  CHECK(same_layer(longer, document, 1));
  Document last = longer;
  last.layers = {longer.layer(3)};
  CHECK(same_document(last, one_layer(document, 2)));
  const Layer& added = longer.layer(2);
  CHECK(added.heads == 4);
  CHECK(added.kv_heads() == 2);
  CHECK(added.mask.kind == Mask::Kind::causal);
  CHECK(added.settings == document.layer(1).settings);
  CHECK(added.gates.empty());
  CHECK(added.source.seed == 10);  // 7, 8 and 9 are taken
  CHECK(is_untrained(added));
  CHECK(added.source.gain == untrained_gain(longer, 2));
  CHECK(describe(edit) == "a layer after layer 2");
  CHECK_FALSE(one_gesture(edit, edit));
  check_document(longer);
}

TEST_CASE("layers: what a later layer reads is evened out, and an added layer's gain is for that", "[layers]") {
  Document document = hydra::apply(stack(1), {SetWeightSource{Init::identity, 7}});
  for (int k = 0; k < 4; ++k) document = hydra::apply(document, {AddLayer{}, k});
  CHECK(document.layer(4).source.gain > 1);
  const LayerInput<float> last = input_of(document, 4);
  CHECK(spreads_enough(static_cast<double>(score_spread(last))));
}

TEST_CASE("layers: slices get their factors anew when the layers before them are others", "[layers]") {
  Document document = hydra::apply(stack(2), {SetSplit{Split::slice, true}, 1});
  const auto check = [](const Document& d, int layer) {
    REQUIRE(d.layer(layer).slice_factor);
    CHECK(*d.layer(layer).slice_factor == slice_factor(d, layer));
  };
  const Document longer = hydra::apply(document, {AddLayer{}, 0});
  check(longer, 2);
  CHECK(*longer.layer(2).slice_factor != *document.layer(1).slice_factor);
  check(hydra::apply(document, {RemoveLayer{}, 0}), 0);
  const Document two = hydra::apply(document, {AddLayer{}, 1});
  check(two, 2);
  CHECK(two.layer(2).split == Split::slice);
}

TEST_CASE("layers: one is removed, the only one is not, and history has it again", "[layers]") {
  const Document document = stack(3);
  const Edit edit(RemoveLayer{}, 1);
  const Document shorter = hydra::apply(document, edit);
  REQUIRE(shorter.layers.size() == 2);
  CHECK(same_layer(shorter, document, 0));
  Document last = shorter;
  last.layers = {shorter.layer(1)};
  CHECK(same_document(last, one_layer(document, 2)));
  CHECK(describe(edit) == "remove layer 2");
  CHECK_THROWS_WITH(hydra::apply(stack(1), RemoveLayer{}), fault_at("a document", "at least one layer"));
  CHECK_THROWS_WITH(hydra::apply(document, {RemoveLayer{}, 3}), fault_at("layer 4", "there is no"));
  History history(document);
  history.apply(edit);
  history.apply({AddLayer{}, 1});
  CHECK(history.undo_label() == "a layer after layer 2");
  history.undo();
  history.undo();
  CHECK(same_document(history.current(), document));
  history.redo();
  CHECK(same_document(history.current(), shorter));
}

TEST_CASE("layers: through windows of w two layers see 2 w - 1 words", "[document][layers]") {
  const Document document =
      parse_document(R"({"hydrascope": 1, "sentence": "a b c d e f g h i j", "d_model": 8, "layers": [
    {"heads": 2, "mask": "causal", "window": 3}, {"heads": 2, "mask": "causal", "window": 3}]})",
                     "text");
  const auto trace = evaluate(document);
  const auto words_seen = [&](int layer) {
    std::set<Index> rows;
    for (const Region& r : linked(*trace, {{Quantity::Y, layer}, 9, 0}, {Quantity::X}))
      for (Index row = r.row0; row < r.row1; ++row) rows.insert(row);
    return rows;
  };
  CHECK(words_seen(0) == std::set<Index>{7, 8, 9});
  CHECK(words_seen(1) == std::set<Index>{5, 6, 7, 8, 9});
}
