// Which parts of the model panel are folded.
#pragma once
#include <array>
#include <cstddef>
#include <optional>

namespace hydra {

enum class Fold { variants, words_in, around, layers, sharing, words_out };
inline constexpr std::size_t kFolds = 6;

struct ModelPanelState {
  std::array<std::optional<bool>, kFolds> open;  // as was chosen; else where the document uses what stands in it
  std::array<bool, kFolds> was_used{};           // since it was opened: no part folds under the hand
  bool all_open = false;                         // for tests, which go to any control at once
};

}  // namespace hydra
