// What a later head finds of what an earlier one writes, by columns of X: their forms, multiplied.
#include "app/views/column_groups.h"
#include "app/views/stream/circuit_page.h"
#include "app/views/stream/circuit_words.h"
#include "app/views/ui.h"

namespace hydra {

namespace {

class CircuitProduct : Drawing {
 public:
  CircuitProduct(Frame& frame, const CircuitLayout& at, const CircuitLine& line)
      : Drawing(frame), at_(at), line_(line), form_(frame.derived.composed(line)), count_(shown()) {}

  void draw() {
    Heatmap heatmap;
    heatmap.min = at_.product;
    heatmap.matrix = form_;
    heatmap.rows = heatmap.cols = count_;
    heatmap.scale = signed_scale(diverging(frame_), frame_.derived.reach(std::span(&form_, 1)));
    fit_heatmap(heatmap, {at_.side, at_.side}, true);
    Heatmap drawn = heatmap;
    if (!use_strongest(frame_.derived, drawn)) drawn.matrix = nullptr;  // on its way
    const CellHit hit = draw_heatmap("circuit/product", frame_.heatmaps, drawn);
    ui::probe("circuit/product", heatmap.min, heatmap.max);
    frame_around(frame_, heatmap);
    labels(heatmap, hit);
    legend(frame_, heatmap.scale, {heatmap.min.x, heatmap.max.y + 1.5f * u_},
           std::max(heatmap.max.x - heatmap.min.x, 10 * small_));
    if (!hit.hovered) return;
    draw_cell_outline(heatmap, hit.row, hit.row + 1, hit.col, hit.col + 1, theme_.hover, 2);
    ui::tooltip(frame_, {column(hit.row) + (fonts_.unicode ? " → " : " -> ") + column(hit.col) + ": " +
                             ui::number(static_cast<double>(heatmap.value(hit.row, hit.col))),
                         say(composed_axes(line_).front())});
  }

 private:
  // Named features alone, where they have most of it; else all columns.
  Index shown() const {
    if (!frame_.trace.layout) return form_.cols();
    const Index features = frame_.trace.layout->features;
    return form_->topLeftCorner(features, features).squaredNorm() >= 0.5f * form_->squaredNorm() ? features
                                                                                                 : form_.cols();
  }
  std::string column(Index c) const { return axis_label(frame_.trace, Axis::model_dim, c); }

  void labels(const Heatmap& heatmap, const CellHit& hit) const {
    const std::vector<std::string> names = column_names(frame_.trace, count_);
    const float step = (heatmap.max.y - heatmap.min.y) / real(count_);
    // Where names have no room for all, the strongest number has its two, unless another is pointed at.
    Index row = hit.row, col = hit.col;
    if (!hit.hovered) form_->topLeftCorner(count_, count_).cwiseAbs().maxCoeff(&row, &col);
    edge_labels(frame_, {.words = &names,
                         .corner = heatmap.min,
                         .step = step,
                         .left = at_.row_labels,
                         .above = at_.column_labels,
                         .row = static_cast<int>(row),
                         .col = static_cast<int>(col),
                         .least = kGoodLabel});
    if (frame_.trace.layout && count_ != frame_.trace.layout->features) column_group_lines(frame_, heatmap, step);
  }

  const CircuitLayout& at_;
  const CircuitLine& line_;
  Array<float> form_;
  Index count_;  // of columns shown
};

void product_words(Frame& frame, const CircuitLayout& at, const CircuitLine& line) {
  const auto say = [&](const std::string& text) { return spelled(frame, text); };
  const float width = at.product_title.size.x;
  ImFont *strong = frame.fonts.strong, *small = frame.fonts.small;
  text_at(strong, at.product_title.pos, frame.theme.ink,
          fitting(strong, width, {say(line_title(line)), say(line_name(line))}), width);
  const Circuit& circuit = *frame.circuit.circuit;
  const double score = circuit.score(line);
  const std::string numbers =
      ui::number(score) + ", " + ui::number(score / random_composition(circuit.d_model), 2) + say(" × random. ");
  text_at(small, at.product_words.pos, frame.theme.ink,
          fitting(small, width, {numbers + say(composed_formula(line)) + ".", numbers}), width);
  std::vector<std::string> axes = composed_axes(line);
  for (std::string& text : axes) text = say(text);
  text_at(small, {at.product_words.pos.x, at.product_words.pos.y + small->FontSize + frame.unit}, frame.theme.ink_soft,
          fitting(small, width, axes), width);
}

}  // namespace

void draw_circuit_product(Frame& frame, const CircuitLayout& at, const CircuitLine& line) {
  product_words(frame, at, line);
  if (at.side > 0) CircuitProduct(frame, at, line).draw();
}

}  // namespace hydra
