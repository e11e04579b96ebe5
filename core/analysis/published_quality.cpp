#include "core/analysis/published_quality.h"

namespace hydra {

std::span<const PublishedQuality> published_head_counts() {
  static constexpr PublishedQuality kRows[] = {
      {1, 512, 5.29, 24.9}, {4, 128, 5.00, 25.5}, {8, 64, 4.92, 25.8}, {16, 32, 4.91, 25.8}, {32, 16, 5.01, 25.4}};
  return kRows;
}

}  // namespace hydra
