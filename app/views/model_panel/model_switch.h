// "untrained | designed | trained": the document's model, and those put aside. Probe names: flow/untrained, ... for a
// place "flow/".
#pragma once
#include <string>

#include "app/views/frame/context.h"

namespace hydra {

// Chips at the cursor, in one line; those that there are no models for are dim, and say how to get one.
void model_switch(Frame& frame, const std::string& place);
float model_switch_width(const Frame& frame);  // in the present font
// The same in small type, as high as a strong line, behind what ends at pos; nothing where there is no room up to
// right.
void small_model_switch(Frame& frame, const std::string& place, ImVec2 pos, float right);
float small_model_switch_width(const Frame& frame);

}  // namespace hydra
