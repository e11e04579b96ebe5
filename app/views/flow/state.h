// What is chosen in the Flow view alone.
#pragma once

namespace hydra {

struct FlowState {
  bool around = false;  // the page of what stands around the heads, and of what is read out
  bool parted = false;  // when it was drawn last there was another page
};

}  // namespace hydra
