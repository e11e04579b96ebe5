// The row of the Flow view that shows what a block has around its heads: the stream, stage by stage, from what enters
// the layer to what leaves it. A plain layer has none.
#pragma once
#include "app/views/flow/flow_layout.h"
#include "core/model/program.h"

namespace hydra {

struct FlowParts;

// Of the heads what they give. The hidden numbers stand for what is bent into them.
std::vector<FlowStage> flow_stages(const LayerSettings& settings);

// Where they stand in a row of that height, all as wide.
FlowRow flow_block_row(const FlowInput& in, float y, float height);
// How high the row is with its title and captions; 0 without stages.
float flow_block_height(const FlowInput& in);

void draw_flow_block(FlowParts& parts, FlowRow& row);

}  // namespace hydra
