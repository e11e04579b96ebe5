#include "app/views/model_panel/column_groups.h"

#include "app/views/frame/ui.h"

namespace hydra {

std::vector<std::string> column_names(const Trace& trace, Index count) {
  std::vector<std::string> names;
  for (Index c = 0; c < count; ++c) names.push_back(axis_label(trace, Axis::model_dim, c));
  return names;
}

void column_group_lines(const Frame& frame, const Heatmap& heatmap, float step) {
  const FeatureLayout& layout = *frame.trace.layout;
  for (const Index at : {layout.identity_at(), layout.slot_at(), layout.position_at()}) {
    const float offset = std::round(real(at) * step);
    frame.canvas.line({heatmap.min.x, heatmap.min.y + offset}, {heatmap.max.x, heatmap.min.y + offset},
                      frame.theme.ink_faint);
    frame.canvas.line({heatmap.min.x + offset, heatmap.min.y}, {heatmap.min.x + offset, heatmap.max.y},
                      frame.theme.ink_faint);
  }
}

}  // namespace hydra
