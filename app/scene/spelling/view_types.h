// The view state as types that are spelled.
#pragma once
#include <span>

#include "app/scene/spelling/spelling.h"
#include "app/scene/view_state.h"

namespace hydra {

struct PartOfView {
  const spelling::Type& type;
  void* (*in)(ViewState& view);
  const void* of(const ViewState& view) const { return in(const_cast<ViewState&>(view)); }
};
const PartOfView& place_of_view();
const PartOfView& choices_of_view();
std::span<const PartOfView> parts_of_view();  // these two, and the preferences

}  // namespace hydra
