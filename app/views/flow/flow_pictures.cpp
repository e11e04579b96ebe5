// Flow: the rows of sites. The focused head from X to its output, with the operands above, and how the heads become the
// layer's output.
#include "app/views/change/change_marks.h"
#include "app/views/flow/flow_parts.h"
#include "app/views/frame/ui.h"
#include "app/views/shared/head_marks.h"
#include "app/widgets/plot/label_steps.h"
#include "core/model/program.h"

namespace hydra {

using namespace flow;

namespace {

using RowKind = FlowRow::Kind;

constexpr struct {
  RowKind row;
  Quantity quantity;
  const char* name;
} kNames[] = {{RowKind::operands, Quantity::W_Q, "flow/W_Q"},
              {RowKind::operands, Quantity::W_K, "flow/W_K"},
              {RowKind::operands, Quantity::W_V, "flow/W_V"},
              {RowKind::operands, Quantity::K, "flow/KT"},
              {RowKind::operands, Quantity::normed_K, "flow/KT"},
              {RowKind::operands, Quantity::rotated_K, "flow/KT"},
              {RowKind::operands, Quantity::V, "flow/V_above"},
              {RowKind::operands, Quantity::output_gate, "flow/gates"},
              {RowKind::operands, Quantity::head_gates, "flow/gates"},
              {RowKind::head, Quantity::X, "flow/X"},
              {RowKind::head, Quantity::norm_1, "flow/X"},
              {RowKind::head, Quantity::Q, "flow/Q"},
              {RowKind::head, Quantity::K, "flow/K"},
              {RowKind::head, Quantity::V, "flow/V"},
              {RowKind::head, Quantity::scores, "flow/scores"},
              {RowKind::head, Quantity::attention, "flow/attention"},
              {RowKind::head, Quantity::dropped_attention, "flow/dropped"},
              {RowKind::head, Quantity::normed_Q, "flow/Q_ready"},
              {RowKind::head, Quantity::rotated_Q, "flow/Q_ready"},
              {RowKind::head, Quantity::output, "flow/output"},
              {RowKind::head, Quantity::normed_output, "flow/normed_output"},
              {RowKind::head, Quantity::gated_output, "flow/gated_output"},
              {RowKind::beside, Quantity::own_scores, "flow/own_scores"},
              {RowKind::beside, Quantity::P_L, "flow/P_L"},
              {RowKind::beside, Quantity::offset_bias, "flow/B"},
              {RowKind::beside, Quantity::own_attention, "flow/own_attention"},
              {RowKind::beside, Quantity::P_W, "flow/P_W"},
              {RowKind::beside, Quantity::scores_2, "flow/scores_2"},
              {RowKind::beside, Quantity::lambda, "flow/lambda"},
              {RowKind::beside, Quantity::attention_2, "flow/attention_2"},
              {RowKind::beside, Quantity::attention, "flow/difference"},
              {RowKind::mixing, Quantity::concat, "flow/concat"},
              {RowKind::mixing, Quantity::W_O, "flow/W_O"},
              {RowKind::mixing, Quantity::Y, "flow/Y"}};

std::string name_in(RowKind row, Quantity quantity) {
  const auto* found =
      std::ranges::find_if(kNames, [&](const auto& n) { return n.row == row && n.quantity == quantity; });
  return found == std::end(kNames) ? std::string("flow/") + entry_of(quantity).key : found->name;
}

// The keys above the scores.
bool is_transposed(const FlowRow& row, Quantity quantity) {
  const bool key = quantity == Quantity::K || quantity == Quantity::normed_K || quantity == Quantity::rotated_K;
  return row.kind == RowKind::operands && key;
}

// What a site is in its row, from the fullest to the briefest.
std::vector<std::string> titles(const FlowParts& p, const FlowRow& row, Quantity quantity) {
  const Frame& frame = p.frame;
  const Site site = p.site(row, quantity);
  const std::string last = std::to_string(p.trace.input.heads);
  switch (quantity) {
    case Quantity::X:
      return {wording("flow:title.x"), "X"};
    case Quantity::norm_1:
      return {wording("flow:title.normed", {{"symbol", name_of(frame, site)}}), name_of(frame, site)};
    case Quantity::concat: {
      const std::string O =
          entry_of(program_at(frame.trace, site).node_of(quantity).reads()[0]).letter + std::string("_");
      const bool gated = !p.trace.input.gates.empty(), one = p.trace.input.heads == 1;
      const auto gated_output = [&](const std::string& head) { return (gated ? "g_" + head + " " : "") + O + head; };
      const std::string first = gated_output("1");
      const std::string concat = "C = " + (one ? first : "[" + first + " … " + gated_output(last) + "]");
      if (one) return {wording("flow:title.concat.one", {{"formula", concat}}), concat, "C"};
      const LayerInput<float>& input = p.trace.input;
      return {wording("flow:title.concat", {{"formula", concat}, {"n", input.heads}, {"d_k", input.d_k()}}),
              wording("flow:title.concat.brief", {{"formula", concat}, {"n", input.heads}, {"d_k", input.d_k()}}),
              concat, "C"};
    }
    case Quantity::W_O:
      return {wording("flow:title.w_o"), "W_O"};
    case Quantity::P_L:
      return {wording("flow:title.p_l"), wording("flow:title.p_l.brief"), "P_L"};
    case Quantity::offset_bias:
      return {wording("flow:title.offset_bias"), wording("flow:title.offset_bias.brief"), "B"};
    case Quantity::P_W:
      return {wording("flow:title.p_w"), wording("flow:title.p_w.brief"), "P_W"};
    case Quantity::Y:
      return {wording(p.trace.input.weights.b_O ? "flow:title.y.bias" : "flow:title.y"), "Y"};
    default:
      break;
  }
  if (const auto* rows = painted_rows(frame, site);
      rows && std::ssize(*rows) == frame.trace.X.rows() && row.kind != RowKind::operands)
    return {wording("flow:title.by_hand", {{"symbol", name_of(frame, site)}}), name_of(frame, site)};
  if (row.kind == RowKind::operands)
    return {name_of(frame, site) + (!is_transposed(row, quantity) ? "" : frame.fonts.unicode ? "ᵀ" : "^T")};
  if (const ProgramNode& node = program_at(frame.trace, site).node_of(quantity); node.operation == Operation::linear)
    return {product_title(frame, site, p.of_head(node.reads()[1])), name_of(frame, site)};
  return {formula(frame.trace, site), name_of(frame, site)};
}

// What the columns of X are, under them: features, the word's identity, the slot, its position.
void column_groups(const Frame& frame, const Box& box) {
  const FeatureLayout& layout = *frame.trace.layout;
  const struct {
    Index first, count;
    const char *name, *brief;  // texts
  } groups[] = {{0, layout.features, "flow:columns.features", "flow:columns.features.brief"},
                {layout.identity_at(), layout.identity, "flow:columns.word", "flow:columns.word"},
                {layout.slot_at(), layout.slot, "flow:columns.slot", "flow:columns.slot"},
                {layout.position_at(), layout.positions, "flow:columns.position", "flow:columns.position.brief"}};
  ImFont* font = frame.fonts.small;
  const float cell = box.size.x / real(layout.d_model()), y = box.bottom() + 0.5f * frame.unit;
  for (const auto& group : groups) {
    if (group.count == 0) continue;
    const float x0 = box.pos.x + real(group.first) * cell + 1;
    const float x1 = box.pos.x + real(group.first + group.count) * cell - 1;
    frame.canvas.line({x0, y + 1}, {x1, y + 1}, frame.theme.ink_faint, 1.5f);
    const std::string& name = wording(group.name);
    const std::string& text = text_width(font, name) <= x1 - x0 ? name : wording(group.brief);
    if (text_width(font, text) > x1 - x0 + frame.unit) continue;
    frame.canvas.text_at(font, {0.5f * (x0 + x1) - 0.5f * text_width(font, text), y + 2}, frame.theme.ink_soft, text);
  }
}

// A small label over whatever is there, its text starting at x, centred on y.
void pill(const FlowParts& p, ImVec2 at, const std::string& text) {
  ImFont* font = p.frame.fonts.small;
  const float pad = p.frame.unit, width = text_width(font, text);
  p.frame.canvas.fill({at.x - pad, at.y - 0.5f * font->FontSize - 0.5f * pad},
                      {at.x + width + pad, at.y + 0.5f * font->FontSize + 0.5f * pad}, p.frame.theme.raised, pad);
  p.frame.canvas.text_at(font, {at.x, at.y - 0.5f * font->FontSize}, p.frame.theme.ink, text);
}

// The weights of which a row is named under it, in the place of the captions; null: no row is.
const FlowPlace* named_weights(const FlowParts& p) {
  const std::optional<Cell>& cell = pointed_at(p.frame);
  const FlowRow* row = p.at.row(RowKind::operands);
  if (!cell || !p.frame.trace.layout || !row || !is_weight(cell->site.quantity)) return nullptr;
  for (const FlowPlace& place : row->places)
    if (cell->site == p.of_head(place.quantity)) return &place;
  return nullptr;
}

void token_labels(FlowParts& p, const Box& box, int marked) {
  row_labels(p.frame.canvas, p.axis(marked), box.pos.x - p.frame.unit, p.label_width - p.frame.unit, box.pos.y,
             p.row_step(box));
}

// In the room over A's labels: what its colours say, and those of the scores.
void legends(FlowParts& p, const Box& A, ImVec2 pos) {
  ImFont* font = p.frame.fonts.small;
  const float labels = A.pos.y - std::min(p.label_width * kLabelSine + font->FontSize, 6.5f * font->FontSize);
  const bool has = p.operands() && !p.at.low;
  const float next = has ? p.at.of(RowKind::operands, Quantity::V).pos.x : p.at.labels.right();
  const float width = std::min(std::max(A.size.x, 11 * font->FontSize), next - pos.x - 2 * p.frame.unit);
  for (const auto& [quantity, caption] :
       {std::pair{Quantity::attention, "flow:legend.weights"}, {Quantity::scores, "flow:legend.scores"}}) {
    if (!has || pos.y + 1.2f * font->FontSize >= labels) return;
    legend(p.frame, scale_for(p.frame, p.of_head(quantity)), pos, width, {.caption = wording(caption).c_str()});
    pos.y += 1.6f * font->FontSize;
  }
}

// The keys over the columns of A, the legends over those.
void attention_marks(FlowParts& p, const Box& A) {
  const float u = p.frame.unit, small = p.frame.fonts.small->FontSize;
  column_labels(p.frame.canvas, p.axis(marked_row(p.frame, Axis::token, false)), A.pos.x,
                A.size.x / real(p.trace.input.n()), A.pos.y - 0.5f * u,
                std::min(p.at.labels.size.y - p.frame.fonts.strong->FontSize - u, 6.5f * small));
  legends(p, A, {A.pos.x, p.at.labels.pos.y + u});
  p.frame.canvas.frame({A.pos.x - 2, A.pos.y - 2}, {A.right() + 2, A.bottom() + 2}, head_color(p.frame, p.head), 2);
}

ImVec2 middle(const Box& box) { return {box.pos.x + 0.5f * box.size.x, box.pos.y + 0.5f * box.size.y}; }

// Head colours: over the columns of C, beside the rows of W_O.
void head_bars(FlowParts& p, const Box& C, const Box& W_O) {
  const int heads = static_cast<int>(p.trace.input.heads);
  const float u = p.frame.unit, wide = C.size.x / real(heads), high = W_O.size.y / real(heads);
  for (int h = 0; h < heads; ++h) {
    const ImU32 color = head_color(p.frame, h);
    const float x = C.pos.x + real(h) * wide, y = W_O.pos.y + real(h) * high;
    p.frame.canvas.fill({x, C.pos.y - 2 * u}, {x + wide, C.pos.y - 0.5f * u}, color);
    p.frame.canvas.fill({W_O.pos.x - 2 * u, y}, {W_O.pos.x - 0.5f * u, y + high}, color);
    ImFont* font = p.frame.fonts.small;
    const std::string number = std::to_string(h + 1);
    if (high >= font->FontSize)
      p.frame.canvas.text_up_to(font, {W_O.pos.x - 2.5f * u, y + 0.5f * (high - font->FontSize)},
                                p.frame.theme.ink_soft, number);
    if (h != p.head) continue;
    p.frame.canvas.frame({x, C.pos.y}, {x + wide, C.bottom()}, p.frame.theme.accent, 1.5f);
    p.frame.canvas.frame({W_O.pos.x, y}, {W_O.right(), y + high}, p.frame.theme.accent, 1.5f);
  }
}

// By how much the matrix changed ends the line of its title, which is as brief as that needs; where even the briefest
// leaves no room, the frame alone says that it has. What it takes of the picture's width.
float change_in_title(Frame& frame, const std::string& name, const Site& site, const Box& box, ImVec2 over,
                      const std::vector<std::string>& titles) {
  ImFont* font = frame.fonts.strong;
  const float wide = change_badge_width(frame, site);
  if (wide == 0) return 0;
  if (text_width(font, titles.back()) + wide > box.size.x) {
    frame.changes.leave_badge(name);
    return 0;
  }
  return put_change_badge(frame, name.c_str(), site, {box.right(), over.y - font->FontSize - frame.unit}, font);
}

// With its title and its caption; its box becomes what the picture takes of it.
void draw_place(FlowParts& p, const FlowRow& row, FlowPlace& place) {
  Frame& frame = p.frame;
  const Site site = p.site(row, place.quantity);
  const bool transposed = is_transposed(row, place.quantity);
  const std::string name = name_in(row.kind, place.quantity);
  Box& box = place.box;
  const float room = box.size.x + place.title;  // of the layout, which may be a pixel more than the picture takes
  ImVec2 over = box.pos;
  if (row.kind == RowKind::head && place.quantity == Quantity::attention) over.y = p.at.labels.pos.y;
  if (row.kind == RowKind::mixing) over.y -= 3 * frame.unit;
  const float least = row.kind == RowKind::mixing ? 2.5f * frame.fonts.strong->FontSize : 0;
  const std::vector<std::string> words = titles(p, row, place.quantity);
  const float taken = change_in_title(frame, name, site, box, over, words);
  const float wide = taken > 0 ? box.size.x - taken : std::max(room, least);
  title_over(frame, over, wide, words);
  ui::probe({name, "/title"}, {over.x, over.y - frame.fonts.strong->FontSize},
            {over.x + text_width(frame.fonts.strong, fitting(frame.fonts.strong, wide, words)), over.y});
  const PictureResult drawn =
      matrix_picture(frame, name.c_str(), site, box.pos, box.size, {.square_cells = false, .transposed = transposed});
  box.size = {drawn.heatmap.max.x - drawn.heatmap.min.x, drawn.heatmap.max.y - drawn.heatmap.min.y};
  sharing_bar(frame, name + "/sharing", site, drawn.heatmap);
  if (place.quantity == p.read && frame.trace.layout)
    column_groups(frame, box);
  else if (row.kind == RowKind::operands && p.at.low)
    return;
  else if (!is_weight(place.quantity) || row.kind != RowKind::operands || !named_weights(p))
    caption_under(frame, box, site, box.size.x + place.caption, transposed);
}

// The row of P with what the head takes of each, or of B with its biases.
void beside_marks(const FlowParts& p, const FlowRow& row) {
  for (const FlowPlace& place : row.places) {
    if (!is_weight(place.quantity)) continue;
    const float step = place.box.size.y / real(p.trace.input.heads), y = place.box.pos.y + real(p.head) * step;
    p.frame.canvas.frame({place.box.pos.x, y}, {place.box.right(), y + step}, p.frame.theme.accent, 1.5f);
  }
}

void draw_operators(const FlowParts& p, const FlowRow& row) {
  if (row.kind == RowKind::mixing) {
    for (std::size_t k = 0; k < row.operators.size(); ++k)
      p.frame.canvas.text_centered(p.frame.fonts.large, middle(row.operators[k]), p.frame.theme.ink_soft,
                                   k == 0 ? "×" : "=");
    return;
  }
  if (row.kind == RowKind::beside) {
    for (std::size_t k = 0; k < row.operators.size(); ++k)
      p.frame.canvas.text_centered(p.frame.fonts.large, middle(row.operators[k]), p.frame.theme.ink_soft,
                                   k == 0 ? "−" : "=");
    return;
  }
  const auto shows = [&](Quantity quantity) {
    return std::ranges::count(row.places, quantity, &FlowPlace::quantity) > 0;
  };
  std::vector<std::string> words{"× W", p.frame.fonts.unicode ? "Q Kᵀ" : "Q K^T", wording("flow:softmax")};
  if (shows(Quantity::dropped_attention)) words.push_back(wording("flow:dropout"));
  words.push_back("× V");
  if (shows(Quantity::normed_output)) words.push_back(wording("flow:norm"));
  words.push_back(p.frame.fonts.unicode ? "⊙ G" : "* G");
  for (std::size_t k = 0; k < row.operators.size(); ++k)
    operation(p.frame, row.operators[k], p.at.worded ? words[k] : "");
}

}  // namespace

bool flow::has_place(Quantity stage) {
  return std::ranges::any_of(kNames, [&](const auto& n) { return n.quantity == stage; }) ||
         stage == Quantity::contribution;
}

void token_names(FlowParts& p, const Box& box) {
  const int marked = marked_row(p.frame, Axis::token, true);
  ImFont* small = p.frame.fonts.small;
  const float least = p.frame.view.presentation ? 13 : kGoodLabel;  // the same words stand elsewhere, larger
  if (p.row_step(box) >= least * kRowStep) return token_labels(p, box, marked);
  if (marked < 0) return;
  const std::string name = clipped(small, nth(p.frame.trace.tokens, marked), p.label_width - p.frame.unit);
  const float y = box.pos.y + (real(marked) + 0.5f) * p.row_step(box);
  p.frame.canvas.text_up_to(small, {box.pos.x - p.frame.unit, y - 0.5f * small->FontSize}, p.frame.theme.ink, name);
}

void draw_flow_row(FlowParts& p, FlowRow& row) {
  for (FlowPlace& place : row.places) draw_place(p, row, place);
  draw_operators(p, row);
  if (row.kind == RowKind::mixing) {
    if (p.at.tokens_at_C) token_names(p, p.at.of(row.kind, Quantity::concat));
    head_bars(p, p.at.of(row.kind, Quantity::concat), p.at.of(row.kind, Quantity::W_O));
  }
  if (row.kind == RowKind::beside) beside_marks(p, row);
  if (row.kind != RowKind::head) return;
  token_labels(p, p.at.of(row.kind, p.read), marked_row(p.frame, Axis::token, true));
  attention_marks(p, p.at.of(row.kind, Quantity::attention));
}

void draw_flow_column_name(FlowParts& p) {
  const std::optional<Cell>& cell = pointed_at(p.frame);
  if (!cell || !p.frame.trace.layout) return;
  ImFont* small = p.frame.fonts.small;
  if (const FlowPlace* weights = named_weights(p)) {
    const float under = weights->box.bottom() + 0.5f * p.frame.unit + 0.5f * small->FontSize;
    return pill(p, {weights->box.pos.x, under}, axis_label(p.frame.trace, Axis::model_dim, cell->row));
  }
  if (cell->site.quantity != p.read) return;
  const Box& X = p.at.of(RowKind::head, p.read);
  const std::string column = axis_label(p.frame.trace, Axis::model_dim, cell->col);
  const float x = X.pos.x + (real(cell->col) + 0.5f) / real(p.trace.input.d_model()) * X.size.x;
  pill(p, {x - 0.5f * text_width(small, column), X.bottom() + 0.75f * small->FontSize}, column);
}

}  // namespace hydra
