// What heads have to do with each other's gradients: how what enters one changes when another is silenced, in numbers.
#include "app/views/learn/gradient_parts.h"

namespace hydra {

namespace {

class HeadsPart : GradientDrawing {
 public:
  HeadsPart(Frame& frame, const Box& box)
      : GradientDrawing(frame, box),
        coupling_(*frame.learn.opened.coupling),
        change_(frame.learn.opened.coupling_change),
        heads_(int_size(coupling_.heads)) {
    for (int k = 0; k < heads_; ++k) names_.push_back(name(k));
  }

  void draw() {
    const bool beside = box_.size.x > 1.5f * box_.size.y;
    const float told = beside ? std::clamp(0.36f * box_.size.x, 20 * em_, 34 * em_) : box_.size.x, gap = 6 * u_;
    const Box words{{beside ? box_.right() - told : box_.pos.x, box_.pos.y}, {told, box_.size.y}};
    float y = words.pos.y;
    y += note({words.pos.x, y}, told, sentence(), "learn/coupling/words", true) + 3 * u_;
    y += note({words.pos.x, y}, told, wording("learn:coupling.how"), "learn/coupling/how") + 3 * u_;
    if (beside)
      table({box_.pos, {box_.size.x - told - gap, box_.size.y}});
    else
      table({{box_.pos.x, y}, {box_.size.x, box_.bottom() - y}});
  }

 private:
  std::string name(int k) const {
    return learn_head_name(frame_, nth(coupling_.heads, k) / coupling_.most, nth(coupling_.heads, k) % coupling_.most);
  }

  std::string sentence() const {
    int silent = -1, of = -1;
    double most = 0;
    for (int s = 0; s < heads_; ++s)
      for (int i = 0; i < heads_; ++i)
        if (s != i && coupling_.change(s, i) > most) most = coupling_.change(s, i), silent = s, of = i;
    if (silent < 0) return wording("learn:coupling.none");
    const std::string share = ui::number(most, As::rough), before = ui::number(coupling_.loss),
                      after = ui::number(nth(coupling_.losses, silent));
    return most > 1 ? wording("learn:coupling.most_and_more", {{"silent", name(silent)},
                                                               {"head", name(of)},
                                                               {"share", share},
                                                               {"before", before},
                                                               {"after", after}})
                    : wording("learn:coupling.most", {{"silent", name(silent)},
                                                      {"head", name(of)},
                                                      {"share", share},
                                                      {"before", before},
                                                      {"after", after}});
  }

  void table(const Box& area) {
    const float names = std::min(widest(fonts_.small, names_) + 3 * u_, 0.25f * area.size.x);
    const float numbers = text_width(fonts_.small, "∂L/∂logits") + 5 * u_, above = names, below = 2.5f * small_;
    const float room = area.size.x - names - 2 * numbers - 4 * u_;
    const float side = std::min({room, area.size.y - above - below, real(heads_) * 6.5f * em_});
    if (side < 4 * em_) return;
    double most = 0, own = 0;
    for (int s = 0; s < heads_; ++s)  // what reaches the silent head itself is another matter, and often much more
      for (int i = 0; i < heads_; ++i)
        if (double& of = s == i ? own : most; std::isfinite(coupling_.change(s, i)))
          of = std::max(of, coupling_.change(s, i));
    ValueScale scale{sequential(frame_), 0, most > 0 ? real(ui::close_ceiling(most)) : 1};
    if (scale.is_beyond(real(own))) scale.most = real(ui::close_ceiling(own));
    const PictureResult made = picture("learn/coupling", wording("learn:coupling.title"), change_,
                                       {area.pos.x + names, area.pos.y + above}, {side, side}, scale, false);
    numbers_in(made.heatmap);
    const Heatmap& heatmap = made.heatmap;
    const float step = (heatmap.max.y - heatmap.min.y) / real(heads_);
    edge_labels(frame_, {&names_, heatmap.min, step, names, above, static_cast<int>(made.hit.row),
                         static_cast<int>(made.hit.col)});
    canvas_.text_at(fonts_.small, {area.pos.x, heatmap.min.y - 1.5f * small_}, theme_.ink_soft,
                    wording("learn:coupling.silent"), names);
    const float x = heatmap.max.x + 2 * u_;
    column(x, numbers, heatmap, step, wording("learn:coupling.loss"), coupling_.losses);
    column(x + numbers, numbers, heatmap, step, say("∂L/∂logits"), coupling_.answers);
    legend(frame_, scale, {heatmap.min.x, heatmap.max.y + 1.5f * u_}, std::max(side, 10 * small_));
    if (!made.hit.hovered) return;
    const Index s = made.hit.row, i = made.hit.col;
    ui::tooltip(
        frame_,
        {wording("learn:coupling.change",
                 {{"silent", nth(names_, s)}, {"head", nth(names_, i)}, {"share", ui::number(coupling_.change(s, i))}}),
         s == i ? wording("learn:coupling.itself") : "",
         wording("learn:coupling.logits", {{"share", ui::number(nth(coupling_.answers, s))},
                                           {"before", ui::number(coupling_.loss)},
                                           {"after", ui::number(nth(coupling_.losses, s))}})});
  }

  // Each to two digits of its own.
  void numbers_in(const Heatmap& heatmap) const {
    const ImVec2 cell{(heatmap.max.x - heatmap.min.x) / real(heads_), (heatmap.max.y - heatmap.min.y) / real(heads_)};
    ImFont* const font = fonts_.mono_small;
    if (cell.y < font->FontSize) return;
    for (int s = 0; s < heads_; ++s)
      for (int i = 0; i < heads_; ++i) {
        const std::string text = ui::number(coupling_.change(s, i), As::rough);
        const ImVec2 middle{heatmap.min.x + (real(i) + 0.5f) * cell.x, heatmap.min.y + (real(s) + 0.5f) * cell.y};
        const float half = 0.5f * text_width(font, text);
        if (2 * half > cell.x) continue;
        if (heatmap.scale.is_beyond(real(coupling_.change(s, i))))  // hatched, but for the number
          canvas_.fill({middle.x - half - u_, middle.y - 0.5f * font->FontSize - 0.5f * u_},
                       {middle.x + half + u_, middle.y + 0.5f * font->FontSize + 0.5f * u_},
                       to_u32(heatmap.scale.color(heatmap.scale.high)));
        canvas_.text_centered(font, middle, ink_on(heatmap.scale.color(real(coupling_.change(s, i)))), text);
        ui::probe(ui::words("learn/coupling/number/", s, "/", i, "/", text), middle, middle);
      }
  }

  void column(float x, float wide, const Heatmap& heatmap, float step, const std::string& title,
              const std::vector<double>& values) {
    canvas_.text_at(fonts_.small,
                    {x + wide - std::min(wide, text_width(fonts_.small, title)), heatmap.min.y - 1.5f * small_},
                    theme_.ink_soft, title);
    if (step < fonts_.mono_small->FontSize) return;
    ImFont* const font = step > 2 * em_ ? fonts_.mono : fonts_.mono_small;
    for (int k = 0; k < heads_; ++k) {
      const std::string text = ui::number(nth(values, k), As::share);
      canvas_.text_at(
          font, {x + wide - text_width(font, text), heatmap.min.y + (real(k) + 0.5f) * step - 0.5f * font->FontSize},
          theme_.ink, text);
    }
  }

  const learn::HeadCoupling& coupling_;
  const Array<float>& change_;
  int heads_;
  std::vector<std::string> names_;
};

}  // namespace

void draw_gradient_heads(Frame& frame, const Box& box) {
  const Canvas::Part part(frame.canvas, "learn.gradient_heads");
  if (!frame.learn.opened.coupling) {
    Index heads = 0;
    for (const Layer& layer : frame.document.layers) heads += layer.heads;
    return ui::soft_text(frame,
                         wording("learn:coupling.measured", {{"silenced", frame.learn.opened.silenced}, {"n", heads}}));
  }
  HeadsPart(frame, box).draw();
}

}  // namespace hydra
