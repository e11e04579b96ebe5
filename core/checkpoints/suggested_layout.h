// What a layout may be, by the names and shapes of a file's arrays and by what a config beside them says. What neither
// tells (the mask, the activation) is as in most models, for the user to put right; norms stand after the sums where
// none stands behind the layers.
#pragma once
#include "core/checkpoints/array_groups.h"
#include "core/checkpoints/layout.h"

namespace hydra {

ModelLayout suggested_layout(const TensorFile& file, const Config& config);
// Parts that may stand for the place, the likeliest first: what the whole suggestion has there, then arrays of the
// right shape that nothing stands for yet, none that is called a bias for a gain or a gain for a bias. At most so many.
std::vector<std::string> suggested_parts(const LayoutPlace& place, const LayoutCheck& now,
                                         const std::vector<ArrayGroup>& groups, const ModelLayout& suggested,
                                         std::size_t most = 6);

}  // namespace hydra
