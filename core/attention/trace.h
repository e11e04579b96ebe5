// Everything computed from a document, by stage; immutable once made.
#pragma once
#include <string>
#include <vector>

#include "core/attention/forward.h"

namespace hydra {

struct Trace {
  std::vector<std::string> tokens;           // n of them
  MatPtr<float> embedding;                   // [n x d_model] the words' vectors (edits included)
  MatPtr<float> positions;                   // [n x d_model] sinusoids; null when the document has none
  MatPtr<float> X;                           // [n x d_model] embedding + positions; the first layer's input
  std::vector<LayerTrace<float>> layers;     // exactly one for now
};

}  // namespace hydra
