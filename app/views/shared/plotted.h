// A plot under its heading: what views draw of plots.
#pragma once
#include <string>

#include "app/views/frame/context.h"
#include "app/widgets/plot/plot.h"

namespace hydra {

struct PlotHeading {
  std::string title;  // may be math: "Singular values of W_Q W_Kᵀ"
  std::string below;  // soft, in lines; empty for none
  std::string tip;
  int lines = 0;  // below the title, of these and of the plot's key, at least: plots in a row begin at one height
};

// A plot in the room that its heading leaves; NAME is of the plot, NAME/title of the heading.
PlotResult plotted(Frame& frame, const std::string& name, const PlotHeading& heading, const Box& area, Plot plot);

}  // namespace hydra
