// Heads: the patterns of all heads beside each other, and one of them large, as cells and as arcs.
#include "app/views/change/change_marks.h"
#include "app/views/gate_mark.h"
#include "app/views/heads/heads_grid.h"
#include "app/views/heads/heads_layout.h"
#include "app/views/mask/mask_paint.h"
#include "app/views/painted.h"
#include "app/views/sharing_mark.h"
#include "app/views/ui.h"
#include "app/views/views.h"
#include "app/views/weights_mark.h"
#include "app/widgets/arcs.h"

namespace hydra {

namespace {

class HeadsView {
 public:
  explicit HeadsView(Frame& frame)
      : frame_(frame), view_(frame.view), trace_(frame.trace), heads_(static_cast<int>(layer_of(frame).heads.size())) {}

  void draw() {
    const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    if (chosen_heads(view_) == 0) choose_all_heads(view_);  // a mean of nothing is none
    toolbar();
    sharing_caption(frame_, "heads/sharing", view_.layer);
    // Painting the mask needs the room; what is outlined stays.
    if (frame_.roles.marks && !mask_tool_shown(view_)) relation_chips();
    const float u = frame_.unit, y = ImGui::GetCursorScreenPos().y + 2 * u;
    large_ = view_.average ? Site{Quantity::mean_attention, view_.layer, kNoHead}
                           : Site{shown_pattern(view_), view_.layer, view_.focused_head};
    HeadsInput in;
    in.pos = {origin.x, y};
    in.size = {room.x, origin.y + room.y - y};
    in.heads = heads_;
    in.group = static_cast<int>(trace_.layer(view_.layer).input.group_size());
    in.tokens = int_size(trace_.tokens);
    in.longest = text_width(frame_.fonts.small, "query ↓");
    for (const std::string& token : trace_.tokens)
      in.longest = std::max(in.longest, text_width(frame_.fonts.text, token));
    in.text = frame_.fonts.text->FontSize;
    in.small = frame_.fonts.small->FontSize;
    in.unit = u;
    in.scrollbar = ImGui::GetStyle().ScrollbarSize;
    if (in.size.x < 6 * in.text || in.size.y < 6 * in.text) return;  // folded to nothing
    at_ = heads_layout(in);
    marks_ = marked_tokens();
    draw_heads_grid(frame_, at_);
    large();
    if (at_.arcs_shown) arcs();
  }

 private:
  // --- toolbar

  void toolbar() {
    ui::Chips chips(frame_);
    const auto pattern_chip = [&](Pattern pattern, const char* name, const char* label, const char* tip) {
      if (!chips.chip(name, label, !view_.average && view_.pattern == pattern, tip)) return;
      view_.pattern = pattern;
      view_.average = false;
    };
    pattern_chip(Pattern::scores, "heads/pattern/scores", "Scores",
                 "What softmax sees: the dot product of query and key, scaled; masked pairs are hatched.");
    pattern_chip(Pattern::attention, "heads/pattern/attention", "Attention",
                 "How much of each key's value a query takes; every row sums to one.");
    pattern_chip(Pattern::value_weighted, "heads/pattern/value_weighted",
                 frame_.fonts.unicode ? "Attention × ‖v W_O‖" : "Attention x |v W_O|",
                 "Each weight times the length of the vector it carries to the output: a large weight on a tiny value "
                 "changes little.");
    chips.apart(1.2f * ImGui::GetFontSize(), ui::chip_width("Average"));
    chips.toggle("heads/average", "Average", view_.average,
                 "The mean of the attention of the chosen heads; Ctrl+click on a head chooses it or leaves it out.");
    if (!view_.average) return;
    if (chips.chip("heads/all", "All", chosen_heads(view_) == heads_, "All heads take part in the average."))
      choose_all_heads(view_);
    if (chips.chip("heads/only", "Only head " + std::to_string(view_.focused_head + 1),
                   chosen_heads(view_) == 1 && is_chosen(view_, view_.focused_head),
                   "Starts the average anew from the focused head.")) {
      view_.selected_heads.assign(view_.selected_heads.size(), false);
      nth(view_.selected_heads, view_.focused_head) = true;
    }
  }

  // The relations that this sentence is marked with, and why one of them cannot be found here.
  void relation_chips() {
    const AnnotatedSentence& marks = *frame_.roles.marks;
    ui::Chips chips(frame_);
    for (const RelationEntry& r : relations()) {
      if (nth(marks.gold, r.relation).empty()) continue;
      const bool on = view_.shown_relation == r.relation;
      if (chips.chip(std::string("heads/relation/") + r.key, r.title, on, std::string(r.title) + ": " + r.tip,
                     on ? frame_.theme.gold : 0))
        view_.shown_relation = on ? std::nullopt : std::optional(r.relation);
    }
    if (!view_.shown_relation) return;
    const std::string& reason = nth(marks.unresolved, *view_.shown_relation);
    if (reason.empty()) return;
    ui::soft_text(frame_, reason);
    ui::probe("heads/unresolved");
  }

  // --- one pattern, large

  struct Marks {
    int query = -1, key = -1;
  };

  // Of the cell under the pointer, else of the selected one, where it is a pair of tokens of this view's head.
  Marks marked_tokens() const {
    for (const std::optional<Cell>* cell : {&view_.hover, &view_.selection}) {
      if (!*cell || !is_pair((*cell)->site.quantity)) continue;
      if (cell == &view_.selection && (*cell)->site.head != large_.head) continue;
      return {static_cast<int>((*cell)->row), static_cast<int>((*cell)->col)};
    }
    return {};
  }

  std::string large_title() const {
    if (!view_.average) return (frame_.fonts.unicode ? formula(trace_, large_) : symbol(large_, true));
    const int count = chosen_heads(view_);
    std::string text = "Mean attention of " + ui::counted(count, "head");
    if (count == heads_) return text;
    text += ":";
    int listed = 0;
    for (int h = 0; h < heads_; ++h) {
      if (!is_chosen(view_, h)) continue;
      if (++listed > 8) return text + " …";
      text += (listed == 1 ? " " : ", ") + std::to_string(h + 1);
    }
    return text;
  }

  void large() {
    const Theme& theme = frame_.theme;
    const Fonts& fonts = frame_.fonts;
    ImDrawList* list = ImGui::GetWindowDrawList();
    title(list);
    const auto n = static_cast<float>(trace_.tokens.size());
    ImFont* numbers = number_font();
    const PictureResult result =
        matrix_picture(frame_, "heads/large", large_, at_.large, {at_.side, at_.side},
                       {.square_cells = false, .values = numbers != nullptr, .value_font = numbers});
    if (at_.side / n >= 12) draw_cell_grid(list, result.tile, with_alpha(theme.ground, 90));
    const float step = at_.side / n;
    ImFont* font = step >= 1.15f * fonts.text->FontSize ? fonts.text : fonts.small;
    TokenAxis axis{&trace_.tokens, font, theme.ink_soft, theme.ink, marks_.query};
    row_labels(list, axis, at_.large.x - frame_.unit, at_.row_labels - frame_.unit, at_.large.y, step);
    axis.marked = marks_.key;
    if (at_.level)
      level_labels(list, axis, step);
    else
      column_labels(list, axis, at_.large.x, step, at_.large.y - 0.5f * frame_.unit, at_.column_labels);
    axis_names(list);
    draw_legend(result.tile);
  }

  void title(ImDrawList* list) {
    const float size = frame_.fonts.strong->FontSize, side = std::round(0.8f * size);
    float x = at_.title.x;
    if (!view_.average) {
      list->AddRectFilled({x, at_.title.y + 0.12f * size}, {x + side, at_.title.y + 0.12f * size + side},
                          head_color(view_.focused_head, frame_.theme.dark));
      x += side + 1.5f * frame_.unit;
      const std::string name = "Head " + std::to_string(view_.focused_head + 1);
      text_at(list, frame_.fonts.strong, {x, at_.title.y}, frame_.theme.ink, name);
      x += text_width(frame_.fonts.strong, name) + 2 * frame_.unit;
      x += gate_mark(frame_, "heads/gate", view_.layer, view_.focused_head, {x, at_.title.y}, frame_.fonts.strong);
      if (painted_mark(frame_, "heads/painted", view_.layer, view_.focused_head, {x, at_.title.y}, side)) {
        const std::string painted = painted_rows(frame_, large_) ? "painted: dashed rows" : "painted";
        x += side + 1.5f * frame_.unit;
        text_at(list, frame_.fonts.text, {x, at_.title.y}, frame_.theme.ink, painted);
        x += text_width(frame_.fonts.text, painted) + 2 * frame_.unit;
      }
      x += frame_.unit;
    }
    if (!view_.average) role_line(list);
    const ImVec2 end{at_.large.x + at_.side, at_.title.y};
    const float right = end.x - put_change_badge(frame_, "heads/large", large_, end, frame_.fonts.strong);
    const std::string text = large_title();
    const float weights =
        view_.average
            ? 0
            : weights_mark(frame_, "heads/weights", view_.focused_head,
                           {x, at_.title.y + frame_.fonts.text->FontSize - frame_.fonts.small->FontSize}, right - x);
    if (weights > 0) x += weights + 2 * frame_.unit;
    if (view_.average)
      text_at(list, frame_.fonts.strong, {x, at_.title.y}, frame_.theme.ink,
              clipped(frame_.fonts.strong, text, right - x));
    else if (text_width(frame_.fonts.text, text) <= right - x)
      math_at(list, frame_.fonts.text, frame_.fonts.small, {x, at_.title.y}, frame_.theme.ink_soft, text);
  }

  // What the head does, under its name.
  void role_line(ImDrawList* list) const {
    const HeadLabel* label = label_of(frame_.roles, view_.focused_head);
    if (!label) return;
    ImFont* font = frame_.fonts.small;
    const float room = at_.large.x + at_.side - at_.role.x;
    std::string name;
    for (const std::string* words : {&label->full, &label->wider, &label->brief}) {
      name = spelled(frame_, *words);
      if (text_width(font, name) <= room) break;
    }
    name = clipped(font, name, room);
    const std::string gap = "   ";
    text_at(list, font, at_.role, frame_.theme.ink, name);
    const float x = at_.role.x + text_width(font, name + gap);
    const float rest = at_.large.x + at_.side - x;
    for (const std::string* words : {&label->removal, &label->removal_brief}) {
      if (text_width(font, *words) > rest) continue;
      text_at(list, font, {x, at_.role.y}, frame_.theme.ink_soft, *words);
      break;
    }
    ui::probe("heads/role", at_.role, {at_.role.x + room, at_.role.y + font->FontSize});
  }

  // The largest face whose numbers fit the cells; none when none does.
  ImFont* number_font() const {
    const Backing backing = picture_of(frame_, large_);
    HeatmapTile tile{at_.large,
                     {at_.large.x + at_.side, at_.large.y + at_.side},
                     backing.matrix,
                     backing.row0,
                     backing.col0,
                     backing.rows,
                     backing.cols,
                     scale_for(frame_, large_),
                     1};
    for (ImFont* font : {frame_.fonts.mono, frame_.fonts.mono_small})
      if (values_fit(tile, font)) return font;
    return nullptr;
  }

  void level_labels(ImDrawList* list, const TokenAxis& axis, float step) const {
    for (int j = 0; j < int_size(*axis.tokens); ++j)
      text_centered(
          list, axis.font,
          {at_.large.x + (static_cast<float>(j) + 0.5f) * step, at_.large.y - frame_.unit - 0.5f * axis.font->FontSize},
          j == axis.marked ? axis.strong : axis.ink, nth(*axis.tokens, j));
  }

  // In the corner between the labels of both axes.
  void axis_names(ImDrawList* list) const {
    ImFont* font = frame_.fonts.small;
    const bool arrows = frame_.fonts.unicode;
    const std::string key = arrows ? "key →" : "key >", query = arrows ? "query ↓" : "query v";
    const float right = at_.large.x - frame_.unit, y = at_.large.y - 1.2f * font->FontSize;
    if (at_.level) {
      text_at(list, font, {right - text_width(font, query), y}, frame_.theme.ink_faint, query);
      return;
    }
    text_at(list, font, {right - text_width(font, key), y - 1.2f * font->FontSize}, frame_.theme.ink_faint, key);
    text_at(list, font, {right - text_width(font, query), y}, frame_.theme.ink_faint, query);
  }

  void draw_legend(const HeatmapTile& tile) {
    const LayerInput<float>& input = trace_.layer(view_.layer).input;
    LegendOptions options;
    options.masked = input.mask.kind != Mask::Kind::none;
    const Array<float>& cells = tile.matrix ? tile.matrix : tile.strongest;
    options.non_finite = cells && !(cells->maxCoeff<Eigen::PropagateNaN>() < std::numeric_limits<float>::infinity());
    options.remark = range_before(frame_, large_);
    options.remark_color = frame_.theme.change;
    const float least = (options.masked || options.non_finite ? 24 : 12) * frame_.fonts.small->FontSize;
    legend(tile.scale, at_.legend, std::max(at_.side, least), frame_.fonts.small, frame_.theme.ink_soft, options);
  }

  // --- the same as arcs

  void arcs() {
    const Theme& theme = frame_.theme;
    threshold();
    const Backing backing = picture_of(frame_, large_);
    Arcs in;
    in.tokens = &trace_.tokens;
    in.weights = backing.matrix;
    in.scale = scale_for(frame_, large_);
    in.threshold = view_.arc_threshold;
    in.query = marks_.query;
    in.key = marks_.key;
    in.row = at_.arcs_row;
    const bool is_signed = in.scale.low < 0;
    for (const GoldPair& pair : shown_gold(frame_)) in.gold.emplace_back(pair.from, pair.to);
    in.gold_color = theme.gold;
    in.color = is_signed       ? to_u32(color_at(in.scale.map, 0.9f))
               : view_.average ? theme.ink_soft
                               : head_color(view_.focused_head, theme.dark);
    in.negative = to_u32(color_at(in.scale.map, 0.1f));
    in.ink = theme.ink_soft;
    in.strong = theme.ink;
    in.ground = theme.ground;
    in.font = frame_.fonts.text;
    in.number_font = frame_.fonts.mono;
    const ArcsResult result = draw_arcs("heads/arcs", in, at_.arcs, at_.arcs_size);
    arcs_captions(result);
    follow(result, *backing.matrix);
  }

  void threshold() {
    const float em = ImGui::GetFontSize(), end = scale_for(frame_, large_).high;
    const std::string label = "Hide below " + ui::number(end * view_.arc_threshold, 2);
    ImGui::SetCursorScreenPos({at_.arcs_title.x, at_.arcs_title.y - ImGui::GetStyle().FramePadding.y});
    ImGui::SetNextItemWidth(std::min(9 * em, 0.45f * at_.arcs_size.x));
    ImGui::SliderFloat("##threshold", &view_.arc_threshold, 0, 1, "", ImGuiSliderFlags_AlwaysClamp);
    ui::probe("heads/threshold");
    ui::tip("Leaves out the weaker curves.");
    const float x = ImGui::GetItemRectMax().x + 2 * frame_.unit;
    text_at(ImGui::GetWindowDrawList(), frame_.fonts.text, {x, at_.arcs_title.y}, frame_.theme.ink_soft,
            clipped(frame_.fonts.text, label, at_.arcs.x + at_.arcs_size.x - x));
  }

  void arcs_captions(const ArcsResult& result) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImFont* font = frame_.fonts.small;
    const float right = at_.arcs.x + at_.arcs_size.x, above = at_.arcs.y - 1.3f * font->FontSize;
    text_at(list, font, {at_.arcs.x, above}, frame_.theme.ink_faint, "query");
    text_at(list, font, {right - text_width(font, "key"), above}, frame_.theme.ink_faint, "key");
    const std::string pairs = ui::counted(result.passed, "pair");
    const std::string strongest = "the " + std::to_string(result.drawn) + " strongest of " + pairs + " in view";
    const float room = at_.arcs_size.x - 2 * (text_width(font, "query") + 2 * frame_.unit);
    text_centered(list, font, {at_.arcs.x + 0.5f * at_.arcs_size.x, above + 0.5f * font->FontSize},
                  frame_.theme.ink_soft, clipped(font, result.drawn < result.passed ? strongest : pairs, room));
  }

  // A token under the pointer stands for its strongest pair, in every view.
  void follow(const ArcsResult& result, MatIn<float> weights) {
    Cell cell{large_, result.query, result.key};
    if (result.query >= 0)
      weights.row(result.query).maxCoeff(&cell.col);
    else if (result.key >= 0)
      weights.col(result.key).maxCoeff(&cell.row);
    else
      return;
    view_.next_hover = cell;
    if (result.clicked) select(view_, cell);
  }

  Frame& frame_;
  ViewState& view_;
  const Trace& trace_;
  int heads_;
  Site large_;
  HeadsLayout at_;
  Marks marks_;
};

}  // namespace

void draw_heads_view(Frame& frame) { HeadsView(frame).draw(); }

}  // namespace hydra
