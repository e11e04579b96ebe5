// Mixing: how W_O makes one output of the heads, and what each of them adds to it.
#include "app/views/mixing/mixing_layout.h"

#include "app/views/mixing/mixing_parts.h"
#include "app/views/pages.h"
#include "app/views/sharing_mark.h"
#include "app/views/ui.h"
#include "app/views/views.h"

namespace hydra {

namespace mixing {

namespace {
bool has_token_rows(const Frame& frame, const Cell& cell) {
  return shape_of(frame.trace, cell.site).row_axis == Axis::token;
}
}  // namespace

Index shown_token(const Frame& frame) {
  if (frame.view.selection && has_token_rows(frame, *frame.view.selection))
    frame.view.mixing.token = frame.view.selection->row;
  frame.view.mixing.token = std::clamp<Index>(frame.view.mixing.token, 0, layer_of(frame).input.n() - 1);
  return frame.view.mixing.token;
}

void show_token(Frame& frame, Index token) {
  frame.view.mixing.token = token;
  if (!frame.view.selection || !has_token_rows(frame, *frame.view.selection)) return;
  Cell cell = *frame.view.selection;
  cell.row = token;
  select(frame.view, cell);
}

float gate_of(const Frame& frame, int head) {
  const Layer& layer = document_layer(frame);
  if (layer.heads != layer_of(frame).input.heads) return layer_of(frame).input.gate(head);
  return layer.gates.empty() ? 1.0f : nth(layer.gates, head);
}

bool any_gate(const Frame& frame) { return !document_layer(frame).gates.empty(); }

void clipped_text(const Frame& frame, ImFont* font, ImVec2 pos, float width, ImU32 color, const std::string& text) {
  text_at(ImGui::GetWindowDrawList(), font, pos, color, clipped(font, spelled(frame, text), width));
}

void title(const Frame& frame, const char* name, const Box& box, const std::string& text, const char* tip) {
  ImFont* font = frame.fonts.strong;
  const std::string shown = clipped(font, spelled(frame, text), box.size.x);
  math_at(ImGui::GetWindowDrawList(), font, frame.fonts.small, box.pos, frame.theme.ink, shown);
  const ImVec2 end{box.pos.x + std::min(box.size.x, text_width(font, shown)), box.pos.y + font->FontSize};
  ui::probe(name, box.pos, end);
  if (tip && ui::under_pointer(box.pos, end)) {
    ui::begin_tooltip_beside(box.pos, end);
    ImGui::PushTextWrapPos(24 * ImGui::GetFontSize());
    ImGui::TextUnformatted(imgui_text(spelled(frame, tip)));
    ImGui::PopTextWrapPos();
    ui::end_tooltip();
  }
}

float head_mark(const Frame& frame, int head, ImVec2 pos, ImFont* font, ImU32 ink) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float side = std::round(0.7f * font->FontSize), top = std::round(pos.y + 0.5f * (font->FontSize - side));
  const ImVec2 a{std::round(pos.x), top}, b{a.x + side, top + side};
  const ImU32 color = head_color(head, frame.theme.dark);
  if (gate_of(frame, head) == 0)
    list->AddRect(a, b, color, 0, 0, 1.5f);
  else
    list->AddRectFilled(a, b, color);
  const std::string number = std::to_string(head + 1);
  text_at(list, font, {b.x + frame.unit, pos.y}, ink, number);
  return side + frame.unit + text_width(font, number);
}

}  // namespace mixing

namespace {

MixingInput input_of(const Frame& frame, ImVec2 pos, ImVec2 size, bool low) {
  const LayerInput<float>& input = layer_of(frame).input;
  MixingInput in;
  in.pos = pos;
  in.size = size;
  in.tokens = static_cast<int>(input.n());
  in.d_model = static_cast<int>(input.d_model());
  in.heads = static_cast<int>(input.heads);
  float longest = 0;
  for (const std::string& token : frame.trace.tokens) longest = std::max(longest, text_width(frame.fonts.small, token));
  in.label_width = std::min(longest, 6 * frame.fonts.small->FontSize) + 2 * frame.unit;
  in.number_width = text_width(frame.fonts.mono_small, "-0.00");
  in.text = frame.fonts.text->FontSize;
  in.small = frame.fonts.small->FontSize;
  in.number = frame.fonts.mono_small->FontSize;
  in.unit = frame.unit;
  in.scrollbar = ImGui::GetStyle().ScrollbarSize;
  in.low = low;
  in.extra_parts = (input.weights.b_O ? 1 : 0) + (input.gates.empty() ? 0 : 1);
  return in;
}

void draw_output_page(Frame& frame, const OutputPage& at) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->ChannelsSplit(2);  // pictures below, what is drawn on them above
  list->ChannelsSetCurrent(1);
  mixing::draw_equation(frame, at);
  mixing::draw_sum(frame, at);
  list->ChannelsMerge();
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
  MixingPage& page = frame.view.mixing.page;
  if (!low && page == MixingPage::silencing) page = MixingPage::shares;
  ui::Chips pages(frame);
  page_chips(pages, frame.view, low);
  const bool output = page == MixingPage::output;
  output ? mixing::draw_output_tools(frame) : mixing::draw_gate_tools(frame);
  ui::failure_text(frame, frame.mixing.failure);
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
