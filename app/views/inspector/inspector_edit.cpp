// Editing numbers in the inspector's grid: by drag, by typing, by key, by block.
#include <charconv>

#include "app/platform/input.h"
#include "app/views/frame/ui.h"
#include "app/views/inspector/inspector_parts.h"
#include "app/views/marks/mark_pairs.h"
#include "app/views/mask/mask_paint.h"
#include "app/views/shell/parts.h"

namespace hydra::inspector {

namespace {

constexpr float kPixelsPerRange = 120, kDragThreshold = 3;

float present_value(const Frame& frame, const Cell& cell) { return shown_values(frame, cell.site)(cell.row, cell.col); }

Edit setting(const Frame& frame, const Cell& cell, float value) {
  if (is_form(cell.site.quantity)) {
    const bool asks = cell.site.quantity == Quantity::query_key;
    return {SetForm{asks ? SetForm::Which::query_key : SetForm::Which::value_output, cell.site.head, cell.row, cell.col,
                    value},
            cell.site.layer};
  }
  if (!is_editable(cell.site)) return painting_with(frame, cell, value);
  const Cell target = *editable_cell(frame.trace, cell);
  return {set_cell(target.site.quantity, target.row, target.col, value), target.site.layer};
}

void set_value(Frame& frame, const Cell& cell, float value) {
  if (value != present_value(frame, cell)) frame.out.apply(setting(frame, cell, value));
}

void begin_typing(Frame& frame, const Cell& cell) {
  frame.notice.forget_refusal();
  hands_of(frame).draft = ui::that_reads_back(present_value(frame, cell));
  hands_of(frame).typed = cell, hands_of(frame).typing_starts = true;
  hands_of(frame).drag.reset();
  hands_of(frame).in_bars.reset();
}

bool is_editable_cell(const Cell& cell) { return is_editable(cell.site) || is_form(cell.site.quantity); }
bool can_be_typed(const Frame& frame, const Cell& cell) {
  return is_editable_cell(cell) || can_be_painted(frame, cell);
}

void take_cell(Frame& frame, const Cell& cell, const std::string& picture = {}) {
  const ViewState& view = frame.view;
  if (view.selection != cell) select(frame, cell);
  if (picture.empty()) {  // of the grid it stays under the pointer
    hands_of(frame).revealed = cell;
    if (are_called(view) && !view.selection) frame.choose(view.sides.inspector_whole, true);
  }
  if (!is_editable_cell(cell)) return;
  hands_of(frame).drag = CellDrag{cell, picture, present_value(frame, cell), scale_for(frame, cell.site).high};
}

void follow_drag(Frame& frame, bool held) {
  CellDrag& drag = *hands_of(frame).drag;
  if (!held) {
    if (drag.moved && !drag.dropped) frame.out.commit();
    hands_of(frame).drag.reset();
    frame.hands.let_go();
    return;
  }
  if (drag.dropped) return;
  if (drag.moved) frame.hands.hold();
  if (ui::key_pressed(key::escape)) {
    drag.dropped = true;
    frame.hands.let_go();
    if (drag.moved) frame.out.cancel();
    return;
  }
  const ImGuiIO& io = ImGui::GetIO();
  const float scale = frame.unit / 4;
  drag.moved = drag.moved || ImGui::IsMouseDragging(ImGuiMouseButton_Left, kDragThreshold * scale);
  if (!drag.moved || io.MouseDelta.y == 0) return;
  drag.travelled -= io.MouseDelta.y / scale * (io.KeyShift ? 0.1f : io.KeyCtrl ? 10.0f : 1.0f);
  const float value = dragged_value(drag.start, drag.travelled, drag.range, io.KeyShift);
  frame.out.preview(setting(frame, drag.cell, value));
  frame.hands.hold();
}

// Of a cell that may have gone meanwhile.
void go_on_dragging(Frame& frame, bool held) {
  const Cell& cell = hands_of(frame).drag->cell;
  const Shape shape = exists(frame.trace, cell.site) ? shape_of(frame.trace, cell.site) : Shape{};
  if (cell.row >= shape.rows || cell.col >= shape.cols)
    hands_of(frame).drag.reset();
  else
    follow_drag(frame, held);
}

enum class Scope { row, column, matrix };
using Operation = void (*)(Mat<float>&);

void operate(Frame& frame, Scope scope, Operation operation) {
  const Site ref = frame.view.inspected;
  const std::optional<Cell> selected = selected_cell(frame);
  const MatView<float> all = shown_values(frame, ref);
  const Cell first{ref, scope == Scope::row ? selected->row : 0, scope == Scope::column ? selected->col : 0};
  Mat<float> values =
      all.block(first.row, first.col, scope == Scope::row ? 1 : all.rows(), scope == Scope::column ? 1 : all.cols());
  operation(values);
  const Cell target = *editable_cell(frame.trace, first);
  frame.out.apply(
      {SetBlock{target.site.quantity, target.row, target.col, share(std::move(values))}, target.site.layer});
}

void operation_items(Frame& frame, const char* name, Scope scope) {
  const auto item = [&](const std::string& label, const char* part, Operation operation) {
    if (ImGui::MenuItem(label.c_str())) operate(frame, scope, operation);
    ui::probe({name, "/", part});
  };
  item(wording("inspector:zero"), "zero", [](Mat<float>& m) { m.setZero(); });
  item("× 2", "twice", [](Mat<float>& m) { m *= 2; });
  item("× ½", "half", [](Mat<float>& m) { m *= 0.5f; });
  const Shape shape = shape_of(frame.trace, frame.view.inspected);
  if (scope == Scope::matrix && shape.rows == shape.cols)
    item(wording("inspector:identity"), "identity", [](Mat<float>& m) { m.setIdentity(); });
}

struct Group {
  const char* name;
  const char* label;  // a text
  Scope scope;
  const char* tip;  // a text
};
constexpr Group kGroups[] = {{"inspector/row", "inspector:row", Scope::row, "inspector:row.tip"},
                             {"inspector/column", "inspector:column", Scope::column, "inspector:column.tip"},
                             {"inspector/matrix", "inspector:matrix", Scope::matrix, "inspector:matrix.tip"}};

}  // namespace

std::optional<float> parsed_number(std::string text) {
  for (const std::string minus : {"−", "–"})
    for (std::size_t at; (at = text.find(minus)) != std::string::npos;) text.replace(at, minus.size(), "-");
  std::erase(text, ' ');
  std::replace(text.begin(), text.end(), ',', '.');
  const char* first = text.data() + (text.starts_with('+') ? 1 : 0);
  double value = 0;
  const auto [end, error] = std::from_chars(first, text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || end == first) return std::nullopt;
  return std::isfinite(real(value)) ? std::optional(real(value)) : std::nullopt;
}

std::optional<Cell> selected_cell(const Frame& frame) {
  const std::optional<Cell>& cell = frame.view.selection;
  return cell && cell->site == frame.view.inspected ? cell : std::nullopt;
}

MatView<float> shown_values(const Frame& frame, const Site& ref) {
  const Layer& layer = frame.document.layer(ref.layer);
  const LayerInput<float>& input = frame.trace.layer(ref.layer).input;
  const bool sliced = layer.split == Split::slice && is_projection_weight(ref.quantity);
  const bool same_cut = frame.document.d_model == input.d_model() &&
                        layer.concat_width(input.d_model()) == input.concat_width() &&
                        layer.key_groups() == input.key_groups();
  const Backing place = picture_of(frame, ref);
  const auto block = [&](const Array<float>& matrix) -> MatView<float> {
    return matrix->block(place.row0, place.col0, place.rows, place.cols);
  };
  if (!is_weight(ref.quantity) || sliced || !same_cut) return block(place.matrix);
  const Array<float>* of_model = field_of(frame.document.weights, ref.quantity);
  const Array<float>& newest = of_model ? *of_model : *field_of(layer.weights, ref.quantity);
  const bool as_large = newest.rows() == place.matrix.rows() && newest.cols() == place.matrix.cols();
  return block(as_large ? newest : place.matrix);
}

float dragged_value(float start, float travelled, float range, bool fine) {
  if (travelled == 0) return start;
  const double step = static_cast<double>(range) / kPixelsPerRange * (fine ? 0.1 : 1.0);
  const double digit = std::pow(10.0, std::floor(std::log10(step)));
  const double value =
      static_cast<double>(start) + static_cast<double>(travelled) * static_cast<double>(range) / kPixelsPerRange;
  return real(std::round(value / digit) * digit);
}

void edit_with_pointer(Frame& frame, const GridResult& grid) {
  const ViewState& view = frame.view;
  if (paints_mask(frame, view.inspected)) {
    std::optional<std::pair<Index, Index>> under;
    if (grid.hovered) under = {grid.hovered->row, grid.hovered->col};
    return paint_mask(frame, "inspector/grid", grid.pressed, under);
  }
  if (grid.hovered) {
    const Cell cell{view.inspected, grid.hovered->row, grid.hovered->col};
    if (is_editable_cell(cell)) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    if (grid.pressed || grid.right_clicked) take_cell(frame, cell);
    if (grid.double_clicked && can_be_typed(frame, cell)) begin_typing(frame, cell);
    if (grid.right_clicked) {
      hands_of(frame).drag.reset();
      if (is_editable_cell(cell)) ImGui::OpenPopup("cell menu");
    }
  }
  if (hands_of(frame).drag && hands_of(frame).drag->picture.empty()) go_on_dragging(frame, grid.held);
}

void drag_on_picture(Frame& frame, const char* picture, const Site& ref, const CellHit& hit) {
  const std::optional<CellDrag>& drag = hands_of(frame).drag;
  if (hit.hovered && is_editable_cell({ref, hit.row, hit.col})) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    if (hit.pressed) take_cell(frame, {ref, hit.row, hit.col}, picture);
  }
  if (drag && drag->picture == picture) go_on_dragging(frame, hit.held);
}

void end_lost_drag_on_picture(Frame& frame) {
  const std::optional<CellDrag>& drag = hands_of(frame).drag;
  if (drag && !drag->picture.empty() && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) follow_drag(frame, false);
}

void edit_with_keys(Frame& frame) {
  const ViewState& view = frame.view;
  const std::optional<Cell> cell = selected_cell(frame);
  if (!cell || types_in_cell(frame) || hands_of(frame).drag || !numbers_have_keys(frame) ||
      ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup) || pair_tool_shown(view))
    return;
  const Shape shape = shape_of(frame.trace, cell->site);
  Cell next = *cell;
  const auto pressed = [](int code) { return ui::shortcut(false, false, code, true); };
  if (pressed(key::up)) --next.row;
  if (pressed(key::down)) ++next.row;
  if (pressed(key::left)) --next.col;
  if (pressed(key::right)) ++next.col;
  next.row = std::clamp<Index>(next.row, 0, shape.rows - 1);
  next.col = std::clamp<Index>(next.col, 0, shape.cols - 1);
  if (next != *cell) {
    select(frame, next);
    frame.hands.of<KeysSelect>().they = true;
    return;
  }
  if (can_be_typed(frame, *cell) && ui::shortcut(false, false, key::enter)) begin_typing(frame, *cell);
  if (!is_editable_cell(*cell)) return;
  if (ui::shortcut(false, false, key::del) || ui::shortcut(false, false, key::backspace)) set_value(frame, *cell, 0);
}

void finish_typing(Frame& frame, GridResult::Typing typing) {
  hands_of(frame).typing_starts = false;
  if (typing == GridResult::Typing::none) return;
  hands_of(frame).typed.reset();
  const std::optional<Cell> cell = selected_cell(frame);
  if (typing == GridResult::Typing::dropped || !cell) return;
  submit_number(frame, *cell, hands_of(frame).draft);
}

void submit_number(Frame& frame, const Cell& cell, const std::string& text) {
  const std::optional<float> value = parsed_number(text);
  const bool weight = cell.site.quantity == Quantity::attention;
  frame.notice.forget_refusal();
  if (value && !(weight && (*value < 0 || *value > 1))) return set_value(frame, cell, *value);
  frame.notice.refuse(value ? wording("inspector:typed.no_weight", {{"typed", text}})
                            : wording("inspector:typed.no_number", {{"typed", text}}));
}

void block_operations(Frame& frame) {
  const bool selected = selected_cell(frame).has_value();
  for (const Group& group : kGroups) {
    if (group.scope != Scope::row) ImGui::SameLine(0, frame.unit);
    const bool enabled = selected || group.scope == Scope::matrix;
    const std::string popup = std::string(group.name) + " menu";
    if (ui::button(frame, group.name, wording(group.label), wording(group.tip), enabled))
      ImGui::OpenPopup(popup.c_str());
    if (!ImGui::BeginPopup(popup.c_str())) continue;
    ui::close_on_escape();
    operation_items(frame, group.name, group.scope);
    ImGui::EndPopup();
  }
  if (!ImGui::BeginPopup("cell menu")) return;
  ui::close_on_escape();
  for (const Group& group : kGroups) {
    if (!ImGui::BeginMenu(wording(group.label).c_str())) continue;
    operation_items(frame, ("inspector/menu" + std::string(group.name).substr(9)).c_str(), group.scope);
    ImGui::EndMenu();
  }
  ImGui::EndPopup();
}

}  // namespace hydra::inspector
