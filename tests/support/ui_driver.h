// Drives a program made with ImGui by the names it gave its parts (ui::probe), in process, without a window, a display
// or a GPU: its own context, a fixed clock, the same input queue as the window's.
//
//   UiDriver ui({1280, 800});
//   App app(default_document(), "", ui.sink);
//   ui.program = [&](ImVec2 size, float dt, InputQueue& input) { app.frame(size, dt, input); };
//   ui.click("heads/grid/3");
//
// Every step ends with the frames that the program needs to react. A name that is not there, or met twice within a
// frame, fails the test.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/probe.h"
#include "app/draw/screen_canvas.h"
#include "app/platform/fonts.h"
#include "app/platform/input.h"

namespace hydra {

// Keeps the heatmaps of the last frame instead of drawing them.
class NullSink : public HeatmapSink {
 public:
  void add(ImDrawList* list, const Heatmap& heatmap) override;
  std::vector<Heatmap> heatmaps;

 private:
  int frame_ = -1;
};

struct Modifiers {
  bool ctrl = false, shift = false;
};

class UiDriver {
 public:
  struct Rect {
    ImVec2 min, max;
    ImVec2 center() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
    ImVec2 at(float x, float y) const { return {min.x + (max.x - min.x) * x, min.y + (max.y - min.y) * y}; }
    // The centre of a cell of a matrix that fills the rectangle.
    ImVec2 cell(Index row, Index col, Index rows, Index cols) const;
  };

  explicit UiDriver(ImVec2 size = {1600, 1000});
  UiDriver(ImVec2 size, ImGuiContext* current);  // in the present context, which somebody else made and keeps
  ~UiDriver();
  UiDriver(const UiDriver&) = delete;
  UiDriver& operator=(const UiDriver&) = delete;

  // One frame: pumps the queue, lays out, ends with ImGui::Render. App::frame does all that.
  std::function<void(ImVec2 size, float dt, InputQueue& input)> program;
  // The same from something that only draws, within one window that fills the display.
  void draw_each_frame(std::function<void()> draw);
  const Fonts& fonts() const { return fonts_; }  // of such

  void frames(int count = 1);
  void settle();  // until the queue is empty, and two more

  bool exists(const std::string& name);               // in the last frame
  Rect rect(const std::string& name);                 // what is visible of it; scrolls it into view when it is not
  std::optional<Rect> seen(const std::string& name);  // of the last frame, without scrolling; none when out of view
  std::vector<std::string> names();                   // sorted

  void move(ImVec2 point);
  void move(const std::string& name);
  void leave();                // the pointer leaves the window
  void press(int button = 0);  // where the pointer is
  void release(int button = 0);
  void click(ImVec2 point, Modifiers modifiers = {}, int button = 0);
  void click(const std::string& name, Modifiers modifiers = {});
  void double_click(ImVec2 point);
  void double_click(const std::string& name);
  void right_click(const std::string& name);
  void drag(ImVec2 point, float dx, float dy, Modifiers modifiers = {});
  void drag(const std::string& name, float dx, float dy, Modifiers modifiers = {});
  void wheel(const std::string& name, float dy, Modifiers modifiers = {});
  void key(int code, bool ctrl = false, bool shift = false);
  void type(const std::string& utf8);

  NullSink sink;
  ScreenCanvas canvas{sink};
  InputQueue input;
  ImVec2 size;
  static constexpr float dt = 1.0f / 60;

 private:
  Fonts fonts_;
  void hold(Modifiers modifiers, bool down);

  ImGuiContext* context_;  // made here; or null
  ui::ProbeRecorder recorder_;
  std::string clipboard_;
};

}  // namespace hydra
