#include "app/scene/spelling/view_types.h"

namespace hydra {

namespace {

template <class Part>
PartOfView part() {
  return {spelling::type_of<Part>(), [](ViewState& view) -> void* { return static_cast<Part*>(&view); }};
}

}  // namespace

std::span<const PartOfView> parts_of_view() {
  static const PartOfView parts[] = {part<Place>(), part<Choices>(), part<Preferences>()};
  return parts;
}
const PartOfView& place_of_view() { return parts_of_view()[0]; }
const PartOfView& choices_of_view() { return parts_of_view()[1]; }

}  // namespace hydra
