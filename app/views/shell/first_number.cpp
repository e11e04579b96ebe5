#include "app/views/shell/first_number.h"

#include <cmath>

#include "app/views/shared/token_in_view.h"

namespace hydra {

std::optional<Cell> strongest_in_row(const Frame& frame, const Site& site, Index row) {
  const Backing shown = picture_of(frame, site);
  if (!shown.matrix || row < 0 || row >= shown.rows) return std::nullopt;
  Cell cell{site, row, 0};
  float most = -std::numeric_limits<float>::infinity();
  for (Index col = 0; col < shown.cols; ++col) {
    const float value = (*shown.matrix)(shown.row0 + row, shown.col0 + col);
    const float strength = is_pair(site.quantity) ? value : std::abs(value);
    if (strength > most && std::isfinite(value)) most = strength, cell.col = col;
  }
  return cell;
}

std::optional<Cell> first_number_of(const Frame& frame, const Site& site) {
  const bool of_tokens = shape_of(frame.trace, site).row_axis == Axis::token;
  return strongest_in_row(frame, site, of_tokens ? token_in_view(frame.view, frame.now) : 0);
}

std::optional<Cell> first_number(const Frame& frame) {
  const ViewState& view = frame.view;
  // Learn has pages without a number of the model: there is nothing to select on them.
  if (!frame.next.main_picture && view.view == ViewId::learn) return std::nullopt;
  const Site pattern{Quantity::attention, view.layer, view.focused_head};
  return first_number_of(frame, frame.next.main_picture ? frame.next.main_picture->site : pattern);
}

}  // namespace hydra
