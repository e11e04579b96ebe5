// Everything the user can change and would want saved; nothing that can be computed. A value: a copy costs pointers.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/attention/mask.h"
#include "core/attention/weights.h"

namespace hydra {

struct CellValue {
  Index row = 0, col = 0;
  float value = 0;
  bool operator==(const CellValue&) const = default;
};

struct Embedding {
  enum class Kind { hashed, explicit_values };
  enum class Positions { none, sinusoidal };
  Kind kind = Kind::hashed;
  std::uint64_t seed = 1;
  Positions positions = Positions::sinusoidal;  // added to hashed embeddings; explicit X is taken as it is
  std::vector<CellValue> edits;                 // hashed: entries of X set by hand, sorted by row, then column
  MatPtr<float> X;                              // explicit_values: [n x d_model]
};

// Where a layer's weights came from. The file stores this and the cells that differ, when that is shorter.
struct WeightSource {
  enum class Kind { random, explicit_values };
  Kind kind = Kind::random;
  Init init = Init::xavier;
  std::uint64_t seed = 7;
  bool operator==(const WeightSource&) const = default;
};

struct Layer {
  Index heads = 8;
  Mask mask;
  bool scale = true;
  float temperature = 1;
  bool residual = false;
  WeightSource source;
  AttentionWeights<float> weights;
};

struct Document {
  std::string sentence;
  std::optional<std::vector<std::string>> tokens;  // overrides the tokenizer
  Index d_model = 64;
  Embedding embedding;
  std::vector<Layer> layers;  // exactly one for now
};

// The opening document: "The animal didn't cross the street because it was too tired.", 8 heads, d_model 64, seed 7.
Document default_document();

// The tokens a document runs: its own list, or its sentence cut by the tokenizer.
std::vector<std::string> tokens_of(const Document& document);

// The same document to the last bit (what the file would say), whoever owns the matrices.
bool same_document(const Document& a, const Document& b);

}  // namespace hydra
