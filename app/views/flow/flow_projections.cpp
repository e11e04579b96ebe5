// Flow: X, and the focused head's projections of it.
#include "app/views/flow/flow_parts.h"

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
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImFont* font = frame.fonts.small;
  const float cell = box.size.x / static_cast<float>(layout.d_model()), y = box.bottom() + 0.5f * frame.unit;
  for (const auto& group : groups) {
    if (group.count == 0) continue;
    const float x0 = box.pos.x + static_cast<float>(group.first) * cell + 1;
    const float x1 = box.pos.x + static_cast<float>(group.first + group.count) * cell - 1;
    list->AddLine({x0, y + 1}, {x1, y + 1}, frame.theme.ink_faint, 1.5f);
    const std::string text = text_width(font, group.name) <= x1 - x0 ? group.name : group.brief;
    if (text_width(font, text) > x1 - x0 + frame.unit) continue;
    text_at(list, font, {0.5f * (x0 + x1) - 0.5f * text_width(font, text), y + 2}, frame.theme.ink_soft, text);
  }
}

// A small label over whatever is there, its text starting at x, centred on y.
void pill(const FlowParts& p, ImVec2 at, const std::string& text) {
  ImFont* font = p.frame.fonts.small;
  const float pad = p.frame.unit, width = text_width(font, text);
  p.list->AddRectFilled({at.x - pad, at.y - 0.5f * font->FontSize - 0.5f * pad},
                        {at.x + width + pad, at.y + 0.5f * font->FontSize + 0.5f * pad}, p.frame.theme.raised, pad);
  text_at(p.list, font, {at.x, at.y - 0.5f * font->FontSize}, p.frame.theme.ink, text);
}

constexpr Quantity kProjections[] = {Quantity::W_Q, Quantity::W_K, Quantity::W_V};

const std::optional<Cell>& pointed_at(const FlowParts& p) {
  return p.frame.view.hover ? p.frame.view.hover : p.frame.view.selection;
}

// Which of the weights has the row that is named under it, in the place of the captions; none: no row is.
std::optional<std::size_t> named_weights(const FlowParts& p) {
  const std::optional<Cell>& cell = pointed_at(p);
  if (!cell || !p.frame.trace.layout || !p.at.operands) return std::nullopt;
  for (std::size_t k = 0; k < 3; ++k)
    if (cell->site == p.of_head(kProjections[k])) return k;
  return std::nullopt;
}

// The named column that is pointed at, in X or as a row of the weights.
void name_of_column(FlowParts& p) {
  const std::optional<Cell>& cell = pointed_at(p);
  if (!cell) return;
  const float rows = static_cast<float>(p.trace.input.d_model());
  if (const std::optional<std::size_t> k = named_weights(p)) {
    const float under = p.at.W[*k].bottom() + 0.5f * p.frame.unit + 0.5f * p.frame.fonts.small->FontSize;
    return pill(p, {p.at.W[*k].pos.x, under}, axis_label(p.frame.trace, Axis::model_dim, cell->row));
  }
  if (cell->site.quantity != Quantity::X) return;
  const std::string column = axis_label(p.frame.trace, Axis::model_dim, cell->col);
  const float x = p.at.X.pos.x + (static_cast<float>(cell->col) + 0.5f) / rows * p.at.X.size.x;
  pill(p, {x - 0.5f * text_width(p.frame.fonts.small, column), p.at.X.bottom() + 0.75f * p.frame.fonts.small->FontSize},
       column);
}

}  // namespace

void draw_flow_projections(FlowParts& p) {
  picture(p.frame, "flow/X", p.of_layer(Quantity::X), p.at.X);
  TokenAxis tokens = p.axis(marked_row(p.frame, Axis::token, true));
  const std::vector<std::string> questioned = with_guesses(p.frame.trace);
  if (!questioned.empty()) tokens.tokens = &questioned;
  row_labels(p.list, tokens, p.at.X.pos.x - p.frame.unit, p.label_width - p.frame.unit, p.at.X.pos.y,
             p.row_step(p.at.X));
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

}  // namespace hydra
