// The program on a stack of layers, with a later one in focus: whatever is shown, opened and changed is of that layer.
#include <catch2/catch.hpp>

#include "app/platform/input.h"
#include "app/views/shell/commands.h"
#include "app/views/shell/views.h"
#include "core/document/evaluate.h"
#include "core/document/limits.h"
#include "core/io/file.h"
#include "tests/support/folder.h"
#include "tests/support/models/stacks.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

// Two layers of other head counts: what is taken from the wrong one is out of range or of another size.
Document stack() {
  Document document = default_document();
  Layer second = document.layer(0);
  second.source.seed = 11;
  second.weights = weights_of(second.source, second, document.d_model);
  document.layers.push_back(std::move(second));
  return hydra::apply(hydra::apply(document, {SetHeads{2}, 0}), {SetMask{{Mask::Kind::causal, nullptr}}, 1});
}

void focus_second(Session& s) {
  s.set(act::GoTo{1, {}});
  s.settle();
}

}  // namespace

TEST_CASE("layers: every view shows the layer in focus", "[app][layers]") {
  Session s(stack());
  focus_second(s);
  REQUIRE(s.app.trace().layers.size() == 2);
  CHECK(s.view().selected_heads.size() == 8);
  CHECK(s.roles().table->heads.size() == 8);
  for (const ViewEntry& view : all_views()) {
    CAPTURE(view.label);
    s.set(s.view().view, view.id);
    s.settle();
    CHECK(s.view().layer == 1);
    CHECK(s.app.failure().empty());
    CHECK_FALSE(s.notice().is_error);
    // Pictures are of what the second layer has, or derived of it: never of the first's own matrices.
    const LayerTrace<float>& first = s.app.trace().layer(0);
    for (const Heatmap& heatmap : s.ui.sink.heatmaps) {
      if (in_strip(s.ui, heatmap)) continue;
      for (const HeadTrace<float>& head : first.heads)
        for (const Quantity stage : kHeadStages)
          if (head[stage].stamp()) CHECK((!heatmap.matrix || heatmap.matrix != head[stage]));
      CHECK((!heatmap.matrix || heatmap.matrix != first.input.weights.W_Q));
    }
  }
}

TEST_CASE("layers: where only the layer in focus is whole, every view shows it, and what is of others is recomputed",
          "[app][layers]") {
  const Document document = hydra::apply(hydra::apply(stack(), {SetHeads{4}, 1}), {SetHeads{4}, 0});
  Session s(document);
  s.app.keep_at_most(0);
  int layer = 0;
  for (const ViewEntry& view : all_views()) {
    CAPTURE(view.label);
    s.set(s.view().view, view.id);
    s.set(act::GoTo{layer = 1 - layer, {}});
    s.ui.frames(1);
    s.open({{Quantity::W_V, layer, 1}, 2, 1});
    s.app.edit({set_cell(Quantity::W_V, 2, 17, 0.1f * static_cast<float>(view.id)), layer});
    s.ui.frames(1);
    s.set(act::GoTo{layer = 1 - layer, {}});  // marks of what has changed, on a layer that was not kept
    s.settle();
    REQUIRE(s.app.failure().empty());
    CHECK_FALSE(s.notice().is_error);
    REQUIRE(s.app.trace().layer(layer).is_whole());
    CHECK_FALSE(s.app.trace().layer(1 - layer).is_whole());
    CHECK_FALSE(s.ui.sink.heatmaps.empty());
    for (const Heatmap& heatmap : s.ui.sink.heatmaps) CHECK(heatmap.matrix);
    CHECK(s.roles().table->heads.size() == 4);
    // A number of the other layer, opened: its row of the product is the same as in a trace that keeps all.
    const Cell there{{Quantity::scores, 1 - layer, 2}, 3, 1};
    CHECK(value_at(s.app.trace(), there) == value_at(*evaluate(s.document()), there));
    for (const bool down : {true, false}) {  // the state before
      s.ui.input.push({.kind = InputEvent::Kind::key, .code = kPeekKey, .down = down});
      s.ui.frames(2);
    }
  }
}

TEST_CASE("layers: an edit in a view changes the layer in focus, and undo brings it back", "[app][layers]") {
  Session s(stack());
  focus_second(s);
  const Document before = s.document();
  s.ui.click("model/heads/4");
  CHECK(s.document().layer(1).heads == 4);
  CHECK(s.document().layer(0).heads == 2);
  s.ui.click("model/scale");
  CHECK_FALSE(s.document().layer(1).settings.scale);
  CHECK(s.document().layer(0).settings.scale);
  s.ui.click("model/reroll");
  CHECK(s.document().layer(1).source.seed != before.layer(1).source.seed);
  CHECK(s.document().layer(0).source == before.layer(0).source);
  for (int k = 0; k < 3; ++k) s.ui.key(key::letter('z'), true);
  CHECK(same_document(s.document(), before));
}

TEST_CASE("layers: a number of a later layer is opened, changed and explained there", "[app][layers]") {
  Session s(stack());
  focus_second(s);
  s.open({{Quantity::W_V, 1, 3}, 2, 1});
  const float before = s.document().layer(0).weights.W_V->coeff(2, 25);
  s.ui.double_click("inspector/cell/2,1");
  s.ui.type("0.75");
  s.ui.key(key::enter);
  s.ui.settle();
  CHECK(s.document().layer(1).weights.W_V->coeff(2, 25) == 0.75f);
  CHECK(s.document().layer(0).weights.W_V->coeff(2, 25) == before);
  // X of the second layer is what the first gives: shown, and not editable.
  const Cell input{{Quantity::X, 1, kNoHead}, 3, 5};
  s.open(input);
  CHECK(s.selection() == input);
  CHECK_FALSE(editable_cell(s.app.trace(), input));
  CHECK(value_at(s.app.trace(), input) == (*s.app.trace().layer(0).output)(3, 5));
}

TEST_CASE("layers: another document, of fewer layers, is shown at the layer that it has", "[app][layers]") {
  const Folder folder;
  Document long_one = default_document();
  long_one.tokens = std::vector<std::string>(300, "word");
  write_document(long_one, folder.file("one.json"));
  Session s(stack());
  focus_second(s);
  s.app.set_patience(std::chrono::milliseconds(0));  // frames come before its trace
  s.app.open(folder.file("one.json"));
  s.wait_until([&] { return s.document().layers.size() == 1; });
  REQUIRE(s.document().layers.size() == 1);
  s.ui.frames(3);
  CHECK(s.view().layer == 0);
  s.app.finish_evaluation();
  s.wait_until([&] { return s.roles().table != nullptr; });  // those of the one before are not shown meanwhile
  REQUIRE(s.roles().table);
  CHECK(s.roles().table->heads.size() == 8);
}

TEST_CASE("layers: one is added and in focus, removed and gone, and undo has them again", "[app][layers]") {
  Session s(small_stack(2));
  const Document before = s.document();
  s.ui.click("model/layers/add");
  REQUIRE(s.document().layers.size() == 3);
  s.ui.settle();
  CHECK(s.view().layer == 1);
  CHECK(s.app.trace().layers.size() == 3);
  s.ui.click("model/scale");
  CHECK_FALSE(s.document().layer(1).settings.scale);
  s.ui.key(key::letter('z'), true);
  s.ui.key(key::letter('z'), true);
  s.ui.settle();
  CHECK(same_document(s.document(), before));
  CHECK(s.view().layer == 0);
  s.ui.key(key::letter('y'), true);
  s.ui.settle();
  CHECK(s.view().layer == 1);
  s.ui.click("model/layers/remove");
  s.ui.settle();
  CHECK(same_document(s.document(), before));
  CHECK(s.view().layer == 0);
  s.ui.click("model/layers/remove");
  s.ui.settle();
  REQUIRE(s.document().layers.size() == 1);
  CHECK_FALSE(s.ui.exists("layers"));
  CHECK_FALSE(s.ui.exists("model/layers/remove"));
  for (int k = 0; k < 2; ++k) s.ui.key(key::letter('z'), true);
  s.ui.settle();
  CHECK(s.document().layers.size() == 3);
}

TEST_CASE("layers: no more are offered than a document may have", "[app][layers]") {
  Session s(small_stack(static_cast<int>(kMaxLayers)));
  s.ui.click("model/layers/add");
  CHECK(std::ssize(s.document().layers) == kMaxLayers);
  CHECK(s.notice().sentence.empty());
}

TEST_CASE("layers: a selected number stays that number when layers come and go, or is let go", "[app][layers]") {
  Session s(small_stack(4));
  const Cell cell{{Quantity::W_V, 2, 1}, 3, 4};
  s.open(cell);
  const float value = value_at(s.app.trace(), cell);
  s.app.edit({RemoveLayer{}, 0});
  s.ui.settle();
  CHECK(s.view().layer == 1);
  CHECK(s.selection().site == Site{Quantity::W_V, 1, 1});
  CHECK(value_at(s.app.trace(), s.selection()) == value);
  s.app.edit({RemoveLayer{}, 1});
  s.ui.settle();
  CHECK(s.view().layer == 0);
  CHECK_FALSE(s.view().selection);
  s.ui.key(key::letter('z'), true);
  s.ui.settle();
  CHECK(s.view().layer == 1);  // it is there again
  CHECK_FALSE(s.view().selection);
}

TEST_CASE("layers: an added layer is in focus also when it is computed in the background", "[app][layers]") {
  Document document = small_stack(3);
  document.tokens = std::vector<std::string>(400, "word");
  Session s(document);
  s.app.set_patience(std::chrono::milliseconds(0));
  s.app.edit({AddLayer{}, 0});
  s.ui.frames(1);
  for (const char* name : {"layers/4", "model/layers/add", "layers/4"}) s.ui.click(name);  // it may not be there yet
  while (s.document().layers.size() > 4) s.ui.key(key::letter('z'), true);
  s.set(act::GoTo{0, {}});
  s.app.finish_evaluation();
  s.ui.frames(2);
  s.ui.key(key::letter('z'), true);
  s.app.finish_evaluation();
  REQUIRE(s.document().layers.size() == 3);
  s.set(act::GoTo{0, {}});
  s.ui.frames(2);
  s.app.edit({AddLayer{}, 0});
  s.ui.frames(1);
  s.app.finish_evaluation();
  s.ui.frames(3);
  CHECK(s.view().layer == 1);
  s.set(act::GoTo{3, {}});
  s.ui.frames(2);
  s.app.edit({RemoveLayer{}, 0});
  s.ui.frames(1);
  s.app.edit(SetGate{0, 0.5f});  // of the layer in focus, wherever it stands now
  s.ui.frames(1);
  CHECK(s.document().layer(2).gates == std::vector<float>{0.5f, 1});
  s.app.finish_evaluation();
  s.ui.frames(3);
  CHECK(s.view().layer == 2);
}

TEST_CASE("layers: while the state before is looked at its layers are shown, and focus comes back", "[app][layers]") {
  Session s(small_stack(2));
  s.ui.click("model/layers/add");
  s.ui.settle();
  s.set(act::GoTo{2, {}});
  s.ui.settle();
  const auto hold = [&](bool down) {
    s.ui.input.push({.kind = InputEvent::Kind::key, .code = kPeekKey, .down = down});
    s.ui.frames(3);
  };
  hold(true);
  CHECK(s.view().layer == 1);
  CHECK_FALSE(s.ui.exists("layers/3"));
  hold(false);
  CHECK(s.view().layer == 2);
  CHECK(s.ui.exists("layers/3"));
}
