// One sequence of the batch: each head's pattern, and the derivatives of the loss by it and by the scores behind it.
#include "app/views/learn/gradient_parts.h"
#include "core/attention/trace.h"

namespace hydra {

namespace {

class SequencePart : GradientDrawing {
 public:
  SequencePart(Frame& frame, const Box& box)
      : GradientDrawing(frame, box), patterns_(*frame.learn.opened.patterns), gold_(patterns_.gold) {
    std::ranges::sort(gold_);
  }

  void draw() {
    const float legends = (legend_width() < kLeastLegend * small_ ? 6 : 3) * small_ + 2 * u_;
    const Box room{box_.pos, {box_.size.x, box_.size.y - legends}};
    scales_ = {ValueScale{sequential(frame_), 0, 1}, shared_scale(&Head::by_attention), shared_scale(&Head::by_scores)};
    if (is_signed(settings())) scales_[0] = {diverging(frame_), -1, 1};
    place(room);
    const bool scrolls = side_ <= least();
    ui::room(canvas_, "learn/gradients/room", room.pos, room.size, scrolls, [&](ImVec2 corner) {
      const int heads = int_size(patterns_.heads);
      for (int h = 0; h < heads; ++h)
        one(h, {corner.x + real(h % columns_) * triple_, corner.y + real(h / columns_) * row_});
      return real((heads + columns_ - 1) / columns_) * row_;
    });
    bottom({box_.pos.x, box_.bottom() - legends + 2 * u_});
  }

 private:
  using Head = OpenedTold::Patterns::Head;
  const LayerSettings& settings() const {
    return step_.compiled().shape().layers[static_cast<std::size_t>(patterns_.layer)].settings;
  }
  bool masked() const {  // any head
    const lanes::LayerShape& shape = step_.compiled().shape().layers[static_cast<std::size_t>(patterns_.layer)];
    const auto is_masked = [](const Mask& mask) { return mask.kind != Mask::Kind::none; };
    return is_masked(shape.mask) || std::ranges::any_of(shape.own_masks, is_masked);
  }
  float least() const { return 5.5f * small_; }
  ValueScale shared_scale(Array<float> Head::*of) const {
    std::vector<Array<float>> all;
    for (const Head& head : patterns_.heads) all.push_back(head.*of);
    return signed_scale(diverging(frame_), frame_.derived.reach(all));
  }

  // As many triples in a line as make the squares largest, with words along them where those can be read.
  void place(const Box& room) {
    const int heads = int_size(patterns_.heads);
    const float words = std::min(widest(fonts_.small, patterns_.tokens) + 2 * u_, 0.12f * room.size.x);
    const float name = 1.6f * small_, gap = 2 * u_, between = 4 * u_;
    for (const bool labels : {true, false}) {
      side_ = 0;
      for (int c = 1; c <= heads; ++c) {
        const int rows = (heads + c - 1) / c;
        const float beside = labels ? words : 0, above = labels ? words : 0;
        const float side = std::min(((room.size.x + between) / real(c) - between - beside - 2 * gap) / 3,
                                    room.size.y / real(rows) - name - above - 2.5f * u_);
        if (side > side_) side_ = side, columns_ = c;
      }
      labels_ = labels ? words : 0;
      if (side_ >= 0.85f * small_ * real(patterns_.tokens.size())) break;
    }
    const bool small = side_ < least();
    side_ = std::max(side_, least());
    triple_ = 3 * side_ + 2 * gap + labels_ + between;
    if (small) {  // it scrolls down, with lines of equally many
      columns_ = std::clamp(static_cast<int>((room.size.x + between) / triple_), 1, heads);
      const int rows = (heads + columns_ - 1) / columns_;
      columns_ = (heads + rows - 1) / rows;
    }
    row_ = side_ + name + labels_ + 2.5f * u_;
  }

  void one(int h, ImVec2 at) {
    const Head& head = nth(patterns_.heads, h);
    const int k = static_cast<int>(patterns_.layer);
    const float name = 1.6f * small_;
    const bool focused = view_.focused_head == h;
    const std::string label = learn_head_name(frame_, patterns_.layer, h);
    ImFont* const font = focused ? fonts_.strong : fonts_.small;
    canvas_.text_at(font, {at.x + labels_, at.y}, theme_.ink, label, side_);  // colours are signs here
    const ImVec2 end{at.x + side_, at.y + name};
    if (canvas_.over(at, end) && ui::clicked()) frame_.out.act(act::GoTo{k, h});
    ui::probe(ui::words("learn/gradients/head/", h), at, end);
    const Array<float>* const matrices[] = {&head.attention, &head.by_attention, &head.by_scores};
    constexpr const char* kTitles[] = {"A = softmax(S)", "∂L/∂A", "∂L/∂S"};
    for (int m = 0; m < 3; ++m) {
      const ImVec2 corner{at.x + labels_ + real(m) * (side_ + 2 * u_), at.y + name + labels_};
      const std::string title = say(nth(kTitles, m));
      const float behind = m == 0 ? text_width(font, label) + 2 * u_ : 0;
      if (behind + text_width(fonts_.small, title) < side_)
        canvas_.text_at(fonts_.small, {corner.x + behind, at.y}, theme_.ink_soft, title);
      const PictureResult made = picture(ui::words("learn/gradients/", h, "/", m),
                                         wording("learn:of_head", {{"title", title}, {"head", label}}), *matrices[m],
                                         corner, {side_, side_}, nth(scales_, m));
      if (frames_stand() || canvas_.over(at, {at.x + triple_, at.y + row_})) outline_gold(made.heatmap);
      const float step = (made.heatmap.max.y - made.heatmap.min.y) / real(made.heatmap.rows);
      const EdgeLabels words{&patterns_.tokens,
                             made.heatmap.min,
                             step,
                             labels_,
                             labels_,
                             static_cast<int>(made.hit.row),
                             static_cast<int>(made.hit.col)};
      if (labels_ > 0 && m == 0) row_labels(frame_, words);
      if (labels_ > 0) column_labels(frame_, words);
      if (made.hit.hovered) tell(head, m == 0 ? "A" : title, m, made.hit.row, made.hit.col);
    }
  }

  // Lines hide small cells, which are what is to be seen there: then a head is framed while it is pointed at.
  bool frames_stand() const { return side_ >= kFramedCell * real(patterns_.tokens.size()) || canvas_.shows_all(); }

  // Round all of them together, where they lie side by side: what is in them is to be seen.
  void outline_gold(const Heatmap& heatmap) const {
    const auto is_gold = [&](Index row, Index col) { return std::ranges::binary_search(gold_, std::pair(row, col)); };
    const float thick = 1, more = 0.5f * thick;
    for (const auto& [row, col] : gold_) {
      const ImVec2 a = cell_min(heatmap, row, col), b = cell_min(heatmap, row + 1, col + 1);
      const auto side = [&](bool inner, ImVec2 from, ImVec2 to) {
        if (!inner) canvas_.line(from, to, theme_.gold, thick);
      };
      side(is_gold(row - 1, col), {a.x - more, a.y}, {b.x + more, a.y});
      side(is_gold(row + 1, col), {a.x - more, b.y}, {b.x + more, b.y});
      side(is_gold(row, col - 1), {a.x, a.y - more}, {a.x, b.y + more});
      side(is_gold(row, col + 1), {b.x, a.y - more}, {b.x, b.y + more});
    }
  }

  void tell(const Head& head, const std::string& title, int m, Index row, Index col) {
    const Array<float>& matrix = m == 0 ? head.attention : m == 1 ? head.by_attention : head.by_scores;
    const std::string place = "[" + nth(patterns_.tokens, row) + say(" → ") + nth(patterns_.tokens, col) + "]";
    const auto value = static_cast<double>((*matrix)(row, col));
    if (std::isinf(value)) return ui::tooltip(frame_, {title + place, wording("learn:sequence.masked")});
    std::vector<std::string> lines{title + place + " = " + ui::number(value, As::reading)};
    const bool softmax_alone = !is_made_of_several(settings());
    if (m == 2 && softmax_alone) {
      double sum = 0;
      for (Index j = 0; j < matrix->cols(); ++j)
        if (std::isfinite((*head.attention)(row, j)))
          sum += static_cast<double>((*head.attention)(row, j)) * static_cast<double>((*head.by_attention)(row, j));
      lines.push_back(say("a (∂L/∂a − Σ a ∂L/∂a) = ") + ui::number(static_cast<double>((*head.attention)(row, col))) +
                      " (" + ui::number(static_cast<double>((*head.by_attention)(row, col))) + say(" − ") +
                      ui::number(sum) + ")");
    }
    if (m > 0)
      lines.push_back(value > 0   ? wording("learn:sequence.smaller")
                      : value < 0 ? wording("learn:sequence.larger")
                                  : wording("learn:sequence.neither"));
    ui::tooltip(frame_, lines);
  }

  static constexpr float kFramedCell = 24;   // pixels
  static constexpr float kLeastLegend = 17;  // heights of small text: in less the three stand one under the other
  static constexpr float kLegendGap = 6;     // what lies beyond a range stands behind its legend
  float legend_width() const {
    return std::min((box_.size.x - 2 * kLegendGap * small_) / 3, std::max(14 * em_, kLeastLegend * small_));
  }

  void bottom(ImVec2 at) {
    const bool stacked = legend_width() < kLeastLegend * small_;
    const float wide = stacked ? std::min(box_.size.x, 16 * em_) : legend_width();
    constexpr const char* kCaptions[] = {"A", "∂L/∂A", "∂L/∂S"};
    for (int m = 0; m < 3; ++m) {
      LegendOptions options;
      options.masked = m == 0 && masked();
      const std::string caption = say(nth(kCaptions, m));
      options.caption = caption.c_str();
      const ImVec2 step = stacked ? ImVec2{0, 1.5f * small_} : ImVec2{wide + kLegendGap * small_, 0};
      legend(frame_, nth(scales_, m), {at.x + real(m) * step.x, at.y + real(m) * step.y}, wide, options);
    }
    if (stacked) at.y += 3 * small_;
    const std::string framed = patterns_.gold.empty() ? ""
                               : frames_stand()       ? wording("learn:sequence.framed") + " "
                                                      : wording("learn:sequence.framed_here") + " ";
    canvas_.text_at(fonts_.small, {at.x, at.y + 1.6f * small_}, theme_.ink_soft,
                    fitting(fonts_.small, box_.size.x,
                            {framed + wording("learn:sequence.loss", {{"n", step_.sequences()}}),
                             framed + wording("learn:sequence.loss.brief"), framed}),
                    box_.size.x);
  }

  const OpenedTold::Patterns& patterns_;
  std::vector<std::pair<Index, Index>> gold_;  // sorted
  std::array<ValueScale, 3> scales_;
  int columns_ = 1;
  float side_ = 0, labels_ = 0, triple_ = 0, row_ = 0;
};

}  // namespace

void draw_gradient_sequence_controls(Frame& frame) {
  sequence_chooser(frame);
  if (!frame.learn.opened.patterns) return;
  std::string text;
  for (const std::string& token : frame.learn.opened.patterns->tokens) text += (text.empty() ? "" : " ") + token;
  const std::string& label = wording("learn:sequence.show");
  ui::apart(3 * frame.unit, ui::chip_width(label) + 2 * frame.unit);
  if (ui::button(frame, "learn/sequence/show", label, wording("learn:sequence.show.tip")))
    frame.out.apply(SetSentence{text});
  const ImVec2 end = ImGui::GetItemRectMax();
  const float left = end.x + 3 * frame.unit, room = ImGui::GetWindowPos().x + ImGui::GetContentRegionMax().x - left;
  ImFont* small = frame.fonts.small;
  if (room > 8 * small->FontSize)
    frame.canvas.text_at(small, {left, 0.5f * (ImGui::GetItemRectMin().y + end.y - small->FontSize)},
                         frame.theme.ink_soft, clipped(small, text, room), room);
}

void draw_gradient_sequence(Frame& frame, const Box& box) {
  const Canvas::Part part(frame.canvas, "learn.gradient_sequence");
  if (frame.learn.opened.patterns) SequencePart(frame, box).draw();
}

}  // namespace hydra
