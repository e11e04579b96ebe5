// The document cut into other numbers of heads, or with other numbers of keys and values, as the Trade-off view shows
// it.
#pragma once
#include <memory>
#include <vector>

#include "core/document/sweep.h"

namespace hydra {

struct SweepTable {
  Swept swept = Swept::heads;
  Index own_kv_heads = 1;           // of the document that was swept, which may be a moment older
  std::vector<SweepEntry> entries;  // by head count, ascending; by number of keys and values, descending
  // Singular values of the measured head divided by the largest, by entry; empty where there is none above zero.
  std::vector<std::vector<double>> scores, pattern;
  double largest_change = 0;  // of the output, over entries
  float largest_weight = 1;   // in any pattern
};

struct SweepShown {
  std::shared_ptr<const SweepTable> table, sharing;  // over heads, over kv_heads; null until the first is done
  float progress = 1;                                // below 1: another is being made
};

}  // namespace hydra
