#include "core/text/token_types.h"

#include <algorithm>

namespace hydra {

IndexLists token_types(std::span<const std::string> tokens, Index types) {
  IndexLists rows;
  Index type = 0;
  for (const std::string& token : tokens) {
    rows.add({&type, 1});
    if (token == kSeparator) type = std::min<Index>(1, types - 1);
  }
  return rows;
}

}  // namespace hydra
