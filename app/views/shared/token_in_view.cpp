#include "app/views/shared/token_in_view.h"

#include <algorithm>

namespace hydra {

Index token_in_view(const ViewState& view, const Source& source) {
  const Index token = view.token ? *view.token : source.derived.usual_token();
  return std::clamp<Index>(token, 0, std::ssize(source.trace.tokens) - 1);
}

}  // namespace hydra
