// Numbers of how alike two heads are, as texts.
#pragma once
#include "app/views/frame/context.h"
#include "core/analysis/likeness/likeness.h"

namespace hydra {

const LikenessEntry& entry_of(Likeness measure);
std::string likeness_value(const Frame& frame, double value);  // "0.93", "∞", "n/a"

}  // namespace hydra
