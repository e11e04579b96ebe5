// All heads' patterns as thumbnails, and which heads take part in the average.
#pragma once
#include "app/views/frame/context.h"
#include "app/views/heads/heads_layout.h"

namespace hydra {

bool shows_beside(const ViewState& view);  // what is large is a pattern and one of the model beside

// What the thumbnails show: the pattern of the toolbar; attention while averaging.
Quantity shown_pattern(const ViewState& view);

bool is_chosen(const ViewState& view, int head);
int chosen_heads(const ViewState& view);
void choose_all_heads(Frame& frame);

// What the large pattern is, how the average is chosen, and which marked relation is outlined.
void draw_heads_toolbar(Frame& frame);

// A click focuses a head, Ctrl+click or its box chooses it. Probe names: heads/grid/3, heads/choose/3.
void draw_heads_grid(Frame& frame, const HeadsLayout& at);

}  // namespace hydra
