// Documents of several layers in the window, and what of a frame belongs to their strip.
#pragma once
#include <algorithm>
#include <optional>

#include "core/document/edits/edit.h"
#include "tests/support/ui_driver.h"

namespace hydra {

// So many small ones, of two heads each.
inline Document small_stack(int layers) {
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{16}), SetHeads{2});
  for (int k = 1; k < layers; ++k) document = hydra::apply(document, {AddLayer{}, k - 1});
  return document;
}

inline bool in_strip(UiDriver& ui, const Heatmap& heatmap) {
  const std::optional<UiDriver::Rect> strip = ui.seen("layers");
  return strip && heatmap.max.x > strip->min.x && heatmap.min.x < strip->max.x && heatmap.min.y >= strip->min.y &&
         heatmap.max.y <= strip->max.y;
}

inline std::ptrdiff_t pictures_in_strip(UiDriver& ui) {
  return std::ranges::count_if(ui.sink.heatmaps, [&](const Heatmap& heatmap) { return in_strip(ui, heatmap); });
}

}  // namespace hydra
