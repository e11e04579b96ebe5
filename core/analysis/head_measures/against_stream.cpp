// ||Z||_F / ||S||_F, S the stream that enters the layer (stream.h): how large what the head adds is beside it; 0 and
// up.
#include <cmath>

#include "core/analysis/roles.h"

namespace hydra {

const HeadMeasure head_number::against_stream{
    .key = "against_stream",
    .brief = "stream",
    .title = "Size against the stream",
    .tip = "How large what the head adds is beside the stream that enters its layer.",
    .formula = "‖Z‖ / ‖S‖, S the stream that enters the layer",
    .source = "compare Stream, size",
    .group = RoleGroup::effect,
    .kind = NumberKind::plain,
    .value = [](const OwnSums&, const RoleSums& all) { return std::sqrt(ratio_of(all.contribution, all.stream)); },
};

}  // namespace hydra
