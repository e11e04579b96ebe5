#include "app/views/beside/likeness_value.h"

#include <cmath>

#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "core/text/wording.h"

namespace hydra {

const LikenessEntry& entry_of(Likeness measure) { return nth(likenesses(), measure); }

std::string likeness_value(const Frame& frame, double value) {
  if (std::isnan(value)) return wording("likeness:not_defined");
  if (std::isinf(value)) return frame.fonts.unicode ? "∞" : wording("likeness:infinite");
  return std::abs(value) < 10 ? ui::number(value, As::share) : ui::number(value);
}

}  // namespace hydra
