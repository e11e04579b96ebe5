// Which parts of the model panel have come open by themselves.
#pragma once
#include "app/scene/choices.h"

namespace hydra {

struct UsedFolds {
  std::array<bool, kFolds> since_opened{};  // the document: no part folds under the hand
};

}  // namespace hydra
