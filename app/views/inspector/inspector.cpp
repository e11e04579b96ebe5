// The inspector: the open matrix as a grid that can be edited, and the arithmetic of the selected number.
#include "app/views/change/change_marks.h"
#include "app/views/frame/ui.h"
#include "app/views/inspector/inspector_parts.h"
#include "app/views/shared/head_marks.h"
#include "app/views/shared/head_roles.h"
#include "app/views/shell/views.h"
#include "core/explain/links.h"

namespace hydra {

namespace {

using inspector::selected_cell;

float right_edge() { return ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x; }

// The way to the selected number: each name leads back.
void draw_breadcrumb(Frame& frame) {
  const ViewState& view = frame.view;
  if (!view.selection || view.breadcrumb.empty()) return;
  const std::vector<Cell> path = view.breadcrumb;
  ImGui::PushFont(frame.fonts.small);
  for (std::size_t k = 0; k <= path.size(); ++k) {
    const bool last = k == path.size();
    const std::string text = spelled(frame, cell_title(frame.trace, last ? *view.selection : path[k]));
    const std::string shown = clipped(frame.fonts.small, text, ImGui::GetContentRegionAvail().x - 8 * frame.unit);
    if (k > 0) ui::flow_line(ImGui::CalcTextSize(imgui_text(shown)).x + 4 * frame.unit);
    if (k > 0) {
      ui::text(frame, "›", {.ink = frame.theme.ink_faint});
      ImGui::SameLine(0, frame.unit);
    }
    ui::text(frame, shown, {.ink = last ? frame.theme.ink : frame.theme.accent});
    ui::probe({"inspector/breadcrumb/", k});
    if (last || !ImGui::IsItemHovered()) continue;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    frame.next.cell = path[k];
    if (!ui::clicked()) continue;
    frame.out.act(act::Select{path[k], {path.begin(), path.begin() + static_cast<std::ptrdiff_t>(k)}});
    break;
  }
  ImGui::PopFont();
}

// "This head" and "all heads" of a weight: the same numbers, cut out or whole.
void draw_block_switch(Frame& frame) {
  const ViewState& view = frame.view;
  const Site ref = view.inspected;
  if (!may_have_head(ref.quantity) || has_head(ref.quantity)) return;
  const LayerInput<float>& input = frame.trace.layer(ref.layer).input;
  const std::optional<Cell> selected = selected_cell(frame);
  int head = ref.head != kNoHead ? ref.head : view.focused_head;
  if (ref.head == kNoHead && selected) {
    const Site block = in_its_head(frame.trace, *selected).site;
    if (!shared_by(input, block).contains(head)) head = block.head;
  }
  const std::string sharing = sharing_heads(frame.trace, {ref.quantity, ref.layer, head});
  const std::string label = sharing.empty() ? wording("inspector:head", {{"head", head + 1}}) : spelled(frame, sharing);
  const bool part = ui::chip(frame, "inspector/head", label, ref.head != kNoHead,
                             wording(sharing.empty() ? "inspector:head.tip" : "inspector:head.tip.shared"),
                             ref.head != kNoHead ? head_color(frame, head) : 0);
  ImGui::SameLine(0, frame.unit);
  const bool whole = ui::chip(frame, "inspector/whole", wording("inspector:whole"), ref.head == kNoHead,
                              wording("inspector:whole.tip"));
  if (whole && ref.head != kNoHead) {
    if (selected)
      select(frame, *editable_cell(frame.trace, *selected));
    else
      inspect(frame, {ref.quantity, ref.layer, kNoHead});
  }
  if (part && ref.head == kNoHead) {
    focus_head(frame, head);
    if (selected) {
      Cell cell = in_its_head(frame.trace, *selected);
      cell.site.head = head;  // not the first of those that share it
      select(frame, cell);
    } else {
      inspect(frame, {ref.quantity, ref.layer, head});
    }
  }
}

// The role of the head behind the title, on its line: a text that wraps would move the numbers below while they are
// dragged.
void title_role(const Frame& frame, float room) {
  const HeadLabel* label = frame.view.inspected.head == kNoHead ? nullptr : label_of(frame, frame.view.inspected.head);
  if (!label) return;
  ImFont* font = frame.fonts.small;
  const std::string text = spelled(frame, label->brief);
  const ImVec2 end = ImGui::GetItemRectMax();
  const ImVec2 pos{end.x + 2 * frame.unit, ImGui::GetItemRectMin().y + frame.fonts.text->FontSize - font->FontSize};
  if (2 * frame.unit + text_width(font, text) > room) return;
  frame.canvas.text_at(font, pos, ink_for(frame, *label, false), text);
  ui::probe("inspector/role", pos, {pos.x + text_width(font, text), pos.y + font->FontSize});
}

void draw_title(Frame& frame) {
  const Site ref = frame.view.inspected;
  const Shape shape = shape_of(frame.trace, ref);
  ui::text(frame, symbol(ref, !frame.fonts.unicode), {.font = frame.fonts.strong});
  ui::probe("inspector/title");
  if (ref.head != kNoHead) {
    const ImVec2 mark{ImGui::GetItemRectMax().x + 1.5f * frame.unit, ImGui::GetItemRectMin().y};
    const float side = 0.8f * frame.fonts.strong->FontSize;
    if (painted_mark(frame, "inspector/painted", ref.layer, ref.head, mark, side)) {
      ImGui::SameLine(0, 1.5f * frame.unit);
      ImGui::Dummy({side, side});
      ui::tip(frame, wording("inspector:painted.tip"));
    }
  }
  if (ref.head != kNoHead) {
    const ImVec2 pos{ImGui::GetItemRectMax().x + 1.5f * frame.unit, ImGui::GetItemRectMin().y};
    const float width = gate_mark(frame, "inspector/gate", ref.layer, ref.head, pos, frame.fonts.strong);
    if (width > 0) {
      ImGui::SameLine(0, 1.5f * frame.unit);
      ImGui::Dummy({width, frame.fonts.strong->FontSize});
      ui::tip(frame, wording("inspector:gate.tip"));
    }
  }
  ImGui::SameLine(0, 2 * frame.unit);
  const std::string size = ui::words(shape.rows, " × ", shape.cols);
  const std::string change = change_text(frame, ref);
  const float changed = change.empty() ? 0 : text_width(frame.fonts.small, change) + 2 * frame.unit;
  const float room = ImGui::GetContentRegionAvail().x - text_width(frame.fonts.small, size) - 2 * frame.unit - changed;
  const std::string role = ref.head == kNoHead ? "" : role_sentence(frame, ref.head);
  const std::string text = clipped(frame.fonts.text, description(ref), room);
  ui::text(frame, text);
  ui::tip(frame, (role.empty() ? description(ref) : description(ref) + "\n" + spelled(frame, role)).c_str());
  title_role(frame, room - text_width(frame.fonts.text, text));
  const float y = ImGui::GetItemRectMin().y + frame.fonts.text->FontSize - frame.fonts.small->FontSize;
  const float end = right_edge() - text_width(frame.fonts.small, size);
  frame.canvas.text_at(frame.fonts.small, {end, y}, frame.theme.ink_soft, size);
  if (change.empty()) return;
  frame.canvas.text_at(frame.fonts.small, {end - changed, y}, frame.theme.change, change);
  ui::probe("inspector/change", {end - changed, y}, {end, y + frame.fonts.small->FontSize});
}

std::function<std::string(Index)> labels(const Frame& frame, const Site& ref, bool rows) {
  return [&trace = frame.trace, ref, rows](Index k) { return axis_label(trace, ref, rows, k); };
}

// Bands of the heads, links of the selected and of the hovered number.
std::vector<GridOutline> outlines(const Frame& frame, const Site& ref, const Shape& shape) {
  std::vector<GridOutline> all;
  const LayerInput<float>& input = frame.trace.layer(ref.layer).input;
  const bool banded = (may_have_head(ref.quantity) && ref.head == kNoHead) || ref.quantity == Quantity::concat;
  const bool by_rows = ref.quantity == Quantity::W_O;
  const Index along = by_rows ? shape.rows : shape.cols, d_k = input.d_k();
  for (Index first = 0; banded && along > d_k && first < along; first += d_k) {
    const Site block = in_its_head(frame.trace, {ref, by_rows ? first : 0, by_rows ? 0 : first}).site;
    all.push_back({by_rows ? first : 0, by_rows ? first + d_k : shape.rows, by_rows ? 0 : first,
                   by_rows ? shape.cols : first + d_k, head_color(frame, block.head), 0.25f * frame.unit});
  }
  const auto add = [&](const std::optional<Cell>& cell, bool selected) {
    if (!cell) return;
    for (const Region& r : linked(frame.trace, *cell, ref)) {
      const bool whole = r.row0 == 0 && r.col0 == 0 && r.row1 == shape.rows && r.col1 == shape.cols;
      if (whole && r.role != Region::Role::self) continue;
      all.push_back({r.row0, r.row1, r.col0, r.col1, link_color(frame, r.role, selected),
                     (selected ? 0.5f : 0.375f) * frame.unit});
    }
  };
  if (const std::vector<PaintedRow<float>>* rows = painted_rows(frame, ref))
    for (const auto& [first, last] : painted_runs(*rows)) all.push_back({first, last, 0, shape.cols, 0, 0, true});
  add(frame.view.selection, true);
  add(frame.was.cell, false);
  return all;
}

// Where it comes to stand the grid may have been elsewhere.
void forget_scroll(const Frame& frame) {
  InspectorHands& hands = inspector::hands_of(frame);
  const bool in_strip = are_called(frame.view);
  const int now = ImGui::GetFrameCount();
  if (std::exchange(hands.in_strip, in_strip) != in_strip || now > hands.drawn + 1) hands.revealed.reset();
  hands.drawn = now;
}

MatrixGrid grid_of(Frame& frame, const Site& ref) {
  forget_scroll(frame);
  const ViewState& view = frame.view;
  const Shape shape = shape_of(frame.trace, ref);
  MatrixGrid grid(inspector::shown_values(frame, ref));
  grid.scale = scale_for(frame, ref);
  grid.row_label = labels(frame, ref, true);
  if (shape.row_axis == Axis::one) grid.row_label = [](Index) { return std::string(); };
  grid.col_label = labels(frame, ref, false);
  if (shape.row_axis == Axis::token) grid.row_marks = token_marks(frame);
  if (shape.col_axis == Axis::token) grid.col_marks = token_marks(frame);
  grid.words_above = shape.col_axis == Axis::token || shape.col_axis == Axis::next_word ||
                     (frame.trace.layout && shape.col_axis == Axis::model_dim);
  grid.numbers = frame.fonts.mono_small;
  grid.labels = frame.fonts.small;
  grid.theme = &frame.theme;
  grid.unit = frame.unit;
  grid.probe_prefix = "inspector/cell";
  if (frame.trace.layer(ref.layer).input.split == Split::slice)
    grid.unread = [&frame, ref](Index row, Index col) { return is_unread(frame, {ref, row, col}); };
  if (const MatrixChange& change = frame.changes.of(view, ref); change.size && !frame.changes.peeking())
    grid.change = [&change](Index row, Index col) { return (*change.size)(row, col) / change.largest; };
  if (const Array<float> hidden = frame.derived.mask_of(ref).hidden; hidden && is_pair(ref.quantity))
    grid.unread = [hidden](Index row, Index col) { return (*hidden)(row, col) != 0; };
  grid.outlines = outlines(frame, ref, shape);
  if (const std::optional<Cell> cell = selected_cell(frame)) {
    grid.marked = GridCell{cell->row, cell->col};
    if (inspector::hands_of(frame).revealed != cell) grid.reveal = grid.marked;
    inspector::hands_of(frame).revealed = cell;
    if (const std::optional<float> before = value_before(frame, *cell)) grid.ghost = GridGhost{*grid.marked, *before};
  }
  if (const std::optional<Cell>& offered = frame.status.offered; offered && offered->site == ref && !grid.marked) {
    grid.outlines.push_back(
        {offered->row, offered->row + 1, offered->col, offered->col + 1, frame.theme.accent, 0.5f * frame.unit});
    if (inspector::hands_of(frame).revealed != offered) grid.reveal = GridCell{offered->row, offered->col};
    inspector::hands_of(frame).revealed = offered;
  }
  if (inspector::types_in_cell(frame) && grid.marked) {
    grid.draft = &inspector::hands_of(frame).draft;
    grid.start_typing = inspector::hands_of(frame).typing_starts;
  }
  return grid;
}

// The whole matrix in small, with the part that the grid shows.
void draw_overview(Frame& frame, const Site& ref, const GridResult& grid, ImVec2 pos, ImVec2 size) {
  const PictureResult picture = matrix_picture(frame, "inspector/overview", ref, pos, size,
                                               {.square_cells = false, .values = false, .edits = false, .main = false});
  if (picture.hit.clicked) inspector::hands_of(frame).revealed.reset();
  draw_cell_outline(frame.canvas, picture.heatmap, grid.row0, grid.row1, grid.col0, grid.col1, frame.theme.accent,
                    0.25f * frame.unit);
}

// Where the overview of a matrix that does not fit stands: above the grid when it is wide, else beside the formula.
struct OverviewPlace {
  ImVec2 pos, size;
  bool beside = false;
};

OverviewPlace overview_place(const Frame& frame, const Shape& shape) {
  const float width = ImGui::GetContentRegionAvail().x;
  const float aspect = std::clamp(real(shape.cols) / real(shape.rows), 0.4f, 8.0f);
  OverviewPlace place;
  place.beside = aspect < 1.6f;
  place.size.y = std::min((place.beside ? 15 : 16) * frame.unit, width / aspect);
  place.size.x = place.size.y * aspect;
  place.pos = ImGui::GetCursorScreenPos();
  if (place.beside) place.pos.x = right_edge() - place.size.x;
  return place;
}

void draw_formula(Frame& frame, float width) {
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  const std::string text = spelled(frame, formula(frame.trace, frame.view.inspected));
  const bool painted = painted_rows(frame, frame.view.inspected);
  ui::soft_text(frame, painted ? wording("inspector:formula.painted", {{"formula", text}}) : text);
  if (is_sliced(frame, frame.view.inspected)) ui::soft_text(frame, wording("inspector:hatched"));
  ImGui::PopTextWrapPos();
  draw_block_switch(frame);
}

void draw_matrix(Frame& frame, float height) {
  const Site ref = frame.view.inspected;
  const Shape shape = shape_of(frame.trace, ref);
  MatrixGrid grid = grid_of(frame, ref);
  const float width = ImGui::GetContentRegionAvail().x, gap = 2 * frame.unit;
  grid.room = {width, height > 0 ? height : 15 * (grid.numbers->FontSize + 1.75f * frame.unit)};
  const bool has_overview = height == 0 && !grid_size(grid).whole && shape.rows > 1;
  OverviewPlace place = overview_place(frame, shape);
  const bool beside = has_overview && place.beside;
  if (height == 0) draw_formula(frame, beside ? width - place.size.x - gap : width);
  if (has_overview) {
    if (!place.beside) place.pos.y = ImGui::GetCursorScreenPos().y;
    const float y = std::max(ImGui::GetCursorScreenPos().y, place.pos.y + place.size.y + gap);
    ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x, y});
  }
  const GridResult result = matrix_grid(frame.canvas, "grid", grid);
  const ImVec2 below = ImGui::GetCursorScreenPos();
  if (has_overview) {  // after the grid, because it shows what the grid has in view
    draw_overview(frame, ref, result, place.pos, place.size);
    ImGui::SetCursorScreenPos(below);
  }
  inspector::finish_typing(frame, result.typing);
  inspector::edit_with_pointer(frame, result);
  inspector::edit_with_keys(frame);
  if (result.hovered) frame.next.cell = Cell{ref, result.hovered->row, result.hovered->col};
  if (height > 0) return;

  const LayerInput<float>& input = frame.trace.layer(ref.layer).input;
  const bool masked = is_pair(ref.quantity) && input.masks(ref.head);
  site_legend(frame, ref, ImGui::GetCursorScreenPos(), width, {.masked = masked});
  ImGui::Dummy({width, frame.fonts.small->FontSize});
  if (is_form(ref.quantity)) {
    ui::soft_text(frame, wording("inspector:drag.form"));
  } else if (is_editable(ref)) {
    inspector::block_operations(frame);
    ui::soft_text(frame, inspector::offer_words(frame, wording("inspector:drag")));
  }
}

}  // namespace

namespace {

// A parameter of the model that is being trained: how the next step changes it.
void offer_update(Frame& frame, const Cell& cell) {
  const LearnTold& learn = frame.learn;
  const bool trained = learn.timeline && learn.fits && is_parameter(cell.site.quantity);
  if (!trained || frame.view.view == ViewId::learn || !editable_cell(frame.trace, cell)) return;
  if (!ui::button(frame, "inspector/update", wording("inspector:update"), wording("inspector:update.tip"))) return;
  frame.choose(frame.view.view, ViewId::learn);
  frame.choose(frame.view.learn.page, LearnPage::gradients);
  frame.choose(frame.view.learn.gradients.part, GradientPart::weights);
}

}  // namespace

const std::string& inspector::offer_words(const Frame& frame, const std::string& otherwise) {
  const std::optional<Cell>& offered = frame.status.offered;
  return offered && offered->site == frame.view.inspected ? wording("inspector:offered") : otherwise;
}

void inspector::draw_title_and_matrix(Frame& frame, float height) {
  const float top = ImGui::GetCursorPosY();
  draw_title(frame);
  draw_matrix(frame, height > 0 ? std::max(1.0f, height - (ImGui::GetCursorPosY() - top)) : 0);
}

void draw_inspector(Frame& frame) {
  if (!exists(frame.trace, frame.view.inspected)) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {2 * frame.unit, 1.5f * frame.unit});
  draw_breadcrumb(frame);
  inspector::draw_title_and_matrix(frame);
  ImGui::Dummy({0, frame.unit});
  ImGui::Separator();
  const std::optional<Cell> cell = selected_cell(frame);
  inspector::end_lost_drag(frame, cell);
  if (cell) inspector::draw_painting(frame, *cell);
  if (cell)
    inspector::draw_arithmetic(frame, *cell), offer_update(frame, *cell);
  else
    ui::soft_text(frame, wording("inspector:none"));
  // While a bar is dragged nothing moves under the pointer, though what explains the row gets shorter.
  const float missing = inspector::hands_of(frame).height - ImGui::GetCursorPosY();
  if (!inspector::hands_of(frame).bar_drag)
    inspector::hands_of(frame).height = ImGui::GetCursorPosY();
  else if (missing > 0)
    ImGui::Dummy({1, missing - ImGui::GetStyle().ItemSpacing.y});
  ImGui::PopStyleVar();
}

}  // namespace hydra
