#include "app/widgets/arcs.h"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/support/ui_driver.h"

using namespace hydra;

namespace {

struct ArcsStage {
  explicit ArcsStage(Mat<float> weights, float threshold = 0) : ui({500, 400}) {
    for (Index i = 0; i < weights.rows(); ++i) tokens.push_back("w" + std::to_string(i));
    arcs.tokens = &tokens;
    arcs.weights = share(std::move(weights));
    arcs.threshold = threshold;
    arcs.row = 20;
    arcs.color = arcs.negative = arcs.ink = arcs.strong = IM_COL32_WHITE;
    arcs.ground = IM_COL32_BLACK;
    ui.draw_each_frame([this] {
      arcs.font = arcs.number_font = ImGui::GetIO().Fonts->Fonts.front();
      result = draw_arcs(ui.canvas, "arcs", arcs, {10, 10}, {400, 300});
      clicks += result.clicked;
    });
    ui.frames(2);
  }
  UiDriver ui;
  std::vector<std::string> tokens;
  Arcs arcs;
  ArcsResult result;
  int clicks = 0;
};

Mat<float> constant(Index n, float value) { return Mat<float>::Constant(n, n, value); }

}  // namespace

TEST_CASE("arcs: as many curves as weights that reach the threshold", "[widgets][arcs]") {
  Mat<float> weights(3, 3);
  weights << 0.7f, 0.2f, 0.1f, 0, 1, 0, 0.05f, 0.05f, 0.9f;
  for (const auto& [threshold, curves] : {std::pair{0.0f, 7}, {0.05f, 7}, {0.06f, 5}, {0.5f, 3}, {1.0f, 1}}) {
    CAPTURE(threshold);
    ArcsStage stage(weights, threshold);
    CHECK(stage.result.drawn == curves);
    CHECK(stage.result.passed == curves);
  }
}

TEST_CASE("arcs: the threshold is a share of the scale's end, whatever the sign", "[widgets][arcs]") {
  Mat<float> scores(2, 2);
  scores << 4, -4, 1, -6;
  ArcsStage stage(scores, 0.5f);
  stage.arcs.scale = {ColorMap::diverging_light, -10, 10};
  stage.ui.frames(2);
  CHECK(stage.result.drawn == 1);  // of 5 or more
  stage.arcs.threshold = 0.4f;
  stage.ui.frames(2);
  CHECK(stage.result.drawn == 3);
}

TEST_CASE("arcs: masked and undefined weights have no curve", "[widgets][arcs]") {
  Mat<float> weights = constant(2, std::numeric_limits<float>::quiet_NaN());
  weights(0, 0) = -std::numeric_limits<float>::infinity();
  weights(1, 1) = 0.5f;
  ArcsStage stage(weights);
  CHECK(stage.result.drawn == 1);
  stage.ui.move("arcs/query/1");  // numbers beside the keys: none to print
  CHECK(stage.result.query == 0);
}

TEST_CASE("arcs: a chosen pair that has scrolled out of view is named at the edge", "[widgets][arcs]") {
  ArcsStage stage(constant(60, 1.0f / 60));
  stage.arcs.query = 40, stage.arcs.key = 2;
  stage.ui.frames(2);
  const UiDriver::Rect room = stage.ui.rect("arcs");
  REQUIRE(stage.ui.exists("arcs/beyond/query/41"));
  CHECK(stage.ui.rect("arcs/beyond/query/41").max.y <= room.max.y);
  CHECK(stage.ui.rect("arcs/beyond/query/41").max.y > room.max.y - 20);
  CHECK_FALSE(stage.ui.exists("arcs/beyond/key/3"));
  stage.arcs.query = 5;
  stage.ui.frames(2);
  CHECK_FALSE(stage.ui.exists("arcs/beyond/query/6"));
}

TEST_CASE("arcs: the pointer isolates a query or a key", "[widgets][arcs]") {
  ArcsStage stage(constant(8, 0.125f));
  stage.ui.move("arcs/query/3");
  CHECK(stage.result.query == 2);
  CHECK(stage.result.key == -1);
  stage.ui.move("arcs/key/8");
  CHECK(stage.result.query == -1);
  CHECK(stage.result.key == 7);
  stage.ui.move(stage.ui.rect("arcs").center());
  CHECK(stage.result.query == -1);
  CHECK(stage.result.key == -1);
  CHECK(stage.clicks == 0);
  stage.ui.click("arcs/query/1");
  CHECK(stage.clicks == 1);
}

TEST_CASE("arcs: isolating prints a weight for each of the token's pairs", "[widgets][arcs]") {
  ArcsStage stage(constant(8, 0.125f));
  const int plain = ImGui::GetDrawData()->TotalVtxCount;
  stage.ui.move("arcs/query/3");
  // 8 numbers of 4 letters and their grounds, 4 vertices each, and no curve less.
  CHECK(ImGui::GetDrawData()->TotalVtxCount == plain + 8 * (4 + 1) * 4);
  stage.ui.leave();
  CHECK(ImGui::GetDrawData()->TotalVtxCount == plain);
  stage.arcs.query = 5;  // by the caller
  stage.ui.frames(2);
  CHECK(ImGui::GetDrawData()->TotalVtxCount == plain + 8 * (4 + 1) * 4);
}

TEST_CASE("arcs: too many pairs are cut to the strongest, and that is said", "[widgets][arcs]") {
  ArcsStage stage(constant(128, 1.0f / 128));
  CHECK(stage.result.drawn == kMostCurves);
  CHECK(stage.result.passed > kMostCurves);
  CHECK(stage.result.passed < 128 * 128);  // of those with an end in view
}

TEST_CASE("arcs: any of a thousand tokens can be reached by scrolling", "[widgets][arcs]") {
  Mat<float> weights = constant(1024, 0);
  weights(899, 3) = 1;
  ArcsStage stage(weights, 0.05f);
  CHECK(stage.result.drawn == 1);  // it ends at key 4, which is in view
  stage.ui.move("arcs/query/900");
  CHECK(stage.result.query == 899);
  CHECK(stage.result.drawn == 1);
}

TEST_CASE("arcs: a single token, long words and a sliver of room", "[widgets][arcs]") {
  ArcsStage stage(constant(1, 1));
  CHECK(stage.result.drawn == 1);
  stage.tokens[0] = std::string(300, 'm');
  stage.ui.frames(2);
  CHECK(stage.ui.rect("arcs/query/1").max.x < stage.ui.rect("arcs/key/1").min.x);
}
