// Which tokens the parts of a layer can move numbers between, as Stream's Routing page shows it.
#pragma once
#include <memory>
#include <string>

#include "core/analysis/routing.h"

namespace hydra {

struct RoutingShown {
  std::shared_ptr<const Trace> trace;      // what it is of: the present one or a moment older
  int layer = 0;                           // of it
  std::shared_ptr<const Routing> routing;  // null until the first is done
  Array<float> attention, feed_forward;    // as they are drawn; no feed_forward where there is no such part
  std::string failure;                     // why the newest could not be had; else empty
};

}  // namespace hydra
