// ||Z||_F / ||Y||_F, Z the head's contribution to the layer's output Y: how much of Y changes when the head is taken
// out (an ablation as in Michel et al. 2019, section 3, measured at the output); 0 and up.
#include <cmath>

#include "core/analysis/roles/roles.h"

namespace hydra {

const HeadMeasure head_number::removal{
    .key = "removal",
    .brief = "core:measure.removal.brief",
    .title = "core:measure.removal",
    .tip = "core:measure.removal.tip",
    .formula = "core:measure.removal.formula",
    .source = "core:measure.removal.source",
    .group = RoleGroup::effect,
    .kind = NumberKind::plain,
    .value = [](const OwnSums&, const RoleSums& all) { return std::sqrt(ratio_of(all.contribution, all.output)); },
};

}  // namespace hydra
