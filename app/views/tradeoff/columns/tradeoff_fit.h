// What both pages of the Trade-off view that fit heads are drawn with.
#pragma once
#include "app/measures/fit.h"
#include "app/views/frame/ui.h"
#include "app/views/shared/plotted.h"
#include "app/views/tradeoff/tradeoff_parts.h"

namespace hydra::tradeoff {

class FitDrawing : protected Drawing {
 public:
  using Drawing::Drawing;

 protected:
  // Shares and errors, from 0 to 1, over counts: the median of each with least and most, and the mark of one of them.
  Plot plot_of(std::vector<double> counts, const std::vector<std::vector<double>>& by_seed, int marked) const;
  // Under its heading; what is pointed at in it is so in the next frame.
  PlotResult show(const char* name, const Box& area, Plot plot, const PlotHeading& heading) const;
  // A pattern's colours, with a tooltip of its number: row and column by their names.
  void picture(const std::string& name, const std::string& words, const Array<float>& matrix, ImVec2 corner,
               ImVec2 size, const std::function<std::string(Index row, Index col)>& said) const;
  // A paragraph from y on within the area, whole or not at all; returns where the next begins.
  float words(const Box& area, float y, const std::string& text, bool soft = false) const;
  // A veil over what is not of what was asked for last.
  void pale(const Box& area) const;
};

// What the page in view asks for.
const Measured<FitWidthsMeasure>& fitted_widths(const Frame& frame);
const Measured<FitHeadsMeasure>& fitted_heads(const Frame& frame);

std::string share_text(double share);  // "12 %", "0.4 %", "under 0.1 %"

}  // namespace hydra::tradeoff
