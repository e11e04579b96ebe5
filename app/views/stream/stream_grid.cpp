// Tokens across, layers up: how large the stream is, or how much of the word is left in it; between, what each head and
// the feed-forward part add.
#include "app/views/change/changes.h"
#include "app/views/frame/ui.h"
#include "app/views/shared/compared.h"
#include "app/views/shared/next_words.h"
#include "app/views/stream/stream_parts.h"

namespace hydra {

namespace {

using Kind = StreamLine::Kind;

class StreamGrid : Drawing {
 public:
  StreamGrid(Frame& frame, const StreamLayout& at)
      : Drawing(frame),
        at_(at),
        stream_(measured_stream(frame).value->stream),
        layers_(int_size(stream_.layers)),
        told_(told_by_strips(frame)),
        strips_(told_ == StreamStrips::cosine
                    ? ValueScale{diverging(frame), -1, 1}
                    : ValueScale{sequential(frame), 0, real(ui::close_ceiling(largest_strip()))}),
        parts_(ui::close_ceiling(largest_bar())),
        other_(other_stream(frame)) {}

  void draw() {
    std::string tip = wording("stream:grid.tip");
    if (at_.next > 0) tip += " " + wording("stream:grid.tip.next");
    ui::title(frame_, "stream/grid/title", at_.grid_title.pos, at_.grid_title.size.x,
              fitting(fonts_.strong, at_.grid_title.size.x,
                      {wording("stream:grid.title", {{"tokens", frame_.trace.tokens.size()}, {"layers", layers_}}),
                       wording("stream:grid.title.brief")}),
              tip);
    numbers();
    const bool scrolls = at_.content > at_.grid.size.x + 0.5f;
    if (canvas_.begin_room("stream/grid", at_.grid.pos, at_.grid.size, scrolls ? Scrolls::sideways : Scrolls::no))
      tokens(ImGui::GetCursorScreenPos());
    canvas_.end_room();
    ui::probe("stream/grid", at_.grid.pos, at_.grid.end());
    legends();
  }

 private:
  // --- what is told

  // The first line of that quantity; -1: none.
  static int line_of(const StreamLayer& layer, Quantity quantity) {
    for (int l = 0; l < int_size(layer.lines); ++l)
      if (nth(layer.lines, l).site.quantity == quantity) return l;
    return -1;
  }
  // What the heads, or the feed-forward part, add: after a norm of its own where there is one.
  static int line_added(const StreamLayer& layer, bool heads) {
    const int normed = line_of(layer, heads ? Quantity::normed_Y : Quantity::normed_F);
    return normed >= 0 ? normed : line_of(layer, heads ? Quantity::Y : Quantity::feed_forward);
  }
  // Of a layer from 1, or of X (0), which has nothing added; -1: nothing is told.
  int strip_line(int layer) const {
    const StreamLayer& told = stream_.layer(std::max(0, layer - 1));
    const bool adds = told_ == StreamStrips::heads || told_ == StreamStrips::feed_forward;
    if (!adds) return layer == 0 ? 0 : told.leaving();
    if (layer == 0) return -1;
    return line_added(told, told_ == StreamStrips::heads);
  }
  double strip_value(const Stream& stream, int layer, int token) const {
    const StreamLayer& told = stream.layer(std::max(0, layer - 1));
    return (told_ == StreamStrips::cosine ? told.cosine : told.size)(token, strip_line(layer));
  }
  std::string strip_text(double value) const {
    return told_ == StreamStrips::cosine ? stream_cosine(value) : ui::number(value, As::rough);
  }
  const StreamLayer* other_layer(int k) const { return other_ ? &other_->stream.layer(k) : nullptr; }

  double largest_strip() const {
    double largest = 0;
    for (int k = 0; k <= layers_; ++k)
      if (const int line = strip_line(k); line >= 0)
        largest = std::max(largest, nth(stream_.layer(std::max(0, k - 1)).largest, line));
    return largest;
  }
  double largest_bar() const {
    double largest = 0;
    for (int k = 1; k <= layers_; ++k)
      for (const Bar& bar : bars_of(k)) largest = std::max(largest, nth(stream_.layer(k - 1).largest, bar.line));
    return largest;
  }
  bool has_bars() const { return at_.cell.y > at_.strip + 1.5f; }

  // A bar for each head where it would be at least two pixels wide, else one for all of them; and the feed-forward
  // part.
  struct Bar {
    int line = 0, head = kNoHead;
    ImU32 color = 0;
  };
  std::vector<Bar> bars_of(int layer) const {
    const StreamLayer& told = stream_.layer(layer - 1);
    std::vector<Bar> bars;
    for (int l = 0; l < int_size(told.lines); ++l)
      if (nth(told.lines, l).kind == Kind::head) {
        const int h = nth(told.lines, l).site.head;
        bars.push_back({l, h, head_color(frame_, h)});
      }
    if (real(bars.size() + 1) * 2 > at_.cell.x) {
      bars = {{line_added(told, true), kNoHead, theme_.ink_soft}};
    }
    if (const int line = line_added(told, false); line >= 0) bars.push_back({line, kNoHead, theme_.ink});
    return bars;
  }

  // --- drawn

  void numbers() const {
    if (at_.next > 0) {
      const Box strip = next_strip_box(at_, 0);
      const NextWords& words = measured_stream(frame_).of->model.next_words;
      const std::string question = asks_next_word(words)
                                       ? wording("stream:grid.next")
                                       : say(words.questions.word(measured_stream(frame_).wanted.question));
      canvas_.text_up_to(
          fonts_.small, {at_.numbers.right() - u_, at_.numbers.pos.y + strip.pos.y + 0.5f * (strip.size.y - small_)},
          theme_.ink_soft,
          fitting(fonts_.small, at_.numbers.size.x - u_, {question, wording("stream:grid.answer"), "p"}));
    }
    const int stride = std::max(1, static_cast<int>(std::ceil(small_ / at_.cell.y)));
    for (int k = 0; k <= layers_; ++k) {
      const bool focused = canvas_.marks_focus() && k == view_.layer + 1;
      if (!is_labelled(k, stride, canvas_.marks_focus() ? view_.layer + 1 : -1)) continue;
      const Box strip = strip_box(at_, layers_, k, 0);
      const std::string text = k == 0 ? "X" : std::to_string(k);
      canvas_.text_up_to(
          fonts_.small,
          {at_.numbers.right() - 1.5f * u_, at_.numbers.pos.y + strip.pos.y + 0.5f * (strip.size.y - small_)},
          ink_for(frame_, focused), text);
    }
  }

  void tokens(ImVec2 corner) {
    const auto n = static_cast<int>(frame_.trace.tokens.size());
    const Box in_sight = canvas_.visible();
    const float low = in_sight.pos.x, high = in_sight.right();
    const int first = std::clamp(static_cast<int>((low - corner.x) / at_.cell.x), 0, n - 1),
              last = std::clamp(static_cast<int>((high - corner.x) / at_.cell.x), 0, n - 1);
    const int chosen = canvas_.marks_focus() ? static_cast<int>(stream_.token) : -1;
    column_labels(frame_, {.words = &frame_.trace.tokens,
                           .corner = {corner.x, corner.y + at_.words},
                           .step = at_.cell.x,
                           .above = at_.words,
                           .col = chosen});
    draw_stream_next(frame_, at_, corner, first, last);
    for (int k = 0; k <= layers_; ++k) {
      const std::vector<Bar> bars = k == 0 ? std::vector<Bar>() : bars_of(k);
      for (int t = first; t <= last; ++t) cell(k, t, bars, corner);
    }
    marks(chosen, corner);
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({at_.content, 1});
  }

  static Box on_screen(Box box, ImVec2 corner) {
    box.pos.x += corner.x;
    box.pos.y += corner.y;
    return box;
  }

  void cell(int k, int t, const std::vector<Bar>& bars, ImVec2 corner) {
    const Box box = on_screen(strip_box(at_, layers_, k, t), corner);
    if (strip_line(k) >= 0) {
      const double value = strip_value(stream_, k, t);
      strip(box, value);
      if (other_ && strip_text(strip_value(other_->stream, k, t)) != strip_text(value)) changed(box);
    }
    const Box under = k == 0 ? box : on_screen(bars_box(at_, layers_, k, t), corner);
    const Box whole{box.pos, {box.size.x, under.bottom() - box.pos.y}};
    ui::probe({"stream/cell/", k, "/", t + 1}, whole.pos, whole.end());
    const Bar* pointed = has_bars() ? bars_under(k, t, bars, under) : nullptr;
    if (canvas_.over(whole.pos, whole.end())) answer(k, t, pointed);
  }

  float inset() const { return at_.cell.x >= 6 ? 1.0f : 0.0f; }

  void strip(const Box& box, double value) const {
    const float below = has_bars() || box.size.y < 3 ? 0.0f : 1.0f;  // between strips that stand on one another
    const bool finite = std::isfinite(value);
    const Rgb color = strips_.color(finite ? static_cast<float>(value) : 0);
    canvas_.fill(box.pos, {box.right() - inset(), box.bottom() - below}, finite ? to_u32(color) : theme_.line);
    const std::string text = strip_text(value);
    ImFont* font = fonts_.mono_small;
    if (box.size.y >= 0.9f * font->FontSize && text_width(font, text) + 2 <= box.size.x)
      canvas_.text_centered(font, {0.5f * (box.pos.x + box.right()), 0.5f * (box.pos.y + box.bottom())},
                            finite ? ink_on(color) : theme_.ink, say(text));
  }

  void changed(const Box& box) const {
    const float side = std::min(1.5f * u_, 0.5f * std::min(box.size.x, box.size.y));
    changed_corner(frame_, {box.right() - inset(), box.pos.y}, side);
  }

  // Gives the one that is pointed at, else null.
  const Bar* bars_under(int k, int t, const std::vector<Bar>& bars, const Box& box) const {
    const Bar* pointed = nullptr;
    float x = box.pos.x + inset();
    for (const Bar& bar : bars) {
      const float step = std::min((box.size.x - 2 * inset()) / real(bars.size()), 5 * u_);
      const auto height = [&](const StreamLayer& layer) {
        const double size = layer.size(t, bar.line);
        return std::isfinite(size) ? std::min(real(size / parts_), 1.0f) * (box.size.y - 1) : box.size.y;
      };
      const float high = height(stream_.layer(k - 1)), right = x + std::max(1.0f, step - inset());
      if (high > 0) canvas_.fill({x, box.bottom() - high}, {right, box.bottom()}, bar.color);
      if (const StreamLayer* other = other_layer(k - 1)) {
        const float then = height(*other), y = box.bottom() - then;
        if (std::abs(then - high) >= 1) {
          canvas_.line({x, y}, {right, y}, theme_.change, 2);
          frame_.changes.note_drawn();
        }
      }
      if (canvas_.over({x, box.pos.y}, {x + step, box.bottom()})) pointed = &bar;
      x += step;
    }
    return pointed;
  }

  // The layer in focus, the chosen token.
  void marks(int chosen, ImVec2 corner) const {
    if (chosen < 0) return;
    const Box top = on_screen(strip_box(at_, layers_, layers_, chosen), corner),
              bottom = on_screen(strip_box(at_, layers_, 0, chosen), corner);
    canvas_.frame({top.pos.x - 1, top.pos.y - 1}, {bottom.right(), bottom.bottom() + 1}, theme_.accent, 2);
    if (layers_ == 1) return;
    const Box strip = on_screen(strip_box(at_, layers_, view_.layer + 1, 0), corner);
    canvas_.frame({corner.x - 1, strip.pos.y - 1}, {corner.x + at_.content, strip.pos.y + at_.cell.y}, theme_.accent,
                  1);
  }

  void answer(int k, int t, const Bar* bar) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const StreamLayer& told = stream_.layer(std::max(0, k - 1));
    const int line = bar ? bar->line : std::max(0, strip_line(k));
    std::vector<std::string> lines{wording("stream:of_token", {{"token", nth(frame_.trace.tokens, t)},
                                                               {"what", stream_line_sentence(frame_, told, line)}}),
                                   stream_numbers(told, line, t)};
    if (const StreamLayer* other = other_layer(std::max(0, k - 1)))
      if (const std::string then = stream_numbers(*other, line, t); then != lines.back())
        lines.push_back(told_other(frame_, then));
    for (std::string& text : lines) text = say(text);
    lines.push_back(on_click(k, bar ? bar->head : kNoHead));
    ui::tooltip(frame_, lines);
    if (!ui::clicked()) return;
    frame_.choose(view_.token, t);
    move_selection(t);
    if (k > 0) frame_.out.act(act::GoTo{k - 1, bar && bar->head != kNoHead ? bar->head : view_.focused_head});
  }

  std::string on_click(int layer, int head) const {
    if (layer == 0 || (layers_ == 1 && head == kNoHead)) return wording("stream:grid.click");
    if (layers_ == 1) return wording("stream:grid.click.head", {{"head", head + 1}});
    if (head == kNoHead) return wording("stream:grid.click.layer", {{"layer", layer}});
    return wording("stream:grid.click.layer_head", {{"layer", layer}, {"head", head + 1}});
  }

  // What is selected stays the same kind of number, of the chosen token.
  void move_selection(int token) const {
    if (!view_.selection || shape_of(frame_.trace, view_.selection->site).row_axis != Axis::token) return;
    Cell moved = *view_.selection;
    moved.row = token;
    select(frame_, moved);
  }

  void legends() const {
    const ImVec2 pos = at_.legends.pos;
    const float width = at_.legends.size.x;
    legend(frame_, strips_, pos, width, {.caption = caption().c_str()});
    if (!has_bars()) return;
    const bool by_head = bars_of(1).front().head != kNoHead;
    const bool feeds = std::ranges::any_of(
        stream_.layers, [](const auto& layer) { return line_of(*layer, Quantity::feed_forward) >= 0; });
    const std::string most = ui::number(parts_, As::axis);
    const std::string text =
        feeds ? wording(by_head ? "stream:bars.head_feeds" : "stream:bars.heads_feed", {{"most", most}})
              : wording(by_head ? "stream:bars.head" : "stream:bars.heads", {{"most", most}});
    const std::string brief = wording("stream:bars", {{"most", most}});
    const std::string& shown = fitting(fonts_.small, width, {text, brief});
    const float top = pos.y + small_ + u_, taken = text_width(fonts_.small, shown) + 4 * u_;
    canvas_.text_at(fonts_.small, {pos.x, top}, theme_.ink_soft, shown, width);
    if (!by_head) return;
    if (canvas_.stands_alone())  // a line of its own, so that there is one however narrow
      head_key(frame_, {pos.x, top + small_ + u_}, width);
    else
      head_key(frame_, {pos.x + taken, top}, width - taken);
  }
  const std::string& caption() const {
    switch (told_) {
      case StreamStrips::size:
        return wording("stream:strips.size");
      case StreamStrips::cosine:
        return wording("stream:strips.cosine");
      case StreamStrips::heads:
        return wording("stream:strips.heads");
      case StreamStrips::feed_forward:
        break;
    }
    return wording("stream:strips.feed_forward");
  }

  const StreamLayout& at_;
  const Stream& stream_;
  int layers_;
  StreamStrips told_;
  ValueScale strips_;
  double parts_;  // that the highest bar may stand for
  StreamResult other_;
};

}  // namespace

void draw_stream_grid(Frame& frame, const StreamLayout& at) {
  const Canvas::Part part(frame.canvas, "stream.words");
  StreamGrid(frame, at).draw();
}

}  // namespace hydra
