// Flow: the whole formula on one screen. The focused head from X to its output, all heads as small multiples, and how
// they become the layer's output.
#include "app/views/flow/flow_block.h"
#include "app/views/flow/flow_out.h"
#include "app/views/flow/flow_parts.h"
#include "app/views/frame/ui.h"
#include "app/views/mask/mask_paint.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"

namespace hydra {

namespace {

float longest_label(const Frame& frame) {
  ImFont* font = frame.fonts.small;
  return std::min(widest(font, frame.trace.tokens), 6 * frame.fonts.small->FontSize) + 2 * frame.unit;
}

// What the numbers of these matrices need, of whichever needs most.
float number_width(const Frame& frame, std::initializer_list<Quantity> quantities) {
  float widest = 0;
  for (const Quantity quantity : quantities) {
    const Site ref{quantity, frame.view.layer, may_have_head(quantity) ? frame.view.focused_head : kNoHead};
    const ValueScale scale = scale_for(frame, ref);
    const MatView<float> values = values_of(frame.trace, ref);
    const bool whole = (values.array() == values.array().round()).all();
    const int decimals = whole ? 0 : scale.high < 0.1f ? 3 : scale.high <= 1 ? 2 : scale.high <= 10 ? 1 : 0;
    widest = std::max(widest, text_width(frame.fonts.mono_small, ui::in_column(scale.low, decimals)));
  }
  return widest + 6;
}

// The longest of the titles that say what a matrix of the head is the product of.
float formula_width(const Frame& frame) {
  float widest = 0;
  const int head = frame.view.focused_head, layer = frame.view.layer;
  for (const auto& [result, weights] :
       {std::pair{Quantity::Q, Quantity::W_Q}, {Quantity::K, Quantity::W_K}, {Quantity::V, Quantity::W_V}})
    widest = std::max(widest, text_width(frame.fonts.strong,
                                         flow::product_title(frame, {result, layer, head}, {weights, layer, head})));
  return widest;
}

}  // namespace

void draw_flow_view(Frame& frame) {
  const LayerInput<float>& input = layer_of(frame).input;
  auto in = room_for<FlowInput>(frame);
  in.n = real(input.n());
  in.d_model = real(input.d_model());
  in.d_k = real(input.d_k());
  in.heads = static_cast<int>(input.heads);
  in.label_width = longest_label(frame);
  in.title = frame.fonts.strong->FontSize + 1.5f * frame.unit;
  in.number = frame.fonts.mono_small->FontSize + 3;
  in.formula = formula_width(frame);
  in.large = frame.fonts.large->FontSize;
  in.presentation = frame.view.presentation;
  in.painting = mask_tool_shown(frame.view);
  const LayerProgram& program = program_of(input.settings);
  in.read = program.read;
  using enum Quantity;
  if (in.d_k <= kFewColumns) {  // narrow: else there are more columns than can be read
    in.weight_digits = number_width(frame, {W_Q, W_K, W_V});
    in.digits = std::max(in.weight_digits, number_width(frame, {in.read, Q, K, V, output}));
  }
  const bool before = program.makes(Quantity::own_scores);
  const ProgramNode& meeting = program.node_of(before ? Quantity::own_scores : Quantity::scores);
  in.query = meeting.reads()[0];
  in.key = meeting.reads()[1];
  if (input.settings.offset_bias) in.beside.push_back(Quantity::offset_bias);
  if (before) in.beside.insert(in.beside.end(), {Quantity::own_scores, Quantity::P_L});
  if (talk_after(input.settings)) in.beside.insert(in.beside.end(), {Quantity::own_attention, Quantity::P_W});
  if (input.settings.differential)
    in.beside.insert(in.beside.end(), {Quantity::scores_2, Quantity::own_attention, Quantity::lambda,
                                       Quantity::attention_2, Quantity::attention});
  for (const ProgramNode& node : program.heads)  // what has no place of its own
    if (is_kept(node, true) && !flow::has_place(node.result) && node.result != in.query && node.result != in.key)
      in.beside.push_back(node.result);
  in.normed = input.settings.differential;
  if (program.makes(Quantity::gated_output)) in.gates = program.node_of(Quantity::gated_output).reads()[1];
  in.dropped = program.makes(Quantity::dropped_attention);
  in.stages = flow_stages(input.settings);
  if (frame.view.layer + 1 == int_size(frame.trace.layers)) in.out = flow_out_stages(frame.trace);
  in.around = frame.view.flow.around;
  in.pages = ImGui::GetFrameHeight() + frame.unit;
  const Canvas::Layers layers(frame.canvas);
  FlowParts parts{frame,           flow_layout(in), in.read, in.label_width, frame.view.focused_head, frame.view.layer,
                  layer_of(frame), in.stages};
  frame.hands.of<PagesDrawn>().around_flow = parts.at.parted;
  if (parts.at.parted && !parts.at.has(FlowRow::Kind::strip)) draw_flow_pages(frame, in.pos);
  if (parts.at.has(FlowRow::Kind::strip)) draw_flow_header(parts);
  for (FlowRow& row : parts.at.rows)
    if (row.kind == FlowRow::Kind::strip)
      draw_flow_strip(parts, row.box);
    else if (row.kind == FlowRow::Kind::block)
      draw_flow_block(parts, row);
    else if (row.kind == FlowRow::Kind::out)
      draw_flow_out(parts, row, in.out);
    else
      draw_flow_row(parts, row);
  if (parts.at.has(FlowRow::Kind::strip)) draw_flow_column_name(parts);
}

}  // namespace hydra
