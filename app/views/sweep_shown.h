// The document cut into other numbers of heads, or with other numbers of keys and values, as the Trade-off view shows
// it.
#pragma once
#include <memory>
#include <vector>

#include "core/document/sweep_seeds.h"

namespace hydra {

struct SweepTable {
  Swept swept = Swept::heads;
  Index own_kv_heads = 1;           // of the document that was swept, which may be a moment older
  std::vector<SweepEntry> entries;  // by head count, ascending; by number of keys and values, descending
  bool has_seeds = false;  // other seeds make other documents like it; over_seeds has them as soon as they are swept
  SeedSweep over_seeds;    // the document's own alone until then
  // Of the last entry, when its heads are one number wide: how many queries give the most to the largest or the
  // smallest k that they see, over heads; and how many there are.
  Spread at_ends;
  Index queries = 0;
  double largest_change = 0;  // of the output, over entries
  float largest_weight = 1;   // in any pattern
};

struct SweepShown {
  std::shared_ptr<const SweepTable> table, sharing;  // over heads, over kv_heads; null until the first is done
  std::string failure;                               // why the newest could not be made; else empty
  float progress = 1;                                // below 1: another is being made
};

}  // namespace hydra
