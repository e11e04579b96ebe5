// Mean over rows of sum_j A_ij |i - j|, in tokens; 0 to n - 1.
#include <algorithm>

#include "core/analysis/roles/roles.h"

namespace hydra {

const HeadMeasure head_number::mean_distance{
    .key = "mean_distance",
    .brief = "core:measure.mean_distance.brief",
    .title = "core:measure.mean_distance",
    .tip = "core:measure.mean_distance.tip",
    .formula = "core:measure.mean_distance.formula",
    .source = "core:measure.mean_distance.source",
    .group = RoleGroup::shape,
    .kind = NumberKind::plain,
    .range =
        [](Index tokens) {
          return NumberRange{0, static_cast<double>(std::max<Index>(tokens - 1, 1))};
        },
    .add_row =
        [](const QueryRow& row, OwnSums& sums) {
          using Row = decltype(row.a);
          const auto last = static_cast<double>(row.a.size() - 1);
          sums[0] += (row.a * (Row::LinSpaced(row.a.size(), 0, last) - static_cast<double>(row.i)).abs()).sum();
        },
    .value = [](const OwnSums& own, const RoleSums& all) { return ratio_of(own[0], static_cast<double>(all.rows)); },
};

}  // namespace hydra
