// A choice by its field: what a view shows as chosen is what a click on it changes.
#pragma once
#include <vector>

#include "app/scene/actions/actions.h"
#include "app/scene/view_state.h"
#include "core/type_key.h"

namespace hydra {

// To give the field of that view state the value; both are of that type.
act::Choose chosen(const ViewState& view, const void* field, TypeKey type, const void* value);
template <class T>
act::Choose chosen(const ViewState& view, const T& field, const T& value) {
  return chosen(view, &field, type_key<T>(), &value);
}

// The places and choices (no preferences) in which they differ, field by field, as what makes the second of the first.
// Where it is another view or layer all of the place is said, of which some follows these; never what the window says.
std::vector<act::Choose> differences(const ViewState& from, const ViewState& to);

}  // namespace hydra
