// What fits have found, as the command writes it (docs/document.md).
#pragma once
#include <string>
#include <string_view>

#include "core/learn/fit/fit_heads.h"

namespace hydra::learn {

// {"pattern", "n", "d_model", "rank", "asked", "enough", "seeds", "target", "widths": [{"d_k", "misplaced": {"least",
// "median", "mean", "most", "seeds"}, "divergence": {...}, "attention"}]}. enough: n - 1, or null where X has a lower
// rank than n.
std::string fit_text(const WidthCurve& curve, std::string_view pattern);

// {"relations", "tokens", "d_model", "seeds", "heads": [{"heads", "d_k", "bound", "error": {...}, "served"}],
// "two_targets"}. bound: 1 - h / m, below which no h heads come.
std::string fit_text(const HeadsCurve& curve);

}  // namespace hydra::learn
