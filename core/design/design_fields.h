// The fields of head designs by their names, which are the keys of files.
#pragma once
#include "core/design/head_design.h"
#include "core/json/named.h"

namespace hydra {

HYDRA_NAMED(FeatureWeight, feature, weight)
HYDRA_NAMED(Ask, query, key, strength)
HYDRA_NAMED(Kernel, offset, strength, first_wave, waves)
HYDRA_NAMED(Write, reads, writes, strength)
HYDRA_NAMED(HeadDesign, preset, asks, same_word, slot_word, kernels, place, sharpness, carries, writes)

}  // namespace hydra
