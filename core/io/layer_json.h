// A layer as files have it. Part of read.cpp and write.cpp.
#pragma once
#include <optional>
#include <string>

#include "core/document/document.h"
#include "core/json/reader.h"

namespace hydra {

// How many numbers a document asks for, counted while it is read, before any of them is drawn.
struct NumbersAsked {
  std::uint64_t most, asked = 0;
  // Fails where so many more are more than the document may ask for in all.
  void add(const JsonReader& reader, const std::string& pointer, std::uint64_t numbers);
};

// What older files have besides a layer's weights: others of that layer alone, put aside.
struct OlderWeights {
  std::optional<WeightSource> source;
  AttentionWeights<float> weights;
};

// Of a model with so many tokens. older: where what an older file puts aside goes; null where it cannot stand.
// of: with its pads, the model's file, where there is one, and the layers before.
Layer read_layer(const JsonReader& reader, const Node& node, Index n, const Document& of, NumbersAsked& asked,
                 std::vector<OlderWeights>* older);
std::string layer_text(const Model& model, std::size_t layer);

}  // namespace hydra
