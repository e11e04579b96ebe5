// A document, and where it is looked at: what a list of actions begins with, and what is recovered.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/actions/actions.h"
#include "app/scene/view_state.h"
#include "core/document/document.h"

namespace hydra {

struct Scene {
  Document document;
  ViewState view;  // its preferences are those of whoever looks
};

// What leads there from any other.
std::vector<Action> ways_to(const Scene& scene);

// A scene without its document, as JSON on a line.
std::string scene_text(const ViewState& view);
// As spelled by scene_text; what is not said in it is as in a window that begins, like preferences. Throws InputError.
ViewState parse_scene(std::string_view text, const std::string& name);

}  // namespace hydra
