// What is chosen in the Trade-off view.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "app/views/tradeoff/fit_state.h"
#include "app/views/tradeoff/tiles_motion.h"
#include "app/views/tradeoff/trained_state.h"
#include "core/analysis/cost.h"

namespace hydra {

struct TileNumbers;

enum class TradeoffPage { columns, cost, sharing, published, computed, trained, width, needed };
// Whether the page shows the document's own heads cut in other ways.
inline bool sweeps(TradeoffPage page) { return page <= TradeoffPage::published; }
enum class ComputedPart { product, timing, tiles };  // of the page "how it is computed"
enum class TimingAsked { none, start, cancel };

struct HeadCounts {
  Index width = 0;  // of all heads side by side, for which they were chosen
  std::vector<Index> counts;
};

struct TradeoffState {
  TradeoffPage page = TradeoffPage::needed;
  std::optional<HeadCounts> counts;       // side by side; none chosen: the usual ones
  std::optional<Index> query;             // the row of a query that every pattern outlines
  bool query_kept = false;                // by a click; else it is that under the pointer
  Index pointed_heads = 0;                // the head count under the pointer in the last frame; 0: none
  bool patterns_fitted = false;           // colours fitted to the largest weight side by side
  double context_length = kUsualContext;  // of published models, and of shared keys and values
  double bytes_per_number = kUsualBytes;
  std::optional<int> published_sorted;  // by this column of the table, the highest first; none: by year

  ComputedPart part = ComputedPart::product;  // of how it is computed
  TimingAsked timing = TimingAsked::none;     // this frame
  std::vector<Index> lengths;                 // that are timed; empty: the usual ones
  Index timed_length = 0;                     // under the pointer in the last frame; 0: none
  FitState fit;                               // of the pages width and needed
  TilesMotion tiles;
  TrainedState trained;
  std::shared_ptr<TileNumbers> tile_numbers;  // what the tiles have come to for the query last shown
};

}  // namespace hydra
