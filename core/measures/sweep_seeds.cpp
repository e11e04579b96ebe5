#include "core/measures/sweep_seeds.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/document/edits/edit.h"

namespace hydra {

namespace {

constexpr int kUsualSeeds = 8, kLeastSeeds = 3;
constexpr double kMuchWork = 1.5e9, kTooMuchWork = 1e11;  // multiply-adds of all seeds, of one; about

std::array<std::vector<double>, kSweptNumbers> numbers_of(const SweepEntry& entry) {
  std::array<std::vector<double>, kSweptNumbers> numbers;
  for (int k = 0; k < kSweptNumbers; ++k)
    numbers[static_cast<std::size_t>(k)].push_back(number_of(entry, static_cast<SweptNumber>(k)));
  return numbers;
}

}  // namespace

const char* key_of(SweptNumber number) {
  static constexpr std::array<const char*, kSweptNumbers> keys{
      "entropy_bits", "entropy_fraction",     "confidence",    "effective_heads",
      "mean_cosine",  "mean_js_bits",         "output_change", "largest_share",
      "score_rank",   "score_effective_rank", "pattern_rank",  "pattern_effective_rank"};
  return keys[static_cast<std::size_t>(number)];
}

double number_of(const SweepEntry& entry, SweptNumber number) {
  switch (number) {
    case SweptNumber::entropy_bits:
      return entry.entropy_bits;
    case SweptNumber::entropy_fraction:
      return entry.entropy_fraction;
    case SweptNumber::confidence:
      return entry.confidence;
    case SweptNumber::effective_heads:
      return entry.effective_heads;
    case SweptNumber::mean_cosine:
      return entry.mean_cosine;
    case SweptNumber::mean_js_bits:
      return entry.mean_js_bits;
    case SweptNumber::output_change:
      return entry.output_change;
    case SweptNumber::largest_share:
      return *std::max_element(entry.shares.begin(), entry.shares.end());
    default:
      break;
  }
  if (entry.head < 0) return std::numeric_limits<double>::quiet_NaN();  // no ranks were asked for
  const bool scores = number == SweptNumber::score_rank || number == SweptNumber::score_effective_rank;
  const RanksOverHeads& ranks = scores ? entry.scores_over_heads : entry.pattern_over_heads;
  const bool effective = number == SweptNumber::score_effective_rank || number == SweptNumber::pattern_effective_rank;
  return effective ? ranks.effective_rank.median : ranks.rank.median;
}

bool has_other_seeds(const Layer& layer) { return is_untrained(layer); }

int usual_seed_count(const Document& document, int layer, const std::vector<Index>& counts, Index tokens, Swept swept) {
  if (!has_other_seeds(document.layer(layer))) return 1;
  const auto n = static_cast<double>(tokens), d = static_cast<double>(document.d_model);
  double work = 0;
  for (const Index count : counts) {
    const auto heads = static_cast<double>(swept == Swept::heads ? count : document.layer(layer).heads);
    work += 12 * heads * heads * n * n + 4 * n * d * d + heads * n * n * n;
  }
  if (work > kTooMuchWork) return 1;
  return static_cast<int>(std::clamp(kMuchWork / work, double{kLeastSeeds}, double{kUsualSeeds}));
}

SeedSweep sweep_over_seeds(const Document& document, int layer, const std::vector<SweepEntry>& own,
                           const std::vector<Index>& counts, Index head, Swept swept, int seeds, ThreadPool* pool,
                           const std::function<void(int)>& finished, const std::stop_token& stop) {
  const WeightSource& source = document.layer(layer).source;
  SeedSweep all;
  all.seeds.push_back(source.seed);
  std::vector<std::array<std::vector<double>, kSweptNumbers>> numbers;
  for (const SweepEntry& entry : own) numbers.push_back(numbers_of(entry));
  for (int k = 1; k < seeds && has_other_seeds(document.layer(layer)); ++k) {
    all.seeds.push_back(source.seed + static_cast<std::uint64_t>(k));
    const Document other = hydra::apply(document, {SetWeightSource{source.init, all.seeds.back()}, layer});
    Sweeps sweeps(pool, swept, false);
    sweeps.let_traces_go([](const SweepEntry&) {});
    const std::vector<SweepEntry> entries = sweeps.of(other, layer, counts, head, {}, stop);
    assert(entries.size() == own.size());
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const auto more = numbers_of(entries[e]);
      for (std::size_t number = 0; number < more.size(); ++number) numbers[e][number].push_back(more[number].front());
    }
    if (finished) finished(k);
  }
  for (const auto& entry : numbers) {
    NumbersOverSeeds& spreads = all.entries.emplace_back();
    std::transform(entry.begin(), entry.end(), spreads.begin(),
                   [](const std::vector<double>& values) { return spread_of(values); });
  }
  return all;
}

}  // namespace hydra
