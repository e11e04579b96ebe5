// The strip over every view of a stack, and the keys that go from layer to layer.
#include <catch2/catch.hpp>

#include "app/platform/input.h"
#include "app/views/shell/views.h"
#include "core/attention/recompute.h"
#include "tests/support/models/stacks.h"
#include "tests/support/session.h"

using namespace hydra;

TEST_CASE("layer strip: the strip stands over every view of a stack, and no view collides with it", "[app][layers]") {
  const int layers = GENERATE(1, 2, 12, 48);
  const ImVec2 size = GENERATE(ImVec2{1280, 800}, ImVec2{1600, 1000}, ImVec2{1920, 1080});
  const bool presentation = GENERATE(false, true);
  Session s(small_stack(layers), size);
  s.set(s.view().presentation, presentation);
  for (const ViewEntry& view : all_views()) {
    CAPTURE(layers, size.x, presentation, view.label);
    s.set(s.view().view, view.id);
    s.ui.settle();
    s.ui.frames(2);
    REQUIRE_FALSE(s.notice().is_error);
    const std::optional<UiDriver::Rect> strip = s.ui.seen("layers");
    // Learn has no room for it where the window is low, with a run or before one: its buttons stay where they are.
    const bool low = view.id == ViewId::learn && presentation && size.y < 1080;
    REQUIRE(strip.has_value() == (layers > 1 && !low));
    if (!strip) continue;
    CHECK(strip->max.y - strip->min.y < 0.12f * size.y);
    CHECK(strip->max.x <= size.x);
    CHECK(pictures_in_strip(s.ui) > 0);
    for (const Heatmap& heatmap : s.ui.sink.heatmaps) {
      const bool beside = heatmap.max.x <= strip->min.x || heatmap.min.x >= strip->max.x;
      CHECK((beside || in_strip(s.ui, heatmap) || heatmap.min.y >= strip->max.y));
    }
    for (const std::string& name : s.ui.names()) {
      if (!name.starts_with(std::string(view.key) + "/")) continue;
      if (const auto part = s.ui.seen(name)) CHECK(part->min.y >= strip->max.y);
    }
  }
}

TEST_CASE("layer strip: a click in the strip focuses the layer and the head, wherever it has to be scrolled to",
          "[app][layers]") {
  const int layers = GENERATE(2, 12, 48);
  Session s(small_stack(layers), {1280, 800});
  for (const int layer : {layers - 1, 0, layers / 2}) {
    s.open({{Quantity::W_V, s.view().layer, 0}, 2, 1});
    s.ui.click("layers/" + std::to_string(layer + 1) + "/2");
    s.ui.settle();
    CHECK(s.view().layer == layer);
    CHECK(s.view().focused_head == 1);
    CHECK(s.view().inspected.layer == layer);
    if (s.view().selection) CHECK(s.view().selection->site.layer == layer);
    REQUIRE(s.ui.seen("layers/" + std::to_string(layer + 1)));
    s.ui.click("model/mask/causal");
    CHECK(s.document().layer(layer).mask.kind == Mask::Kind::causal);
  }
  for (int k = 0; k < layers; ++k) {
    const bool focused = k == layers - 1 || k == 0 || k == layers / 2;
    CHECK((s.document().layer(k).mask.kind == Mask::Kind::causal) == focused);
  }
}

TEST_CASE("layer strip: Page Up and Page Down go from layer to layer and stop at the ends, whatever view is open",
          "[app][layers]") {
  const int layers = 12;
  Session s(small_stack(layers), {1280, 800});
  for (int k = 1; k < layers + 2; ++k) {
    s.set(s.view().view, all_views()[static_cast<std::size_t>(k) % all_views().size()].id);
    s.ui.settle();
    s.ui.key(key::page_down);
    s.ui.settle();
    CHECK(s.view().layer == std::min(k, layers - 1));
    CHECK(s.ui.seen("layers/" + std::to_string(s.view().layer + 1)));  // it comes into view
  }
  s.ui.key(key::letter('h'));
  CHECK(s.view().layer == layers - 1);
  for (int k = 0; k < layers + 1; ++k) s.ui.key(key::page_up);
  CHECK(s.view().layer == 0);
}

TEST_CASE("layer strip: with a single one the window looks as ever, and Page Down goes nowhere", "[app][layers]") {
  Session s;
  CHECK_FALSE(s.ui.exists("layers"));
  s.ui.key(key::page_down);
  s.ui.settle();
  CHECK(s.view().layer == 0);
}

TEST_CASE("layer strip: the strip makes no layer again, and keeps what it has shown", "[app][layers]") {
  Session s(small_stack(3));
  s.app.keep_at_most(0);
  s.app.edit({set_cell(Quantity::W_V, 2, 3, 0.5f), 0});
  s.ui.settle();
  REQUIRE_FALSE(s.app.trace().layer(1).is_whole());
  s.app.edit({set_cell(Quantity::W_Q, 2, 3, 0.75f), 0});
  s.ui.settle();
  CHECK(pictures_in_strip(s.ui) == 2);  // of the layer in focus; the others have another input than ever shown
  const auto again = s.app.trace().layer(1).recomputed_layers;
  REQUIRE(again);
  CHECK(again->empty());
  s.ui.key(key::page_down);
  s.ui.settle();
  CHECK(pictures_in_strip(s.ui) == 4);
  s.ui.frames(3);
  std::vector<Stamp> shown;
  for (const Heatmap& heatmap : s.ui.sink.heatmaps) shown.push_back(heatmap.matrix.stamp());
  s.ui.frames(2);
  std::vector<Stamp> later;
  for (const Heatmap& heatmap : s.ui.sink.heatmaps) later.push_back(heatmap.matrix.stamp());
  CHECK(shown == later);
}

TEST_CASE("layer strip: where heads talk after softmax its patterns have colours of both signs", "[app][layers]") {
  Document document = small_stack(2);
  document =
      hydra::apply(document, {SetSetting{LayerSetting::talking_heads, static_cast<double>(TalkingHeads::after)}, 1});
  Session s(document, {1280, 800});
  std::vector<float> lows;
  for (const Heatmap& heatmap : s.ui.sink.heatmaps)
    if (in_strip(s.ui, heatmap)) lows.push_back(heatmap.scale.low);
  CHECK(lows == std::vector<float>{0, 0, -1, -1});
}
