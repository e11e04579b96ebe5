// ||Z||_F^2 / sum over the layer's heads g of ||Z_g||_F^2: the head's share of what its layer's attention adds; 0 to
// 1, over all heads 1.
#include "core/analysis/roles/roles.h"

namespace hydra {

const HeadMeasure head_number::share{
    .key = "share",
    .brief = "core:measure.share.brief",
    .title = "core:measure.share",
    .tip = "core:measure.share.tip",
    .formula = "core:measure.share.formula",
    .source = "core:measure.share.source",
    .group = RoleGroup::effect,
    .value = [](const OwnSums&, const RoleSums& all) { return ratio_of(all.contribution, all.contributions); },
};

}  // namespace hydra
