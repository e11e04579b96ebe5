// Names and sizes of GGUF, and those of Llama's own files, as the hub's Llama has them.
#pragma once
#include "core/checkpoints/family.h"

namespace hydra {

bool has_other_names(const TensorFile& file);
// A file of these with the hub's names; any other as it is. The arrays are the same: nothing is copied.
Checkpoint as_on_the_hub(const Checkpoint& given);

}  // namespace hydra
