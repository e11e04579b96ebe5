// A model as its file has it: what a document that was opened from it is an overlay of.
#pragma once
#include "core/document/document.h"

namespace hydra {

class Tokenizer;

struct ModelFile {
  std::string path;                            // of the folder or the file
  std::string sha256;                          // of what it holds (checkpoints/digest.h)
  std::shared_ptr<const Tokenizer> tokenizer;  // null: its words are known by their ids
  Model model;
};

// The parameters that the model's file has at that place, where it is for a layer of these sizes and settings; else
// null.
const AttentionWeights<float>* weights_in_file(const Model& model, const Layer& layer, std::size_t place);
inline constexpr Index kMostModelWords = 300'000;  // of a file; a document's own are fewer (text/vocabulary.h)
// Whether words are read in by those of the file, and read out as there.
bool reads_in_as_file(const Model& model);
bool reads_out_as_file(const Model& model);
// Its tokenizer, where the model still has its words.
const Tokenizer* tokenizer_of(const Model& model);

}  // namespace hydra
