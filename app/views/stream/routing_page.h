// Routing, a page of Stream: which tokens the heads and the feed-forward part of the layer in focus can move numbers
// between.
#pragma once
#include "app/measures/stream/routing.h"
#include "app/views/frame/context.h"

namespace hydra {

void draw_routing_page(Frame& frame, ImVec2 origin, ImVec2 room);

// What the page says of the two matrices; the longest first.
std::vector<std::string> routing_words(const Routing& routing, const Trace& trace, int layer);
// Of a pair: "it -> tired: 0.31", and what that is.
std::vector<std::string> routing_lines(const Routing& routing, const Trace& trace, bool feed_forward, Index row,
                                       Index col);

}  // namespace hydra
