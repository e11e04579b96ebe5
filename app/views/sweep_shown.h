// The document cut into other numbers of heads, as the Trade-off view shows it.
#pragma once
#include <memory>
#include <vector>

#include "core/document/sweep.h"

namespace hydra {

struct SweepTable {
  std::vector<SweepEntry> entries;  // by head count, ascending
  // Singular values of the measured head divided by the largest, by entry; empty where there is none above zero.
  std::vector<std::vector<double>> scores, pattern;
  double largest_change = 0;  // of the output, over entries
};

struct SweepShown {
  std::shared_ptr<const SweepTable> table;  // null until the first is done
  float progress = 1;                       // below 1: another is being made
};

}  // namespace hydra
