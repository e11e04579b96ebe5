// What Ctrl C copies: the selected number; once more its matrix; with nothing selected the sentence.
#pragma once
#include "app/views/frame/context.h"

namespace hydra {

void copy_selected(Frame& frame);

}  // namespace hydra
