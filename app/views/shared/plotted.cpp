#include "app/views/shared/plotted.h"

#include <algorithm>

#include "app/views/frame/ui.h"

namespace hydra {

PlotResult plotted(Frame& frame, const std::string& name, const PlotHeading& heading, const Box& area, Plot plot) {
  ImFont* small = frame.fonts.small;
  const float line = 1.25f * small->FontSize;
  float y = ui::title(frame, name + "/title", area.pos, area.size.x, heading.title, heading.tip.c_str());
  const float least = y + line * real(heading.lines);
  for (std::size_t at = 0; at < heading.below.size(); y += line) {
    const std::size_t end = std::min(heading.below.find('\n', at), heading.below.size());
    frame.canvas.text_at(small, {area.pos.x, y + 0.5f * frame.unit}, frame.theme.ink_soft,
                         spelled(frame, heading.below.substr(at, end - at)), area.size.x);
    at = end + 1;
  }
  plot.head = std::max(0.0f, least - y);
  y += frame.unit;
  plot.title = heading.title;
  return draw_plot(frame.canvas, name, plot, {{area.pos.x, y}, {area.size.x, area.bottom() - y}});
}

}  // namespace hydra
