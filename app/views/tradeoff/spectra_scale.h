// What the two charts of singular values have in common: the colours of their lines and their axis.
#pragma once
#include <imgui.h>

#include "core/linalg/types.h"

namespace hydra {

// Of the k-th of so many head counts: a ramp whose every colour stands out from the theme's ground.
ImU32 spectrum_shade(bool dark, int k, int count);

// Singular values of [n x n], of the largest, that are not above this do not count for the numerical rank (see
// core/analysis/diversity.h): rounding of 32-bit numbers makes such.
double zero_level(Index n);
// Of the logarithmic axis: a power of ten, at least one below zero_level, so that what lies under it is seen.
double spectra_foot(Index n);

}  // namespace hydra
