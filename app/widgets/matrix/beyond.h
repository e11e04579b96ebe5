// What a chart's upright axis does not reach is not passed over: an arrow at the end through which lines leave, and the
// farthest value.
#pragma once
#include <limits>
#include <string>

#include "app/draw/canvas.h"
#include "app/widgets/geometry.h"

namespace hydra {

class Beyond {
 public:
  Beyond(double low, double high) : low_(low), high_(high) {}

  // A value that is drawn there; NaN: none is.
  void note(double value, float x) {
    if (value > high_ && !(value <= above_.value)) above_ = {value, x};
    if (value < low_ && !(value >= below_.value)) below_ = {value, x};
  }
  // Within the lines' room; the arrows are probes, NAME/above and NAME/below.
  void draw(Canvas& canvas, const std::string& name, const Look& look, const Box& room) const;
  double above() const { return above_.value; }  // NaN: nothing

 private:
  struct End {
    double value = std::numeric_limits<double>::quiet_NaN();
    float x = 0;
  };
  void mark(Canvas& canvas, const std::string& name, const Look& look, const Box& room, const End& end, bool up) const;

  double low_, high_;
  End above_, below_;
};

}  // namespace hydra
