// Opens a published model, or a checkpoint of one's own, as a document.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/linalg/memory.h"

namespace hydra {

struct OpenedModel {
  Document document;
  const char* family = "";             // "GPT-2"
  std::vector<std::string> not_known;  // what its config says and nobody here knows
  std::vector<std::string> not_read;   // arrays that are no part of what is computed here: BERT's pooler
  double memory = 0;                   // bytes that all its layers would take, computed for its sentence
};

// A folder that holds a model, or a file of arrays by its content (safetensors, GGUF, npz, PyTorch, llama2.c).
bool names_model(const std::string& path);
// Whether a file is called as models' files are, by its ending.
bool has_model_ending(std::string_view name);
// A tokenizer is taken from beside the arrays; without one the words are their ids. Throws InputError, and nothing is
// opened: for what is no model of a family that is known, or larger than what is possible here. Of a large one no
// number is read, and of one that would take more bytes of memory than are available the document has the first layers
// only. A quarter of what there is stays for others, and for what is measured of it. Of a large model,
// which takes more bytes than that as floats, products convert the numbers of the file whenever they are made, and none
// are kept; of others all are converted once.
OpenedModel open_model(const std::string& path, double available = 0.75 * available_memory(),
                       std::optional<double> large = {});  // none: a third of what is available

}  // namespace hydra
