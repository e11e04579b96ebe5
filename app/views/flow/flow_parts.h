// The parts of the Flow view, each in a file of its own. What they share: the frame, where they stand, the focused
// head.
#pragma once
#include <string>
#include <vector>

#include "app/draw/nth.h"
#include "app/views/flow/flow_layout.h"
#include "app/views/frame/look.h"
#include "app/widgets/matrix/token_axis.h"

namespace hydra {

struct FlowParts {
  Frame& frame;
  FlowLayout at;
  Quantity read;  // by the heads
  float label_width;
  int head, layer;
  const LayerTrace<float>& trace;
  const std::vector<FlowStage>& stages;  // of the row around the heads

  Site of_head(Quantity quantity) const { return {quantity, layer, head}; }
  Site of_layer(Quantity quantity) const { return {quantity, is_of_model(quantity) ? 0 : layer, kNoHead}; }
  TokenAxis axis(int marked) const {
    return {&frame.trace.tokens, frame.fonts.small, frame.theme.ink_soft, frame.theme.ink, marked,
            token_marks(frame),  kGoodLabel};
  }
  // W_O mixes all heads; what they read, and a gate for each of them, is of the layer.
  Site site(const FlowRow& row, Quantity quantity) const {
    return row.kind == FlowRow::Kind::mixing || !may_have_head(quantity) ? of_layer(quantity) : of_head(quantity);
  }
  float row_step(const Box& box) const { return box.size.y / real(trace.input.n()); }
  bool operands() const { return at.has(FlowRow::Kind::operands); }
};

void draw_flow_header(FlowParts& parts);
void draw_flow_row(FlowParts& parts, FlowRow& row);        // the pictures of its sites, and what goes with them
void draw_flow_strip(FlowParts& parts, const Box& strip);  // all heads
// The chips of the two pages, where one does not hold all; returns their end.
float draw_flow_pages(Frame& frame, ImVec2 pos);
void token_names(FlowParts& parts, const Box& box);  // beside a picture of theirs; too low for all, the marked one's
void draw_flow_column_name(FlowParts& parts);        // over the rows: which column of X is pointed at

namespace flow {

bool has_place(Quantity stage);                            // among the pictures; what has none stands beside the strip
std::string name_of(const Frame& frame, const Site& ref);  // its symbol
std::string product_title(const Frame& frame, const Site& result, const Site& weights);  // "Q = X W_Q"
void title_over(const Frame& frame, ImVec2 pos, float width, const std::vector<std::string>& texts);
// The shape, and the range of the colours where it is not 0..1: "12 × 8   ±2.5".
void caption_under(const Frame& frame, const Box& box, const Site& ref, float width, bool transposed = false);
// An operator between two pictures: what is done, over an arrow; no text: the titles say it.
void operation(const Frame& frame, const Box& box, const std::string& text);
// The row or column of the axis that is pointed at or selected, or -1.
int marked_row(const Frame& frame, Axis axis, bool row);

}  // namespace flow
}  // namespace hydra
