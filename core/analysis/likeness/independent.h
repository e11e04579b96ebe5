// What heads have in common that have nothing to do with one another: the line against which likeness is read. Flat
// patterns are alike whoever makes them, so without it flattening looks like lost diversity.
#pragma once
#include "core/analysis/likeness/likeness.h"
#include "core/analysis/spread.h"

namespace hydra {

// Over draws. In a draw every row of every head keeps its weights, and so its entropy, and has them shuffled among the
// keys that the mask lets it see. Not a number for fewer than two heads that attend to something.
struct IndependentHeads {
  Spread effective_heads, mean_cosine, mean_js_bits;  // as of the heads themselves (diversity.h, likeness.h)
  int draws = 0;
};
// Of the patterns of one layer, or of several, on one or several sentences. So many draws, from fixed seeds, as take
// about as long as a blink: 16 for what a class uses; of very long sentences with many heads a part of the rows.
// with_js: also mean_js_bits, which takes the most time.
IndependentHeads independent_heads(const std::vector<LayerOnSentences>& layers, bool with_js,
                                   ThreadPool* pool = nullptr, const Progress& progress = {});
inline IndependentHeads independent_heads(LayerOnSentences layer, bool with_js, ThreadPool* pool = nullptr) {
  return independent_heads(std::vector<LayerOnSentences>{std::move(layer)}, with_js, pool);
}

// Makes them one after the other, keeping them while the patterns are the same matrices.
class IndependentMeasures {
 public:
  explicit IndependentMeasures(ThreadPool* pool = nullptr) : pool_(pool) {}
  const IndependentHeads& of(LayerOnSentences layer, bool with_js) { return of_layers({std::move(layer)}, with_js); }
  const IndependentHeads& of_layers(const std::vector<LayerOnSentences>& layers, bool with_js,
                                    const Progress& progress = {});

 private:
  ThreadPool* pool_;
  Stamp patterns_;  // what kept_ was drawn from
  bool with_js_ = false;
  IndependentHeads kept_;
};

}  // namespace hydra
