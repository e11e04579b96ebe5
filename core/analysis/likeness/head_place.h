// A head among those of all layers, which stand layer after layer.
#pragma once

namespace hydra {

struct HeadPlace {  // both from 0
  int layer = 0, head = 0;
  bool operator==(const HeadPlace&) const = default;
};

}  // namespace hydra
