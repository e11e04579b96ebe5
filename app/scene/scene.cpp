#include "app/scene/scene.h"

#include "app/scene/choose.h"
#include "app/scene/spelling/view_types.h"
#include "core/error.h"
#include "core/io/link.h"

namespace hydra {

namespace {

// By its link, or whole where that would be too long.
Action opening_of(const Document& document) {
  try {
    return act::Open{link_text(document), false};
  } catch (const InputError&) {
    return act::Do{{ReplaceDocument{document, "where it began"}}};
  }
}

}  // namespace

std::vector<Action> ways_to(const Scene& scene) {
  const ViewState begun;
  std::vector<Action> ways{opening_of(scene.document)};
  for (act::Choose& other : differences(begun, scene.view)) ways.push_back(std::move(other));
  // On coming to Learn its controls follow the document.
  if (scene.view.view == ViewId::learn) ways.push_back(chosen(begun, begun.learn.setup, scene.view.learn.setup));
  return ways;
}

std::string scene_text(const ViewState& view) {
  std::string text = "{\"place\":";
  place_of_view().type.write(text, place_of_view().of(view));
  text += ",\"choices\":";
  choices_of_view().type.write(text, choices_of_view().of(view));
  return text + '}';
}

ViewState parse_scene(std::string_view text, const std::string& name) {
  const JsonTree tree = parse_json(text, name, kMaxValues, JsonNumbers::doubles);
  const JsonReader reader(name, "the scene");
  const Node root{&tree.root(), ""};
  reader.check_object(root, {"place", "choices"});
  ViewState view;
  const auto read = [&](const char* key, const PartOfView& part) {
    if (const Node of = reader.member(root, key)) part.type.read({reader, of}, part.in(view));
  };
  read("place", place_of_view()), read("choices", choices_of_view());
  return view;
}

}  // namespace hydra
