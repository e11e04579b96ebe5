// Over the last layer, where it is read out: the likeliest next word of each token, and how likely it is.
#include "app/views/frame/ui.h"
#include "app/views/shared/next_words.h"
#include "app/views/stream/stream_parts.h"

namespace hydra {

namespace {

class NextRow : Drawing {
 public:
  NextRow(Frame& frame, const StreamLayout& at, ImVec2 corner)
      : Drawing(frame),
        at_(at),
        corner_(corner),
        shown_(measured_stream(frame)),
        P_(shown_.of->model.probabilities),
        words_(shown_.of->model.next_words) {}

  void draw(int first, int last) {
    std::vector<std::string> words;
    for (const std::optional<Index>& next : shown_.value->next)
      words.push_back(next ? words_.words.word(*next) : std::string());
    const float strip = next_strip_box(at_, 0).pos.y;
    column_labels(frame_, {.words = &words,
                           .corner = {corner_.x, corner_.y + strip},
                           .step = at_.cell.x,
                           .above = strip - at_.words,
                           .col = static_cast<int>(shown_.value->stream.token)});
    for (int token = first; token <= last; ++token) cell(token);
  }

 private:
  Box on_screen(Box box) const {
    box.pos.x += corner_.x;
    box.pos.y += corner_.y;
    return box;
  }

  void cell(int token) {
    const Box box = on_screen(next_strip_box(at_, token)), whole = on_screen(next_box(at_, token));
    const std::optional<Index>& next = nth(shown_.value->next, token);
    if (!next) return canvas_.fill(box.pos, {box.right() - 1, box.bottom()}, theme_.line);
    const Index column = words_.first_of(shown_.wanted.question) + *next;
    const auto share = static_cast<double>(P_(token, column));
    const bool finite = std::isfinite(share);
    const Rgb color = ValueScale{sequential(frame_), 0, 1}.color(finite ? real(share) : 0);
    canvas_.fill(box.pos, {box.right() - (at_.cell.x >= 6 ? 1.0f : 0.0f), box.bottom()},
                 finite ? to_u32(color) : theme_.line);
    ImFont* font = fonts_.mono_small;
    const std::string text = finite ? ui::number(share, As::brief) : ui::number(share, As::rough);
    const std::string brief = finite && share < 0.995 ? text.substr(1) : text;  // ".35"
    for (const std::string& said : {text, brief})
      if (box.size.y >= 0.9f * font->FontSize && text_width(font, said) + 2 <= box.size.x) {
        canvas_.text_centered(font, {0.5f * (box.pos.x + box.right()), 0.5f * (box.pos.y + box.bottom())},
                              finite ? ink_on(color) : theme_.ink, say(said));
        break;
      }
    ui::probe({"stream/next/", token + 1}, whole.pos, whole.end());
    if (canvas_.over(whole.pos, whole.end())) answer(token, {{Quantity::probabilities}, token, column});
  }

  void answer(int token, const Cell& cell) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    frame_.next.cell = cell;
    std::vector<std::string> lines = next_words_told(frame_, token, shown_.wanted.question);
    lines.push_back(wording("stream:next.click"));
    ui::tooltip(frame_, lines);
    if (ui::clicked()) frame_.out.act(act::Select{cell});
  }

  const StreamLayout& at_;
  ImVec2 corner_;
  const Measured<StreamMeasure>& shown_;
  const Array<float>& P_;
  const NextWords& words_;
};

}  // namespace

void draw_stream_next(Frame& frame, const StreamLayout& at, ImVec2 corner, int first, int last) {
  if (!measured_stream(frame).value->next.empty()) NextRow(frame, at, corner).draw(first, last);
}

}  // namespace hydra
