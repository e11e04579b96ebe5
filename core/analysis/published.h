// Attention in published models, beside which a document's own sizes can be seen.
#pragma once
#include <vector>

#include "core/analysis/cost.h"

namespace hydra {

struct PublishedModel {
  const char* name;    // "Llama 2 70B"
  const char* source;  // where its sizes are stated
  int year = 0;
  int layers = 0;  // that attend to their own sequence; of encoder-decoder models, those of the decoder
  LayerSizes sizes;
};
const std::vector<PublishedModel>& published_models();  // by year

}  // namespace hydra
