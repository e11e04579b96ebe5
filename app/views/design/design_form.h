// The head designer: "query looks like ..., key looks like ..., at offset ..., sharpness ..., carries ...".
#pragma once
#include "app/views/context.h"

namespace hydra {

void draw_design_form(Frame& frame);

}  // namespace hydra
