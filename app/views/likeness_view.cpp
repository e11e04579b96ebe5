#include "app/views/views.h"

namespace hydra {

void draw_likeness_view(Frame&) {}

}  // namespace hydra
