#include "app/views/views.h"

namespace hydra {

void draw_mixing_view(Frame&) {}

}  // namespace hydra
