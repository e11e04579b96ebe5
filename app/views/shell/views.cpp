#include "app/views/shell/views.h"

#include <algorithm>

namespace hydra {

namespace {

constexpr ViewEntry kViews[] = {
    {ViewId::flow, "flow", "panels:view.flow", "F", 'f', "panels:view.flow.does", "panels:view.flow.tip",
     draw_flow_view, 40, 18},
    {ViewId::heads, "heads", "panels:view.heads", "H", 'h', "panels:view.heads.does", "panels:view.heads.tip",
     draw_heads_view, 24, 15},
    {ViewId::mixing, "mixing", "panels:view.mixing", "X", 'x', "panels:view.mixing.does", "panels:view.mixing.tip",
     draw_mixing_view, 36, 18},
    {ViewId::stream, "stream", "panels:view.stream", "E", 'e', "panels:view.stream.does", "panels:view.stream.tip",
     draw_stream_view, 36, 10},
    {ViewId::likeness, "likeness", "panels:view.likeness", "L", 'l', "panels:view.likeness.does",
     "panels:view.likeness.tip", draw_likeness_view, 32, 15, why_no_likeness},
    {ViewId::tradeoff, "tradeoff", "panels:view.tradeoff", "N", 'n', "panels:view.tradeoff.does",
     "panels:view.tradeoff.tip", draw_tradeoff_view, 40, 15},
    {ViewId::roles, "roles", "panels:view.roles", "W", 'w', "panels:view.roles.does", "panels:view.roles.tip",
     draw_roles_view, 40, 14},
    {ViewId::design, "design", "panels:view.design", "D", 'd', "panels:view.design.does", "panels:view.design.tip",
     draw_design_view, 40, 15},
    {ViewId::learn, "learn", "panels:view.learn", "J", 'j', "panels:view.learn.does", "panels:view.learn.tip",
     draw_learn_view, 40, 15},
};

}  // namespace

std::span<const ViewEntry> all_views() { return kViews; }

const ViewEntry& entry_of(ViewId view) { return *std::ranges::find(kViews, view, &ViewEntry::id); }

}  // namespace hydra
