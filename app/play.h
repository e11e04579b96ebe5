// A list of actions, performed without a window: as a user would, one after the other, each when the one before is done
// and what it changed is there.
#pragma once
#include <vector>

#include "app/app.h"
#include "app/scene/actions/action_list.h"
#include "app/scene/scene.h"

namespace hydra {

// size: of the window in which it would be seen; some choices follow what there is room for. Throws InputError with the
// place of the line that is refused, or that would ask a question.
void play(App& app, const std::vector<ListedAction>& list, ImVec2 size);

}  // namespace hydra
