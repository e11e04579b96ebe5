// What is chosen in the Design view.
#pragma once

namespace hydra {

struct DesignState {
  bool all_columns = false;  // not only the named features
  bool writes = false;       // where only one form fits: what is written, not what is asked for
};

}  // namespace hydra
