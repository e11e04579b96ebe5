// Each head's pattern on the document's sentence, at the step that is shown.
#include "app/views/learn/learn_parts.h"

namespace hydra {

namespace {

class Patterns : Drawing {
 public:
  Patterns(Frame& frame, const Box& box) : Drawing(frame), box_(box), layers_(int_size(frame.trace.layers)) {
    for (int k = 0; k < layers_; ++k) most_ = std::max(most_, heads(k));
  }

  void draw() {
    const float head = 1.5f * small_;
    ui::title(frame_, "learn/patterns", box_.pos, box_.size.x, title(),
              "Rows ask, columns are looked at. A click opens a head in the other views; Z silences it.");
    const Box room{{box_.pos.x, box_.pos.y + 1.6f * em_}, {box_.size.x, box_.size.y - 1.6f * em_}};
    // The most columns for which squares are largest.
    int columns = 1;
    float side = 0;
    for (int c = 1; c <= most_; ++c) {
      const int rows = layers_ * ((most_ + c - 1) / c);
      const float fits = std::min(room.size.x / real(c) - 2 * u_, room.size.y / real(rows) - head - u_);
      if (fits > side) side = fits, columns = c;
    }
    if (side < 4) return;
    float y = room.pos.y;
    for (int k = 0; k < layers_; ++k) {
      for (int h = 0; h < heads(k); ++h) {
        const ImVec2 at{room.pos.x + real(h % columns) * (side + 2 * u_), y + real(h / columns) * (side + head + u_)};
        one(k, h, at, side, head);
      }
      y += real((heads(k) + columns - 1) / columns) * (side + head + u_);
    }
  }

 private:
  int heads(int layer) const { return int_size(nth(frame_.trace.layers, layer).heads); }

  std::string title() const {
    const auto words = static_cast<long long>(frame_.trace.tokens.size());
    return fitting(fonts_.strong, box_.size.x,
                   {"Attention on the sentence of " + ui::counted(words, "word") + " shown above", "Attention now"});
  }

  void one(int k, int h, ImVec2 at, float side, float head) {
    const LayerTrace<float>& layer = frame_.trace.layer(k);
    const bool focused = view_.layer == k && view_.focused_head == h, silent = layer.input.gate(h) == 0;
    const bool two_sided = is_signed(layer.input.settings);
    const ValueScale scale = two_sided ? ValueScale{diverging(frame_), -1, 1} : ValueScale{sequential(frame_), 0, 1};
    const ImVec2 low{at.x, at.y + head}, high{low.x + side, low.y + side};
    std::string name = learn_head_name(frame_, k, h);
    if (silent) name += ", silent";
    text_at(focused ? fonts_.strong : fonts_.small, {at.x, at.y + 0.2f * small_}, head_color(frame_, h), name, side);
    const float pixels = std::max(1.0f, ImGui::GetIO().DisplayFramebufferScale.x);
    if (const Array<float> pattern = frame_.derived.small_pattern(k, h, side * pixels)) {
      Heatmap heatmap = heatmap_of({pattern, 0, 0, pattern.rows(), pattern.cols()}, low, high, scale);
      heatmap.alpha = silent ? 0.3f : 1.0f;
      frame_.heatmaps.add(pen::list(), heatmap);
    } else {
      pen::fill(low, high, theme_.line);
    }
    pen::frame(low, high, focused ? theme_.accent : theme_.line, focused ? 2.0f : 1.0f);
    const std::string probe = ui::words("learn/head/", k, "/", h);
    ui::probe(probe, low, high);
    if (!ui::under_pointer({at.x, at.y}, high)) return;
    if (ui::clicked()) view_.next_focus = LayerFocus{k, h};
    ui::tooltip(frame_, {learn_head_name(frame_, k, h),
                         silent ? "Silent: what it gives counts nothing." : "Click: in focus in all views."});
  }

  Box box_;
  int layers_, most_ = 1;
};

}  // namespace

void draw_learn_heads(Frame& frame, const Box& box) { Patterns(frame, box).draw(); }

}  // namespace hydra
