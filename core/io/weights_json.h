// The weights of a layer as files have them: where they came from, and numbers. Part of layer_json.cpp.
#pragma once
#include <string>

#include "core/document/document.h"
#include "core/json/reader.h"

namespace hydra {

// layer: with its sizes and settings. in_file: what the layer of the model's file has; null: there is none.
void read_weights(const JsonReader& reader, const Node& node, const Layer& layer, ModelColumns columns,
                  const AttentionWeights<float>* in_file, WeightSource& source, AttentionWeights<float>& weights);
// A matrix or bias goes whole into the weights, or its edited cells into the edits, or nowhere when it is as seeded, or
// as in the file.
std::string weights_text(const Layer& layer, ModelColumns columns, const AttentionWeights<float>* in_file);

}  // namespace hydra
