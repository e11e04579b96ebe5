// The numbers of a sweep over seeds: one draw of weights says little of what a head count does.
#pragma once
#include <array>

#include "core/measures/sweep.h"

namespace hydra {

// The numbers of an entry that depend on which weights were drawn.
enum class SweptNumber {
  entropy_bits,
  entropy_fraction,
  confidence,
  effective_heads,
  mean_cosine,
  mean_js_bits,
  output_change,
  largest_share,
  score_rank,  // the median over heads, as the next three
  score_effective_rank,
  pattern_rank,
  pattern_effective_rank
};
inline constexpr int kSweptNumbers = 12;
const char* key_of(SweptNumber number);  // "entropy_bits": in files
double number_of(const SweepEntry& entry, SweptNumber number);

using NumbersOverSeeds = std::array<Spread, kSweptNumbers>;  // in the order of the enum

struct SeedSweep {
  std::vector<std::uint64_t> seeds;       // the document's own first; fewer than two: there is nothing to spread
  std::vector<NumbersOverSeeds> entries;  // of the sweep's
  const Spread& of(std::size_t entry, SweptNumber number) const {
    return entries[entry][static_cast<std::size_t>(number)];
  }
};

inline constexpr int kMostSweptSeeds = 1000;

// Whether other seeds make other layers like this one: its weights are just what its seed gives. A layer that was
// designed or edited is the only one of its kind.
bool has_other_seeds(const Layer& layer);
// 8; 3 where so many would take long, 1 where even these would take minutes, and where it has no others.
int usual_seed_count(const Document& document, int layer, const std::vector<Index>& counts, Index tokens, Swept swept);

// Of the document and of `seeds - 1` others, whose layer has the weights of the seeds that follow its own. own: the
// sweep of the document at these counts. finished and stop as in Sweeps::of, by seeds.
SeedSweep sweep_over_seeds(const Document& document, int layer, const std::vector<SweepEntry>& own,
                           const std::vector<Index>& counts, Index head, Swept swept, int seeds, ThreadPool* pool,
                           const std::function<void(int)>& finished = {}, const std::stop_token& stop = {});

// The sweep command's JSON (docs/document.md). sharing: over kv_heads; no entries where heads cannot share.
struct SweepForFile {
  std::vector<SweepEntry> entries;
  SeedSweep over_seeds;
};
void write_sweep(const SweepForFile& heads, const SweepForFile& sharing, const Sink& sink);

}  // namespace hydra
