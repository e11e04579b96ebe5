#include "app/views/beside/example_items.h"

#include "app/platform/input.h"
#include "app/views/frame/ui.h"
#include "app/widgets/mouse_area.h"

namespace hydra {

bool begin_example_group(const std::string& name) {
  const bool open = ImGui::BeginMenu(imgui_text(name));
  ui::probe({"examples/group/", name});
  ui::name_if_framed(name);
  return open;
}

void example_items(Frame& frame, const std::string& names, Action (*chosen)(const Example&)) {
  const auto items = [&](const ExampleGroup& group) {
    for (const Example& example : group.examples) {
      if (ImGui::MenuItem(example.title.c_str())) frame.out.act(chosen(example));
      ui::probe({names, example.file});
      ui::name_if_framed(example.title);
      ui::tip(frame, example.shows);
    }
  };
  for (const ExampleGroup& group : examples()) {
    if (group.name.empty()) {
      items(group);
    } else if (begin_example_group(group.name)) {
      items(group);
      ImGui::EndMenu();
    } else if (&group == &examples().front()) {
      ImGui::SetItemDefaultFocus();
    }
  }
}

}  // namespace hydra
