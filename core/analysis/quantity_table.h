// What the quantities are and how they are called: for quantity.cpp and quantity_names.cpp.
#pragma once
#include "core/analysis/quantity.h"

namespace hydra::quantity {

enum class Kind { input, weight, form, bias, of_head, of_layer };

struct Entry {
  Quantity quantity;
  Kind kind;
  const char* letter;
  const char* phrase;  // "... of head 3" is appended when a head is given
};

const Entry& entry(Quantity quantity);

}  // namespace hydra::quantity
