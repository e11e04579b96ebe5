#include "app/views/flow/flow_parts.h"

#include "app/views/change/change_marks.h"
#include "app/views/frame/ui.h"
#include "app/views/shared/head_marks.h"
#include "app/views/shell/pages.h"

namespace hydra::flow {

std::string name_of(const Frame& frame, const Site& ref) { return symbol(ref, !frame.fonts.unicode); }

std::string product_title(const Frame& frame, const Site& result, const Site& weights) {
  const Quantity read = layer_program(frame.trace, result.layer).read;
  return name_of(frame, result) + " = " + name_of(frame, {read, result.layer}) + " " + name_of(frame, weights);
}

void title_over(const Frame& frame, ImVec2 pos, float width, const std::vector<std::string>& texts) {
  ImFont* font = frame.fonts.strong;
  frame.canvas.math_at(font, frame.fonts.small, {pos.x, pos.y - font->FontSize - frame.unit}, frame.theme.ink,
                       fitting(font, width, texts));
}

void caption_under(const Frame& frame, const Box& box, const Site& ref, float width, bool transposed) {
  Shape shape = shape_of(frame.trace, ref);
  if (transposed) std::swap(shape.rows, shape.cols);
  ValueScale scale = scale_for(frame, ref);
  // The range is that of all heads, and what is beyond it may be another's.
  const Backing drawn = picture_of(frame, ref);
  const bool alone =
      drawn.row0 == 0 && drawn.col0 == 0 && drawn.matrix.rows() == drawn.rows && drawn.matrix.cols() == drawn.cols;
  if (alone && scale.most > 0 && frame.derived.max_abs(drawn.matrix) <= scale.high) scale.most = 0;
  const std::string size = ui::words(shape.rows, " × ", shape.cols);
  const bool masked = frame.trace.layer(ref.layer).input.masks(ref.head);
  std::string mark;
  if (is_pair(ref.quantity) && masked) mark = "   " + wording("flow:mark.masked");
  if (painted_rows(frame, ref)) mark = "   " + wording("flow:mark.by_hand");
  if (is_sliced(frame, ref)) mark = "   " + wording("flow:mark.unread");
  ImFont* font = frame.fonts.small;
  const ImVec2 pos{box.pos.x, box.bottom() + 0.5f * frame.unit};
  const double spread = ref.quantity == Quantity::scores ? frame.derived.score_spread(ref.layer, ref.head)
                                                         : std::numeric_limits<double>::quiet_NaN();
  const std::string spread_words =
      std::isfinite(spread) ? "   " + wording("flow:spread", {{"spread", ui::number(spread, As::rough)}}) : "";
  const std::string was = range_before(frame, ref), before = was.empty() ? "" : ", " + was;
  // As much as there is room for: legends have the range as well, and nothing else says what the mark does.
  std::vector<std::string> texts;
  for (const std::string& end : mark.empty() ? std::vector<std::string>{""} : std::vector<std::string>{mark, ""}) {
    for (const ValueScale& of : {scale, {scale.map, scale.low, scale.high}})
      texts.push_back(size + "   " + range_text(of) + before + spread_words + end);
    texts.push_back(size + spread_words + end);
  }
  texts.push_back(size);
  const std::string text = fitting(font, width, texts);
  frame.canvas.text_at(font, pos, frame.theme.ink_soft, text);
  if (spread_words.empty()) return;
  const ImVec2 end{pos.x + std::min(width, text_width(font, text)), pos.y + font->FontSize};
  ui::probe("flow/score_spread", pos, end);
  if (!frame.canvas.over(pos, end)) return;
  const LayerInput<float>& input = frame.trace.layer(ref.layer).input;
  ui::tooltip_beside(
      frame, pos, end,
      {wording("flow:spread.tip", {{"spread", ui::number(spread)}}), wording("flow:spread.near"),
       input.settings.scale ? spelled(frame, wording("flow:spread.divided", {{"width", input.score_width()}}))
                            : std::string()});
}

void operation(const Frame& frame, const Box& box, const std::string& text) {
  const ImVec2 middle{box.pos.x + 0.5f * box.size.x, box.pos.y + 0.5f * box.size.y};
  const float half = 0.32f * box.size.x, head = 0.22f * frame.fonts.small->FontSize;
  const ImU32 color = frame.theme.ink_soft;
  frame.canvas.line({middle.x - half, middle.y}, {middle.x + half, middle.y}, color, 1.5f);
  frame.canvas.triangle({middle.x + half + head, middle.y}, {middle.x + half - head, middle.y - head},
                        {middle.x + half - head, middle.y + head}, color);
  if (text.empty()) return;
  frame.canvas.text_centered(frame.fonts.small, {middle.x, middle.y - 0.9f * frame.fonts.small->FontSize}, color,
                             clipped(frame.fonts.small, text, box.size.x));
}

int marked_row(const Frame& frame, Axis axis, bool row) {
  const std::optional<Cell>& cell = pointed_at(frame);
  if (!cell) return -1;
  const Shape shape = shape_of(frame.trace, cell->site);
  if (row && shape.row_axis == axis) return static_cast<int>(cell->row);
  if (!row && shape.col_axis == axis) return static_cast<int>(cell->col);
  return -1;
}

}  // namespace hydra::flow

namespace hydra {

float draw_flow_pages(Frame& frame, ImVec2 pos) {
  const ui::SmallChips small(frame);
  ImGui::SetCursorScreenPos(pos);
  auto chips = ui::Chips::in_line(frame);
  const Canvas::Part part(frame.canvas, kWindowAlone);
  page_chips(chips, frame);
  return ImGui::GetItemRectMax().x;
}

}  // namespace hydra
