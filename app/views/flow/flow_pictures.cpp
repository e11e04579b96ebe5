// Flow: X and the focused head's projections of it, from its scores to its output, and how the heads become the
// layer's.
#include "app/views/flow/flow_parts.h"
#include "app/views/ui.h"
#include "app/widgets/label_steps.h"

namespace hydra {

using namespace flow;

namespace {

// What the columns of X are, under them: features, the word's identity, its position.
void column_groups(const Frame& frame, const Box& box) {
  const FeatureLayout& layout = *frame.trace.layout;
  const struct {
    Index first, count;
    const char *name, *brief;
  } groups[] = {{0, layout.features, "features", "feat."},
                {layout.identity_at(), layout.identity, "word", "word"},
                {layout.position_at(), layout.positions, "position", "pos."}};
  ImFont* font = frame.fonts.small;
  const float cell = box.size.x / real(layout.d_model()), y = box.bottom() + 0.5f * frame.unit;
  for (const auto& group : groups) {
    if (group.count == 0) continue;
    const float x0 = box.pos.x + real(group.first) * cell + 1;
    const float x1 = box.pos.x + real(group.first + group.count) * cell - 1;
    pen::line({x0, y + 1}, {x1, y + 1}, frame.theme.ink_faint, 1.5f);
    const std::string text = text_width(font, group.name) <= x1 - x0 ? group.name : group.brief;
    if (text_width(font, text) > x1 - x0 + frame.unit) continue;
    text_at(font, {0.5f * (x0 + x1) - 0.5f * text_width(font, text), y + 2}, frame.theme.ink_soft, text);
  }
}

// A small label over whatever is there, its text starting at x, centred on y.
void pill(const FlowParts& p, ImVec2 at, const std::string& text) {
  ImFont* font = p.frame.fonts.small;
  const float pad = p.frame.unit, width = text_width(font, text);
  pen::fill({at.x - pad, at.y - 0.5f * font->FontSize - 0.5f * pad},
            {at.x + width + pad, at.y + 0.5f * font->FontSize + 0.5f * pad}, p.frame.theme.raised, pad);
  text_at(font, {at.x, at.y - 0.5f * font->FontSize}, p.frame.theme.ink, text);
}

constexpr Quantity kProjections[] = {Quantity::W_Q, Quantity::W_K, Quantity::W_V};

// Which of the weights has the row that is named under it, in the place of the captions; none: no row is.
std::optional<std::size_t> named_weights(const FlowParts& p) {
  const std::optional<Cell>& cell = pointed_at(p.frame);
  if (!cell || !p.frame.trace.layout || !p.at.operands) return std::nullopt;
  for (std::size_t k = 0; k < 3; ++k)
    if (cell->site == p.of_head(kProjections[k])) return k;
  return std::nullopt;
}

// The named column that is pointed at, in X or as a row of the weights.
void name_of_column(FlowParts& p) {
  const std::optional<Cell>& cell = pointed_at(p.frame);
  if (!cell) return;
  const float rows = real(p.trace.input.d_model());
  if (const std::optional<std::size_t> k = named_weights(p)) {
    const float under = p.at.W[*k].bottom() + 0.5f * p.frame.unit + 0.5f * p.frame.fonts.small->FontSize;
    return pill(p, {p.at.W[*k].pos.x, under}, axis_label(p.frame.trace, Axis::model_dim, cell->row));
  }
  if (cell->site.quantity != Quantity::X) return;
  const std::string column = axis_label(p.frame.trace, Axis::model_dim, cell->col);
  const float x = p.at.X.pos.x + (real(cell->col) + 0.5f) / rows * p.at.X.size.x;
  pill(p, {x - 0.5f * text_width(p.frame.fonts.small, column), p.at.X.bottom() + 0.75f * p.frame.fonts.small->FontSize},
       column);
}

}  // namespace

void draw_flow_projections(FlowParts& p) {
  picture(p.frame, "flow/X", p.of_layer(Quantity::X), p.at.X);
  TokenAxis tokens = p.axis(marked_row(p.frame, Axis::token, true));
  const std::vector<std::string> questioned = with_guesses(p.frame.trace);
  if (!questioned.empty()) tokens.tokens = &questioned;
  row_labels(tokens, p.at.X.pos.x - p.frame.unit, p.label_width - p.frame.unit, p.at.X.pos.y, p.row_step(p.at.X));
  title_over(p.frame, p.at.X, p.at.X.size.x, {"X   input", "X"});
  if (p.frame.trace.layout)
    column_groups(p.frame, p.at.X);
  else
    caption_under(p.frame, p.at.X, p.of_layer(Quantity::X), p.at.X.size.x);
  constexpr Quantity results[] = {Quantity::Q, Quantity::K, Quantity::V};
  constexpr const char* weight_names[] = {"flow/W_Q", "flow/W_K", "flow/W_V"};
  constexpr const char* result_names[] = {"flow/Q", "flow/K", "flow/V"};
  for (std::size_t k = 0; k < 3; ++k) {
    const Site W = p.of_head(kProjections[k]), P = p.of_head(results[k]);
    const float room = p.at.P[k].size.x + 2 * p.frame.unit;
    if (p.at.operands) {
      picture(p.frame, weight_names[k], W, p.at.W[k]);
      title_over(p.frame, p.at.W[k], room, {name_of(p.frame, W)});
      if (!named_weights(p)) caption_under(p.frame, p.at.W[k], W, p.at.W[k].size.x + 1.5f * p.frame.unit);
    }
    picture(p.frame, result_names[k], P, p.at.P[k]);
    title_over(p.frame, p.at.P[k], room, {product_title(p.frame, P, W), name_of(p.frame, P)});
    caption_under(p.frame, p.at.P[k], P, p.at.P[k].size.x + 1.5f * p.frame.unit);
  }
  operation(p.frame, p.at.operators[0], p.at.operands ? "× W" : "");
  if (p.frame.trace.layout) name_of_column(p);
}

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
  const float width = std::max(p.at.A.size.x, 11 * font->FontSize);
  for (const auto& [quantity, caption] : {std::pair{Quantity::attention, "weights"}, {Quantity::scores, "scores"}}) {
    if (!p.at.operands || pos.y + 1.2f * font->FontSize >= labels) return;
    legend(p.frame, scale_for(p.frame, p.of_head(quantity)), pos, width, {.caption = caption});
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
  column_labels(p.axis(marked_row(p.frame, Axis::token, false)), p.at.A.pos.x, p.at.A.size.x / real(p.trace.input.n()),
                p.at.A.pos.y - 0.5f * p.frame.unit,
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
  pen::frame({p.at.A.pos.x - 2, p.at.A.pos.y - 2}, {p.at.A.right() + 2, p.at.A.bottom() + 2},
             head_color(p.frame, p.head), 2);
  const bool words = p.at.operands;
  operation(p.frame, p.at.operators[1], !words ? "" : p.frame.fonts.unicode ? "Q Kᵀ" : "Q K^T");
  operation(p.frame, p.at.operators[2], words ? "softmax" : "");
  operation(p.frame, p.at.operators[3], words ? "× V" : "");
}

namespace {

ImVec2 middle(const Box& box) { return {box.pos.x + 0.5f * box.size.x, box.pos.y + 0.5f * box.size.y}; }

// Head colours: over the columns of C, beside the rows of W_O.
void head_bars(FlowParts& p) {
  const int heads = static_cast<int>(p.trace.input.heads);
  const float u = p.frame.unit, wide = p.at.C.size.x / real(heads), high = p.at.W_O.size.y / real(heads);
  for (int h = 0; h < heads; ++h) {
    const ImU32 color = head_color(p.frame, h);
    const float x = p.at.C.pos.x + real(h) * wide, y = p.at.W_O.pos.y + real(h) * high;
    pen::fill({x, p.at.C.pos.y - 2 * u}, {x + wide, p.at.C.pos.y - 0.5f * u}, color);
    pen::fill({p.at.W_O.pos.x - 2 * u, y}, {p.at.W_O.pos.x - 0.5f * u, y + high}, color);
    ImFont* font = p.frame.fonts.small;
    const std::string number = std::to_string(h + 1);
    if (high >= font->FontSize)
      text_up_to(font, {p.at.W_O.pos.x - 2.5f * u, y + 0.5f * (high - font->FontSize)}, p.frame.theme.ink_soft, number);
    if (h != p.head) continue;
    pen::frame({x, p.at.C.pos.y}, {x + wide, p.at.C.bottom()}, p.frame.theme.accent, 1.5f);
    pen::frame({p.at.W_O.pos.x, y}, {p.at.W_O.right(), y + high}, p.frame.theme.accent, 1.5f);
  }
}

}  // namespace

void draw_flow_mixing(FlowParts& p) {
  const Site C = p.of_layer(Quantity::concat), W_O = p.of_layer(Quantity::W_O), Y = p.of_layer(Quantity::Y);
  picture(p.frame, "flow/concat", C, p.at.C);
  picture(p.frame, "flow/W_O", W_O, p.at.W_O);
  picture(p.frame, "flow/Y", Y, p.at.Y);
  const float above = 3 * p.frame.unit;
  const auto title = [&](const Box& box, std::initializer_list<std::string> texts) {
    title_over(p.frame, {{box.pos.x, box.pos.y - above}, box.size},
               std::max(box.size.x, 2.5f * p.frame.fonts.strong->FontSize), texts);
  };
  const std::string last = std::to_string(p.trace.input.heads);
  const std::string concat =
      p.trace.input.gates.empty() ? "C = [O_1 … O_" + last + "]" : "C = [g_1 O_1 … g_" + last + " O_" + last + "]";
  title(p.at.C, {concat + "   the heads side by side", concat, "C"});
  title(p.at.W_O, {"W_O   one band of rows per head", "W_O"});
  title(p.at.Y, {p.trace.input.weights.b_O ? "Y = C W_O + b_O   output" : "Y = C W_O   output", "Y"});
  for (const auto& [box, ref] : {std::pair{&p.at.C, C}, {&p.at.W_O, W_O}, {&p.at.Y, Y}})
    caption_under(p.frame, *box, ref, box->size.x + (box == &p.at.Y ? 0 : p.at.times.size.x));
  // The rows are those of X: where they are too low for names, the marked one has it.
  const bool named = p.row_step(p.at.C) >= kLeastLabel * kRowStep;
  const int marked = marked_row(p.frame, Axis::token, true);
  const float x = p.at.C.pos.x - p.frame.unit, width = p.label_width - p.frame.unit;
  ImFont* small = p.frame.fonts.small;
  if (named)
    row_labels(p.axis(marked), x, width, p.at.C.pos.y, p.row_step(p.at.C));
  else if (marked >= 0) {
    const std::string name = clipped(small, nth(p.frame.trace.tokens, marked), width);
    const float y = p.at.C.pos.y + (real(marked) + 0.5f) * p.row_step(p.at.C);
    text_up_to(small, {x, y - 0.5f * small->FontSize}, p.frame.theme.ink, name);
  }
  head_bars(p);
  text_centered(p.frame.fonts.large, middle(p.at.times), p.frame.theme.ink_soft, "×");
  text_centered(p.frame.fonts.large, middle(p.at.equals), p.frame.theme.ink_soft, "=");
}

}  // namespace hydra
