#include "core/document/document.h"

#include "core/text/tokenizer.h"

namespace hydra {

Document default_document() {
  Document document;
  document.sentence = "The animal didn't cross the street because it was too tired.";
  Layer layer;
  layer.weights = initial_weights(document.d_model, layer.source.init, layer.source.seed);
  document.layers.push_back(std::move(layer));
  return document;
}

std::vector<std::string> tokens_of(const Document& document) {
  return document.tokens ? *document.tokens : tokenize(document.sentence);
}

}  // namespace hydra
