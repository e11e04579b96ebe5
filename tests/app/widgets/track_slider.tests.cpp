#include "app/widgets/track_slider.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/ui_driver.h"

using namespace hydra;

namespace {

// From 0 to 2 at rest at 1, the middle of the track at x = 110.
struct SliderStage {
  SliderStage() : ui({400, 200}) {
    slider.pos = {10, 10};
    slider.size = {200, 20};
    slider.high = 2;
    slider.rest = slider.value = 1;
    slider.theme = &theme(false);
    ui.draw_each_frame([this] {
      const TrackSliderResult result = track_slider(ui.canvas, "slider", slider);
      slider.value = result.value;
      released += result.released;
      doubles += result.double_clicked;
    });
    ui.frames(2);
  }
  UiDriver ui;
  TrackSlider slider;
  int released = 0, doubles = 0;
};

}  // namespace

TEST_CASE("track slider: follows the pointer between its ends, in whole steps", "[widgets][track_slider]") {
  SliderStage stage;
  stage.ui.drag(ImVec2{110, 20}, -45.3f, 0);
  CHECK(stage.slider.value > 0.4f);
  CHECK(stage.slider.value < 0.6f);
  CHECK(stage.slider.value * 100 == Approx(std::round(stage.slider.value * 100)));
  CHECK(stage.released == 1);
  stage.ui.drag(ImVec2{65, 20}, 1000, 0);
  CHECK(stage.slider.value == 2);
  stage.ui.drag(ImVec2{200, 20}, -1000, 0);
  CHECK(stage.slider.value == 0);
}

TEST_CASE("track slider: near the line of rest it is at rest", "[widgets][track_slider]") {
  SliderStage stage;
  stage.ui.drag(ImVec2{60, 20}, 52, 0);
  CHECK(stage.slider.value == 1);
  stage.ui.drag(ImVec2{60, 20}, 58, 0);
  CHECK(stage.slider.value > 1);
}

TEST_CASE("track slider: a double click is told, and pointing alone changes nothing", "[widgets][track_slider]") {
  SliderStage stage;
  stage.ui.move(ImVec2{40, 20});
  CHECK(stage.slider.value == 1);
  stage.ui.double_click(ImVec2{40, 20});
  CHECK(stage.doubles == 1);
}
