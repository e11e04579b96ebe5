// ||Z||_F^2 / sum over the layer's heads g of ||Z_g||_F^2: the head's share of what its layer's attention adds; 0 to
// 1, over all heads 1.
#include "core/analysis/roles.h"

namespace hydra {

const HeadMeasure head_number::share{
    .key = "share",
    .brief = "share",
    .title = "Share of what the heads add",
    .tip = "The head's part of what the attention of its layer adds to the stream; over the heads of a layer 100 %.",
    .formula = "‖Z‖² / Σ ‖Z_g‖² over the heads g of the layer, Z what the head adds",
    .source = "Mixing, Who writes it",
    .group = RoleGroup::effect,
    .value = [](const OwnSums&, const RoleSums& all) { return ratio_of(all.contribution, all.contributions); },
};

}  // namespace hydra
