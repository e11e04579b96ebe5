// Setting rows of attention and of V by hand: bars that are dragged, numbers and whole rows that are typed.
#include <sstream>
#include <utility>

#include "app/platform/input.h"
#include "app/views/frame/ui.h"
#include "app/views/inspector/inspector_parts.h"
#include "app/views/shared/head_marks.h"
#include "app/views/shell/views.h"
#include "app/widgets/matrix/row_bars.h"
#include "imgui_stdlib.h"

namespace hydra::inspector {

namespace {

const Mask& mask_of(const Frame& frame, const Cell& cell) {
  return frame.trace.layer(cell.site.layer).input.mask_of(cell.site.head);
}

RowVec<float> row_of(const Frame& frame, const Cell& cell) { return values_of(frame.trace, cell.site).row(cell.row); }

PaintAttention painting(const Cell& cell, RowVec<float> weights) {
  return {cell.site.head, cell.row, share(std::move(weights))};
}

bool is_painted(const Frame& frame, const Cell& cell) {
  const std::vector<PaintedRow<float>>* rows = painted_rows(frame, cell.site);
  return rows && painted_row(*rows, cell.row);
}

// --- bars

void take_bar(Frame& frame, const Cell& cell, const RowBarsResult& result) {
  Cell taken = cell;
  taken.col = result.held;
  if (frame.view.selection != taken) {
    select(frame, taken);
    hands_of(frame).revealed = taken;  // the grid need not move under a drag
  }
  hands_of(frame).bar_drag = BarDrag{taken, share(row_of(frame, cell)), false};
}

// The other bars keep the proportions they had when the bar was taken, wherever it has been since.
void follow_bar(Frame& frame, const RowBarsResult& result) {
  BarDrag& drag = *hands_of(frame).bar_drag;
  if (result.held != drag.cell.col) {
    if (!drag.dropped) frame.out.commit();
    hands_of(frame).bar_drag.reset();
    frame.hands.let_go();
    return;
  }
  if (drag.dropped) return;
  frame.hands.hold();
  if (ui::key_pressed(key::escape)) {
    drag.dropped = true;
    frame.hands.let_go();
    frame.out.cancel();
    return;
  }
  const ImGuiIO& io = ImGui::GetIO();
  if (!result.pressed && io.MouseDelta.x == 0) return;
  const float value = std::round(result.value * 1000) / 1000;
  frame.out.preview(
      painting(drag.cell, with_weight(*drag.start, mask_of(frame, drag.cell), drag.cell.row, drag.cell.col, value)));
}

void type_bar(Frame& frame, const Cell& cell, const RowBarsResult& result) {
  const ViewState& view = frame.view;
  hands_of(frame).bar_typing_starts = false;
  if (result.number_clicked >= 0) {
    Cell number = cell;
    number.col = result.number_clicked;
    if (view.selection != number) select(frame, number);
    hands_of(frame).in_bars = number;
    hands_of(frame).typed.reset();
    hands_of(frame).draft = ui::that_reads_back(values_of(frame.trace, number.site)(number.row, number.col));
    hands_of(frame).bar_typing_starts = true;
    return;
  }
  if (result.typing == RowBarsResult::Typing::none || !types_in_bars(frame)) return;
  const Cell number = *std::exchange(hands_of(frame).in_bars, std::nullopt);
  if (result.typing == RowBarsResult::Typing::submitted) submit_number(frame, number, hands_of(frame).draft);
}

void draw_bars(Frame& frame, const Cell& cell) {
  const MatView<float> all = values_of(frame.trace, cell.site);
  RowBars bars(all.middleRows(cell.row, 1));
  bars.tokens = &frame.trace.tokens;
  bars.allowed = [&](Index key) { return mask_of(frame, cell).allows(cell.row, key); };
  bars.marked = cell.col;
  bars.text = frame.fonts.small;
  bars.numbers = frame.fonts.mono_small;
  bars.theme = &frame.theme;
  bars.color = head_color(frame, cell.site.head);
  bars.unit = frame.unit;
  bars.width = ImGui::GetContentRegionAvail().x;
  bars.probe_prefix = "inspector/bars";
  if (types_in_bars(frame)) {
    bars.draft = &hands_of(frame).draft;
    bars.typed = hands_of(frame).in_bars->col;
    bars.start_typing = hands_of(frame).bar_typing_starts;
  }
  const RowBarsResult result = row_bars(frame.canvas, "bars", bars);
  if (result.hovered >= 0) frame.next.cell = Cell{cell.site, cell.row, result.hovered};
  type_bar(frame, cell, result);
  if (result.pressed) take_bar(frame, cell, result);
  if (hands_of(frame).bar_drag) follow_bar(frame, result);
}

void presets(Frame& frame, const Cell& cell) {
  const Mask& mask = mask_of(frame, cell);
  const Index n = std::ssize(frame.trace.tokens);
  const RowVec<float> uniform = uniform_row(mask, cell.row, n);
  const std::string only = wording("inspector:paint.one", {{"token", nth(frame.trace.tokens, cell.col)}});
  const std::string label = clipped(frame.fonts.text, only, 0.4f * ImGui::GetContentRegionAvail().x);
  if (ui::button(frame, "inspector/paint/one", label, wording("inspector:paint.one.tip"),
                 mask.allows(cell.row, cell.col)))
    frame.out.apply(painting(cell, RowVec<float>::Unit(n, cell.col)));
  ImGui::SameLine(0, frame.unit);
  if (ui::button(frame, "inspector/paint/uniform", wording("inspector:paint.uniform"),
                 wording("inspector:paint.uniform.tip"), !uniform.isZero(0)))
    frame.out.apply(painting(cell, uniform));
}

// --- rows typed whole

// Numbers with blanks or semicolons between them, or commas where there is no blank.
std::vector<std::string> pieces_of(std::string text) {
  const bool blanks = text.find_first_of(" ;\t") != std::string::npos;
  std::replace_if(
      text.begin(), text.end(), [&](char c) { return c == ';' || c == '\t' || (!blanks && c == ','); }, ' ');
  std::vector<std::string> pieces;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word.ends_with(',')) word.pop_back();
    if (!word.empty()) pieces.push_back(word);
  }
  return pieces;
}

void notify(Frame& frame, std::string sentence) { frame.notice.refuse(std::move(sentence)); }

void submit_row(Frame& frame, const Cell& cell) {
  const Shape shape = shape_of(frame.trace, cell.site);
  const std::vector<std::string> pieces = pieces_of(hands_of(frame).row_draft);
  if (std::ssize(pieces) != shape.cols)
    return notify(frame, wording("inspector:paint.row.wrong_count", {{"n", shape.cols}, {"typed", pieces.size()}}));
  RowVec<float> row(shape.cols);
  for (Index k = 0; k < shape.cols; ++k) {
    const std::string& piece = nth(pieces, k);
    const std::optional<float> value = parsed_number(piece);
    if (!value) return notify(frame, wording("inspector:paint.row.no_number", {{"typed", piece}}));
    row(k) = *value;
  }
  hands_of(frame).row_draft.clear();
  if (cell.site.quantity == Quantity::attention)
    frame.out.apply(painting(cell, std::move(row)));
  else
    frame.out.apply({PaintValue{cell.site.head, cell.row, share(std::move(row))}, cell.site.layer});
}

void row_input(Frame& frame, const Cell& cell) {
  const std::string hint = wording("inspector:paint.row.hint", {{"n", shape_of(frame.trace, cell.site).cols}});
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  if (std::exchange(hands_of(frame).row_typing_starts, false)) ImGui::SetKeyboardFocusHere();
  const bool entered =
      ImGui::InputTextWithHint("##row", hint.c_str(), &hands_of(frame).row_draft, ImGuiInputTextFlags_EnterReturnsTrue);
  ui::probe("inspector/paint/row");
  ui::tip(frame,
          wording(cell.site.quantity == Quantity::attention ? "inspector:paint.row.tip" : "inspector:type.row.tip"));
  if (entered) submit_row(frame, cell);
}

void clear_button(Frame& frame, const Cell& cell, const std::string& tip) {
  const auto part = cell.site.quantity == Quantity::attention ? Unpaint::Part::attention : Unpaint::Part::values;
  if (ui::button(frame, "inspector/paint/clear", wording("inspector:paint.clear"), tip, is_painted(frame, cell)))
    frame.out.apply({Unpaint{cell.site.head, cell.row, part}, cell.site.layer});
}

}  // namespace

bool can_be_painted(const Frame& frame, const Cell& cell) {
  if (cell.site.quantity == Quantity::attention) return mask_of(frame, cell).allows(cell.row, cell.col);
  return cell.site.quantity == Quantity::V;
}

Edit painting_with(const Frame& frame, const Cell& cell, float value) {
  RowVec<float> row = row_of(frame, cell);
  if (cell.site.quantity == Quantity::attention)
    return painting(cell, with_weight(row, mask_of(frame, cell), cell.row, cell.col, value));
  row(cell.col) = value;
  return {PaintValue{cell.site.head, cell.row, share(std::move(row))}, cell.site.layer};
}

void end_lost_drag(Frame& frame, const std::optional<Cell>& cell) {
  std::optional<BarDrag>& drag = hands_of(frame).bar_drag;
  if (!drag) return;
  if (frame.view.inspector.painting_open && cell && cell->site == drag->cell.site && cell->row == drag->cell.row)
    return;
  if (!drag->dropped) frame.out.commit();
  drag.reset();
}

const std::string* paint_words(const Cell& cell) {
  if (cell.site.quantity == Quantity::attention) return &wording("inspector:paint");
  return cell.site.quantity == Quantity::V ? &wording("inspector:type") : nullptr;
}

bool paint_button(Frame& frame, const Cell& cell) {
  const InspectorState& state = frame.view.inspector;
  const bool attention = cell.site.quantity == Quantity::attention;
  if (!ui::chip(frame, "inspector/paint", *paint_words(cell), state.painting_open,
                wording(attention ? "inspector:paint.tip" : "inspector:type.tip")))
    return false;
  frame.choose(state.painting_open, hands_of(frame).row_typing_starts = !state.painting_open);
  hands_of(frame).in_bars.reset();
  return true;
}

void draw_painting(Frame& frame, const Cell& cell) {
  if (!paint_words(cell)) return;
  const bool attention = cell.site.quantity == Quantity::attention;
  const ViewState& view = frame.view;
  paint_button(frame, cell);
  if (attention && frame.learn.timeline && frame.learn.fits) {
    ImGui::SameLine(0, frame.unit);
    if (ui::chip(frame, "inspector/follow", wording("inspector:follow"), false, wording("inspector:follow.tip")))
      follow_selected(frame);
  }
  if (is_painted(frame, cell) || view.inspector.painting_open) {
    ImGui::SameLine(0, frame.unit);
    clear_button(frame, cell, wording(attention ? "inspector:paint.clear.tip" : "inspector:type.clear.tip"));
  }
  if (!view.inspector.painting_open) return;
  if (attention) {
    draw_bars(frame, cell);
    ImGui::Dummy({0, 0.25f * frame.unit});
    presets(frame, cell);
  }
  row_input(frame, cell);
}

}  // namespace hydra::inspector
