// The row of the Flow view that shows what a block has around its heads: the stream, stage by stage, from what enters
// the layer to what leaves it. A plain layer has none.
#pragma once
#include <span>

#include "app/views/flow/flow_layout.h"
#include "core/model/program.h"

namespace hydra {

struct FlowParts;
struct Frame;

// Of the heads what they give. The hidden numbers stand for what they are before the activation.
std::vector<FlowStage> flow_stages(const LayerSettings& settings);

// Where they stand in a row of that height, all as wide, as far as to the right.
FlowRow flow_stages_row(const FlowInput& in, std::span<const FlowStage> stages, const Box& box);
// Those of the block from first to end; after others an arrow leads to them, in the room of the labels.
FlowRow flow_block_row(const FlowInput& in, float y, float height, int first, int end);
// How high such a row is with its title and captions; 0 without stages.
float flow_stages_height(const FlowInput& in, const std::vector<FlowStage>& stages);

// "T = X + Y,   R = norm(T)": the stages after the heads' output, and what is read out of the last layer.
std::string formula_around(const Frame& frame);

// How a node makes its result, over an arrow: "X + Y", "norm", "×".
std::string word_of(const ProgramNode& node, NormKind norm, const LayerSettings& settings);
// Of the stages those of the row; prefix: of the names for tests, "flow/block/".
void draw_flow_stages(FlowParts& parts, FlowRow& row, const std::vector<FlowStage>& stages, const std::string& prefix);
void draw_flow_block(FlowParts& parts, FlowRow& row);

}  // namespace hydra
