// Flow: from the focused head's scores to its output.
#include <algorithm>

#include "app/views/flow/flow_parts.h"
#include "app/widgets/label_steps.h"

namespace hydra {

using namespace flow;

namespace {

// What S and O are products with stands above them: a score is its row of Q times its column of K^T.
void second_operands(FlowParts& p) {
  const Site K = p.of_head(Quantity::K), V = p.of_head(Quantity::V);
  picture(p.frame, "flow/KT", K, p.at.KT, {.transposed = true});
  title_over(p.frame, p.at.KT, p.at.KT.size.x, {name_of(p.frame, K) + (p.frame.fonts.unicode ? "ᵀ" : "^T")});
  caption_under(p.frame, p.at.KT, K, p.at.KT.size.x, true);
  picture(p.frame, "flow/V_above", V, p.at.V);
  title_over(p.frame, p.at.V, p.at.V.size.x + 2 * p.frame.unit, {name_of(p.frame, V)});
  caption_under(p.frame, p.at.V, V, p.at.V.size.x + 2 * p.frame.unit);
}

// In the room over A's labels: what its colours say, and those of the scores.
void legends(FlowParts& p, ImVec2 pos) {
  ImFont* font = p.frame.fonts.small;
  const float labels = p.at.A.pos.y - std::min(p.label_width * kLabelSine + font->FontSize, 6.5f * font->FontSize);
  LegendOptions of[2];
  of[0].caption = "weights";
  of[1].caption = "scores";
  const Site shown[] = {p.of_head(Quantity::attention), p.of_head(Quantity::scores)};
  const float width = std::max(p.at.A.size.x, 11 * font->FontSize);
  for (int k = 0; k < 2 && p.at.operands && pos.y + 1.2f * font->FontSize < labels; ++k) {
    legend(scale_for(p.frame, shown[k]), pos, width, font, p.frame.theme.ink_soft, of[k]);
    pos.y += 1.6f * font->FontSize;
  }
}

}  // namespace

void draw_flow_pattern(FlowParts& p) {
  const Site S = p.of_head(Quantity::scores), A = p.of_head(Quantity::attention), O = p.of_head(Quantity::output);
  picture(p.frame, "flow/scores", S, p.at.S);
  title_over(p.frame, p.at.S, p.at.S.size.x + p.at.operators[2].size.x - 2 * p.frame.unit,
             {formula(p.frame.trace, S), name_of(p.frame, S)});
  caption_under(p.frame, p.at.S, S, p.at.S.size.x);
  if (p.at.operands) second_operands(p);
  picture(p.frame, "flow/attention", A, p.at.A);
  column_labels(p.list, p.axis(marked_row(p.frame, Axis::token, false)), p.at.A.pos.x,
                p.at.A.size.x / static_cast<float>(p.trace.input.n()), p.at.A.pos.y - 0.5f * p.frame.unit,
                std::min(p.at.labels_A.size.y - p.frame.fonts.strong->FontSize - p.frame.unit,
                         6.5f * p.frame.fonts.small->FontSize));
  const Box title{{p.at.A.pos.x, p.at.labels_A.pos.y}, {}};
  title_over(p.frame, title, p.at.A.size.x + p.at.operators[3].size.x,
             {formula(p.frame.trace, A), name_of(p.frame, A)});
  legends(p, {title.pos.x, title.pos.y + p.frame.unit});
  caption_under(p.frame, p.at.A, A, p.at.A.size.x);
  picture(p.frame, "flow/output", O, p.at.O);
  const float beside = p.at.operands ? 2 * p.frame.unit : p.at.strip.right() - p.at.O.right();
  title_over(p.frame, p.at.O, p.at.O.size.x + beside, {formula(p.frame.trace, O), name_of(p.frame, O)});
  caption_under(p.frame, p.at.O, O, p.at.O.size.x + 2 * p.frame.unit);
  p.list->AddRect({p.at.A.pos.x - 2, p.at.A.pos.y - 2}, {p.at.A.right() + 2, p.at.A.bottom() + 2},
                  head_color(p.head, p.frame.theme.dark), 0, 0, 2);
  const bool words = p.at.operands;
  operation(p.frame, p.at.operators[1], !words ? "" : p.frame.fonts.unicode ? "Q Kᵀ" : "Q K^T");
  operation(p.frame, p.at.operators[2], words ? "softmax" : "");
  operation(p.frame, p.at.operators[3], words ? "× V" : "");
}

}  // namespace hydra
