// The labels of a plot's series over it, behind samples of how they are drawn.
#pragma once
#include <imgui.h>

#include <string>

#include "app/draw/canvas.h"
#include "app/widgets/plot/plot.h"

namespace hydra {

class PlotKey {
 public:
  PlotKey(const Plot& plot, float wide) : plot_(plot), wide_(wide) {}

  float height() const;  // with a gap below it; of a plot without one what it keeps free
  // The series whose entry is under the pointer; -1: none is. A probe: NAME/key.
  int draw(Canvas& canvas, const std::string& name, ImVec2 corner) const;

 private:
  float sample_width() const { return 4.5f * plot_.unit; }
  // Where an entry begins, in the line at.y; at becomes its end.
  float place(const PlotSeries& series, ImVec2& at) const;
  void sample(Canvas& canvas, const PlotSeries& series, ImVec2 at) const;

  const Plot& plot_;
  float wide_;
};

}  // namespace hydra
