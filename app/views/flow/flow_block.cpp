#include "app/views/flow/flow_block.h"

#include <algorithm>
#include <cmath>

#include "app/views/flow/flow_out.h"
#include "app/views/flow/flow_parts.h"
#include "app/views/frame/ui.h"

namespace hydra {

using namespace flow;

namespace {

std::string letter(Quantity quantity) { return entry_of(quantity).letter; }

float picture_height(const FlowInput& in) {
  return std::clamp(std::floor(0.14f * in.size.y), 3.5f * in.small, 12 * in.small);
}

}  // namespace

std::string word_of(const ProgramNode& node, NormKind norm, const LayerSettings& settings) {
  switch (node.operation) {
    case Operation::add: {
      std::string sum;
      for (const Quantity part : node.reads()) sum += (sum.empty() ? "" : " + ") + letter(part);
      return sum;
    }
    case Operation::norm:
      return wording(norm == NormKind::layer ? "flow:norm" : "flow:rms_norm");
    case Operation::activate:
      return entry_of(LayerSetting::activation).names[static_cast<std::size_t>(settings.activation)];
    case Operation::softmax:
      return wording("flow:softmax");
    default:
      return "×";
  }
}

std::vector<FlowStage> flow_stages(const LayerSettings& settings) {
  const LayerProgram& program = program_of(settings);
  if (program.before.empty() && program.after.empty()) return {};
  std::vector<FlowStage> stages{{Quantity::X, "", {}}};
  std::vector<Quantity> weights;
  const auto add = [&](const ProgramNode& node) {
    for (const Quantity operand : node.reads())
      if (is_parameter(operand)) weights.push_back(operand);
    if (node.result == Quantity::inner || node.result == Quantity::inner_gate) return;
    stages.push_back({node.result, word_of(node, settings.norm_kind, settings), std::move(weights)});
    weights.clear();
  };
  for (const ProgramNode& node : program.before) add(node);
  stages.push_back({Quantity::Y, wording("flow:heads"), {}});
  for (const ProgramNode& node : program.after) add(node);
  return stages;
}

namespace {

// As it is spoken: the norm by its name, the hidden numbers with what they are before the activation.
std::string brief_formula(const Frame& frame, const Site& site) {
  const ProgramNode& node = program_at(frame.trace, site).node_of(site.quantity);
  const auto operand_site = [&](Quantity quantity) { return Site{quantity, site.layer}; };
  const std::string begin = symbol(site) + " = ";
  if (node.operation == Operation::norm)
    return begin + wording("flow:norm.of", {{"symbol", symbol(operand_site(node.reads()[0]))}});
  if (node.operation != Operation::activate) return formula(frame.trace, site);
  const std::string inner = formula(frame.trace, operand_site(node.reads()[0]));
  const Activation activation = is_of_model(site.quantity) ? frame.trace.model.settings.transform_activation
                                                           : frame.trace.layer(site.layer).input.settings.activation;
  const std::string name = entry_of(LayerSetting::activation).names[static_cast<std::size_t>(activation)];
  std::string text = begin + name + "(" + inner.substr(inner.find(" = ") + 3) + ")";
  if (node.reads().size() > 1) {
    const std::string gate = formula(frame.trace, operand_site(node.reads()[1]));
    text += " ⊙ (" + gate.substr(gate.find(" = ") + 3) + ")";
  }
  return text;
}

}  // namespace

std::string formula_around(const Frame& frame) {
  const int layer = frame.view.layer;
  std::string text;
  const auto add = [&](const std::vector<FlowStage>& stages) {
    for (const FlowStage& stage : stages)
      if (!stage.made.empty() && stage.quantity != Quantity::Y)
        text += (text.empty() ? "" : ",   ") +
                brief_formula(frame, {stage.quantity, is_of_model(stage.quantity) ? 0 : layer});
  };
  add(flow_stages(layer_of(frame).input.settings));
  if (layer + 1 == int_size(frame.trace.layers)) add(flow_out_stages(frame.trace));
  return text;
}

float flow_stages_height(const FlowInput& in, const std::vector<FlowStage>& stages) {
  if (stages.empty()) return 0;
  return in.title + picture_height(in) + in.small + 3 * in.unit;
}

FlowRow flow_stages_row(const FlowInput& in, std::span<const FlowStage> stages, const Box& box) {
  const auto count = real(stages.size());
  const float arrow = 4.2f * in.small, y = box.pos.y, height = box.size.y;
  const float last = 2 * in.small;  // the captions of the last one are wider than it
  const float wide = std::floor((box.size.x - last - (count - 1) * arrow) / count);
  FlowRow row{FlowRow::Kind::block, {{in.pos.x, y}, {in.size.x, height}}, {}, {}};
  float x = box.pos.x;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    if (k > 0) {
      row.operators.push_back({{x, y}, {arrow, height}});
      x += arrow;
    }
    row.places.push_back({stages[k].quantity,
                          {{x, y}, {wide, height}},
                          k + 1 < stages.size() ? arrow - 3 * in.unit : last,
                          k + 1 < stages.size() ? arrow - 2 * in.unit : last});
    x += wide;
  }
  return row;
}

FlowRow flow_block_row(const FlowInput& in, float y, float height, int first, int end) {
  const float left = in.pos.x + in.label_width;
  FlowRow row = flow_stages_row(
      in, std::span(in.stages).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first)),
      {{left, y}, {in.right() - left, height}});
  if (first > 0) row.operators.insert(row.operators.begin(), {{in.pos.x, y}, {in.label_width, height}});
  return row;
}

namespace {

// What the stage is made with, under the arrow; a click opens it.
void weights_under(const FlowParts& p, const Box& arrow, const FlowStage& stage, const std::string& prefix) {
  Frame& frame = p.frame;
  ImFont* font = frame.fonts.small;
  float y = arrow.pos.y + 0.5f * arrow.size.y + 0.4f * font->FontSize;
  for (const Quantity weight : stage.weights) {
    const Site site = p.of_layer(weight);
    if (!exists(frame.trace, site) || y + font->FontSize > arrow.bottom() + font->FontSize) continue;
    const std::string text = name_of(frame, site);
    const float width = text_width(font, text);
    const ImVec2 pos{arrow.pos.x + 0.5f * (arrow.size.x - width), y};
    const Canvas::Item item = frame.canvas.item({prefix, entry_of(weight).key}, {pos, {width, font->FontSize}});
    if (item.clicked) inspect(frame, site);
    ui::tip(frame, description(site));
    frame.canvas.math_at(font, frame.fonts.small, pos,
                         item.over || frame.view.inspected == site ? frame.theme.accent : frame.theme.ink_soft, text);
    y += 1.15f * font->FontSize;
  }
}

}  // namespace

void draw_flow_stages(FlowParts& p, FlowRow& row, const std::vector<FlowStage>& stages, const std::string& prefix) {
  const auto first = std::ranges::find(stages, row.places.front().quantity, &FlowStage::quantity);
  const bool goes_on = row.operators.size() == row.places.size();
  if (!goes_on) token_names(p, row.places.front().box);
  for (std::size_t k = 0; k < row.places.size(); ++k) {
    FlowPlace& place = row.places[k];
    const FlowStage& stage = *(first + static_cast<std::ptrdiff_t>(k));
    const Site site = p.of_layer(place.quantity);
    const std::string name = prefix + entry_of(place.quantity).key;
    matrix_picture(p.frame, name.c_str(), site, place.box.pos, place.box.size, {.square_cells = false});
    const std::string letter = name_of(p.frame, site);
    title_over(p.frame, place.box.pos, place.box.size.x + place.title,
               {place.quantity == Quantity::X ? wording("flow:enters", {{"symbol", letter}})
                                              : letter + "   " + wording(entry_of(place.quantity).phrase),
                letter + "   " + wording(entry_of(place.quantity).row), letter});
    caption_under(p.frame, place.box, site, place.box.size.x + place.caption);
    if (k == 0 && !goes_on) continue;
    const Box& arrow = row.operators[goes_on ? k : k - 1];
    operation(p.frame, arrow, spelled(p.frame, stage.made));
    weights_under(p, arrow, stage, prefix);
  }
}

void draw_flow_block(FlowParts& p, FlowRow& row) { draw_flow_stages(p, row, p.stages, "flow/block/"); }

}  // namespace hydra
