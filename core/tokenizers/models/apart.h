// Where a long part may be cut before its letters are merged, without any token becoming another one: what comes again
// is then merged once.
#pragma once
#include <string_view>
#include <vector>

#include "core/tokenizers/models/model.h"

namespace hydra {

// Spaces, or what stands for them, with which no token goes on behind other letters: merges never go over the place
// before such a one. Byte pair encoding alone, whose merges see nothing but their two neighbours.
class SpacesApart {
 public:
  SpacesApart() = default;
  SpacesApart(const TokenModel& model, const Spellings& spellings);
  // Where the pieces of the part end, the last at its own end.
  std::vector<std::size_t> ends(std::string_view part) const;

 private:
  std::vector<std::string_view> spaces_;
};

}  // namespace hydra
