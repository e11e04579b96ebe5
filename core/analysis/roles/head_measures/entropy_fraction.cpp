// Mean of H_i / log2(keys that row i may see), 0 to 1; over the rows that may see more than one.
#include <algorithm>
#include <cmath>

#include "core/analysis/roles/role_claims.h"

namespace hydra {

const HeadMeasure head_number::entropy_fraction{
    .key = "entropy_fraction",
    .brief = "core:measure.entropy_fraction.brief",
    .title = "core:measure.entropy_fraction",
    .tip = "core:measure.entropy_fraction.tip",
    .formula = "core:measure.entropy_fraction.formula",
    .source = "core:measure.entropy_fraction.source",
    .group = RoleGroup::shape,
    .claim = kUniformClaim,
    .add_row =
        [](const QueryRow& row, OwnSums& sums) {
          // Weights round to a sum above 1.
          if (row.seen > 1) sums[0] += std::min(1.0, row.entropy / std::log2(row.seen));
        },
    .value = [](const OwnSums& own,
                const RoleSums& all) { return ratio_of(own[0], static_cast<double>(all.choosing)); },
    .rows = [](const OwnSums&, const RoleSums& all) { return all.choosing; },
};

}  // namespace hydra
