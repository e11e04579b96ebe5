#include "app/views/flow/flow_parts.h"

#include "app/views/change/change_marks.h"
#include "app/views/head_marks.h"
#include "app/views/ui.h"

namespace hydra::flow {

std::string name_of(const Frame& frame, const Site& ref) { return symbol(ref, !frame.fonts.unicode); }

std::string product_title(const Frame& frame, const Site& result, const Site& weights) {
  const Quantity read = layer_program(frame.trace, result.layer).read;
  return name_of(frame, result) + " = " + name_of(frame, {read, result.layer}) + " " + name_of(frame, weights);
}

void title_over(const Frame& frame, ImVec2 pos, float width, const std::vector<std::string>& texts) {
  ImFont* font = frame.fonts.strong;
  math_at(font, frame.fonts.small, {pos.x, pos.y - font->FontSize - frame.unit}, frame.theme.ink,
          fitting(font, width, texts));
}

void caption_under(const Frame& frame, const Box& box, const Site& ref, float width, bool transposed) {
  Shape shape = shape_of(frame.trace, ref);
  if (transposed) std::swap(shape.rows, shape.cols);
  const ValueScale scale = scale_for(frame, ref);
  const std::string size = ui::words(shape.rows, " × ", shape.cols);
  std::string range = (scale.low == 0 ? "0 … " : "±") + ui::short_number(scale.high);
  const bool masked = frame.trace.layer(ref.layer).input.mask.kind != Mask::Kind::none;
  if (const std::string was = range_before(frame, ref); !was.empty()) range += ", " + was;
  std::string mark;
  if (is_pair(ref.quantity) && masked) mark = "   hatched: masked";
  if (painted_rows(frame, ref)) mark = "   dashed: by hand";
  if (is_sliced(frame, ref)) mark = "   hatched: not read";
  ImFont* font = frame.fonts.small;
  text_at(font, {box.pos.x, box.bottom() + 0.5f * frame.unit}, frame.theme.ink_soft,
          fitting(font, width, {size + "   " + range + mark, size + "   " + range, size + mark, size}));
}

void operation(const Frame& frame, const Box& box, const std::string& text) {
  const ImVec2 middle{box.pos.x + 0.5f * box.size.x, box.pos.y + 0.5f * box.size.y};
  const float half = 0.32f * box.size.x, head = 0.22f * frame.fonts.small->FontSize;
  const ImU32 color = frame.theme.ink_soft;
  pen::line({middle.x - half, middle.y}, {middle.x + half, middle.y}, color, 1.5f);
  pen::list()->AddTriangleFilled({middle.x + half + head, middle.y}, {middle.x + half - head, middle.y - head},
                                 {middle.x + half - head, middle.y + head}, color);
  if (text.empty()) return;
  text_centered(frame.fonts.small, {middle.x, middle.y - 0.9f * frame.fonts.small->FontSize}, color,
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
