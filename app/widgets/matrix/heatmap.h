// A matrix as coloured cells, which take the pointer. Grid, values in cells and highlights are drawn on top, so
// hovering uploads nothing.
#pragma once
#include <imgui.h>

#include <string>
#include <string_view>

#include "app/draw/canvas.h"

namespace hydra {

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

// Takes the pointer over the heatmap and draws its cells, or says that there is no memory for them. The
// caller draws on top afterwards. words: what it shows, for who comes to it by keys.
CellHit draw_heatmap(Canvas& canvas, const char* id, const Heatmap& heatmap, std::string_view words);

// On top of a heatmap: thin lines between cells (when cells are large enough), numbers in cells (when they fit).
void draw_cell_grid(Canvas& canvas, const Heatmap& heatmap, ImU32 color);
bool values_fit(const Heatmap& heatmap, ImFont* font);
void draw_cell_values(Canvas& canvas, const Heatmap& heatmap, ImFont* font);
// An outline around cells [row0,row1) x [col0,col1), at least 3 pixels large even where cells are smaller.
void draw_cell_outline(Canvas& canvas, const Heatmap& heatmap, Index row0, Index row1, Index col0, Index col1,
                       ImU32 color, float thickness);

// The same, dashed black and white, which reads on every cell colour and is told from the others by its shape.
void draw_dashed_outline(Canvas& canvas, const Heatmap& heatmap, Index row0, Index row1, Index col0, Index col1,
                         float unit);
void draw_dashed_rect(Canvas& canvas, ImVec2 low, ImVec2 high, float unit);

// Over a cell whose value is beyond its scale: lines as heatmap_full.frag draws them.
void draw_beyond(Canvas& canvas, ImVec2 low, ImVec2 high, ImU32 ink);

// A horizontal legend: the map's bar with its range as numbers and the marks for masked and non-finite where asked.
struct LegendOptions {
  const char* caption = "";
  bool masked = false, non_finite = false;
  const char* masked_label = nullptr;  // null: "masked"
  std::string remark = {};             // behind the range, in its own colour
  ImU32 remark_color = 0;
};
void legend(Canvas& canvas, const ValueScale& scale, ImVec2 pos, float width, ImFont* font, ImU32 text,
            const LegendOptions& options);

}  // namespace hydra
