// Which pattern heads of several widths are fitted to.
#pragma once
#include "core/learn/fit/fit_target.h"

namespace hydra {

struct FitChoice {
  enum class From {
    drawn,     // target
    painted,   // the rows of the head in focus that are set by hand
    head,      // the pattern of the head in focus
    relation,  // the pairs of the sentence marked so
  };
  From from = From::drawn;
  learn::FitTarget target = learn::FitTarget::any;
  int relation = 0;
  bool masked = true;  // by the layer's mask
  bool operator==(const FitChoice&) const = default;
};

}  // namespace hydra
