// ||Z||_F / ||S||_F, S the stream that enters the layer (stream.h): how large what the head adds is against it; 0 and
// up.
#include <cmath>

#include "core/analysis/roles/roles.h"

namespace hydra {

const HeadMeasure head_number::against_stream{
    .key = "against_stream",
    .brief = "core:measure.against_stream.brief",
    .title = "core:measure.against_stream",
    .tip = "core:measure.against_stream.tip",
    .formula = "core:measure.against_stream.formula",
    .source = "core:measure.against_stream.source",
    .group = RoleGroup::effect,
    .kind = NumberKind::plain,
    .value = [](const OwnSums&, const RoleSums& all) { return std::sqrt(ratio_of(all.contribution, all.stream)); },
};

}  // namespace hydra
