// Flow: how the heads become the layer's output.
#include <algorithm>

#include "app/views/flow/flow_parts.h"
#include "app/widgets/label_steps.h"
#include "app/widgets/nth.h"

namespace hydra {

using namespace flow;

namespace {

ImVec2 middle(const Box& box) { return {box.pos.x + 0.5f * box.size.x, box.pos.y + 0.5f * box.size.y}; }

// Head colours: over the columns of C, beside the rows of W_O.
void head_bars(FlowParts& p) {
  const int heads = static_cast<int>(p.trace.input.heads);
  const float u = p.frame.unit, wide = p.at.C.size.x / static_cast<float>(heads),
              high = p.at.W_O.size.y / static_cast<float>(heads);
  for (int h = 0; h < heads; ++h) {
    const ImU32 color = head_color(h, p.frame.theme.dark);
    const float x = p.at.C.pos.x + static_cast<float>(h) * wide, y = p.at.W_O.pos.y + static_cast<float>(h) * high;
    p.list->AddRectFilled({x, p.at.C.pos.y - 2 * u}, {x + wide, p.at.C.pos.y - 0.5f * u}, color);
    p.list->AddRectFilled({p.at.W_O.pos.x - 2 * u, y}, {p.at.W_O.pos.x - 0.5f * u, y + high}, color);
    ImFont* font = p.frame.fonts.small;
    const std::string number = std::to_string(h + 1);
    if (high >= font->FontSize)
      text_at(p.list, font, {p.at.W_O.pos.x - 2.5f * u - text_width(font, number), y + 0.5f * (high - font->FontSize)},
              p.frame.theme.ink_soft, number);
    if (h != p.head) continue;
    p.list->AddRect({x, p.at.C.pos.y}, {x + wide, p.at.C.bottom()}, p.frame.theme.accent, 0, 0, 1.5f);
    p.list->AddRect({p.at.W_O.pos.x, y}, {p.at.W_O.right(), y + high}, p.frame.theme.accent, 0, 0, 1.5f);
  }
}

}  // namespace

void draw_flow_mixing(FlowParts& p) {
  const Site C = p.of_layer(Quantity::concat), W_O = p.of_layer(Quantity::W_O), Y = p.of_layer(Quantity::Y);
  picture(p.frame, "flow/concat", C, p.at.C);
  picture(p.frame, "flow/W_O", W_O, p.at.W_O);
  picture(p.frame, "flow/Y", Y, p.at.Y);
  const float above = 3 * p.frame.unit;
  const auto title = [&](const Box& box, std::initializer_list<std::string> texts) {
    title_over(p.frame, {{box.pos.x, box.pos.y - above}, box.size},
               std::max(box.size.x, 2.5f * p.frame.fonts.strong->FontSize), texts);
  };
  const std::string last = std::to_string(p.trace.input.heads);
  const std::string concat =
      p.trace.input.gates.empty() ? "C = [O_1 … O_" + last + "]" : "C = [g_1 O_1 … g_" + last + " O_" + last + "]";
  title(p.at.C, {concat + "   the heads side by side", concat, "C"});
  title(p.at.W_O, {"W_O   one band of rows per head", "W_O"});
  title(p.at.Y, {p.trace.input.weights.b_O ? "Y = C W_O + b_O   output" : "Y = C W_O   output", "Y"});
  for (const auto& [box, ref] : {std::pair{&p.at.C, C}, {&p.at.W_O, W_O}, {&p.at.Y, Y}})
    caption_under(p.frame, *box, ref, box->size.x + (box == &p.at.Y ? 0 : p.at.times.size.x));
  // The rows are those of X: where they are too low for names, the marked one has it.
  const bool named = p.row_step(p.at.C) >= kLeastLabel * kRowStep;
  const int marked = marked_row(p.frame, Axis::token, true);
  const float x = p.at.C.pos.x - p.frame.unit, width = p.label_width - p.frame.unit;
  ImFont* small = p.frame.fonts.small;
  if (named)
    row_labels(p.list, p.axis(marked), x, width, p.at.C.pos.y, p.row_step(p.at.C));
  else if (marked >= 0) {
    const std::string name = clipped(small, nth(p.frame.trace.tokens, marked), width);
    const float y = p.at.C.pos.y + (static_cast<float>(marked) + 0.5f) * p.row_step(p.at.C);
    text_at(p.list, small, {x - text_width(small, name), y - 0.5f * small->FontSize}, p.frame.theme.ink, name);
  }
  head_bars(p);
  text_centered(p.list, p.frame.fonts.large, middle(p.at.times), p.frame.theme.ink_soft, "×");
  text_centered(p.list, p.frame.fonts.large, middle(p.at.equals), p.frame.theme.ink_soft, "=");
}

}  // namespace hydra
