// How alike the heads are, as the Likeness view shows it.
#pragma once
#include <memory>
#include <string>

#include "core/document/likeness_table.h"

namespace hydra {

struct LikenessShown {
  static constexpr int kAllLayers = -1;
  std::shared_ptr<const Trace> trace;          // what it is of: the present one or a moment older
  int at = 0;                                  // and which layer, or kAllLayers
  std::shared_ptr<const LikenessTable> table;  // null until the first is done
  std::string fault;                           // why it is not pooled, though asked for; else empty
  std::string limit;                           // why not all layers' heads are compared, though asked for; else empty
  std::string failure;                         // why the newest could not be measured; else empty
  float progress = 1;                          // below 1: it is being measured anew, and that takes a while

  const LayerTrace<float>& layer() const { return trace->layer(at); }
};

}  // namespace hydra
