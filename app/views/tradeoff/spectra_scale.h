// What the two charts of singular values have in common: the colours of their lines and their axis.
#pragma once
#include <imgui.h>

#include "core/linalg/types.h"

namespace hydra {

// Of the k-th of so many head counts: a ramp whose every colour stands out from the theme's ground.
ImU32 spectrum_shade(bool dark, int k, int count);

// Of the logarithmic axis, for [n x n]: a power of ten, at least one below what counts as 0 (zero_level), so that what
// lies under it is seen.
double spectra_foot(Index n);

}  // namespace hydra
