// The row of the Flow view that shows what is read out of the last layer: its stream, normed, the logits, the
// probabilities, and which words those make likely. Of other layers, and where nothing is read out, there is none.
#pragma once
#include "app/views/flow/flow_layout.h"
#include "core/attention/trace.h"

namespace hydra {

struct FlowParts;

std::vector<FlowStage> flow_out_stages(const Trace& trace);
FlowRow flow_out_row(const FlowInput& in, float y, float height);
void draw_flow_out(FlowParts& parts, FlowRow& row, const std::vector<FlowStage>& stages);

}  // namespace hydra
