// What is held while the mask is painted.
#pragma once
#include <optional>
#include <string>

#include "core/linalg/array.h"
#include "core/weights/mask_patterns.h"

namespace hydra {

struct MaskHands {
  Index row = 0, col = 0;  // the pair that the keys change
  struct Made {
    PatternMask pattern;
    Array<std::uint8_t> allowed;
  };
  std::optional<Made> made;  // the last start: the document's mask is still it while it has the same matrix

  struct Stroke {         // cells held by the pointer
    std::string picture;  // where it began: by its name
    Mat<std::uint8_t> allowed;
    bool allow = false;  // what it paints
    Index row = 0, col = 0;
    bool dropped = false;  // Esc: over, though the button is still down
  };
  std::optional<Stroke> stroke;
};

}  // namespace hydra
