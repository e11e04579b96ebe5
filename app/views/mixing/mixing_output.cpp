// One output: C x W_O = Y, with the heads' strips of C and bands of W_O in their colours.
#include "app/views/frame/ui.h"
#include "app/views/mixing/mixing_parts.h"

namespace hydra::mixing {

namespace {

std::string sized(const std::string& name, Index rows, Index cols) { return ui::words(name, "   ", rows, " × ", cols); }

class Equation : Drawing {
 public:
  Equation(Frame& frame, const OutputPage& at)
      : Drawing(frame), at_(at), layer_(layer_of(frame)), heads_(static_cast<int>(layer_.input.heads)) {}

  void draw() {
    const int l = view_.layer;
    const Index n = layer_.input.n(), d = layer_.input.d_model(), concat = layer_.input.concat_width();
    const std::string C = heads_ == 1 ? "C = O_1" : ui::words("C = [O_1 … O_", heads_, "]");
    ImFont* font = fonts_.strong;
    const auto of = [&](const Box& box, std::initializer_list<std::string> texts) {
      return fitting(font, box.size.x, texts);
    };
    picture("mixing/concat", {Quantity::concat, l, kNoHead}, at_.C, "mixing/concat/title",
            of(at_.C, {sized(C, n, concat), C, "C"}), wording("mixing:concat.tip"));
    picture("mixing/W_O", {Quantity::W_O, l, kNoHead}, at_.W_O, "mixing/W_O/title",
            of(at_.W_O, {sized("W_O", concat, d), "W_O"}), wording("mixing:w_o.tip"));
    const bool bias = layer_.input.weights.b_O != nullptr;
    picture(
        "mixing/Y", {Quantity::Y, l, kNoHead}, at_.Y, "mixing/Y/title",
        of(at_.Y, {sized(bias ? "Y = C W_O + b_O" : "Y = C W_O", n, d), bias ? "Y = C W_O + b_O" : "Y = C W_O", "Y"}),
        wording("mixing:y.tip"));
    tokens();
    strips();
    bands();
    for (const auto& [box, sign] : {std::pair{&at_.times, "×"}, {&at_.equals, "="}})
      canvas_.text_centered(
          fonts_.large, {box->pos.x + 0.5f * box->size.x, box->pos.y + 0.5f * std::min(box->size.y, at_.W_O.size.y)},
          theme_.ink_soft, say(sign));
  }

 private:
  void picture(const char* name, const Site& ref, const Box& box, const char* title_name, const std::string& text,
               const std::string& tip) {
    matrix_picture(frame_, name, ref, box.pos, box.size, {.square_cells = false});
    title(frame_, title_name, {{box.pos.x, box.pos.y - at_.above}, {box.size.x + at_.times.size.x, 0}}, text, tip);
    const ImVec2 under{box.pos.x, box.bottom() + u_};
    const ValueScale scale = scale_for(frame_, ref);
    if (box.size.x >= 9 * small_)
      legend(frame_, scale, under, std::min(box.size.x, 18 * small_));
    else
      canvas_.text_at(fonts_.small, under, theme_.ink_soft, range_text(scale), box.size.x);
  }

  void tokens() const {
    const std::optional<Cell>& cell = pointed_at(frame_);
    int marked = static_cast<int>(marked_token(frame_));
    if (cell && shape_of(frame_.trace, cell->site).row_axis == Axis::token) marked = static_cast<int>(cell->row);
    const TokenAxis axis{&frame_.trace.tokens, fonts_.small, theme_.ink_soft, theme_.ink, marked, token_marks(frame_)};
    const float left = ImGui::GetCursorStartPos().x + ImGui::GetWindowPos().x;
    row_labels(canvas_, axis, at_.C.pos.x - u_, at_.C.pos.x - left - u_, at_.C.pos.y,
               at_.C.size.y / real(layer_.input.n()));
  }

  // What a head's colours say when they are pointed at; a click focuses it.
  void answer(int head, const char* name, ImVec2 a, ImVec2 b) {
    ui::probe({name, "/", head + 1}, a, b);
    if (!canvas_.over(a, b)) return;
    const Mixing* mixing = measured(frame_);
    std::vector<std::string> lines{head_called(frame_, head)};
    if (mixing)
      lines.push_back(
          wording("mixing:norm.of_head", {{"head", head + 1}, {"norm", ui::number(nth(mixing->block_norm, head))}}));
    if (const float gate = gate_of(frame_, head); gate != 1)
      lines.push_back(wording("mixing:gate.at", {{"gate", ui::number(gate, As::brief)}}));
    tooltip(frame_, lines);
    if (ui::clicked()) focus_head(frame_, head);
  }

  void strips() {
    const float wide = at_.C.size.x / real(heads_), top = at_.C.pos.y - at_.bar - 0.5f * u_;
    ImFont* font = fonts_.small;
    const bool numbered = text_width(font, std::to_string(heads_)) + 1 <= wide;
    const bool named = widest_names(frame_, font).called <= wide - u_;
    for (int h = 0; h < heads_; ++h) {
      const float x0 = at_.C.pos.x + real(h) * wide, x1 = x0 + wide;
      gate_box(frame_, h, {x0 + (wide > 4 ? 0.5f : 0), top}, {x1 - (wide > 4 ? 0.5f : 0), top + at_.bar});
      answer(h, "mixing/strip_of", {x0, top - font->FontSize}, {x1, top + at_.bar});
      const bool focused = h == marked_head(frame_);
      const std::string number = std::to_string(h + 1);
      if (numbered || focused)
        canvas_.text_centered(font, {0.5f * (x0 + x1), top - 0.5f * font->FontSize}, ink_for(frame_, focused),
                              named ? called(frame_, h) : number);
      if (focused) canvas_.frame({x0, at_.C.pos.y}, {x1, at_.C.bottom()}, theme_.accent, 1.5f);
    }
  }

  // The rows of W_O that each head's strip meets, with the norm of this block.
  void bands() {
    const Mixing* mixing = measured(frame_);
    const float high = at_.W_O.size.y / real(heads_), u = u_;
    const float colour0 = at_.W_O.pos.x - 0.5f * u - at_.bar;
    ImFont* font = fonts_.small;
    const float number = text_width(font, heads_ > 9 ? "96" : "8") + u;
    const float bar0 = at_.bands.pos.x + number, bar1 = colour0 - u;
    const ImVec2 label{bar0, at_.W_O.pos.y - font->FontSize - u};
    canvas_.text_at(font, label, theme_.ink_soft, wording("mixing:norm"));
    if (canvas_.over(label, {bar1, at_.W_O.pos.y})) tooltip(frame_, {"‖W_O^i‖", wording("mixing:norm.tip")});
    const double largest = mixing_numbers(frame_).largest_norm;
    const bool readable = high >= 0.9f * font->FontSize;
    for (int h = 0; h < heads_; ++h) {
      const float y0 = at_.W_O.pos.y + real(h) * high, y1 = y0 + high, middle = 0.5f * (y0 + y1);
      const bool focused = h == marked_head(frame_);
      gate_box(frame_, h, {colour0, y0 + (high > 4 ? 0.5f : 0)}, {colour0 + at_.bar, y1 - (high > 4 ? 0.5f : 0)});
      if (focused) canvas_.frame({at_.W_O.pos.x, y0}, {at_.W_O.right(), y1}, theme_.accent, 1.5f);
      if (readable)
        canvas_.text_up_to(font, {bar0 - u, middle - 0.5f * font->FontSize}, ink_for(frame_, focused),
                           std::to_string(h + 1));
      answer(h, "mixing/band", {at_.bands.pos.x, y0}, {at_.W_O.pos.x, y1});
      if (mixing) norm(nth(mixing->block_norm, h), largest, {bar0, y0}, {bar1, y1}, readable);
    }
  }

  void norm(double value, double largest, ImVec2 a, ImVec2 b, bool readable) const {
    ImFont* font = fonts_.mono_small;
    const float inset = std::min(0.18f * (b.y - a.y), u_), width = b.x - a.x;
    const auto length = real(std::isfinite(value) ? value / largest : 0) * width;
    const ImU32 fill = with_alpha(theme_.ink, 56);
    const float thick = std::min(b.y - a.y - 2 * inset, 1.6f * font->FontSize);
    const float middle = 0.5f * (a.y + b.y);
    canvas_.fill({b.x - length, middle - 0.5f * thick}, {b.x, middle + 0.5f * thick}, fill);
    if (!readable) return;
    const std::string text = ui::number(value);
    canvas_.text_at(font, {b.x - text_width(font, text) - 0.5f * u_, middle - 0.5f * font->FontSize}, theme_.ink, text);
  }

  const OutputPage& at_;
  const LayerTrace<float>& layer_;
  int heads_;
};

}  // namespace

void draw_equation(Frame& frame, const OutputPage& at) {
  const Canvas::Part part(frame.canvas, "mixing.equation");
  Equation(frame, at).draw();
}

}  // namespace hydra::mixing
