// The residual stream as the Stream view shows it.
#pragma once
#include <memory>
#include <string>

#include "core/analysis/stream.h"

namespace hydra {

struct StreamShown {
  std::shared_ptr<const Trace> trace;    // what it is of: the present one or a moment older
  std::shared_ptr<const Stream> stream;  // null until the first is done
  std::string failure;                   // why the newest could not be measured; else empty
};

}  // namespace hydra
