#include "app/cli/layer_option.h"

#include "core/error.h"

namespace hydra {

int layer_index(int number_from_one, const Document& document) {
  const auto layers = static_cast<int>(document.layers.size());
  if (number_from_one < 1 || number_from_one > layers)
    throw InputError("--layer: there is no layer " + std::to_string(number_from_one) + "; the document has " +
                     std::to_string(layers) + ", counted from 1");
  return number_from_one - 1;
}

}  // namespace hydra
