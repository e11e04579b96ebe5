// Trade-off: the singular values of a head's scores before softmax and of its pattern after it, per head count.
#include "app/views/frame/ui.h"
#include "app/views/shared/plotted.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "core/analysis/likeness/diversity.h"

namespace hydra {

ImU32 spectrum_shade(bool dark, int k, int count) {
  constexpr float kFirst = 0.44f;  // of the value colours; those before are too near the ground
  const float t = count > 1 ? real(k) / real(count - 1) : 0.5f;
  return to_u32(color_at(dark ? ColorMap::sequential_dark : ColorMap::sequential_light, kFirst + (1 - kFirst) * t));
}

double spectra_foot(Index n) {
  return std::pow(10, std::floor(std::log10(0.1 * zero_level(std::max<Index>(1, n), n)) + 1e-9));
}

namespace tradeoff {

namespace {

class Spectra : Drawing {
 public:
  Spectra(Frame& frame, const SweepTable& table, int strong)
      : Drawing(frame), table_(table), n_(static_cast<Index>(tokens_of(table).size())), strong_(strong) {}

  int draw(const Box& before, const Box& after) {
    spectrum("tradeoff/spectrum/scores", "tradeoff:spectra.scores", "tradeoff:spectra.scores.below",
             "tradeoff:spectra.scores.tip", &SweepEntry::scores_over_heads, before);
    spectrum("tradeoff/spectrum/pattern", "tradeoff:spectra.pattern", "tradeoff:spectra.pattern.below",
             "tradeoff:spectra.pattern.tip", &SweepEntry::pattern_over_heads, after);
    return next_;
  }

 private:
  const SweepEntry& entry(int k) const { return nth(table_.entries, k); }
  int count() const { return int_size(table_.entries); }

  ImU32 shade(int k) const { return spectrum_shade(theme_.dark, k, count()); }

  // title, below and tip: texts
  void spectrum(const char* name, const char* title, const char* below, const char* tip,
                RanksOverHeads SweepEntry::*ranks, const Box& area) {
    if (area.size.y < 10 * em_) return;
    auto plot = styled<Plot>(frame_);
    for (int k = 1; k <= std::max<Index>(2, n_); ++k) plot.places.push_back(k);
    for (int k = 0; k < count(); ++k) {
      const RanksOverHeads& over = entry(k).*ranks;
      plot.series.push_back({.y = &over.median,
                             .color = shade(k),
                             .label = std::to_string(entry(k).heads),
                             .strong = k == strong_,
                             .low = &over.least,
                             .high = &over.most,
                             .band = true});
    }
    if (strong_ >= 0 && entry(strong_).d_k < n_)
      plot.marks.push_back({static_cast<double>(entry(strong_).d_k), "d_k = " + std::to_string(entry(strong_).d_k)});
    plot.marks.push_back({static_cast<double>(n_), "n = " + std::to_string(n_)});
    plot.keyed = true;
    plot.weak = 1;  // the strong one is told by its breadth; all keep the colours of the key
    plot.y.logarithmic = view_.spectra_log;
    if (plot.y.logarithmic) {
      plot.y.low = spectra_foot(n_);
      plot.levels.push_back({zero_level(n_, n_), wording("tradeoff:spectra.zero"), true});
    }
    const PlotResult hit = plotted(frame_, name, {wording(title), wording(below), wording(tip)}, area, std::move(plot));
    if (hit.series < 0) return;
    next_ = hit.series;
    if (hit.clicked) apply_heads(frame_, table_, entry(hit.series).heads);
    if (hit.place < 0) return;
    const RanksOverHeads& over = entry(hit.series).*ranks;
    ui::tooltip(frame_, {wording("tradeoff:spectra.value", {{"n", entry(hit.series).heads},
                                                            {"place", hit.place + 1},
                                                            {"median", ui::number(nth(over.median, hit.place))},
                                                            {"least", ui::number(nth(over.least, hit.place))},
                                                            {"most", ui::number(nth(over.most, hit.place))}}),
                         wording("tradeoff:spectra.rank", {{"ranks", in_words(over.rank, As::whole)},
                                                           {"level", ui::number(zero_level(n_, n_), As::rough)}})});
  }

  const SweepTable& table_;
  Index n_;
  int strong_;     // the column whose line stands out; -1: none
  int next_ = -1;  // pointed at
};

}  // namespace

int draw_spectra(Frame& frame, const SweepTable& table, const Box& before, const Box& after, int strong) {
  return Spectra(frame, table, strong).draw(before, after);
}

}  // namespace tradeoff

}  // namespace hydra
