// The screen: what is drawn goes into ImGui's present window, a room is a window within it.
#pragma once
#include "app/draw/canvas.h"

namespace hydra {

class ScreenCanvas final : public Canvas {
 public:
  explicit ScreenCanvas(HeatmapSink& sink) : sink_(sink) {}  // which must live longer

  void fill(ImVec2 min, ImVec2 max, ImU32 color, float rounding) override;
  void frame(ImVec2 min, ImVec2 max, ImU32 color, float thick, float rounding) override;
  void fade(ImVec2 min, ImVec2 max, ImU32 above, ImU32 below) override;
  void line(ImVec2 from, ImVec2 to, ImU32 color, float thick) override;
  void path(std::span<const ImVec2> points, ImU32 color, float thick, bool closed) override;
  void curve(ImVec2 from, ImVec2 by, ImVec2 and_by, ImVec2 to, ImU32 color, float thick, int pieces) override;
  void polygon(std::span<const ImVec2> corners, ImU32 color) override;
  void disc(ImVec2 center, float radius, ImU32 color) override;
  void ring(ImVec2 center, float radius, ImU32 color, float thick) override;
  void text(const DrawnText& text) override;
  void cells(const Heatmap& heatmap) override;
  bool lacks_memory(const Array<float>& matrix) const override { return sink_.lacks_memory(matrix); }
  void push_clip(ImVec2 min, ImVec2 max) override;
  void pop_clip() override;
  Box visible() const override;
  bool begin_room(const char* name, ImVec2 pos, ImVec2 size, Scrolls scrolls) override;
  void end_room() override;
  void begin_layers() override;
  void end_layers() override;
  void begin_below() override;
  void end_below() override;
  void frame_over(ImVec2 min, ImVec2 max, ImU32 color, float thick, float rounding, const Box& within) override;

 private:
  HeatmapSink& sink_;
};

}  // namespace hydra
