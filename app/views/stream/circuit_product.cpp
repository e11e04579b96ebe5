// What a later head finds of what an earlier one writes, by columns of X: their forms, multiplied.
#include "app/views/frame/ui.h"
#include "app/views/model_panel/column_groups.h"
#include "app/views/shared/pictured.h"
#include "app/views/stream/circuit_page.h"
#include "app/views/stream/circuit_words.h"

namespace hydra {

namespace {

// Named features alone, where they have most of it; else all columns.
Index looked_at(const Frame& frame, const Array<float>& form) {
  if (!frame.trace.layout) return form.cols();
  const Index features = frame.trace.layout->features;
  return form->topLeftCorner(features, features).squaredNorm() >= 0.5f * form->squaredNorm() ? features : form.cols();
}

constexpr float kNothing = 0.005f;  // of the largest: less is nowhere seen

class CircuitProduct : Drawing {
 public:
  CircuitProduct(Frame& frame, const CircuitLayout& at, const CircuitLine& line)
      : Drawing(frame), at_(at), line_(line), form_(frame.derived.composed(line)), part_(filled_part(frame, line)) {}

  void draw() {
    const bool part = part_.is_part();
    const Backing shown = part ? whole(part_.cells) : Backing{form_, 0, 0, part_.count, part_.count};
    const auto [hit, heatmap] =
        picture(frame_, "circuit/product",
                {.name = "composed." + line_key(line_),
                 .title = composed_axes(line_).front(),
                 .shown = shown,
                 .scale = signed_scale(diverging(frame_), frame_.derived.reach(std::span(&form_, 1))),
                 .place = [&](Index row, Index col) { return column(row_of(row)) + " → " + column(col_of(col)); }},
                at_.product, at_.product_size, {.values = part, .clickable = !part, .grid = part ? theme_.line : 0});
    labels(heatmap, hit);
    if (part) left_out({heatmap.max.x + 4 * u_, heatmap.min.y});
    legend(frame_, heatmap.scale, {heatmap.min.x, heatmap.max.y + 1.5f * u_},
           std::max(heatmap.max.x - heatmap.min.x, 10 * small_));
    if (!hit.hovered) return;
    ui::tooltip(frame_, {column(row_of(hit.row)) + (fonts_.unicode ? " → " : " -> ") + column(col_of(hit.col)) + ": " +
                             ui::number(static_cast<double>(heatmap.value(hit.row, hit.col))),
                         say(composed_axes(line_).front())});
  }

 private:
  std::string column(Index c) const { return axis_label(frame_.trace, Axis::model_dim, c); }
  Index row_of(Index shown) const { return part_.is_part() ? nth(part_.rows, shown) : shown; }
  Index col_of(Index shown) const { return part_.is_part() ? nth(part_.cols, shown) : shown; }

  void labels(const Heatmap& heatmap, const CellHit& hit) const {
    std::vector<std::string> rows, cols;
    for (Index r = 0; r < heatmap.rows; ++r) rows.push_back(column(row_of(r)));
    for (Index c = 0; c < heatmap.cols; ++c) cols.push_back(column(col_of(c)));
    const float step = (heatmap.max.y - heatmap.min.y) / real(heatmap.rows);
    // Where names have no room for all, the strongest number has its two, unless another is pointed at.
    Index row = hit.row, col = hit.col;
    if (!hit.hovered) {
      if (!part_.is_part())
        form_->topLeftCorner(part_.count, part_.count).cwiseAbs().maxCoeff(&row, &col);
      else if (step < kGoodLabel)
        part_.cells->cwiseAbs().maxCoeff(&row, &col);
    }
    EdgeLabels words{.words = &rows,
                     .corner = heatmap.min,
                     .step = step,
                     .left = at_.row_labels,
                     .above = at_.column_labels,
                     .row = static_cast<int>(row),
                     .col = static_cast<int>(col),
                     .least = kGoodLabel};
    row_labels(frame_, words);
    words.words = &cols;
    column_labels(frame_, words);
    const bool whole = !part_.is_part() && frame_.trace.layout && part_.count != frame_.trace.layout->features;
    if (whole) column_group_lines(frame_, heatmap, step);
  }

  // Beside the part that is shown.
  void left_out(ImVec2 pos) const {
    const Index rows = part_.count - part_.cells.rows(), cols = part_.count - part_.cells.cols();
    const std::string what = cols == 0   ? wording("stream:left_out.rows", {{"rows", rows}})
                             : rows == 0 ? wording("stream:left_out.columns", {{"columns", cols}})
                                         : wording("stream:left_out", {{"rows", rows}, {"columns", cols}});
    const float width = at_.product_title.right() - pos.x;
    const float high = ui::paragraph(frame_, fonts_.small, pos, width, theme_.ink_soft, what);
    ui::probe("circuit/left_out", pos, {pos.x + width, pos.y + high});
  }

  const CircuitLayout& at_;
  const CircuitLine& line_;
  Array<float> form_;
  const FilledPart& part_;
};

void product_words(Frame& frame, const CircuitLayout& at, const CircuitLine& line) {
  const auto say = [&](const std::string& text) { return spelled(frame, text); };
  const float width = at.product_title.size.x;
  ImFont *strong = frame.fonts.strong, *small = frame.fonts.small;
  frame.canvas.text_at(strong, at.product_title.pos, frame.theme.ink,
                       fitting(strong, width, {say(line_title(line)), say(line_name(line))}), width);
  const Circuit& circuit = *measured_circuit(frame).value;
  const double score = circuit.score(line);
  const double times = score / random_composition(circuit.d_model);
  const std::string numbers =
      say(wording("stream:composed.numbers", {{"score", ui::number(score)}, {"times", ui::number(times, As::rough)}})) +
      " ";
  frame.canvas.text_at(small, at.product_words.pos, frame.theme.ink,
                       fitting(small, width, {numbers + say(composed_formula(line)), numbers}), width);
  std::vector<std::string> axes = composed_axes(line);
  for (std::string& text : axes) text = say(text);
  frame.canvas.text_at(small, {at.product_words.pos.x, at.product_words.pos.y + small->FontSize + frame.unit},
                       frame.theme.ink_soft, fitting(small, width, axes), width);
}

}  // namespace

const FilledPart& filled_part(Frame& frame, const CircuitLine& line) {
  FilledPart& kept = frame.made.of<FilledPart>();
  const Array<float> form = frame.derived.composed(line);
  const Index count = looked_at(frame, form);
  if (kept.of == form.stamp() && kept.count == count) return kept;
  kept = {form.stamp(), count, {}, {}, nullptr};
  const auto block = form->topLeftCorner(count, count).cwiseAbs().eval();
  const float least = kNothing * block.maxCoeff();
  for (Index k = 0; k < count; ++k) {
    if (block.row(k).maxCoeff() > least) kept.rows.push_back(k);
    if (block.col(k).maxCoeff() > least) kept.cols.push_back(k);
  }
  if (kept.rows.empty() || 4 * std::ssize(kept.rows) * std::ssize(kept.cols) > count * count) {
    kept.rows.clear();
    kept.cols.clear();
    return kept;
  }
  kept.cells = share(Mat<float>((*form)(kept.rows, kept.cols)));
  return kept;
}

void draw_circuit_product(Frame& frame, const CircuitLayout& at, const CircuitLine& line) {
  const Canvas::Part part(frame.canvas, "stream.composed");
  product_words(frame, at, line);
  if (at.side > 0) CircuitProduct(frame, at, line).draw();
}

}  // namespace hydra
