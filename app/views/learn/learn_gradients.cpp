// The gradients' page: the next step from where the document is, opened.
#include "app/views/learn/gradient_parts.h"
#include "app/views/shared/pictured.h"

namespace hydra {

PictureResult GradientDrawing::picture(const std::string& name, const std::string& words, const Array<float>& matrix,
                                       ImVec2 pos, ImVec2 room, const ValueScale& scale, bool numbers,
                                       bool clickable) const {
  const bool is_row = matrix->rows() == 1;
  return hydra::picture(frame_, name, {.name = name, .title = words, .shown = whole(matrix), .scale = scale}, pos,
                        is_row ? ImVec2{room.x, 1.5f * small_} : room,
                        {.row = is_row, .values = numbers, .clickable = clickable});
}

void sequence_chooser(Frame& frame) {
  const Index& chosen = frame.view.learn.gradients.sequence;
  const Index count = frame.learn.opened.step->sequences(), now = std::clamp<Index>(chosen, 0, count - 1);
  const std::string text = wording("learn:sequence", {{"number", now + 1}, {"count", count}});
  const float unit = frame.unit;
  ui::Chips chips(frame, true);
  chips.apart(4 * unit, ui::chip_width("<") * 2 + text_width(frame.fonts.small, text) + 4 * unit);
  const bool unicode = frame.fonts.unicode;
  if (chips.chip("learn/sequence/before", unicode ? "‹" : "<", false, wording("learn:sequence.before.tip")))
    frame.choose(chosen, (now + count - 1) % count);
  ImGui::SameLine(0, unit);
  ImGui::AlignTextToFramePadding();
  ui::soft_text(frame, text);
  ImGui::SameLine(0, unit);
  if (ui::chip(frame, "learn/sequence/next", unicode ? "›" : ">", false, wording("learn:sequence.next.tip")))
    frame.choose(chosen, (now + 1) % count);
}

float GradientDrawing::note(ImVec2 pos, float width, const std::string& text, const char* name, bool strong) const {
  const float height = ui::paragraph(frame_, strong ? fonts_.text : fonts_.small, pos, width,
                                     strong ? theme_.ink : theme_.ink_soft, say(text));
  ui::probe(name, pos, {pos.x + width, pos.y + height});
  return height;
}

namespace {

struct PartChip {
  GradientPart part;
  const char *name, *label, *tip;  // label, tip: texts
};
constexpr PartChip kParts[] = {
    {GradientPart::sequence, "learn/gradients/sequence", "learn:gradients.sequence", "learn:gradients.sequence.tip"},
    {GradientPart::weights, "learn/gradients/weights", "learn:gradients.weights", "learn:gradients.weights.tip"},
    {GradientPart::heads, "learn/gradients/heads", "learn:gradients.heads", "learn:gradients.heads.tip"},
    {GradientPart::scaling, "learn/gradients/scaling", "learn:gradients.scaling", "learn:gradients.scaling.tip"},
};

// "Step 241, opened: loss 1.21, all gradients 2.3 long, cut to 1, rate 0.006".
std::string headline(const learn::OpenedStep& step) {
  const Index number = step.step() + 1;
  if (!step.is_taken()) return wording("learn:opened.fault", {{"step", number}});
  const std::string loss = ui::number(step.scores().loss), length = ui::number(step.scores().gradient_norm),
                    rate = ui::number(step.rate().value(), As::rough);
  if (step.clip() == 1)
    return wording("learn:opened",
                   {{"step", number}, {"loss", loss}, {"n", step.sequences()}, {"length", length}, {"rate", rate}});
  return wording("learn:opened.cut", {{"step", number},
                                      {"loss", loss},
                                      {"n", step.sequences()},
                                      {"length", length},
                                      {"clip", ui::number(step.recipe().optimizer.clip, As::axis)},
                                      {"rate", rate}});
}

}  // namespace

void draw_learn_gradients(Frame& frame, const Box& box) {
  const GradientsAsked& state = frame.view.learn.gradients;
  const OpenedTold& shown = frame.learn.opened;
  frame.choose(state.number, frame.view.selection ? editable_cell(frame.trace, *frame.view.selection) : std::nullopt);
  ImGui::SetCursorScreenPos(box.pos);
  ui::Chips chips(frame);
  for (const PartChip& part : kParts)
    chips.choice(part.name, wording(part.label), state.part, part.part, wording(part.tip));
  if (shown.step && state.part == GradientPart::sequence) draw_gradient_sequence_controls(frame);
  if (shown.step && state.part == GradientPart::weights) draw_gradient_weights_controls(frame);
  float top = ImGui::GetItemRectMax().y + 1.5f * frame.unit;
  ImGui::SetCursorScreenPos({box.pos.x, top});
  if (!shown.failure.empty()) return ui::failure_text(frame, shown.failure);
  if (!shown.step) return ui::waiting_text(frame, "");
  const std::string line = headline(*shown.step);
  frame.canvas.text_at(frame.fonts.small, {box.pos.x, top}, frame.theme.ink_soft, line, box.size.x);
  ui::probe("learn/gradients/headline", {box.pos.x, top}, {box.right(), top + frame.fonts.small->FontSize});
  top += frame.fonts.small->FontSize + 2 * frame.unit;
  const Box rest{{box.pos.x, top}, {box.size.x, box.bottom() - top}};
  ImGui::SetCursorScreenPos(rest.pos);
  switch (state.part) {
    case GradientPart::sequence:
      return draw_gradient_sequence(frame, rest);
    case GradientPart::weights:
      return draw_gradient_weights(frame, rest);
    case GradientPart::heads:
      return draw_gradient_heads(frame, rest);
    case GradientPart::scaling:
      return draw_gradient_scaling(frame, rest);
  }
}

}  // namespace hydra
