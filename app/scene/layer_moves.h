// Layers that came, went or moved up and down, found by comparing what was shown with what is: whatever step of the
// history did it, focus and selection stay with their layer.
#pragma once
#include <optional>
#include <vector>

#include "app/scene/view_state.h"
#include "core/attention/trace.h"
#include "core/document/document.h"

namespace hydra {

using LayerStamps = std::vector<Stamp>;  // by which layers are known while others come and go
LayerStamps layers_of(const Document& document);
LayerStamps layers_of(const Trace& trace);

class LayerMoves {
 public:
  LayerMoves(const LayerStamps& before, const LayerStamps& now);

  std::optional<int> moved(int layer) const;  // where it stands now; nothing: it is gone
  // Which one to look at after that one: the first that came; of those that are left itself, or the one before it.
  int focus(int layer) const;

 private:
  int before_, now_;
  int below_ = 0, above_ = 0;  // that stayed: the first so many, the last so many
};

// Focus, selection and hover are of the same layers as before. What was of one that is gone goes.
void follow_layers(ViewState& view, const LayerMoves& moves, int focus);

}  // namespace hydra
