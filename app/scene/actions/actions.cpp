#include "app/scene/actions/actions.h"

namespace hydra {

template class OneOf<ActionKinds>;

void Outbox::act(Action action) { actions.push_back(std::move(action)); }

Edit Outbox::placed(Edit edit) const {
  if (edit.layer == Edit::kOnlyLayer) edit.layer = layer;
  return edit;
}

}  // namespace hydra
