// Mixing: how W_O makes one output of the heads, and what each of them adds to it.
#include "app/views/mixing/mixing_layout.h"

#include "app/views/frame/ui.h"
#include "app/views/mixing/mixing_parts.h"
#include "app/views/shared/head_marks.h"
#include "app/views/shared/token_in_view.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"

namespace hydra {

namespace mixing {

namespace {
bool has_token_rows(const Frame& frame, const Cell& cell) {
  return shape_of(frame.trace, cell.site).row_axis == Axis::token;
}
}  // namespace

Index shown_token(const Frame& frame) { return token_in_view(frame.view, frame.now); }

void show_token(Frame& frame, Index token) {
  frame.choose(frame.view.token, token);
  if (!frame.view.selection || !has_token_rows(frame, *frame.view.selection)) return;
  Cell cell = *frame.view.selection;
  cell.row = token;
  select(frame, cell);
}

float gate_of(const Frame& frame, int head) {
  const Layer& layer = document_layer(frame);
  if (layer.heads != layer_of(frame).input.heads) return layer_of(frame).input.gate(head);
  return layer.gates.empty() ? 1.0f : nth(layer.gates, head);
}

bool any_gate(const Frame& frame) { return !document_layer(frame).gates.empty(); }

void gate_box(const Frame& frame, int head, ImVec2 min, ImVec2 max, float thick) {
  if (gate_of(frame, head) == 0)
    frame.canvas.frame(min, max, head_color(frame, head), thick);
  else
    frame.canvas.fill(min, max, head_color(frame, head));
}

float head_mark(const Frame& frame, int head, ImVec2 pos, ImFont* font, ImU32 ink, float room) {
  const float side = std::round(0.7f * font->FontSize), top = std::round(pos.y + 0.5f * (font->FontSize - side));
  const ImVec2 a{std::round(pos.x), top}, b{a.x + side, top + side};
  gate_box(frame, head, a, b, 1.5f);
  const float left = side + frame.unit;
  const std::string number = std::to_string(head + 1);
  const std::string text = widest_names(frame, font).called <= room - left ? called(frame, head) : number;
  frame.canvas.text_at(font, {pos.x + left, pos.y}, ink, text);
  return left + text_width(font, text);
}

}  // namespace mixing

namespace {

MixingInput input_of(const Frame& frame, ImVec2 pos, ImVec2 size, bool low) {
  const LayerInput<float>& input = layer_of(frame).input;
  auto in = room_for<MixingInput>(frame, pos, size);
  in.tokens = static_cast<int>(input.n());
  in.d_model = static_cast<int>(input.d_model());
  in.concat = static_cast<int>(input.concat_width());
  in.heads = static_cast<int>(input.heads);
  in.label_width =
      std::min(widest(frame.fonts.small, frame.trace.tokens), 6 * frame.fonts.small->FontSize) + 2 * frame.unit;
  in.number_width = text_width(frame.fonts.mono_small, "-0.00");
  in.number = frame.fonts.mono_small->FontSize;
  in.low = low;
  in.extra_parts = (input.weights.b_O ? 1 : 0) + (input.gates.empty() ? 0 : 1);
  return in;
}

void draw_output_page(Frame& frame, const OutputPage& at) {
  {
    const Canvas::Layers layers(frame.canvas);
    mixing::draw_equation(frame, at);
    mixing::draw_sum(frame, at);
  }
  mixing::draw_reading(frame, at);
  mixing::draw_strip(frame, at);
}

void draw_shares_page(Frame& frame, const SharesPage& at, bool low) {
  const bool silencing = frame.view.mixing.page == MixingPage::silencing;
  if (!low || !silencing) {
    mixing::draw_table(frame, at);
    mixing::draw_bars(frame, at);
  }
  if (!low || silencing) {
    mixing::draw_curve(frame, at);
    mixing::draw_directions(frame, at);
  }
}

}  // namespace

void draw_mixing_view(Frame& frame) {
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float em = ImGui::GetFontSize();
  if (room.x < 16 * em || room.y < 12 * em) return;  // folded to nothing
  const float line = ImGui::GetFrameHeight() + 2 * frame.unit;
  const bool low = is_low({room.x, room.y - line}, em);
  const MixingPage& chosen = frame.view.mixing.page;
  const MixingPage page = !low && chosen == MixingPage::silencing ? MixingPage::shares : chosen;
  frame.choose(chosen, page);
  ui::Chips pages(frame);
  page_chips(pages, frame, low);
  const bool output = page == MixingPage::output;
  output ? mixing::draw_output_tools(frame) : mixing::draw_gate_tools(frame);
  ui::failure_text(frame, measured_mixing(frame).failure);
  sharing_caption(frame, "mixing/sharing", frame.view.layer);
  const float top = ImGui::GetCursorScreenPos().y + frame.unit, height = origin.y + room.y - top;
  if (height < 10 * em) return;
  const MixingInput in = input_of(frame, {origin.x, top}, {room.x, height}, low);
  if (output)
    draw_output_page(frame, output_page(in));
  else
    draw_shares_page(frame, shares_page(in), low);
}

}  // namespace hydra
