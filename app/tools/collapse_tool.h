// Collapse, a tool of the Likeness view: the heads of a layer moved towards their mean, further and back again from the
// weights that it began with.
#pragma once
#include "app/views/frame/context.h"

namespace hydra {

class CollapseTool {
 public:
  // So far, from 0 to 1, as an edit within a gesture.
  Edit moved(float amount, const Document& document, int layer);
  void begin() { amount_.reset(); }  // from the next weights that it is given
  // Other weights, an edit or an undo: it begins anew from those.
  void update(const Document& document, int layer);
  const std::optional<float>& amount() const { return amount_; }

 private:
  std::optional<float> amount_;  // none: it has not begun
  int layer_ = 0;
  AttentionWeights<float> from_, to_;  // when it began; what it has made of them
};

}  // namespace hydra
