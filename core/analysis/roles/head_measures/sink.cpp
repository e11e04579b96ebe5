// Mean over rows of what the head's sink takes of them (shares.h); 0 to 1. Undefined without a sink.
#include <cmath>

#include "core/analysis/roles/roles.h"
#include "core/analysis/shares.h"

namespace hydra {

const HeadMeasure head_number::sink{
    .key = "sink",
    .brief = "core:measure.sink.brief",
    .title = "core:measure.sink",
    .tip = "core:measure.sink.tip",
    .formula = "core:measure.sink.formula",
    .source = "core:measure.sink.source",
    .group = RoleGroup::shape,
    .may_lack = true,
    .add_head =
        [](const LayerTrace<float>& layer, Index head, const SentenceTargets& targets, OwnSums& sums) {
          const auto taken = sink_shares(layer, head);
          if (!taken) return;
          for (std::size_t i = 0; i < taken->size(); ++i)
            if (targets.seen[i] > 0 && std::isfinite((*taken)[i])) sums[0] += (*taken)[i], ++sums[1];
        },
    .value = [](const OwnSums& own, const RoleSums&) { return ratio_of(own[0], own[1]); },
    .rows = [](const OwnSums& own, const RoleSums&) { return static_cast<Index>(own[1]); },
};

}  // namespace hydra
