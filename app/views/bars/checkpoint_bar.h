// The checkpoints of the training that the document's model is of, in a line under every view.
#pragma once
#include "app/views/frame/context.h"

namespace hydra {

float checkpoint_bar_height(const Frame& frame);  // 0: the model stands alone
void draw_checkpoint_bar(Frame& frame);

}  // namespace hydra
