// The strip over the patterns while the mask is painted, and what a mask hides in words.
#pragma once
#include <string>

#include "app/views/frame/context.h"

namespace hydra {

void draw_mask_bar(Frame& frame);  // nothing while the tool is not shown

std::string mask_sentence(const Frame& frame, int layer);   // "66 of 144 pairs hidden"; empty when none is
std::string blind_sentence(const Frame& frame, int layer);  // "“it” sees nothing ..."; empty when all see something

}  // namespace hydra
