#include "app/views/context.h"

#include <algorithm>
#include <cmath>

#include "app/views/painted.h"
#include "app/widgets/format.h"
#include "app/widgets/probe.h"
#include "core/analysis/links.h"

namespace hydra {

namespace {

// While a view has split its draw list in two, pictures go below and everything drawn on them above: pictures of many
// matrices then share draw calls.
class PictureChannel {
 public:
  explicit PictureChannel(ImDrawList* list) : list_(list), split_(list->_Splitter._Count > 1) {
    if (split_) list_->ChannelsSetCurrent(0);
  }
  ~PictureChannel() {
    if (split_) list_->ChannelsSetCurrent(1);
  }
  PictureChannel(const PictureChannel&) = delete;
  PictureChannel& operator=(const PictureChannel&) = delete;

 private:
  ImDrawList* list_;
  bool split_;
};

ImU32 color_of(const Theme& theme, Region::Role role) {
  switch (role) {
    case Region::Role::self:
      return theme.hover;
    case Region::Role::input:
      return theme.link_input;
    case Region::Role::affected:
      return theme.link_affected;
  }
  return theme.hover;
}

void draw_links(const Frame& frame, const MatrixRef& ref, const HeatmapTile& tile, const CellRef& cell, bool selected,
                bool transposed) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float thickness = (selected ? 0.5f : 0.375f) * frame.unit;
  for (Region region : linked(frame.trace, cell, ref)) {
    if (transposed) {
      std::swap(region.row0, region.col0);
      std::swap(region.row1, region.col1);
    }
    region.row1 = std::min(region.row1, tile.rows);  // of a part of the matrix
    region.col1 = std::min(region.col1, tile.cols);
    if (region.row0 >= region.row1 || region.col0 >= region.col1) continue;
    const bool whole = region.row0 == 0 && region.col0 == 0 && region.row1 == tile.rows && region.col1 == tile.cols;
    if (whole && region.role != Region::Role::self) continue;  // an outline around everything says nothing
    const ImU32 color =
        selected && region.role == Region::Role::self ? frame.theme.accent : color_of(frame.theme, region.role);
    draw_cell_outline(list, tile, region.row0, region.row1, region.col0, region.col1, color, thickness);
  }
}

// The pairs marked with the relation that is asked for: gold on dark, so that they stand out on any colour.
void draw_gold(const Frame& frame, const MatrixRef& ref, const HeatmapTile& tile) {
  if (!is_pair(ref.quantity)) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float cell = (tile.max.x - tile.min.x) / static_cast<float>(tile.cols);
  const float thickness = std::clamp(0.12f * cell, 1.0f, 0.4f * frame.unit);
  for (const GoldPair& pair : shown_gold(frame)) {
    if (pair.from >= tile.rows || pair.to >= tile.cols) continue;
    for (const bool under : {true, false})
      draw_cell_outline(list, tile, pair.from, pair.from + 1, pair.to, pair.to + 1,
                        under ? IM_COL32(0, 0, 0, 200) : frame.theme.gold, under ? thickness + 1.5f : thickness);
  }
}

Backing turned(const Frame& frame, const Backing& backing) {
  return {frame.derived.transposed(backing.matrix), backing.col0, backing.row0, backing.cols, backing.rows};
}

}  // namespace

namespace {
float nice_range(float largest) { return largest > 0 ? static_cast<float>(ui::nice_ceiling(largest)) : 1; }
}  // namespace

std::string spelled(const Frame& frame, const std::string& text) {
  return frame.fonts.unicode ? text : ascii_spelling(text);
}

bool is_pair(Quantity quantity) {
  return quantity == Quantity::scores || quantity == Quantity::attention || quantity == Quantity::value_weighted ||
         quantity == Quantity::mean_attention;
}

const std::vector<GoldPair>& shown_gold(const Frame& frame) {
  static const std::vector<GoldPair> none;
  if (!frame.view.shown_relation || !frame.roles.marks) return none;
  return frame.roles.marks->gold[static_cast<std::size_t>(*frame.view.shown_relation)];
}

ValueScale scale_for(const Frame& frame, const MatrixRef& ref) {
  const bool dark = frame.theme.dark;
  const ColorMap sequential = dark ? ColorMap::sequential_dark : ColorMap::sequential_light;
  if (ref.quantity == Quantity::attention) return {sequential, 0, 1};
  // A mean stands beside no other pattern of its kind, and spreads thin: its own range keeps it visible.
  if (ref.quantity == Quantity::mean_attention)
    return {sequential, 0, std::min(1.0f, nice_range(frame.derived.max_abs(picture_of(frame, ref).matrix)))};
  const float range = is_form(ref.quantity) ? nice_range(frame.derived.max_abs(picture_of(frame, ref).matrix))
                                            : frame.derived.shared_range(ref);
  if (ref.quantity == Quantity::value_weighted) return {sequential, 0, range};
  return {dark ? ColorMap::diverging_dark : ColorMap::diverging_light, -range, range};
}

Backing picture_of(const Frame& frame, const MatrixRef& ref) {
  MatPtr<float> derived;
  if (ref.quantity == Quantity::value_weighted) derived = frame.derived.value_weighted(ref.layer, ref.head);
  if (ref.quantity == Quantity::mean_attention)
    derived = frame.derived.mean_attention(ref.layer, frame.view.selected_heads);
  if (is_form(ref.quantity)) derived = frame.derived.form(ref);
  if (is_bias(ref.quantity)) derived = frame.derived.bias(ref);
  if (!derived) return backing_of(frame.trace, ref);
  return {derived, 0, 0, derived->rows(), derived->cols()};
}

std::vector<std::string> with_guesses(const Trace& trace) {
  std::vector<std::string> tokens;
  const auto guessed = [](const WordFeatures& word) { return word.guessed && !word.corrected; };
  if (!trace.layout || std::none_of(trace.words.begin(), trace.words.end(), guessed)) return tokens;
  for (std::size_t t = 0; t < trace.tokens.size(); ++t)
    tokens.push_back(trace.tokens[t] + (guessed(trace.words[t]) ? " ?" : ""));
  return tokens;
}

bool is_sliced(const Frame& frame, const MatrixRef& ref) {
  const bool reads_X = ref.quantity == Quantity::W_Q || ref.quantity == Quantity::W_K || ref.quantity == Quantity::W_V;
  return reads_X && frame.trace.layers[static_cast<std::size_t>(ref.layer)].input.split == Split::slice;
}

bool is_unread(const Frame& frame, const CellRef& cell) {
  if (!is_sliced(frame, cell.matrix)) return false;
  const Index d_k = frame.trace.layers[static_cast<std::size_t>(cell.matrix.layer)].input.d_k();
  const Index col = cell.matrix.head == kNoHead ? cell.col : cell.matrix.head * d_k + cell.col;
  return !reads(Split::slice, d_k, cell.row, col);
}

void inspect(ViewState& view, const MatrixRef& ref) {
  view.inspected = ref;
  view.inspector_open = true;
}

void select(ViewState& view, const CellRef& cell) {
  view.selection = cell;
  if (cell.matrix.head != kNoHead) view.focused_head = cell.matrix.head;
  view.breadcrumb.clear();
  view.ghost.reset();
  view.typing_in_cell = false;
  view.typed_bar.reset();
  inspect(view, cell.matrix);
}

void step_into(ViewState& view, const CellRef& cell) {
  std::vector<CellRef> path = view.breadcrumb;
  if (view.selection) path.push_back(*view.selection);
  select(view, cell);
  view.breadcrumb = std::move(path);
}

void focus_head(ViewState& view, int head) {
  view.focused_head = head;
  view.average = false;
  if (view.inspected.head == kNoHead || view.inspected.head == head) return;
  view.inspected.head = head;
  view.selection.reset();
  view.typed_bar.reset();
  view.breadcrumb.clear();
  view.ghost.reset();
}

PictureResult matrix_picture(Frame& frame, const char* name, const MatrixRef& ref, ImVec2 pos, ImVec2 size,
                             const PictureOptions& options) {
  Backing backing = options.transposed ? turned(frame, picture_of(frame, ref)) : picture_of(frame, ref);
  if (options.first > 0) backing.rows = backing.cols = std::min(options.first, backing.rows);
  if (is_sliced(frame, ref)) {
    const Index d_k = frame.trace.layers[static_cast<std::size_t>(ref.layer)].input.d_k();
    backing.matrix = frame.derived.unread_hatched(backing.matrix, d_k);
  }
  PictureResult result;
  HeatmapTile& tile = result.tile;
  tile = {pos,          pos,          backing.matrix,        backing.row0, backing.col0,
          backing.rows, backing.cols, scale_for(frame, ref), options.alpha};
  // Without a grid between them, cells need not be whole pixels: the picture takes all the room it is given.
  if (options.square_cells)
    fit_tile(tile, size, true);
  else
    tile.max = {pos.x + std::floor(size.x), pos.y + std::floor(size.y)};
  ImDrawList* list = ImGui::GetWindowDrawList();
  {
    const PictureChannel channel(list);
    result.hit = heatmap(name, frame.heatmaps, tile);
  }
  ui::probe(name, tile.min, tile.max);
  if (options.border) {  // around the outermost cells, not on them: they may be a pixel wide
    list->AddRect({std::round(tile.min.x) - 1, std::round(tile.min.y) - 1},
                  {std::round(tile.max.x) + 1, std::round(tile.max.y) + 1}, frame.theme.line);
  }
  ImFont* value_font = options.value_font ? options.value_font : frame.fonts.mono_small;
  if (options.values && values_fit(tile, value_font)) draw_cell_values(list, tile, value_font);
  draw_painted_rows(frame, ref, tile, options.transposed);
  draw_gold(frame, ref, tile);
  if (frame.view.selection) draw_links(frame, ref, tile, *frame.view.selection, true, options.transposed);
  if (frame.view.hover) draw_links(frame, ref, tile, *frame.view.hover, false, options.transposed);
  if (result.hit.hovered) {
    if (options.transposed) std::swap(result.hit.row, result.hit.col);
    const CellRef cell{ref, result.hit.row, result.hit.col};
    frame.view.next_hover = cell;
    if (options.clickable && result.hit.clicked) select(frame.view, cell);
  }
  return result;
}

}  // namespace hydra
