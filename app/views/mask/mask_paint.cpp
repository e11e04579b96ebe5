#include "app/views/mask/mask_paint.h"

#include <cstdlib>

#include "app/platform/input.h"
#include "app/views/frame/ui.h"
#include "app/views/shell/parts.h"

namespace hydra {

namespace {

using Stroke = MaskHands::Stroke;

Index tokens(const Frame& frame) { return std::ssize(frame.trace.tokens); }

// Of the document, where the trace is of the same sentence; nothing in the moment in which it is not.
std::optional<Mat<std::uint8_t>> present_pairs(const Frame& frame) {
  const Mask mask = document_layer(frame).seen();
  const Index n = tokens(frame);
  if (mask.kind == Mask::Kind::custom && mask.allowed->rows() != n) return std::nullopt;
  return allowed_pairs(mask, n);
}

// How many rows of attention set by hand give weight to what the mask hides.
Index broken_rows(const Layer& layer, const Mask& mask) {
  Index count = 0;
  for (std::size_t h = 0; h < layer.painted.size(); ++h) {
    const HeadRule* rule = rule_of(layer.own, static_cast<Index>(h));
    if (rule && rule->mask) continue;  // of its own
    for (const PaintedRow<float>& row : layer.painted[h].attention) {
      bool broken = false;
      for (Index j = 0; j < row.values->cols(); ++j) broken |= (*row.values)(0, j) != 0 && !mask.allows(row.row, j);
      count += broken ? 1 : 0;
    }
  }
  return count;
}

// What is lost with the mask, said once; undo has it.
void say_lost_rows(Frame& frame, Index count) {
  if (count == 1) frame.notice.say(wording("mask:lost_row"), 8);
  if (count > 1) frame.notice.say(wording("mask:lost_rows", {{"n", count}}), 8);
}

std::string stroke_label(const Stroke& stroke) {
  return stroke.allow ? wording("mask:paint.allowed") : wording("mask:paint.hidden");
}

// The cells from the last one to this one, in a straight line, so that a quick drag leaves no gaps. True: some changed.
bool paint_line(Stroke& stroke, Index row, Index col) {
  const Index down = row - stroke.row, across = col - stroke.col;
  const Index steps = std::max<Index>({1, std::abs(down), std::abs(across)});
  bool changed = false;
  for (Index k = 0; k <= steps; ++k) {
    const auto along = [&](Index from, Index by) {
      return from + static_cast<Index>(std::lround(static_cast<double>(k * by) / static_cast<double>(steps)));
    };
    std::uint8_t& cell = stroke.allowed(along(stroke.row, down), along(stroke.col, across));
    changed |= (cell != 0) != stroke.allow;
    cell = stroke.allow;
  }
  stroke.row = row;
  stroke.col = col;
  return changed;
}

void preview(Frame& frame, const Stroke& stroke) {
  Mask mask = simplest(stroke.allowed);
  say_lost_rows(frame, broken_rows(document_layer(frame), mask));
  frame.out.preview(SetMask{std::move(mask), stroke_label(stroke)});
}

void begin(Frame& frame, const std::string& place, Index row, Index col) {
  std::optional<Mat<std::uint8_t>> pairs = present_pairs(frame);
  if (!pairs) return;
  MaskHands& tool = mask_hands(frame);
  const bool allow = (*pairs)(row, col) == 0;
  tool.stroke = Stroke{place, std::move(*pairs), allow, row, col, false};
  tool.row = row;
  tool.col = col;
  if (paint_line(*tool.stroke, row, col)) preview(frame, *tool.stroke);
  frame.hands.hold();
}

void end(Frame& frame) {
  if (!mask_hands(frame).stroke->dropped) frame.out.commit();
  frame.hands.let_go();
  mask_hands(frame).stroke.reset();
}

void toggle_at_cursor(Frame& frame) {
  const MaskHands& tool = mask_hands(frame);
  std::optional<Mat<std::uint8_t>> pairs = present_pairs(frame);
  if (!pairs) return;
  std::uint8_t& cell = (*pairs)(tool.row, tool.col);
  cell = cell == 0;
  const std::string how = cell != 0 ? wording("mask:paint.allowed") : wording("mask:paint.hidden");
  set_mask(frame, simplest(std::move(*pairs)), how);
}

}  // namespace

bool mask_tool_shown(const ViewState& view) {
  return view.mask.on && (view.view == ViewId::flow || view.view == ViewId::heads);
}

bool paints_mask(const Frame& frame, const Site& ref) {
  return mask_tool_shown(frame.view) && is_pair(ref.quantity) && ref.layer == frame.view.layer;
}

void paint_mask(Frame& frame, const std::string& place, bool pressed, std::optional<std::pair<Index, Index>> cell) {
  std::optional<Stroke>& stroke = mask_hands(frame).stroke;
  if (cell) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
  if (pressed && cell) return begin(frame, place, cell->first, cell->second);
  if (!stroke || stroke->picture != place) return;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) return end(frame);
  if (!stroke->dropped) frame.hands.hold();
  if (stroke->dropped || !cell || (cell->first == stroke->row && cell->second == stroke->col)) return;
  mask_hands(frame).row = cell->first;
  mask_hands(frame).col = cell->second;
  if (stroke->allowed.rows() == tokens(frame) && paint_line(*stroke, cell->first, cell->second))
    preview(frame, *stroke);
}

void paint_on_picture(Frame& frame, const char* name, const Heatmap& heatmap, const CellHit& hit, bool transposed) {
  const MaskHands& tool = mask_hands(frame);
  // A stroke that leaves the picture goes on along its edge.
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto cell_along = [](float at, float from, float to, Index count) {
    const float share = (at - from) / std::max(1.0f, to - from) * real(count);
    return std::clamp<Index>(static_cast<Index>(std::floor(std::clamp(share, 0.0f, 1e6f))), 0, count - 1);
  };
  std::pair<Index, Index> cell{cell_along(mouse.y, heatmap.min.y, heatmap.max.y, heatmap.rows),
                               cell_along(mouse.x, heatmap.min.x, heatmap.max.x, heatmap.cols)};
  if (transposed) std::swap(cell.first, cell.second);
  paint_mask(frame, name, hit.clicked, cell);
  const Index row = transposed ? tool.col : tool.row, col = transposed ? tool.row : tool.col;
  if (row >= heatmap.rows || col >= heatmap.cols) return;
  draw_cell_outline(frame.canvas, heatmap, row, row + 1, col, col + 1, frame.theme.accent, 0.625f * frame.unit);
}

bool pair_keys(Index& row, Index& col, Index n) {
  const auto pressed = [](int code) { return ui::shortcut(false, false, code, true); };
  row = std::clamp<Index>(row - (pressed(key::up) ? 1 : 0) + (pressed(key::down) ? 1 : 0), 0, n - 1);
  col = std::clamp<Index>(col - (pressed(key::left) ? 1 : 0) + (pressed(key::right) ? 1 : 0), 0, n - 1);
  return ui::shortcut(false, false, key::space);
}

void mask_keys(Frame& frame) {
  MaskHands& tool = mask_hands(frame);
  const Index n = tokens(frame);
  tool.row = std::clamp<Index>(tool.row, 0, n - 1);
  tool.col = std::clamp<Index>(tool.col, 0, n - 1);
  if (tool.stroke && !mask_tool_shown(frame.view)) end(frame);
  if (tool.stroke && !tool.stroke->dropped && ui::key_pressed(key::escape)) {
    tool.stroke->dropped = true;
    frame.hands.let_go();
    frame.out.cancel();
  }
  if (!mask_tool_shown(frame.view) || tool.stroke || !numbers_have_keys(frame)) return;
  if (pair_keys(tool.row, tool.col, n)) toggle_at_cursor(frame);
}

void set_mask(Frame& frame, Mask mask, std::string how) {
  say_lost_rows(frame, broken_rows(document_layer(frame), mask));
  frame.out.apply(SetMask{std::move(mask), std::move(how)});
}

void set_pattern(Frame& frame, MaskPattern pattern, const MaskTool& tool) {
  static constexpr const char* names[] = {"mask:how.none",   "mask:how.causal", "mask:how.window",
                                          "mask:how.blocks", "mask:how.prefix", "mask:how.strided"};
  const auto k = static_cast<std::size_t>(pattern);
  const PatternMask asked{pattern, tool.sizes[k], tool.only_before};
  Mask mask = mask_of(asked, tokens(frame));
  mask_hands(frame).made = MaskHands::Made{asked, mask.allowed};
  set_mask(frame, std::move(mask), wording(names[k], {{"size", asked.size}}));
}

std::optional<MaskPattern> present_pattern(const Frame& frame) {
  const Mask& mask = document_layer(frame).mask;
  if (mask.kind == Mask::Kind::none) return MaskPattern::none;
  if (mask.kind == Mask::Kind::causal) return MaskPattern::causal;
  const std::optional<MaskHands::Made>& made = mask_hands(frame).made;
  return made && made->allowed == mask.allowed ? std::optional(made->pattern.pattern) : std::nullopt;
}

}  // namespace hydra
