// What 1 / sqrt(d_k) does: scores, softmax's slope and what comes through it, with the factor and without, head by
// head.
#include "app/views/learn/gradient_parts.h"

namespace hydra {

namespace {

class ScalingPart : GradientDrawing {
 public:
  ScalingPart(Frame& frame, const Box& box) : GradientDrawing(frame, box), slopes_(*frame.learn.opened.slopes) {}

  void draw() {
    float top = box_.pos.y;
    const std::string factor = ui::number(slopes_.factor);
    top += note({box_.pos.x, top}, box_.size.x,
                step_.layers() > 1
                    ? wording("learn:scaling.how_in_layer", {{"layer", slopes_.layer + 1}, {"factor", factor}})
                    : wording("learn:scaling.how", {{"factor", factor}}),
                "learn/scaling/how") +
           2 * u_;
    top += note({box_.pos.x, top}, box_.size.x, sentence(), "learn/scaling/words", true) + 3 * u_;
    table({{box_.pos.x, top}, {box_.size.x, box_.bottom() - top}});
  }

 private:
  using Head = learn::SoftmaxSlopes::Head;
  struct Column {
    const char *title, *brief, *tip;  // texts
    double Head::*of;
  };
  static constexpr Column kColumns[] = {
      {"learn:scaling.spread", "learn:scaling.spread.brief", "learn:scaling.spread.tip", &Head::spread},
      {"learn:scaling.largest", "learn:scaling.largest.brief", "learn:scaling.largest.tip", &Head::largest},
      {"learn:scaling.slope", "learn:scaling.slope", "learn:scaling.slope.tip", &Head::slope},
      {"learn:scaling.by_scores", "learn:scaling.by_scores", "learn:scaling.by_scores.tip", &Head::by_scores},
      {"learn:scaling.by_query_weights", "learn:scaling.by_query_weights", "learn:scaling.by_query_weights.tip",
       &Head::by_W_Q},
  };

  static double mean(const std::vector<Head>& heads, double Head::*of) {
    double sum = 0;
    for (const Head& head : heads) sum += head.*of;
    return heads.empty() ? 0 : sum / static_cast<double>(heads.size());
  }

  std::string sentence() const {
    const auto pair = [](double with, double without) {
      return wording("learn:scaling.pair",
                     {{"with", ui::number(with, As::rough)}, {"without", ui::number(without, As::rough)}});
    };
    const auto both = [&](double Head::*of) { return pair(mean(slopes_.scaled, of), mean(slopes_.unscaled, of)); };
    return wording("learn:scaling.mean", {{"spread", both(&Head::spread)},
                                          {"slope", both(&Head::slope)},
                                          {"by_scores", both(&Head::by_scores)},
                                          {"loss", pair(slopes_.loss_scaled, slopes_.loss_unscaled)}});
  }

  void table(const Box& area) {
    const int heads = int_size(slopes_.scaled);
    const float row = std::clamp(area.size.y / real(2 * heads + 2), 1.4f * small_, 2.6f * small_);
    const float names = text_width(fonts_.small, wording("learn:head", {{"number", "10.10"}})) + 2 * u_;
    const std::string with = say("× 1/√d_k"), without = say("× 1");
    const float which = std::max(text_width(fonts_.small, with), text_width(fonts_.small, without)) + 3 * u_;
    const float wide = (area.size.x - names - which) / real(std::size(kColumns));
    for (std::size_t c = 0; c < std::size(kColumns); ++c)
      ui::title(
          frame_, ui::words("learn/scaling/column/", c), {area.pos.x + names + which + real(c) * wide, area.pos.y},
          wide - 2 * u_,
          fitting(fonts_.strong, wide - 2 * u_, {say(wording(kColumns[c].title)), say(wording(kColumns[c].brief))}),
          say(wording(kColumns[c].tip)));
    const float top = area.pos.y + 1.8f * em_;
    const bool scrolls = real(heads) * (2 * row + u_) > area.bottom() - top;
    ui::room(canvas_, "learn/scaling", {area.pos.x, top}, {area.size.x, area.bottom() - top}, scrolls,
             [&](ImVec2 corner) {
               return ui::rows_in_view(canvas_, corner, heads, 2 * row + 2 * u_, [&](int h, ImVec2 at) {
                 canvas_.text_at(fonts_.small, {at.x, at.y + 0.5f * (row - small_)}, head_color(frame_, h),
                                 learn_head_name(frame_, slopes_.layer, h), names - u_);
                 for (const bool scaled : {true, false}) {
                   const float y = at.y + (scaled ? 0 : row);
                   const bool present = scaled == slopes_.is_scaled;
                   canvas_.text_at(fonts_.small, {at.x + names, y + 0.5f * (row - small_)},
                                   present ? theme_.ink : theme_.ink_soft, scaled ? with : without, which);
                   for (std::size_t c = 0; c < std::size(kColumns); ++c)
                     bar(kColumns[c], h, scaled, {at.x + names + which + real(c) * wide, y}, wide - 3 * u_, row);
                 }
                 ui::probe(ui::words("learn/scaling/head/", h), at, {area.right(), at.y + 2 * row});
               });
             });
  }

  void bar(const Column& column, int h, bool scaled, ImVec2 at, float wide, float row) const {
    double most = 1e-12;
    for (const auto* side : {&slopes_.scaled, &slopes_.unscaled})
      for (const Head& head : *side) most = std::max(most, head.*column.of);
    const double value = nth(scaled ? slopes_.scaled : slopes_.unscaled, h).*column.of;
    ImFont* const font = row > 2 * small_ ? fonts_.mono : fonts_.mono_small;
    const ImU32 color = head_color(frame_, h);
    draw_measured_bar(frame_,
                      {value / most, scaled ? color : with_alpha(color, 110), theme_.ink, ui::number(value, As::rough),
                       text_width(font, "0.00e-00")},
                      font, at, {wide, row});
  }

  const learn::SoftmaxSlopes& slopes_;
};

}  // namespace

void draw_gradient_scaling(Frame& frame, const Box& box) {
  const Canvas::Part part(frame.canvas, "learn.gradient_scaling");
  const auto& slopes = frame.learn.opened.slopes;
  const bool there =
      slopes && slopes->layer == std::min<Index>(frame.view.layer, frame.learn.opened.step->layers() - 1);
  if (!there) return ui::waiting_text(frame, "");
  ScalingPart(frame, box).draw();
}

}  // namespace hydra
