// Painting the mask: what is selected and held. Apart from the document.
#pragma once
#include <array>
#include <optional>
#include <string>

#include "core/attention/mask_patterns.h"

namespace hydra {

struct MaskTool {
  bool on = false;
  Index row = 0, col = 0;  // the pair that the keys change

  // Of each pattern, by its number. A stride or a block of 4 shows its shape on a sentence.
  std::array<Index, kMaskPatterns> sizes = {1, 1, 2, 4, 4, 4};
  bool only_before = false;
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
