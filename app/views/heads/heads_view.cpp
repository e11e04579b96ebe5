// Heads: the patterns of all heads beside each other, and one of them large, as cells and as arcs.
#include "app/views/beside/beside.h"
#include "app/views/change/change_marks.h"
#include "app/views/frame/ui.h"
#include "app/views/heads/head_picture.h"
#include "app/views/heads/heads_grid.h"
#include "app/views/heads/heads_layout.h"
#include "app/views/heads/heads_rollout.h"
#include "app/views/heads/sink_column.h"
#include "app/views/shared/head_marks.h"
#include "app/views/shared/head_roles.h"
#include "app/views/shared/pictured.h"
#include "app/views/shell/first_number.h"
#include "app/views/shell/views.h"
#include "app/widgets/arcs.h"
#include "app/widgets/matrix/drag_cursor.h"
#include "core/analysis/shares.h"

namespace hydra {

namespace {

class HeadsView : Drawing {
 public:
  explicit HeadsView(Frame& frame)
      : Drawing(frame), trace_(frame.trace), heads_(static_cast<int>(layer_of(frame).heads.size())) {}

  void draw() {
    const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    if (chosen_heads(view_) == 0) choose_all_heads(frame_);  // a mean of nothing is none
    draw_heads_toolbar(frame_);
    const float u = u_, y = ImGui::GetCursorScreenPos().y + 2 * u;
    rolled_ = shows_rollout(view_);
    picture_ = shown_head_picture(view_);
    if (rolled_ && !rollout_is_there(frame_)) return ui::waiting_text(frame_, measured_rollout(frame_).failure);
    large_ = view_.average ? Site{Quantity::mean_attention, view_.layer, kNoHead}
                           : Site{shown_pattern(view_), view_.layer, view_.focused_head};
    auto in = room_for<HeadsInput>(frame_, {origin.x, y}, {room.x, origin.y + room.y - y});
    in.heads = heads_;
    in.group = static_cast<int>(trace_.layer(view_.layer).input.group_size);
    in.tokens = int_size(trace_.tokens);
    in.sink = has_sink() && !sink_shares_of(frame_).empty();
    in.longest = std::max(text_width(fonts_.small, wording("heads:query") + " ↓"), widest(fonts_.text, trace_.tokens));
    if (in.size.x < 6 * in.text || in.size.y < 6 * in.text) return;  // folded to nothing
    at_ = heads_layout(in);
    marks_ = marked_tokens();
    draw_heads_grid(frame_, at_);
    if (shows_beside(view_)) return beside_page();
    std::optional<Pictured> made;
    if (picture_) made = pictured(frame_, *picture_, view_.layer, view_.focused_head);
    shown_ = made ? made->shown : rolled_ ? whole(measured_rollout(frame_).value->reached) : picture_of(frame_, large_);
    scale_ = made ? made->scale : rolled_ ? rollout_scale(frame_) : scale_for(frame_, large_);
    large(made);
    if (at_.arcs_shown) arcs();
  }

 private:
  // --- one pattern, large

  struct Marks {
    int query = -1, key = -1;
  };

  // The pattern in focus, and one of the model beside.
  void beside_page() {
    ImGui::SetCursorScreenPos(at_.main.pos);
    ImGui::BeginGroup();
    if (beside_told(frame_)) {
      draw_beside_sentence(frame_, "heads/beside/sentence", at_.main.size.x);
      const float y = ImGui::GetCursorScreenPos().y + u_;
      draw_beside_pair(frame_, {{at_.main.pos.x, y}, {at_.main.size.x, at_.main.bottom() - y}});
    }
    ImGui::EndGroup();
  }

  // Of the cell under the pointer, else of the selected one, where it is a pair of tokens of this view's head.
  Marks marked_tokens() const {
    for (const std::optional<Cell>* cell : {&frame_.was.cell, &std::as_const(view_.selection)}) {
      if (!*cell || !is_pair((*cell)->site.quantity)) continue;
      if (cell != &frame_.was.cell && (*cell)->site.head != large_.head) continue;
      return {static_cast<int>((*cell)->row), static_cast<int>((*cell)->col)};
    }
    return {};
  }

  std::string large_title() const {
    if (picture_) return spelled(frame_, wording(picture_->formula));
    if (!view_.average) return (fonts_.unicode ? formula(trace_, large_) : symbol(large_, true));
    const int count = chosen_heads(view_);
    if (count == heads_) return wording("heads:mean", {{"n", count}});
    std::string chosen;
    int listed = 0;
    for (int h = 0; h < heads_ && listed <= 8; ++h) {
      if (!is_chosen(view_, h)) continue;
      chosen += ++listed > 8 ? " …" : (listed == 1 ? "" : ", ") + std::to_string(h + 1);
    }
    return wording("heads:mean.of", {{"n", count}, {"heads", chosen}});
  }

  bool silent() const { return !view_.average && !rolled_ && is_silent(frame_, view_.layer, view_.focused_head); }

  // Rows of weights, or of their mean over heads, may have a sink.
  bool has_sink() const { return !is_made() && (view_.average || large_.quantity == Quantity::attention); }

  // What is large is worked out, and of no site.
  bool is_made() const { return rolled_ || picture_; }

  void large(const std::optional<Pictured>& made) {
    const Canvas::Part part(canvas_, "heads.pattern");
    title();
    const auto n = real(trace_.tokens.size());
    ImFont* numbers = number_font();
    const PictureResult result = made ? draw_made(*made, numbers)
                                 : rolled_
                                     ? draw_rollout(frame_, at_, numbers)
                                     : matrix_picture(frame_, "heads/large", large_, at_.large, {at_.side, at_.side},
                                                      {.square_cells = false,
                                                       .values = numbers != nullptr,
                                                       .alpha = silent() ? 0.4f : 1.0f,
                                                       .value_font = numbers});
    if (is_made()) marks_ = {static_cast<int>(result.hit.row), static_cast<int>(result.hit.col)};
    if (at_.side / n >= 12) draw_cell_grid(canvas_, result.heatmap, with_alpha(theme_.ground, 90));
    const float step = at_.side / n;
    ImFont* font = step >= 1.15f * fonts_.text->FontSize ? fonts_.text : fonts_.small;
    const EdgeLabels labels{&trace_.tokens,    at_.large,    step,       at_.row_labels,
                            at_.column_labels, marks_.query, marks_.key, font};
    row_labels(frame_, labels);
    if (!is_made()) answer_row_words(step);
    if (at_.level)
      level_labels(labels);
    else
      column_labels(frame_, labels);
    if (at_.sink_width > 0) sink_column(frame_, at_, labels, scale_, numbers);
    axis_names();
    draw_legend(result.heatmap);
  }

  PictureResult draw_made(const Pictured& made, ImFont* numbers) {
    const PictureResult result = picture(frame_, "heads/large", made, at_.large, {at_.side, at_.side},
                                         {.square_cells = false, .values = numbers != nullptr, .value_font = numbers});
    if (!result.hit.hovered || !made.shown.matrix) return result;
    const Index row = result.hit.row, col = result.hit.col;
    const double value = static_cast<double>((*made.shown.matrix)(row, col));
    ui::tooltip(frame_, {made.place(row, col) + ": " + ui::number(value),
                         picture_->told(*whole_of(trace_.layer(view_.layer)), view_.focused_head, row, col)});
    return result;
  }

  // A row's word stands for the row's strongest pair.
  void answer_row_words(float step) {
    const ImVec2 low{at_.large.x - at_.row_labels, at_.large.y}, high{at_.large.x - u_, at_.large.y + at_.side};
    ui::probe("heads/row_words", low, high);
    if (!canvas_.over(low, high) || !shown_.matrix) return;
    const auto row = static_cast<Index>((ImGui::GetIO().MousePos.y - low.y) / step);
    const std::optional<Cell> cell =
        strongest_in_row(frame_, large_, std::clamp<Index>(row, 0, std::ssize(trace_.tokens) - 1));
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    frame_.next.cell = cell;
    if (ui::clicked()) select(frame_, *cell);
  }

  void title() {
    if (rolled_) return rollout_title(frame_, at_);
    const float size = fonts_.strong->FontSize, side = std::round(0.8f * size);
    float x = at_.title.x;
    if (!view_.average) {
      canvas_.fill({x, at_.title.y + 0.12f * size}, {x + side, at_.title.y + 0.12f * size + side},
                   head_color(frame_, view_.focused_head));
      x += side + 1.5f * u_;
      TextLine line{canvas_, {x, at_.title.y}};
      const std::string name =
          trace_.layers.size() == 1
              ? head_name(view_.focused_head)
              : wording("panels:strip.head", {{"layer", view_.layer + 1}, {"head", view_.focused_head + 1}});
      line.put(fonts_.strong, theme_.ink, silent() ? wording("heads:silent", {{"head", name}}) : name, 2 * u_);
      ui::probe("heads/name", at_.title, {line.pos.x - 2 * u_, at_.title.y + size});
      line.pos.x += gate_mark(frame_, "heads/gate", view_.layer, view_.focused_head, line.pos, fonts_.strong);
      line.pos.x += own_mark(frame_, "heads/own", view_.layer, view_.focused_head, line.pos, fonts_.text,
                             0.5f * (at_.title_right - line.pos.x));
      if (painted_mark(frame_, "heads/painted", view_.layer, view_.focused_head, line.pos, side)) {
        line.pos.x += side + 1.5f * u_;
        line.put(fonts_.text, theme_.ink,
                 wording(painted_rows(frame_, large_) ? "heads:painted.dashed" : "heads:painted"), 2 * u_);
      }
      x = line.pos.x + u_;
    }
    if (!view_.average) role_line();
    const float right = badge_start(x);
    const std::string text = large_title();
    const float weights = view_.average ? 0
                                        : weights_mark(frame_, "heads/weights", view_.focused_head,
                                                       {x, at_.title.y + em_ - small_}, right - x);
    if (weights > 0) x += weights + 2 * u_;
    if (view_.average)
      canvas_.text_at(fonts_.strong, {x, at_.title.y}, theme_.ink, text, right - x);
    else if (text_width(fonts_.text, text) <= right - x)
      canvas_.math_at(fonts_.text, fonts_.small, {x, at_.title.y}, theme_.ink_soft, text);
  }

  // By how much the pattern changed ends where the pattern does, or behind what stands before it; where it begins.
  float badge_start(float after) {
    const float wide = picture_ ? 0 : change_badge_width(frame_, large_),
                end = std::min(at_.large.x + at_.side, at_.title_right);
    if (wide == 0) return at_.title_right;
    const float right = std::max(end, after + wide);
    put_change_badge(frame_, "heads/large", large_, {right, at_.title.y}, fonts_.strong);
    return right - wide;
  }

  // What the head does, under its name.
  void role_line() const {
    const HeadLabel* label = label_of(frame_, view_.focused_head);
    if (!label) return;
    ImFont* font = fonts_.small;
    const float room = at_.title_right - at_.role.x;
    const std::string name = fitting(font, room, {say(label->full), say(label->wider), say(label->brief)});
    const std::string gap = "   ";
    canvas_.text_at(font, at_.role, ink_for(frame_, *label, true), name);
    const float x = at_.role.x + text_width(font, name + gap);
    const float rest = at_.title_right - x;
    for (const std::string* words : {&label->removal, &label->removal_brief}) {
      if (text_width(font, *words) > rest) continue;
      canvas_.text_at(font, {x, at_.role.y}, ink_for(frame_, *label, false), *words);
      break;
    }
    ui::probe("heads/role", at_.role, {at_.role.x + room, at_.role.y + font->FontSize});
  }

  // The largest face whose numbers fit the cells; none when none does.
  ImFont* number_font() const {
    const ImVec2 end{at_.large.x + at_.side, at_.large.y + at_.side};
    const Heatmap heatmap = heatmap_of(shown_, at_.large, end, scale_);
    for (ImFont* font : {fonts_.mono, fonts_.mono_small})
      if (values_fit(heatmap, font)) return font;
    return nullptr;
  }

  void level_labels(const EdgeLabels& at) const {
    for (int j = 0; j < int_size(*at.words); ++j) {
      const float x = at.corner.x + (real(j) + 0.5f) * at.step, width = text_width(at.font, nth(*at.words, j));
      canvas_.text_centered(at.font, {x, at.corner.y - u_ - 0.5f * at.font->FontSize}, ink_for(frame_, j == at.col),
                            nth(*at.words, j));
      draw_marks(canvas_, token_marks(frame_), j, {x - 0.5f * width, at.corner.y - u_}, width, at.font->FontSize,
                 theme_.ink);
    }
  }

  // Of rollout columns are the words as they were before any layer.
  const std::string& query_name() const { return wording(rolled_ ? "heads:token" : "heads:query"); }
  const std::string& key_name() const { return wording(rolled_ ? "heads:word" : "heads:key"); }

  // In the corner between the labels of both axes.
  void axis_names() const {
    ImFont* font = fonts_.small;
    const bool arrows = fonts_.unicode;
    const std::string key = key_name() + (arrows ? " →" : " >"), query = query_name() + (arrows ? " ↓" : " v");
    const float right = at_.large.x - u_, y = at_.large.y - 1.2f * font->FontSize;
    if (at_.level) {
      canvas_.text_up_to(font, {right, y}, theme_.ink_faint,
                         fitting(font, at_.row_labels - u_, {query + "   " + key, query}));
      return;
    }
    canvas_.text_up_to(font, {right, y - 1.2f * font->FontSize}, theme_.ink_faint, key);
    canvas_.text_up_to(font, {right, y}, theme_.ink_faint, query);
  }

  void draw_legend(const Heatmap& heatmap) {
    const LayerInput<float>& input = trace_.layer(view_.layer).input;
    const Array<float>& cells = heatmap.matrix ? heatmap.matrix : heatmap.strongest;
    const LegendOptions options{
        .masked = is_made() ? heatmap.hidden != nullptr : input.masks(large_.head),
        .non_finite = cells && !(cells->maxCoeff<Eigen::PropagateNaN>() < std::numeric_limits<float>::infinity())};
    const float least = (options.masked || options.non_finite ? 24 : 12) * small_;
    const float width = std::min(std::max(at_.side, least), at_.legend_room);
    is_made() ? legend(frame_, scale_, at_.legend, width, options)
              : site_legend(frame_, large_, at_.legend, width, options);
    ui::probe("heads/legend", at_.legend, {at_.legend.x + width, at_.legend.y + small_});
  }

  // --- the same as arcs

  void arcs() {
    const Canvas::Part part(canvas_, "heads.arcs");
    threshold();
    Arcs in;
    in.tokens = &trace_.tokens;
    in.marks = token_marks(frame_);
    in.weights = shown_.matrix;
    in.scale = scale_;
    in.threshold = view_.arc_threshold;
    in.query = marks_.query;
    in.key = marks_.key;
    in.row = at_.arcs_row;
    const bool is_signed = in.scale.low < 0;
    for (const GoldPair& pair : shown_gold(frame_)) in.gold.emplace_back(pair.from, pair.to);
    in.gold_color = theme_.gold;
    in.color = is_signed                  ? to_u32(color_at(in.scale.map, 0.9f))
               : view_.average || rolled_ ? theme_.ink_soft
                                          : head_color(frame_, view_.focused_head);
    in.negative = to_u32(color_at(in.scale.map, 0.1f));
    in.ink = theme_.ink_soft;
    in.strong = theme_.ink;
    in.ground = theme_.ground;
    in.font = fonts_.text;
    in.number_font = fonts_.mono;
    const ArcsResult result = draw_arcs(canvas_, "heads/arcs", in, at_.arcs, at_.arcs_size);
    arcs_captions(result);
    if (canvas_.stands_alone()) arcs_key(is_signed);
    if (!is_made()) follow(result, *shown_.matrix);
  }

  void threshold() {
    const Canvas::Part part(canvas_, kWindowAlone);
    const float em = ImGui::GetFontSize(), end = scale_.high;
    const std::string label = wording("heads:arcs.hide", {{"least", ui::number(end * view_.arc_threshold, As::rough)}});
    ImGui::SetCursorScreenPos({at_.arcs_title.x, at_.arcs_title.y - ImGui::GetStyle().FramePadding.y});
    ImGui::SetNextItemWidth(std::min(9 * em, 0.45f * at_.arcs_size.x));
    float least = view_.arc_threshold;
    if (ImGui::SliderFloat("##threshold", &least, 0, 1, "", ImGuiSliderFlags_AlwaysClamp))
      frame_.choose(view_.arc_threshold, least);
    ui::drag_cursor();
    ui::probe("heads/threshold");
    ui::tip(frame_, wording("heads:arcs.hide.tip"));
    const float x = ImGui::GetItemRectMax().x + 2 * u_;
    canvas_.text_at(fonts_.text, {x, at_.arcs_title.y}, theme_.ink_soft, label, at_.arcs.x + at_.arcs_size.x - x);
  }

  void arcs_captions(const ArcsResult& result) {
    ImFont* font = fonts_.small;
    const float right = at_.arcs.x + at_.arcs_size.x, above = at_.arcs.y - 1.3f * font->FontSize;
    canvas_.text_at(font, {at_.arcs.x, above}, theme_.ink_faint, query_name());
    canvas_.text_up_to(font, {right, above}, theme_.ink_faint, key_name());
    const std::string pairs = result.drawn < result.passed
                                  ? wording("heads:arcs.strongest", {{"drawn", result.drawn}, {"n", result.passed}})
                                  : wording("heads:arcs.pairs", {{"n", result.passed}});
    const float room = at_.arcs_size.x - 2 * (text_width(font, wording("heads:query")) + 2 * u_);
    canvas_.text_centered(font, {at_.arcs.x + 0.5f * at_.arcs_size.x, above + 0.5f * font->FontSize}, theme_.ink_soft,
                          clipped(font, pairs, room));
  }

  // Whose they are and what their thickness is, under them: in the window the title beside them tells it.
  void arcs_key(bool is_signed) const {
    const std::string what = view_.average ? wording("heads:arcs.key.mean")
                             : rolled_     ? wording("heads:rollout")
                                           : head_called(frame_, view_.focused_head);
    const std::string least = ui::number(scale_.high * view_.arc_threshold, As::rough);
    const float below = at_.arcs.y + real(trace_.tokens.size()) * at_.arcs_row + u_;
    canvas_.text_within(
        fonts_.small, {at_.arcs.x, below}, theme_.ink_soft,
        say(wording(is_signed ? "heads:arcs.key.signed" : "heads:arcs.key", {{"what", what}, {"least", least}})),
        at_.arcs_size.x);
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
    frame_.next.cell = cell;
    if (result.clicked) select(frame_, cell);
  }

  const Trace& trace_;
  int heads_;
  Site large_;
  bool rolled_ = false;                   // large is the rollout
  const HeadPicture* picture_ = nullptr;  // or this one
  Backing shown_;                         // large
  ValueScale scale_;
  HeadsLayout at_;
  Marks marks_;
};

}  // namespace

void draw_heads_view(Frame& frame) { HeadsView(frame).draw(); }

}  // namespace hydra
