#include "app/views/token_in_view.h"

#include <algorithm>

#include "core/text/usual_token.h"

namespace hydra {

Index token_in_view(const ViewState& view, const Trace& trace) {
  const Index token = view.token ? *view.token : usual_token(trace.tokens, trace.words);
  return std::clamp<Index>(token, 0, std::ssize(trace.tokens) - 1);
}

void follow_token(ViewState& view, const Trace& trace) {
  const std::optional<Cell>& cell = view.selection;
  if (cell && shape_of(trace, cell->site).row_axis == Axis::token) view.token = cell->row;
}

}  // namespace hydra
