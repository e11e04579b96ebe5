// Values along an axis, as lines, bands, bars, dots and rings, with marked levels and places: data in, hit out.
#pragma once
#include <imgui.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/canvas.h"
#include "app/widgets/geometry.h"
#include "app/widgets/plot/plot_values.h"

namespace hydra {

struct PlotLevel {
  double at = 0;      // on the upright axis; not drawn beyond it
  std::string label;  // at its end, or below its beginning
  bool inside = false;
};

struct PlotMark {
  double at = 0;      // on the level axis; beyond its end the label stands there with an arrow
  std::string label;  // over the plot
};

struct PlotAxis {
  double low = 0, high = 1;
  bool logarithmic = false;                     // low above 0, lines at powers of base
  double base = 10;                             // whole
  bool zero = false;                            // has a place of its own below a logarithmic axis, where it occurs
  std::string title = {};                       // over the upright axis, under the end of the level one
  std::function<std::string(double)> say = {};  // its numbers; none: as short as they are
  bool numbered = true;
};

// Labels at the ends of lines have so much of the width at the most.
inline constexpr float kMostOfLabels = 0.42f;

struct Plot : Look {
  std::string title;           // for who listens
  std::vector<double> places;  // where the values of all series stand, ascending; empty: at whole numbers
  PlotAxis x, y;               // of x the numbers low and high are not read where there are places
  std::vector<PlotSeries> series;
  std::vector<PlotSeries> others;  // of another state: behind the series, and never pointed at
  std::vector<PlotLevel> levels;
  std::vector<PlotMark> marks;  // in their order along the axis
  int shaded = 0;               // so many places from the first on lie on another ground
  std::string shaded_label;     // there
  int marked = -1;              // the place that stands out and always has its number; -1: none
  int pointed = -1;             // the place that another plot is pointed at
  std::optional<int> now;       // a line at that whole number
  bool to_come = false;         // what is beyond it is pale
  bool keyed = false;           // labels stand in a key over the plot
  std::string instead = {};     // over the lines, while there are no values
  float weak = 0.45f;           // how much of its colour a line keeps that is not strong
  float head = 0;               // height kept over the plot at least, for the key
  float under = 0;              // height left free under it, for the caller

  bool shows_band(const PlotSeries& series) const;  // a strong one does, and the only one that has a band
};

struct PlotResult {
  int place = -1;   // the place, or the whole number, under the pointer
  int series = -1;  // nearest to the pointer there; or whose entry in the key is under it, and then there is no place
  bool clicked = false, held = false, released = false;
  ImVec2 min, max;            // of the plot
  float first = 0, step = 0;  // where the first place or whole number stands, and how far the nearest are apart
};

// name is the probe's of the box, and name + "/values" of what its axes enclose.
PlotResult draw_plot(Canvas& canvas, const std::string& name, const Plot& plot, const Box& box);

}  // namespace hydra
