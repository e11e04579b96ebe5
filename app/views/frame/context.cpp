#include "app/views/frame/context.h"

#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "app/draw/probe.h"
#include "app/views/change/change_marks.h"
#include "app/views/frame/derived_cache.h"
#include "app/views/frame/look.h"
#include "app/views/inspector/inspector_parts.h"
#include "app/views/marks/mark_pairs.h"
#include "app/views/mask/mask_paint.h"
#include "app/views/shared/head_marks.h"
#include "app/views/shell/first_number.h"
#include "app/views/shell/parts.h"
#include "app/widgets/mouse_area.h"
#include "core/explain/links.h"
#include "core/text/wording.h"

namespace hydra {

const LayerTrace<float>& layer_of(const Frame& frame) { return frame.trace.layer(frame.view.layer); }
const Layer& document_layer(const Frame& frame) {
  return frame.document.layer(frame.status.ready ? frame.view.layer : frame.out.layer);
}

namespace {

void draw_links(const Frame& frame, const Site& ref, const Heatmap& heatmap, const Cell& cell, bool selected,
                bool transposed) {
  const float thickness = (selected ? 0.5f : 0.375f) * frame.unit;
  for (Region region : linked(frame.trace, cell, ref)) {
    if (transposed) {
      std::swap(region.row0, region.col0);
      std::swap(region.row1, region.col1);
    }
    region.row1 = std::min(region.row1, heatmap.rows);  // of a part of the matrix
    region.col1 = std::min(region.col1, heatmap.cols);
    if (region.row0 >= region.row1 || region.col0 >= region.col1) continue;
    const bool whole =
        region.row0 == 0 && region.col0 == 0 && region.row1 == heatmap.rows && region.col1 == heatmap.cols;
    if (whole && region.role != Region::Role::self) continue;  // an outline around everything says nothing
    draw_cell_outline(frame.canvas, heatmap, region.row0, region.row1, region.col0, region.col1,
                      link_color(frame, region.role, selected), thickness);
  }
}

// The pairs marked with the relation that is asked for: gold on dark, so that they stand out on any colour.
void draw_gold(const Frame& frame, const Site& ref, const Heatmap& heatmap) {
  if (!is_pair(ref.quantity)) return;
  const float cell = (heatmap.max.x - heatmap.min.x) / real(heatmap.cols);
  const float thickness = std::clamp(0.12f * cell, 1.0f, 0.4f * frame.unit);
  for (const GoldPair& pair : shown_gold(frame)) {
    if (pair.from >= heatmap.rows || pair.to >= heatmap.cols) continue;
    for (const bool under : {true, false})
      draw_cell_outline(frame.canvas, heatmap, pair.from, pair.from + 1, pair.to, pair.to + 1,
                        under ? IM_COL32(0, 0, 0, 200) : frame.theme.gold, under ? thickness + 1.5f : thickness);
  }
}

// So large that there is less than half a pixel for a cell.
bool is_crowded(Index rows, Index cols, ImVec2 size) {
  constexpr Index kLarge = 256 * 256;
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  return rows * cols > kLarge && 2 * size.x * scale.x <= real(cols) && 2 * size.y * scale.y <= real(rows);
}

// A pattern of a head, or what it adds, of which a picture shows the strongest cells only.
bool shows_strongest(const Frame& frame, const Site& ref, ImVec2 size) {
  if (!is_of_one_head(ref.quantity)) return false;
  const Shape shape = shape_of(frame.trace, ref);
  return is_crowded(shape.rows, shape.cols, size);
}

// Whether the trace holds it, so that it costs nothing to look at.
bool is_kept(const Frame& frame, const Site& ref) {
  if (entry_of(ref.quantity).kind != QuantityRow::Kind::recomputed) return is_computed(ref.quantity);
  return frame.trace.layer(ref.layer).input.keep_all;
}

Backing unmade(const Frame& frame, const Site& ref) {
  const Shape shape = shape_of(frame.trace, ref);
  return {nullptr, 0, 0, shape.rows, shape.cols};
}

// At which a cell is at least a pixel.
int level_for(const Heatmap& heatmap) {
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  const float width = (heatmap.max.x - heatmap.min.x) * scale.x / real(heatmap.cols);
  const float height = (heatmap.max.y - heatmap.min.y) * scale.y / real(heatmap.rows);
  return std::clamp(static_cast<int>(std::ceil(-std::log2(std::max(width, height)) - 1e-3f)), 0, 10);
}

// Scores are -inf where they are masked; other pairs are told by the mask.
Array<float> hidden_pairs(const Frame& frame, const Site& ref, const PictureOptions& options) {
  const Array<float>& hidden = frame.derived.mask_of(ref).hidden;
  return hidden && options.transposed ? frame.derived.transposed(hidden) : hidden;
}

// Along the row of a query that the mask leaves nothing: a line, and in words where they fit.
void draw_blind_rows(const Frame& frame, const Site& ref, const Heatmap& heatmap, bool transposed) {
  if (!is_pair(ref.quantity) || transposed) return;
  ImFont* font = frame.fonts.small;
  const std::string& text = wording("panels:blind");
  for (const Index row : frame.derived.mask_of(ref).blind) {
    if (row >= heatmap.rows) continue;
    const ImVec2 low = cell_min(heatmap, row, 0), high = cell_max(heatmap, row, heatmap.cols - 1);
    const float middle = std::round(0.5f * (low.y + high.y)), width = text_width(font, text);
    const bool fits = high.y - low.y >= 0.8f * font->FontSize && high.x - low.x >= width + 4 * frame.unit;
    const float gap = fits ? width + 2 * frame.unit : 0, center = 0.5f * (low.x + high.x);
    const ImU32 color = frame.theme.warning;
    frame.canvas.line({low.x, middle}, {center - 0.5f * gap, middle}, color, 2);
    frame.canvas.line({center + 0.5f * gap, middle}, {high.x, middle}, color, 2);
    if (fits) frame.canvas.text_centered(font, {center, middle}, frame.theme.ink, text);
  }
}

Backing transposed(const Frame& frame, const Backing& backing) {
  return {frame.derived.transposed(backing.matrix), backing.col0, backing.row0, backing.cols, backing.rows};
}

}  // namespace

namespace {
float nice_range(float largest) { return largest > 0 ? real(ui::nice_ceiling(largest)) : 1; }
}  // namespace

std::string spelled(const Frame& frame, const std::string& text) {
  return frame.fonts.unicode ? text : ascii_spelling(text);
}

bool is_pair(Quantity quantity) {
  return is_score(quantity) || is_attention(quantity) || quantity == Quantity::value_weighted ||
         quantity == Quantity::mean_attention;
}

const std::vector<GoldPair>& shown_gold(const Frame& frame) {
  static const std::vector<GoldPair> none;
  if (!frame.sentences.marks) return none;
  if (frame.view.shown_relation) return nth(frame.sentences.marks->gold, *frame.view.shown_relation);
  const std::vector<GoldPair>* own = pairs_called(*frame.sentences.marks, frame.view.marking.relation);
  return own ? *own : none;
}

ValueScale scale_for(const Frame& frame, const Site& ref) {
  const Source source = frame.changes.ranges(frame.now);
  return scale_of(exists(source.trace, ref) ? source : frame.now, frame.view, ref);
}

ValueScale scale_of(const Source& source, const ViewState& view, const Site& ref) {
  const bool dark = view.dark;
  const auto own_range = [&] { return nice_range(source.derived.max_abs(picture_of(source, view, ref).matrix)); };
  const auto own_reach = [&] {
    const Array<float> matrix = picture_of(source, view, ref).matrix;
    return source.derived.reach(std::span(&matrix, 1));
  };
  const ColorMap sequential = dark ? ColorMap::sequential_dark : ColorMap::sequential_light;
  const ColorMap diverging = dark ? ColorMap::diverging_dark : ColorMap::diverging_light;
  // Weights that softmax gives lie between 0 and 1; what is made of them may be negative.
  const bool multiplies = ref.quantity == Quantity::attention || ref.quantity == Quantity::dropped_attention;
  const bool of_weights =
      multiplies || ref.quantity == Quantity::mean_attention || ref.quantity == Quantity::value_weighted;
  const bool two_sided = !of_weights || is_signed(source.trace.layer(ref.layer).input.settings);
  if (ref.quantity == Quantity::dropped_attention && !two_sided)  // what is left is larger than it was
    return {sequential, 0, static_cast<float>(1 / (1 - source.trace.layer(ref.layer).input.settings.dropout))};
  if (is_attention(ref.quantity) && (!multiplies || !two_sided)) return {sequential, 0, 1};
  if (ref.quantity == Quantity::probabilities) return {sequential, 0, std::min(1.0f, own_range())};
  // A mean stands beside no other pattern of its kind, and spreads thin: its own range keeps it visible.
  if (ref.quantity == Quantity::mean_attention) {
    const float range = two_sided ? own_range() : std::min(1.0f, own_range());
    return {two_sided ? diverging : sequential, two_sided ? -range : 0, range};
  }
  const Reach reach = is_form(ref.quantity) ? own_reach() : source.derived.shared_reach(ref);
  if (!two_sided) return {sequential, 0, nice_range(reach.largest)};  // few strong weights are what a pattern says
  return signed_scale(diverging, reach);
}

Backing picture_of(const Frame& frame, const Site& ref) { return picture_of(frame.now, frame.view, ref); }

Backing picture_of(const Source& source, const ViewState& view, const Site& ref) {
  Array<float> derived;
  if (ref.quantity == Quantity::value_weighted) derived = source.derived.value_weighted(ref.layer, ref.head);
  if (ref.quantity == Quantity::mean_attention) derived = source.derived.mean_attention(ref.layer, view.selected_heads);
  if (is_form(ref.quantity)) derived = source.derived.form(ref);
  if (!derived) return backing_of(source.trace, ref);
  return {derived, 0, 0, derived->rows(), derived->cols()};
}

bool is_sliced(const Frame& frame, const Site& ref) {
  const bool reads_X = ref.quantity == Quantity::W_Q || ref.quantity == Quantity::W_K || ref.quantity == Quantity::W_V;
  return reads_X && frame.trace.layer(ref.layer).input.split == Split::slice;
}

bool is_unread(const Frame& frame, const Cell& cell) {
  if (!is_sliced(frame, cell.site)) return false;
  const Index d_k = frame.trace.layer(cell.site.layer).input.d_k();
  const Index col = cell.site.head == kNoHead ? cell.col : cell.site.head * d_k + cell.col;
  return !reads(Split::slice, d_k, cell.row, col);
}

void step_into(Frame& frame, const Cell& cell) {
  std::vector<Cell> by = frame.view.breadcrumb;
  if (frame.view.selection) by.push_back(*frame.view.selection);
  frame.out.act(act::Select{cell, std::move(by)});
}

bool use_strongest(Derived& derived, Heatmap& heatmap) {
  const ImVec2 size{heatmap.max.x - heatmap.min.x, heatmap.max.y - heatmap.min.y};
  if (!is_crowded(heatmap.rows, heatmap.cols, size)) return true;
  heatmap.strongest = derived.strongest_of(heatmap.matrix, level_for(heatmap));
  if (heatmap.hidden) heatmap.strongest_hidden = derived.strongest_of(heatmap.hidden, level_for(heatmap));
  return heatmap.strongest && (!heatmap.hidden || heatmap.strongest_hidden);
}

static void note_main_picture(Frame& frame, const Heatmap& heatmap, const Site& site) {
  const bool in_focus = is_pair(site.quantity) && (site.head == kNoHead || site.head == frame.view.focused_head);
  const float area = (heatmap.max.x - heatmap.min.x) * (heatmap.max.y - heatmap.min.y);
  const auto rank = [](const MainPicture& picture) { return std::pair(picture.in_focus, picture.area); };
  const MainPicture found{site, in_focus, area};
  if (!frame.next.main_picture || rank(found) > rank(*frame.next.main_picture)) frame.next.main_picture = found;
}

PictureResult matrix_picture(Frame& frame, const char* name, const Site& ref, ImVec2 pos, ImVec2 size,
                             const PictureOptions& options) {
  const Canvas::Part part(frame.canvas, name);
  const bool small =
      !frame.canvas.shows_all() && !options.transposed && options.first == 0 && shows_strongest(frame, ref, size);
  Backing backing = small && !is_kept(frame, ref) ? unmade(frame, ref) : picture_of(frame, ref);
  if (options.transposed) backing = transposed(frame, backing);
  if (options.first > 0) backing.rows = backing.cols = std::min(options.first, backing.rows);
  if (is_sliced(frame, ref)) {
    const Index d_k = frame.trace.layer(ref.layer).input.d_k();
    backing.matrix = frame.derived.unread_hatched(backing.matrix, d_k);
  }
  PictureResult result;
  Heatmap& heatmap = result.heatmap;
  heatmap = {pos,          pos,          backing.matrix,        backing.row0, backing.col0,
             backing.rows, backing.cols, scale_for(frame, ref), options.alpha};
  if (is_pair(ref.quantity) && !is_score(ref.quantity)) heatmap.hidden = hidden_pairs(frame, ref, options);
  // Without a grid between them, cells need not be whole pixels: the picture takes all the room it is given.
  if (options.square_cells)
    fit_heatmap(heatmap, size, true);
  else
    heatmap.max = {pos.x + std::floor(size.x), pos.y + std::floor(size.y)};
  if (small) heatmap.strongest = frame.derived.strongest(ref, level_for(heatmap));
  if (small && heatmap.hidden)
    heatmap.strongest_hidden = frame.derived.strongest_of(heatmap.hidden, level_for(heatmap));
  if (heatmap.strongest && heatmap.strongest_hidden && heatmap.strongest->rows() != heatmap.strongest_hidden->rows())
    heatmap.strongest = nullptr;  // of the size before, which does not go with the mask of this one
  {
    const Canvas::Below below(frame.canvas);
    Heatmap shown = heatmap;
    if (small && !heatmap.strongest)
      shown.matrix = nullptr;  // on its way: the whole must not become a texture meanwhile
    const std::string words = ui::keys_choose() ? symbol(ref, !frame.fonts.unicode) + ", " + description(ref) : "";
    result.hit = draw_heatmap(frame.canvas, name, shown, words);
  }
  ui::probe(name, heatmap.min, heatmap.max);
  // Around the outermost cells, not on them: they may be a pixel wide.
  frame.canvas.frame({std::round(heatmap.min.x) - 1, std::round(heatmap.min.y) - 1},
                     {std::round(heatmap.max.x) + 1, std::round(heatmap.max.y) + 1}, frame.theme.line);
  draw_change(frame, ref, heatmap, options.transposed);
  ImFont* value_font = options.value_font ? options.value_font : frame.fonts.mono_small;
  const bool numbers = options.values && heatmap.matrix && values_fit(heatmap, value_font);
  if (numbers) draw_cell_values(frame.canvas, heatmap, value_font);
  draw_painted_rows(frame, ref, heatmap, options.transposed);
  draw_blind_rows(frame, ref, heatmap, options.transposed);
  draw_gold(frame, ref, heatmap);
  const bool masks = options.clickable && paints_mask(frame, ref), marks = options.clickable && marks_pairs(frame, ref);
  const bool paints = masks || marks;
  if (masks) paint_on_picture(frame, name, heatmap, result.hit, options.transposed);
  if (marks) mark_on_picture(frame, heatmap, result.hit, options.transposed);
  if (frame.view.selection) draw_links(frame, ref, heatmap, *frame.view.selection, true, options.transposed);
  if (frame.was.cell) draw_links(frame, ref, heatmap, *frame.was.cell, false, options.transposed);
  draw_change_badge(frame, name, ref);
  if (options.clickable && options.main) note_main_picture(frame, heatmap, ref);
  if (result.hit.chosen && options.clickable && !paints) {
    if (const std::optional<Cell> cell = first_number_of(frame, ref)) select(frame, *cell);
    frame.hands.of<Parts>().at = WindowPart::numbers;
  }
  if (result.hit.hovered) {
    if (options.transposed) std::swap(result.hit.row, result.hit.col);
    const Cell cell{ref, result.hit.row, result.hit.col};
    frame.next.cell = cell;
    if (options.clickable && !paints && result.hit.clicked) select(frame, cell);
  }
  if (options.clickable && options.edits && !paints) inspector::drag_on_picture(frame, name, ref, result.hit);
  return result;
}

}  // namespace hydra
