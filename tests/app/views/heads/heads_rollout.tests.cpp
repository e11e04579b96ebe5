// Rollout in the Heads view, driven by name through the whole program.
#include "app/views/heads/heads_rollout.h"

#include <catch2/catch.hpp>

#include "app/platform/input.h"
#include "core/document/edits/edit.h"
#include "tests/support/models/stacks.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

Document carrying(int layers) {
  Document document = small_stack(layers);
  for (int k = 0; k < layers; ++k) document = hydra::apply(document, {SetSetting{LayerSetting::residual, 1}, k});
  return document;
}

struct RolloutSession : Session {
  explicit RolloutSession(Document document, ImVec2 size = {1600, 1000}) : Session(std::move(document), size) {
    set(view().view, ViewId::heads);
    ui.frames(3);
    ui.click("heads/rollout");
    settle();
  }
  Array<float> large() { return picture("heads/large").matrix; }
  bool shows(int layers, RolloutKind kind) {
    return *large() == Mat<float>(rollout(app.trace(), layers, kind).cast<float>());
  }
};

}  // namespace

TEST_CASE("heads rollout: through the layers up to the one in focus, raw and by value, at every size and depth",
          "[app][heads_view][rollout]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}, ImVec2{1920, 1080}})
    for (const int layers : {1, 2, 12, 48}) {
      CAPTURE(size.x, layers);
      RolloutSession s(carrying(layers), size);
      CHECK(s.ui.exists("heads/rollout/note"));
      CHECK(s.shows(1, RolloutKind::attention));
      s.ui.click("heads/rollout/weighted");
      s.settle();
      CHECK(s.shows(1, RolloutKind::value_weighted));
      s.set(act::GoTo{layers - 1, {}});
      s.settle();
      CHECK(s.shows(layers, RolloutKind::value_weighted));
      s.ui.click("heads/rollout/raw");
      s.settle();
      CHECK(s.shows(layers, RolloutKind::attention));
      CHECK_FALSE(s.notice().is_error);
    }
}

TEST_CASE("heads rollout: it stays from layer to layer, a head, a pattern or the average end it",
          "[app][heads_view][rollout]") {
  RolloutSession s(carrying(3));
  s.ui.key(key::page_down);
  s.settle();
  CHECK(s.view().layer == 1);
  CHECK(s.shows(2, RolloutKind::attention));
  s.ui.click("heads/average");
  CHECK_FALSE(s.ui.exists("heads/rollout/note"));
  s.ui.click("heads/rollout");
  s.settle();
  CHECK_FALSE(s.view().average);
  s.ui.click("heads/grid/2");
  CHECK_FALSE(s.view().heads.rollout);
  CHECK(s.large() == s.app.trace().layer(1).heads[1].attention);
  s.ui.click("heads/rollout");
  s.settle();
  s.ui.click("heads/pattern/attention");
  CHECK_FALSE(s.view().heads.rollout);
  s.ui.click("heads/rollout");
  s.ui.click("heads/rollout");
  CHECK_FALSE(s.view().heads.rollout);
}

TEST_CASE("heads rollout: an edit of the first layer reaches it, a frame without one makes nothing",
          "[app][heads_view][rollout]") {
  RolloutSession s(carrying(3));
  s.set(act::GoTo{2, {}});
  s.settle();
  const Array<float> before = s.large();
  s.ui.frames(5);
  CHECK(s.large() == before);
  s.app.edit({set_cell(Quantity::W_Q, 2, 3, 3.5f), 0});
  s.settle();
  CHECK_FALSE(s.large() == before);
  CHECK(s.shows(3, RolloutKind::attention));
}

TEST_CASE("heads rollout: what no way leads to is hatched as masked pairs are, of any mask, on the patterns' scale",
          "[app][heads_view][rollout]") {
  CHECK_FALSE(RolloutSession(carrying(2)).picture("heads/large").hidden);
  for (const int layers : {1, 2, 3}) {
    Document document = carrying(layers);
    for (int k = 0; k < layers; ++k) {
      document = hydra::apply(document, {SetMask{{Mask::Kind::causal, nullptr}}, k});
      document = hydra::apply(document, {SetSetting{LayerSetting::window, 2}, k});
    }
    RolloutSession s(document);
    s.set(act::GoTo{layers - 1, {}});
    s.settle();
    const Heatmap shown = s.picture("heads/large");
    CHECK(shown.scale.low == 0);
    CHECK(shown.scale.high == 1);
    REQUIRE(shown.hidden);
    for (Index token = 0; token < shown.rows; ++token)
      for (Index word = 0; word < shown.cols; ++word) {
        const bool reaches = word <= token && token - word <= layers;
        CHECK(((*shown.hidden)(token, word) == 0) == reaches);
        if (!reaches) CHECK((*shown.matrix)(token, word) == 0);
      }
  }
}

TEST_CASE("heads rollout: a number's lines are its row times its column", "[app][heads_view][rollout]") {
  RolloutSession s(carrying(2));
  const auto trace = evaluate(s.document());
  Measured<RolloutMeasure> shown{nullptr, trace, {2, RolloutKind::attention}, ""};
  const auto result = std::make_shared<RolloutMeasure::Result>();
  result->steps = rollout_steps(*trace, 2, RolloutKind::attention);
  Rollout* const steps = &result->steps;
  CHECK(steps->reached.isApprox(steps->step * steps->before, 1e-14));
  CHECK(steps->before == rollout(*trace, 1, RolloutKind::attention));
  const auto n = static_cast<Index>(trace->tokens.size());
  steps->step.setZero();
  steps->before.setZero();
  steps->step(4, 1) = 0.5, steps->before(1, 3) = 0.25;
  steps->step(4, 4) = 0.5, steps->before(4, 3) = 0.5;
  steps->reached = steps->step * steps->before;
  shown.value = result;
  const std::vector<std::string> lines = rollout_lines(shown, 4, 3);
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == trace->tokens[4] + " → " + trace->tokens[3] + ": 0.375");
  CHECK(lines[1].find("37.5 % of what stands at") == 0);
  CHECK(lines[2] == "= 0.500 × 0.500  by “" + trace->tokens[4] + "” of layer 1");
  CHECK(lines[3] == "+ 0.500 × 0.250  by “" + trace->tokens[1] + "” of layer 1");
  CHECK(rollout_lines(shown, 0, n - 1).size() == 2);  // 0 is a sum of nothing
  steps->step.row(0).setConstant(0.1), steps->before.col(0).setConstant(0.1);
  steps->reached = steps->step * steps->before;
  const std::vector<std::string> many = rollout_lines(shown, 0, 0);
  REQUIRE(many.size() == 7);
  CHECK(many[6].find("by the others") != std::string::npos);
}

TEST_CASE("heads rollout: of one layer a number is half its heads' mean weight, and half the token itself",
          "[app][heads_view][rollout]") {
  for (const bool residual : {true, false}) {
    const auto trace =
        evaluate(hydra::apply(small_stack(1), {SetSetting{LayerSetting::residual, residual ? 1.0f : 0.0f}, 0}));
    const auto result = std::make_shared<RolloutMeasure::Result>();
    result->steps = rollout_steps(*trace, 1, RolloutKind::attention);
    const Measured<RolloutMeasure> shown{result, trace, {1, RolloutKind::attention}, ""};
    const auto mean = [&](Index row, Index col) {
      double sum = 0;
      for (const auto& head : trace->layer(0).heads) sum += static_cast<double>((*head.attention)(row, col));
      return sum / static_cast<double>(trace->layer(0).heads.size());
    };
    const auto line = [&](Index row, Index col) {
      const std::vector<std::string> lines = rollout_lines(shown, row, col);
      REQUIRE(lines.size() == 3);
      return lines[2];
    };
    const std::string half = residual ? "½ × " : "", itself = residual ? " + ½" : "";
    const std::string what = ": the mean of its heads' weights";
    CHECK(line(3, 1) == "= " + half + ui::number(mean(3, 1)) + what);
    CHECK(line(3, 3) ==
          "= " + half + ui::number(mean(3, 3)) + itself + what + (residual ? ", and the token itself" : ""));
  }
}

TEST_CASE("heads rollout: pointed at, in a presentation, in the dark, whatever is kept", "[app][heads_view][rollout]") {
  RolloutSession s(carrying(12), {1280, 800});
  s.app.keep_at_most(0);
  s.set(s.view().presentation, true);
  s.set(s.view().dark, true);
  s.app.edit({set_cell(Quantity::W_Q, 2, 3, 3.5f), 4});
  s.set(act::GoTo{11, {}});
  s.settle();
  CHECK(*s.large() == Mat<float>(rollout(*evaluate(s.document()), 12, RolloutKind::attention).cast<float>()));
  s.ui.move(s.ui.rect("heads/large").center());
  s.ui.frames(2);
  CHECK_FALSE(s.was().cell);  // it is of no matrix of a layer
  CHECK_FALSE(s.notice().is_error);
}
