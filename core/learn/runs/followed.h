// One thing in the heads' patterns that can be measured at any step of a run: how much they attend from a query to a
// place so far from it, or from one word of a sentence to another.
#pragma once
#include <string>
#include <vector>

#include "core/linalg/types.h"

namespace hydra::learn {

struct Followed {
  enum class What { offset, cell };
  What what = What::offset;
  int offset = -1;                  // of the key's place from the query's: -1 is the word before
  std::vector<std::string> tokens;  // of a cell: the sentence,
  Index row = 0, col = 0;           // and the places of its query and key
  bool operator==(const Followed&) const = default;
};

}  // namespace hydra::learn
