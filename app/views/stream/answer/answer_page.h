// Answer, a page of Stream: which heads do it, for one answer to one question in this sentence.
#pragma once
#include "app/views/frame/context.h"

namespace hydra {

void draw_answer_page(Frame& frame, ImVec2 origin, ImVec2 room);

}  // namespace hydra
