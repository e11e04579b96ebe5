#include "app/views/shared/questions.h"

#include <algorithm>

namespace hydra {

namespace {

constexpr Index kMostChips = 8;

const NextWords& asked(const Frame& frame) { return frame.trace.model.next_words; }
std::string probe_name(const std::string& prefix, Index question) {
  return prefix + "question/" + std::to_string(question);
}
// "third (3 of 20)"
std::string counted_name(const Frame& frame, Index question) {
  return wording(
      "panels:question.counted",
      {{"question", asked(frame).questions.word(question)}, {"at", question + 1}, {"count", asked(frame).parts()}});
}
void choose(Frame& frame, Index question) { frame.choose(frame.view.readout_column, asked(frame).first_of(question)); }
void go_on(Frame& frame, Index question) { choose(frame, (question + 1) % asked(frame).parts()); }

// Text to click; gives its width.
float word(Frame& frame, const std::string& name, ImVec2 pos, const std::string& text, bool chosen, bool& clicked) {
  ImFont* font = frame.fonts.small;
  const float width = text_width(font, text);
  const Canvas::Item item = frame.canvas.item(name, {pos, {width, font->FontSize + 1}});
  clicked = item.clicked;
  ui::tip(frame, wording("panels:question.tip"));
  if (item.over) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  frame.canvas.text_at(font, pos,
                       chosen      ? frame.theme.accent
                       : item.over ? frame.theme.ink
                                   : frame.theme.ink_soft,
                       text);
  if (chosen)
    frame.canvas.line({pos.x, pos.y + font->FontSize + 1}, {pos.x + width, pos.y + font->FontSize + 1},
                      frame.theme.accent);
  return width;
}

}  // namespace

Index question_in_view(const ViewState& view, const Source& source) {
  const NextWords& next = source.trace.model.next_words;
  if (next.parts() == 1) return 0;
  if (view.readout_column) return std::min(next.question_of(*view.readout_column), next.parts() - 1);
  return source.derived.rarest_question();
}

void question_chips(Frame& frame, ui::Chips& chips, const std::string& prefix) {
  const NextWords& next = asked(frame);
  if (next.parts() == 1) return;
  const Index now = question_in_view(frame.view, frame.now);
  const bool many = next.parts() > kMostChips;
  const auto label = [&](Index q) { return spelled(frame, many ? counted_name(frame, q) : next.questions.word(q)); };
  chips.apart(4 * frame.unit, ui::chip_width(label(many ? now : 0)));
  if (many) {
    if (chips.chip(prefix + "question/next", label(now), true, wording("panels:question.next.tip"))) go_on(frame, now);
    return;
  }
  for (Index q = 0; q < next.parts(); ++q)
    if (chips.picked(probe_name(prefix, q), label(q), q == now, wording("panels:question.tip"))) choose(frame, q);
}

void question_line(Frame& frame, ImVec2 pos, float width, const std::string& title, const std::string& prefix) {
  const NextWords& next = asked(frame);
  ImFont *strong = frame.fonts.strong, *small = frame.fonts.small;
  frame.canvas.text_at(strong, pos, frame.theme.ink, title, width);
  const float gap = 2 * frame.unit, right = pos.x + width;
  ImVec2 at{pos.x + text_width(strong, title) + 2 * gap, pos.y + 0.8f * (strong->FontSize - small->FontSize)};
  const Index now = question_in_view(frame.view, frame.now);
  float all = 0;
  for (Index q = 0; q < next.parts(); ++q) all += text_width(small, spelled(frame, next.questions.word(q))) + gap;
  bool clicked = false;
  if (at.x + all - gap > right) {  // one word, which goes on to the next
    const std::string text = clipped(small, spelled(frame, counted_name(frame, now)), std::max(0.0f, right - at.x));
    word(frame, prefix + "question/next", at, text, true, clicked);
    if (clicked) go_on(frame, now);
    return;
  }
  for (Index q = 0; q < next.parts(); ++q) {
    at.x += word(frame, probe_name(prefix, q), at, spelled(frame, next.questions.word(q)), q == now, clicked) + gap;
    if (clicked) choose(frame, q);
  }
}

}  // namespace hydra
