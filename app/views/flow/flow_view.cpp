// Flow: the whole formula on one screen. The focused head from X to its output, all heads as small multiples, and how
// they become the layer's output.
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "app/views/change/change_marks.h"
#include "app/views/flow/flow_layout.h"
#include "app/views/gate_mark.h"
#include "app/views/painted.h"
#include "app/views/sharing_mark.h"
#include "app/views/views.h"
#include "app/views/weights_mark.h"
#include "app/widgets/format.h"
#include "app/widgets/probe.h"
#include "app/widgets/token_axis.h"

namespace hydra {

namespace {

std::string name_of(const Frame& frame, const MatrixRef& ref) { return symbol(ref, !frame.fonts.unicode); }

// The first text that fits the width; the last is clipped if need be.
std::string fitting(ImFont* font, float width, std::initializer_list<std::string> texts) {
  for (const std::string& text : texts)
    if (text_width(font, text) <= width) return text;
  return clipped(font, *(texts.end() - 1), width);
}

void title_over(const Frame& frame, const Box& box, float width, std::initializer_list<std::string> texts) {
  ImFont* font = frame.fonts.strong;
  math_at(ImGui::GetWindowDrawList(), font, frame.fonts.small, {box.pos.x, box.pos.y - font->FontSize - frame.unit},
          frame.theme.ink, fitting(font, width, texts));
}

// The shape, and the range of the colours where it is not 0..1: "12 × 8   ±2.5".
void caption_under(const Frame& frame, const Box& box, const MatrixRef& ref, float width, bool transposed = false) {
  Shape shape = shape_of(frame.trace, ref);
  if (transposed) std::swap(shape.rows, shape.cols);
  const ValueScale scale = scale_for(frame, ref);
  const std::string size = std::to_string(shape.rows) + " × " + std::to_string(shape.cols);
  std::string range = (scale.low == 0 ? "0 … " : "±") + ui::short_number(scale.high);
  const bool masked = frame.trace.layers[static_cast<std::size_t>(ref.layer)].input.mask.kind != Mask::Kind::none;
  if (const std::string was = range_before(frame, ref); !was.empty()) range += ", " + was;
  std::string mark;
  if (is_pair(ref.quantity) && masked) mark = "   hatched: masked";
  if (painted_rows(frame, ref)) mark = "   dashed: by hand";
  if (is_sliced(frame, ref)) mark = "   hatched: not read";
  ImFont* font = frame.fonts.small;
  text_at(ImGui::GetWindowDrawList(), font, {box.pos.x, box.bottom() + 0.5f * frame.unit}, frame.theme.ink_soft,
          fitting(font, width, {size + "   " + range + mark, size + "   " + range, size + mark, size}));
}

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

PictureResult picture(Frame& frame, const char* name, const MatrixRef& ref, Box& box,
                      const PictureOptions& options = {}) {
  PictureOptions filled = options;
  filled.square_cells = false;
  const PictureResult result = matrix_picture(frame, name, ref, box.pos, box.size, filled);
  box.size = {result.tile.max.x - result.tile.min.x, result.tile.max.y - result.tile.min.y};
  sharing_bar(frame, name + std::string("/sharing"), ref, result.tile);
  return result;
}

// An operator between two pictures: what is done, over an arrow.
void operation(const Frame& frame, const Box& box, const std::string& text) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 middle{box.pos.x + 0.5f * box.size.x, box.pos.y + 0.5f * box.size.y};
  const float half = 0.32f * box.size.x, head = 0.22f * frame.fonts.small->FontSize;
  const ImU32 color = frame.theme.ink_soft;
  list->AddLine({middle.x - half, middle.y}, {middle.x + half, middle.y}, color, 1.5f);
  list->AddTriangleFilled({middle.x + half + head, middle.y}, {middle.x + half - head, middle.y - head},
                          {middle.x + half - head, middle.y + head}, color);
  text_centered(list, frame.fonts.small, {middle.x, middle.y - 0.9f * frame.fonts.small->FontSize}, color,
                clipped(frame.fonts.small, text, box.size.x));
}

int marked_row(const Frame& frame, Axis axis, bool row) {
  const std::optional<CellRef>& cell = frame.view.hover ? frame.view.hover : frame.view.selection;
  if (!cell) return -1;
  const Shape shape = shape_of(frame.trace, cell->matrix);
  if (row && shape.row_axis == axis) return static_cast<int>(cell->row);
  if (!row && shape.col_axis == axis) return static_cast<int>(cell->col);
  return -1;
}

class FlowView {
 public:
  FlowView(Frame& frame, const FlowLayout& layout, float label_width)
      : frame_(frame),
        at_(layout),
        label_width_(label_width),
        head_(frame.view.focused_head),
        layer_(frame.view.layer),
        trace_(frame.trace.layers[static_cast<std::size_t>(layer_)]),
        list_(ImGui::GetWindowDrawList()) {}

  void draw() {
    header();
    projections();
    pattern();
    strip();
    mixing();
  }

 private:
  MatrixRef of_head(Quantity quantity) const { return {quantity, layer_, head_}; }
  MatrixRef of_layer(Quantity quantity) const { return {quantity, layer_, kNoHead}; }
  TokenAxis axis(int marked) const {
    return {&frame_.trace.tokens, frame_.fonts.small, frame_.theme.ink_soft, frame_.theme.ink, marked};
  }
  float row_step(const Box& box) const { return box.size.y / static_cast<float>(trace_.input.n()); }

  void header() {
    const Theme& theme = frame_.theme;
    const Fonts& fonts = frame_.fonts;
    const float u = frame_.unit, width = at_.header.size.x;
    ImVec2 pos = at_.header.pos;
    const float swatch = 0.75f * fonts.large->FontSize;
    list_->AddRectFilled({pos.x, pos.y + 0.18f * swatch}, {pos.x + swatch, pos.y + 1.18f * swatch},
                         head_color(head_, theme.dark), u);
    text_at(list_, fonts.large, {pos.x + swatch + 1.5f * u, pos.y}, theme.ink,
            clipped(fonts.large, "Head " + std::to_string(head_ + 1) + " of " + std::to_string(trace_.input.heads),
                    width - swatch - 1.5f * u));
    pos.y += fonts.large->FontSize + 2 * u;
    float x = pos.x + gate_mark(frame_, "flow/gate", layer_, head_, pos, fonts.small);
    if (const float mark = weights_mark(frame_, "flow/weights", head_, {x, pos.y}, pos.x + width - x); mark > 0)
      x += mark + 2 * u;
    const std::string d_k = "d_k = " + std::to_string(trace_.input.d_k());
    const std::string of = " of d_model " + std::to_string(trace_.input.d_model());
    text_at(list_, fonts.small, {x, pos.y}, theme.ink_soft, fitting(fonts.small, pos.x + width - x, {d_k + of, d_k}));
    pos.y += fonts.small->FontSize + 2 * u;
    if (const std::string sharing = sharing_text(frame_, layer_, head_, fonts.small, width); !sharing.empty()) {
      text_at(list_, fonts.small, pos, theme.ink, clipped(fonts.small, sharing, width));
      ui::probe("flow/sharing", pos, {pos.x + width, pos.y + fonts.small->FontSize});
      pos.y += fonts.small->FontSize + 2 * u;
    }
    if (painted_mark(frame_, "flow/painted", layer_, head_, pos, fonts.small->FontSize)) {
      text_at(list_, fonts.small, {pos.x + fonts.small->FontSize + u, pos.y}, theme.ink,
              clipped(fonts.small, "painted: rows set by hand", width - fonts.small->FontSize - u));
      pos.y += fonts.small->FontSize + 2 * u;
    }
    pos.y = role_lines(pos, width);
    const float bar = std::min(width - 3 * u, 16 * fonts.small->FontSize);
    if (pos.y + 2 * fonts.small->FontSize > at_.X.pos.y - fonts.strong->FontSize - u) return;
    LegendOptions scores;
    scores.caption = "scores";
    legend(scale_for(frame_, of_head(Quantity::scores)), pos, bar, fonts.small, theme.ink_soft, scores);
  }

  // "removal 27 %" of "removing it changes Y by 27 %".
  static std::string brief_removal(const std::string& sentence) {
    const std::size_t by = sentence.rfind(" by ");
    return by == std::string::npos ? sentence : "removal " + sentence.substr(by + 4);
  }

  std::string brief_bold() const {
    const auto h = static_cast<std::size_t>(head_);
    const std::vector<Unasked>& unasked = frame_.roles.table->unasked;
    return h < unasked.size() ? "bold unasked: " + std::to_string(unasked[h].bold) + " rows" : "";
  }

  // What the head does and what its removal changes; gives where the next line stands.
  float role_lines(ImVec2 pos, float width) {
    const HeadLabel* label = label_of(frame_.roles, head_);
    if (!label) return pos.y;
    ImFont* font = frame_.fonts.small;
    const float lowest = at_.X.pos.y - frame_.fonts.strong->FontSize - frame_.unit;
    // The longest of the texts that fits, or else the last one, cut.
    const auto line = [&](std::initializer_list<std::string> texts, ImU32 color) {
      if (texts.begin()->empty() || pos.y + font->FontSize > lowest) return;
      const auto fits = [&](const std::string& text) { return text_width(font, spelled(frame_, text)) <= width; };
      const auto fitting = std::find_if(texts.begin(), texts.end(), fits);
      const std::string& text = fitting == texts.end() ? *(texts.end() - 1) : *fitting;
      text_at(list_, font, pos, color, clipped(font, spelled(frame_, text), width));
      pos.y += font->FontSize + frame_.unit;
    };
    const float top = pos.y;
    line({label->full, label->wider, label->brief}, frame_.theme.ink);
    line({label->removal, brief_removal(label->removal)}, frame_.theme.ink_soft);
    line({label->bold, brief_bold()}, frame_.theme.ink_soft);
    ui::probe("flow/role", {pos.x, top}, {pos.x + width, pos.y});
    return pos.y + frame_.unit;
  }

  void projections() {
    picture(frame_, "flow/X", of_layer(Quantity::X), at_.X);
    TokenAxis tokens = axis(marked_row(frame_, Axis::token, true));
    const std::vector<std::string> questioned = with_guesses(frame_.trace);
    if (!questioned.empty()) tokens.tokens = &questioned;
    row_labels(list_, tokens, at_.X.pos.x - frame_.unit, label_width_ - frame_.unit, at_.X.pos.y, row_step(at_.X));
    title_over(frame_, at_.X, at_.X.size.x, {"X   input", "X"});
    if (frame_.trace.layout)
      column_groups(frame_, at_.X);
    else
      caption_under(frame_, at_.X, of_layer(Quantity::X), at_.X.size.x);
    constexpr Quantity weights[] = {Quantity::W_Q, Quantity::W_K, Quantity::W_V};
    constexpr Quantity results[] = {Quantity::Q, Quantity::K, Quantity::V};
    constexpr const char* weight_names[] = {"flow/W_Q", "flow/W_K", "flow/W_V"};
    constexpr const char* result_names[] = {"flow/Q", "flow/K", "flow/V"};
    for (std::size_t k = 0; k < 3; ++k) {
      const MatrixRef W = of_head(weights[k]), P = of_head(results[k]);
      const float room = at_.W[k].size.x + 2 * frame_.unit;
      picture(frame_, weight_names[k], W, at_.W[k]);
      title_over(frame_, at_.W[k], room, {name_of(frame_, W)});
      caption_under(frame_, at_.W[k], W, at_.W[k].size.x + 1.5f * frame_.unit);
      picture(frame_, result_names[k], P, at_.P[k]);
      title_over(frame_, at_.P[k], room, {name_of(frame_, P) + " = X " + name_of(frame_, W), name_of(frame_, P)});
      caption_under(frame_, at_.P[k], P, at_.P[k].size.x + 1.5f * frame_.unit);
    }
    operation(frame_, at_.operators[0], "× W");
    if (frame_.trace.layout) name_of_column();
  }

  // The named column that is pointed at, in X or as a row of the weights.
  void name_of_column() {
    const std::optional<CellRef>& cell = frame_.view.hover ? frame_.view.hover : frame_.view.selection;
    if (!cell) return;
    const float rows = static_cast<float>(trace_.input.d_model());
    constexpr Quantity weights[] = {Quantity::W_Q, Quantity::W_K, Quantity::W_V};
    for (std::size_t k = 0; k < 3; ++k)
      if (cell->matrix == of_head(weights[k])) {
        const std::string name = axis_label(frame_.trace, Axis::model_dim, cell->row);
        const float y = at_.W[k].pos.y + (static_cast<float>(cell->row) + 0.5f) / rows * at_.W[k].size.y;
        return pill({at_.W[k].pos.x - text_width(frame_.fonts.small, name) - 3 * frame_.unit, y}, name);
      }
    if (cell->matrix.quantity != Quantity::X) return;
    const std::string column = axis_label(frame_.trace, Axis::model_dim, cell->col);
    const float x = at_.X.pos.x + (static_cast<float>(cell->col) + 0.5f) / rows * at_.X.size.x;
    pill({x - 0.5f * text_width(frame_.fonts.small, column), at_.X.bottom() + 0.75f * frame_.fonts.small->FontSize},
         column);
  }

  // A small label over whatever is there, its text starting at x, centred on y.
  void pill(ImVec2 at, const std::string& text) {
    ImFont* font = frame_.fonts.small;
    const float pad = frame_.unit, width = text_width(font, text);
    list_->AddRectFilled({at.x - pad, at.y - 0.5f * font->FontSize - 0.5f * pad},
                         {at.x + width + pad, at.y + 0.5f * font->FontSize + 0.5f * pad}, frame_.theme.raised, pad);
    text_at(list_, font, {at.x, at.y - 0.5f * font->FontSize}, frame_.theme.ink, text);
  }

  void pattern() {
    const MatrixRef S = of_head(Quantity::scores), A = of_head(Quantity::attention), O = of_head(Quantity::output);
    picture(frame_, "flow/scores", S, at_.S);
    title_over(frame_, at_.S, at_.S.size.x, {formula(frame_.trace, S), name_of(frame_, S)});
    caption_under(frame_, at_.S, S, at_.S.size.x);
    second_operands();
    picture(frame_, "flow/attention", A, at_.A);
    column_labels(list_, axis(marked_row(frame_, Axis::token, false)), at_.A.pos.x,
                  at_.A.size.x / static_cast<float>(trace_.input.n()), at_.A.pos.y - 0.5f * frame_.unit,
                  std::min(at_.labels_A.size.y - frame_.fonts.strong->FontSize - frame_.unit,
                           6.5f * frame_.fonts.small->FontSize));
    const Box title{{at_.A.pos.x, at_.labels_A.pos.y}, {}};
    title_over(frame_, title, at_.A.size.x + at_.operators[3].size.x, {formula(frame_.trace, A), name_of(frame_, A)});
    const float labels = at_.A.pos.y - 6.5f * frame_.fonts.small->FontSize, under_title = title.pos.y + frame_.unit;
    if (under_title + 2 * frame_.fonts.small->FontSize < labels)
      legend(scale_for(frame_, A), {at_.A.pos.x, under_title}, at_.A.size.x, frame_.fonts.small, frame_.theme.ink_soft,
             {});
    caption_under(frame_, at_.A, A, at_.A.size.x);
    picture(frame_, "flow/output", O, at_.O);
    title_over(frame_, at_.O, at_.O.size.x + 2 * frame_.unit, {formula(frame_.trace, O), name_of(frame_, O)});
    caption_under(frame_, at_.O, O, at_.O.size.x + 2 * frame_.unit);
    list_->AddRect({at_.A.pos.x - 2, at_.A.pos.y - 2}, {at_.A.right() + 2, at_.A.bottom() + 2},
                   head_color(head_, frame_.theme.dark), 0, 0, 2);
    operation(frame_, at_.operators[1], frame_.fonts.unicode ? "Q Kᵀ" : "Q K^T");
    operation(frame_, at_.operators[2], "softmax");
    operation(frame_, at_.operators[3], "× V");
  }

  // What S and O are products with stands above them: a score is its row of Q times its column of K^T.
  void second_operands() {
    const MatrixRef K = of_head(Quantity::K), V = of_head(Quantity::V);
    picture(frame_, "flow/KT", K, at_.KT, {.transposed = true});
    title_over(frame_, at_.KT, at_.KT.size.x, {name_of(frame_, K) + (frame_.fonts.unicode ? "ᵀ" : "^T")});
    caption_under(frame_, at_.KT, K, at_.KT.size.x, true);
    picture(frame_, "flow/V_above", V, at_.V);
    title_over(frame_, at_.V, at_.V.size.x + 2 * frame_.unit, {name_of(frame_, V)});
    caption_under(frame_, at_.V, V, at_.V.size.x + 2 * frame_.unit);
  }

  void strip() {
    const int heads = static_cast<int>(trace_.input.heads);
    const float u = frame_.unit, bar = 0.75f * u, number = frame_.fonts.small->FontSize;
    title_over(
        frame_, at_.strip, at_.strip.size.x,
        {trace_.input.kv_heads == 0 ? "All heads: attention of each. Click one to follow it above."
                                    : "All heads: attention of each. A line joins those that share keys and values.",
         "All heads"});
    const bool numbered = heads <= 32;
    const float label = numbered ? number : 0;
    Tiling tiling = tile_squares({at_.strip.size.x, at_.strip.size.y - label - bar}, heads, 2 * u + label + bar);
    // Of few tokens there is little to see: small, too.
    const float most = std::max(7 * frame_.fonts.small->FontSize, 4 * u * static_cast<float>(trace_.input.n()));
    tiling.side = std::min(tiling.side, std::floor(most));
    std::vector<HeatmapTile> tiles;
    for (int h = 0; h < heads; ++h) tiles.push_back(thumbnail(h, tiling, 2 * u + label + bar, label + bar + 0.5f * u));
    group_lines(frame_, "flow/group/", layer_, tiles);
    for (int h = 0; h < heads; ++h) {
      const HeatmapTile& tile = tiles[static_cast<std::size_t>(h)];
      const ImU32 color = head_color(h, frame_.theme.dark);
      list_->AddRectFilled({tile.min.x, tile.min.y - bar}, {tile.max.x, tile.min.y}, color);
      if (numbered)
        text_at(list_, frame_.fonts.small, {tile.min.x, tile.min.y - bar - number},
                h == head_ ? frame_.theme.ink : frame_.theme.ink_soft, std::to_string(h + 1));
      if (numbered) strip_marks(h, tile, tile.min.y - bar - number);
      if (h == head_)
        list_->AddRect({tile.min.x - 2, tile.min.y - bar - 1}, {tile.max.x + 2, tile.max.y + 2}, frame_.theme.accent, 0,
                       0, 2);
    }
  }

  // Behind the head's number: whether it is painted, and its best role where it fits over the picture.
  void strip_marks(int h, const HeatmapTile& tile, float y) {
    ImFont* font = frame_.fonts.small;
    const std::string number = std::to_string(h + 1);
    float x = tile.min.x + text_width(font, number) + 1.5f * frame_.unit;
    if (painted_mark(frame_, "flow/heads/painted/" + number, layer_, h, {x, y}, 0.85f * font->FontSize))
      x += font->FontSize;
    x += gate_mark(frame_, "flow/heads/gate/" + number, layer_, h, {x, y}, font);
    const HeadLabel* label = label_of(frame_.roles, h);
    if (!label) return;
    std::string text = spelled(frame_, label->brief);
    if (x + text_width(font, text) > tile.max.x) text.resize(std::min(text.size(), text.rfind(' ')));  // no score
    if (x + text_width(font, text) > tile.max.x) return;
    const bool mixed = label->role.kind == Role::Kind::mixed;
    text_at(list_, font, {x, y}, mixed ? frame_.theme.ink_faint : frame_.theme.ink_soft, text);
    ui::probe("flow/role/" + number, {x, y}, {x + text_width(font, text), y + font->FontSize});
  }

  HeatmapTile thumbnail(int h, const Tiling& tiling, float gap, float lift) {
    const float down = tiling.side + gap;
    const float spread = (at_.strip.size.x - tiling.side) / static_cast<float>(std::max(1, tiling.columns - 1));
    const float across = std::min(std::max(down, spread), 1.6f * down);
    const ImVec2 pos{std::floor(at_.strip.pos.x + static_cast<float>(h % tiling.columns) * across),
                     at_.strip.pos.y + lift + static_cast<float>(h / tiling.columns) * down};
    const std::string name = "flow/heads/" + std::to_string(h + 1);
    const PictureResult result =
        matrix_picture(frame_, name.c_str(), {Quantity::attention, layer_, h}, pos, {tiling.side, tiling.side},
                       {.square_cells = false,
                        .values = false,
                        .clickable = false,
                        .alpha = is_silent(frame_, layer_, h) ? 0.3f : 1.0f});
    if (result.hit.clicked) focus_head(frame_.view, h);
    return result.tile;
  }

  void mixing() {
    const MatrixRef C = of_layer(Quantity::concat), W_O = of_layer(Quantity::W_O), Y = of_layer(Quantity::Y);
    picture(frame_, "flow/concat", C, at_.C);
    picture(frame_, "flow/W_O", W_O, at_.W_O);
    picture(frame_, "flow/Y", Y, at_.Y);
    const float above = 3 * frame_.unit;
    const auto title = [&](const Box& box, std::initializer_list<std::string> texts) {
      title_over(frame_, {{box.pos.x, box.pos.y - above}, box.size}, box.size.x, texts);
    };
    const std::string last = std::to_string(trace_.input.heads);
    const std::string concat =
        trace_.input.gates.empty() ? "C = [O_1 … O_" + last + "]" : "C = [g_1 O_1 … g_" + last + " O_" + last + "]";
    title(at_.C, {concat + "   the heads side by side", concat, "C"});
    title(at_.W_O, {"W_O   one band of rows per head", "W_O"});
    title(at_.Y, {trace_.input.weights.b_O ? "Y = C W_O + b_O   output" : "Y = C W_O   output", "Y"});
    for (const auto& [box, ref] : {std::pair{&at_.C, C}, {&at_.W_O, W_O}, {&at_.Y, Y}})
      caption_under(frame_, *box, ref, box->size.x);
    row_labels(list_, axis(marked_row(frame_, Axis::token, true)), at_.C.pos.x - frame_.unit,
               label_width_ - frame_.unit, at_.C.pos.y, row_step(at_.C));
    head_bars();
    text_centered(list_, frame_.fonts.large, middle(at_.times), frame_.theme.ink_soft, "×");
    text_centered(list_, frame_.fonts.large, middle(at_.equals), frame_.theme.ink_soft, "=");
  }

  static ImVec2 middle(const Box& box) { return {box.pos.x + 0.5f * box.size.x, box.pos.y + 0.5f * box.size.y}; }

  // Head colours: over the columns of C, beside the rows of W_O.
  void head_bars() {
    const int heads = static_cast<int>(trace_.input.heads);
    const float u = frame_.unit, wide = at_.C.size.x / static_cast<float>(heads),
                high = at_.W_O.size.y / static_cast<float>(heads);
    for (int h = 0; h < heads; ++h) {
      const ImU32 color = head_color(h, frame_.theme.dark);
      const float x = at_.C.pos.x + static_cast<float>(h) * wide, y = at_.W_O.pos.y + static_cast<float>(h) * high;
      list_->AddRectFilled({x, at_.C.pos.y - 2 * u}, {x + wide, at_.C.pos.y - 0.5f * u}, color);
      list_->AddRectFilled({at_.W_O.pos.x - 2 * u, y}, {at_.W_O.pos.x - 0.5f * u, y + high}, color);
      ImFont* font = frame_.fonts.small;
      const std::string number = std::to_string(h + 1);
      if (high >= font->FontSize)
        text_at(list_, font, {at_.W_O.pos.x - 2.5f * u - text_width(font, number), y + 0.5f * (high - font->FontSize)},
                frame_.theme.ink_soft, number);
      if (h != head_) continue;
      list_->AddRect({x, at_.C.pos.y}, {x + wide, at_.C.bottom()}, frame_.theme.accent, 0, 0, 1.5f);
      list_->AddRect({at_.W_O.pos.x, y}, {at_.W_O.right(), y + high}, frame_.theme.accent, 0, 0, 1.5f);
    }
  }

  Frame& frame_;
  FlowLayout at_;
  float label_width_;
  int head_, layer_;
  const LayerTrace<float>& trace_;
  ImDrawList* list_;
};

float longest_label(const Frame& frame) {
  float longest = 0;
  for (const std::string& token : frame.trace.tokens) longest = std::max(longest, text_width(frame.fonts.small, token));
  return std::min(longest, 6 * frame.fonts.small->FontSize) + 2 * frame.unit;
}

// What the numbers of narrow matrices need, of whichever needs most; 0 where there are more columns than can be read.
float number_width(const Frame& frame, Index d_k) {
  if (d_k > kFewColumns) return 0;
  float widest = 0;
  for (const Quantity quantity : {Quantity::X, Quantity::W_Q, Quantity::W_K, Quantity::W_V, Quantity::Q, Quantity::K,
                                  Quantity::V, Quantity::output}) {
    const MatrixRef ref{quantity, frame.view.layer, quantity == Quantity::X ? kNoHead : frame.view.focused_head};
    const ValueScale scale = scale_for(frame, ref);
    const MatView<float> values = values_of(frame.trace, ref);
    const bool whole = (values.array() == values.array().round()).all();
    const int decimals = whole ? 0 : scale.high < 0.1f ? 3 : scale.high <= 1 ? 2 : scale.high <= 10 ? 1 : 0;
    widest = std::max(widest, text_width(frame.fonts.mono_small, ui::fixed(scale.low, decimals)));
  }
  return widest + 6;
}

}  // namespace

void draw_flow_view(Frame& frame) {
  const LayerInput<float>& input = frame.trace.layers[static_cast<std::size_t>(frame.view.layer)].input;
  FlowInput in{};
  in.pos = ImGui::GetCursorScreenPos();
  in.size = ImGui::GetContentRegionAvail();
  in.n = static_cast<float>(input.n());
  in.d_model = static_cast<float>(input.d_model());
  in.d_k = static_cast<float>(input.d_k());
  in.heads = static_cast<int>(input.heads);
  in.label_width = longest_label(frame);
  in.title = frame.fonts.strong->FontSize + 1.5f * frame.unit;
  in.small = frame.fonts.small->FontSize;
  in.unit = frame.unit;
  in.digits = number_width(frame, input.d_k());
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->ChannelsSplit(2);
  list->ChannelsSetCurrent(1);
  FlowView(frame, flow_layout(in), in.label_width).draw();
  list->ChannelsMerge();
}

}  // namespace hydra
