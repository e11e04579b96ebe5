// Mean over rows of max_j A_ij; 1/n to 1. Voita et al. 2019, section 4 (there without the end of the sentence).
#include "core/analysis/roles/roles.h"

namespace hydra {

const HeadMeasure head_number::confidence{
    .key = "confidence",
    .brief = "core:measure.confidence.brief",
    .title = "core:measure.confidence",
    .tip = "core:measure.confidence.tip",
    .formula = "core:measure.confidence.formula",
    .source = "core:measure.confidence.source",
    .group = RoleGroup::shape,
    .add_row = [](const QueryRow& row, OwnSums& sums) { sums[0] += row.top; },
    .value = [](const OwnSums& own, const RoleSums& all) { return ratio_of(own[0], static_cast<double>(all.rows)); },
};

}  // namespace hydra
