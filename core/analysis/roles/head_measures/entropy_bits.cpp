// Mean over rows of H_i = - sum_j A_ij log2 A_ij, in bits; 0 to log2 n. Clark et al. 2019, section 3.3 (there: nats).
#include <algorithm>
#include <cmath>

#include "core/analysis/roles/roles.h"

namespace hydra {

const HeadMeasure head_number::entropy_bits{
    .key = "entropy_bits",
    .brief = "core:measure.entropy_bits.brief",
    .title = "core:measure.entropy_bits",
    .tip = "core:measure.entropy_bits.tip",
    .formula = "core:measure.entropy_bits.formula",
    .source = "core:measure.entropy_bits.source",
    .group = RoleGroup::shape,
    .kind = NumberKind::plain,
    .range =
        [](Index tokens) {
          return NumberRange{0, std::log2(static_cast<double>(std::max<Index>(tokens, 2)))};
        },
    .add_row = [](const QueryRow& row, OwnSums& sums) { sums[0] += row.entropy; },
    .value = [](const OwnSums& own, const RoleSums& all) { return ratio_of(own[0], static_cast<double>(all.rows)); },
};

}  // namespace hydra
