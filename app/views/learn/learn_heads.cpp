// Each head's pattern on the document's sentence, at the step that is shown.
#include "app/views/learn/learn_parts.h"

namespace hydra {

namespace {

constexpr float kWordStep = 0.85f;  // of a cell, in heights of small text, below which words along it go

class Patterns : Drawing {
 public:
  Patterns(Frame& frame, const Box& box) : Drawing(frame), box_(box), layers_(int_size(frame.trace.layers)) {
    for (int k = 0; k < layers_; ++k) most_ = std::max(most_, heads(k));
  }

  void draw() {
    const float head = 1.5f * small_;
    ui::title(frame_, "learn/patterns", box_.pos, box_.size.x, title(), wording("learn:patterns.tip"));
    const Box room{{box_.pos.x, box_.pos.y + 1.6f * em_}, {box_.size.x, box_.size.y - 1.6f * em_}};
    words_ = std::min(widest(fonts_.small, frame_.trace.tokens) + 2 * u_, 0.12f * room.size.x);
    place(room, head);
    if (side_ < kWordStep * small_ * real(frame_.trace.tokens.size())) words_ = side_ = 0, place(room, head);
    if (side_ < 4) return;
    int k = 0, line = 0;  // of all heads, or of the layer's; lines before it
    for (int layer = 0; layer < layers_; ++layer) {
      if (!together_) k = 0;
      for (int h = 0; h < heads(layer); ++h, ++k)
        one(layer, h,
            {room.pos.x + real(k % columns_) * (side_ + words_ + 2 * u_),
             room.pos.y + real(line + k / columns_) * (side_ + words_ + head + u_)},
            side_, head);
      if (!together_) line += (heads(layer) + columns_ - 1) / columns_;
    }
  }

 private:
  // The columns for which squares are largest: each layer on lines of its own, or, where that makes them much larger,
  // all of them one after the other.
  void place(const Box& room, float head) {
    int all = 0;
    for (int layer = 0; layer < layers_; ++layer) all += heads(layer);
    const auto try_out = [&](bool together, float worth) {
      const int most = together ? all : most_;
      for (int c = 1; c <= most; ++c) {
        const int rows = (together ? 1 : layers_) * ((most + c - 1) / c);
        const float fits = std::min(room.size.x / real(c) - 2 * u_, room.size.y / real(rows) - head - u_) - words_;
        if (worth * fits > side_) side_ = fits, columns_ = c, together_ = together;
      }
    };
    try_out(false, 1);
    if (layers_ > 1) try_out(true, 0.8f);
  }
  int heads(int layer) const { return int_size(nth(frame_.trace.layers, layer).heads); }

  std::string title() const {
    return fitting(fonts_.strong, box_.size.x,
                   {wording("learn:patterns", {{"n", frame_.trace.tokens.size()}}), wording("learn:patterns.brief")});
  }

  void one(int k, int h, ImVec2 at, float side, float head) {
    const LayerTrace<float>& layer = frame_.trace.layer(k);
    const bool focused = view_.layer == k && view_.focused_head == h, silent = layer.input.gate(h) == 0;
    const bool two_sided = is_signed(layer.input.settings);
    const ValueScale scale = two_sided ? ValueScale{diverging(frame_), -1, 1} : ValueScale{sequential(frame_), 0, 1};
    const ImVec2 low{at.x + words_, at.y + head + words_}, high{low.x + side, low.y + side};
    const int closed = silent ? closed_at(k, h) : -1;
    ImFont* const font = focused ? fonts_.strong : fonts_.small;
    canvas_.text_at(font, {low.x, at.y + 0.2f * small_}, head_color(frame_, h),
                    title_of(font, k, h, silent, closed, side), side);
    const float pixels = std::max(1.0f, ImGui::GetIO().DisplayFramebufferScale.x);
    if (const Array<float> pattern = frame_.derived.small_pattern(k, h, side * pixels)) {
      Heatmap heatmap = heatmap_of({pattern, 0, 0, pattern.rows(), pattern.cols()}, low, high, scale);
      heatmap.alpha = silent ? 0.3f : 1.0f;
      canvas_.cells(heatmap);
    } else {
      canvas_.fill(low, high, theme_.line);
    }
    canvas_.frame(low, high, focused ? theme_.accent : theme_.line, focused ? 2.0f : 1.0f);
    if (closed >= 0) ui::probe(ui::words("learn/closed/", k, "/", h), {at.x, at.y}, {high.x, low.y});
    const std::string probe = ui::words("learn/head/", k, "/", h);
    ui::probe(probe, low, high);
    const auto n = static_cast<Index>(frame_.trace.tokens.size());
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool inside = canvas_.over(low, high);
    const auto cell = [&](float from_low) {
      return std::clamp<Index>(static_cast<Index>(from_low / side * real(n)), 0, n - 1);
    };
    const Index row = inside ? cell(mouse.y - low.y) : -1, col = inside ? cell(mouse.x - low.x) : -1;
    if (words_ > 0)
      edge_labels(frame_, {&frame_.trace.tokens, low, side / real(n), words_, words_, static_cast<int>(row),
                           static_cast<int>(col)});
    if (!canvas_.over({at.x, at.y}, high)) return;
    if (ui::clicked()) frame_.out.act(act::GoTo{k, h});
    const Array<float>& attention = nth(layer.heads, h).attention;
    std::string number;
    if (inside && attention && row < attention.rows() && col < attention.cols())
      number = nth(frame_.trace.tokens, row) + say(" → ") + nth(frame_.trace.tokens, col) + ": " +
               ui::number(static_cast<double>((*attention)(row, col)), As::share);
    ui::tooltip(frame_, {learn_head_name(frame_, k, h), number,
                         closed >= 0 ? wording("learn:patterns.closed.tip", {{"step", closed}})
                         : silent    ? wording("learn:patterns.silent.tip")
                                     : wording("learn:patterns.click")});
  }

  // The step since which its L0 gate is closed; -1: it has none, or was silenced by hand.
  int closed_at(int k, int h) const {
    const LearnTold& learn = frame_.learn;
    return learn.fits && !learn.edited
               ? learn.timeline->zero_since(learn.branch, learn.timeline->tracks().gate(k, h), learn.step)
               : -1;
  }
  std::string title_of(ImFont* font, int k, int h, bool silent, int closed, float side) const {
    const std::string name = learn_head_name(frame_, k, h);
    if (closed >= 0)
      return fitting(font, side,
                     {wording("learn:patterns.head_closed_at", {{"head", name}, {"step", closed}}),
                      wording("learn:patterns.head_closed", {{"head", name}}), wording("learn:patterns.closed"), name});
    return silent ? fitting(font, side,
                            {wording("learn:patterns.head_silent", {{"head", name}}), wording("learn:patterns.silent"),
                             name})
                  : name;
  }

  Box box_;
  int layers_, most_ = 1;
  bool together_ = false;
  int columns_ = 1;
  float side_ = 0, words_ = 0;  // of a pattern; what words along it take, left and above
};

}  // namespace

void draw_learn_heads(Frame& frame, const Box& box) {
  const Canvas::Part part(frame.canvas, "learn.heads");
  Patterns(frame, box).draw();
}

}  // namespace hydra
