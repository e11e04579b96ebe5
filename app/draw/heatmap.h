// A matrix as coloured cells, as data: what a canvas draws, on the screen by a HeatmapSink.
#pragma once
#include <imgui.h>

#include <cmath>
#include <limits>

#include "app/draw/color_map.h"
#include "core/linalg/array.h"

namespace hydra {

struct Heatmap {
  ImVec2 min, max;      // pixels
  Array<float> matrix;  // on the screen uploaded once for as long as it is drawn, whatever blocks are shown
  Index row0 = 0, col0 = 0, rows = 0, cols = 0;
  ValueScale scale;
  float alpha = 1;  // 1 = as the map says; less dims
  // Not 0: no colours, but in each cell a frame of this one, as thick as the value is high on the scale; where cells
  // are too small for one, a tint.
  ImU32 mark = 0;
  // Of the matrix's shape, -inf where a cell is masked though its value is none; null where no cell is.
  Array<float> hidden = nullptr;
  // The strongest cells of all of the matrix, drawn in its place where cells are less than a pixel, and of hidden; then
  // matrix may be null. What is pointed at are cells of the matrix all the same.
  Array<float> strongest = nullptr, strongest_hidden = nullptr;

  float value(Index row, Index col) const {  // as it is shown: -inf where the cell is masked
    const bool masked = hidden && std::isinf((*hidden)(row0 + row, col0 + col));
    return masked ? -std::numeric_limits<float>::infinity() : (*matrix)(row0 + row, col0 + col);
  }
};

// The GL renderer, or nothing where nobody sees it.
class HeatmapSink {
 public:
  virtual ~HeatmapSink() = default;
  // Draws at this place of the list's order. Tiles added in a row, with nothing drawn between, share one draw call.
  virtual void add(ImDrawList* list, const Heatmap& heatmap) = 0;
  // Whether there was no memory for this matrix when it was last to be drawn.
  virtual bool lacks_memory(const Array<float>& matrix) const { return matrix == nullptr; }
};

class NoPictures final : public HeatmapSink {
 public:
  void add(ImDrawList*, const Heatmap&) override {}
};

}  // namespace hydra
