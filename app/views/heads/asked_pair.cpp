#include "app/views/heads/asked_pair.h"

#include "app/views/heads/heads_grid.h"
#include "app/views/heads/heads_rollout.h"

namespace hydra {

std::optional<Cell> strongest_pair(const Frame& frame, const Site& pattern, Index row) {
  const Backing shown = picture_of(frame, pattern);
  if (!shown.matrix || row < 0 || row >= shown.rows) return std::nullopt;
  Cell cell{pattern, row, 0};
  shown.matrix->row(shown.row0 + row).segment(shown.col0, shown.cols).maxCoeff(&cell.col);
  return cell;
}

std::optional<Cell> asked_pair(const Frame& frame) {
  const ViewState& view = frame.view;
  if (shows_rollout(view)) return std::nullopt;
  return strongest_pair(frame,
                        view.average ? Site{Quantity::mean_attention, view.layer, kNoHead}
                                     : Site{shown_pattern(view), view.layer, view.focused_head},
                        frame.derived.usual_token());
}

}  // namespace hydra
