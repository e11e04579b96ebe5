// A matrix as coloured cells. The picture itself is drawn by a HeatmapSink (the GL renderer, or nothing in tests
// without a GPU); hit-testing, grid, values in cells and highlights are ordinary ImGui drawing on top, so hovering
// uploads nothing.
#pragma once
#include <imgui.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "app/widgets/color_map.h"
#include "core/linalg/array.h"

namespace hydra {

struct Heatmap {
  ImVec2 min, max;      // screen pixels
  Array<float> matrix;  // uploaded once for as long as it is drawn, whatever blocks are shown
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

class HeatmapSink {
 public:
  virtual ~HeatmapSink() = default;
  // Draws at this place of the list's order. Tiles added in a row, with nothing drawn between, share one draw call.
  virtual void add(ImDrawList* list, const Heatmap& heatmap) = 0;
  // Whether there was no memory for this matrix when it was last to be drawn.
  virtual bool lacks_memory(const Array<float>& matrix) const { return matrix == nullptr; }
};

struct CellHit {
  bool hovered = false;
  bool clicked = false, double_clicked = false;  // left button, this frame, in a cell
  bool pressed = false;                          // the left button went down in a cell this frame
  bool held = false;                             // and is down since, wherever the pointer is
  bool chosen = false;                           // the picture by a key, and no cell of it
  Index row = -1, col = -1;                      // the cell under the pointer when hovered
};

// Where cell (row, col) of a heatmap lies.
ImVec2 cell_min(const Heatmap& heatmap, Index row, Index col);
ImVec2 cell_max(const Heatmap& heatmap, Index row, Index col);

// The largest cell size in whole pixels, at least 1 pixel per cell when it fits, else the fraction that fits; the
// heatmap's max is set from its min. Magnified cells must be whole pixels, or the grid doubles lines.
void fit_heatmap(Heatmap& heatmap, ImVec2 available, bool square_cells);

// Submits an InvisibleButton over the heatmap and adds it to the sink, or says that there is no memory for it. The
// caller draws on top afterwards. words: what it shows, for who comes to it by keys.
CellHit draw_heatmap(const char* id, HeatmapSink& sink, const Heatmap& heatmap, std::string_view words);

// On top of a heatmap: thin lines between cells (when cells are large enough), numbers in cells (when they fit).
void draw_cell_grid(const Heatmap& heatmap, ImU32 color);
bool values_fit(const Heatmap& heatmap, ImFont* font);
void draw_cell_values(const Heatmap& heatmap, ImFont* font, int digits = 2);
// An outline around cells [row0,row1) x [col0,col1), at least 3 pixels large even where cells are smaller.
void draw_cell_outline(const Heatmap& heatmap, Index row0, Index row1, Index col0, Index col1, ImU32 color,
                       float thickness);

// The same, dashed black and white, which reads on every cell colour and is told from the others by its shape.
void draw_dashed_outline(const Heatmap& heatmap, Index row0, Index row1, Index col0, Index col1, float unit);
void draw_dashed_rect(ImVec2 low, ImVec2 high, float unit);

// Over a cell whose value is beyond its scale: lines as heatmap_full.frag draws them.
void draw_beyond(ImVec2 low, ImVec2 high, ImU32 ink);

// A horizontal legend: the map's bar with its range as numbers and the marks for masked and non-finite where asked.
struct LegendOptions {
  const char* caption = "";
  bool masked = false, non_finite = false;
  const char* masked_label = "masked";
  std::string remark = {};  // behind the range, in its own colour
  ImU32 remark_color = 0;
};
void legend(const ValueScale& scale, ImVec2 pos, float width, ImFont* font, ImU32 text, const LegendOptions& options);

}  // namespace hydra
