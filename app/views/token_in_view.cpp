#include "app/views/token_in_view.h"

#include <algorithm>

namespace hydra {

Index token_in_view(const ViewState& view, const Source& source) {
  const Index token = view.token ? *view.token : source.derived.usual_token();
  return std::clamp<Index>(token, 0, std::ssize(source.trace.tokens) - 1);
}

void follow_token(ViewState& view, const Trace& trace) {
  const std::optional<Cell>& cell = view.selection;
  if (cell && shape_of(trace, cell->site).row_axis == Axis::token) view.token = cell->row;
}

}  // namespace hydra
