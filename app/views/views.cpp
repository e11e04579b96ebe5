#include "app/views/views.h"

#include <algorithm>

namespace hydra {

namespace {

constexpr ViewEntry kViews[] = {
    {ViewId::flow, "flow", "Flow", "F", 'f', "Flow: the whole formula",
     "The whole formula for one head and the layer. Key: F", draw_flow_view, 40, 18},
    {ViewId::heads, "heads", "Heads", "H", 'h', "Heads: all patterns, one large",
     "Every head's pattern, and one of them large. Key: H", draw_heads_view, 24, 15},
    {ViewId::mixing, "mixing", "Mixing", "X", 'x', "Mixing: one output of all heads",
     "How W_O makes one output of all heads, and what each adds to it. Key: X", draw_mixing_view, 36, 18},
    {ViewId::stream, "stream", "Stream", "E", 'e', "Stream: what each layer adds to the words",
     "What each layer adds to the words' vectors, and what is left of them. Key: E", draw_stream_view, 36, 10},
    {ViewId::likeness, "likeness", "Likeness", "L", 'l', "Likeness: how alike the heads are",
     "How alike the heads are, and how many there are in effect. Key: L", draw_likeness_view, 32, 15, why_no_likeness},
    {ViewId::tradeoff, "tradeoff", "Trade-off", "N", 'n', "Trade-off: head counts side by side",
     "The same weights cut into few or many heads: what is won, what is lost, what it costs. Key: N",
     draw_tradeoff_view, 40, 15},
    {ViewId::roles, "roles", "Roles", "W", 'w', "Roles: what each head does",
     "What each head does, in numbers beside those of random heads. Key: W", draw_roles_view, 40, 14},
    {ViewId::design, "design", "Design", "D", 'd', "Design: what a head asks for and writes",
     "What a head asks for and what it writes, and how to design one. Key: D", draw_design_view, 40, 15},
    {ViewId::learn, "learn", "Learn", "J", 'j', "Learn: heads that are trained",
     "A model trained step by step: what its heads take up, back and forth in time. Key: J", draw_learn_view, 40, 15},
};

}  // namespace

std::span<const ViewEntry> all_views() { return kViews; }

const ViewEntry& entry_of(ViewId view) { return *std::ranges::find(kViews, view, &ViewEntry::id); }

}  // namespace hydra
