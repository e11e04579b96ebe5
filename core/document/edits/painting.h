// What edits do to the rows that are set by hand. Part of edit.cpp, for which it is written.
#pragma once
#include <string>
#include <vector>

#include "core/document/edits/edit.h"

namespace hydra {

void change(Document& document, Layer& layer, const PaintAttention& edit);
void change(Document& document, Layer& layer, const PaintValue& edit);
void change(Document& document, Layer& layer, const Unpaint& edit);

// Attention rows stay when the tokens are the same list, value rows where the same word stays at the same place.
void keep_painting_of(Layer& layer, const std::vector<std::string>& before, const std::vector<std::string>& after);
// After the sizes changed from those: heads that are cut anew lose all painting, another d_k only the values.
void keep_painting_of(Layer& layer, Index d_model, Index heads_before, Index d_k_before);
// Attention rows that the layer's mask forbids go.
void drop_forbidden_painting(Layer& layer);

// Throws InputError with one sentence; the layer's mask must be valid.
void check_painting(const Layer& layer, Index n, Index d_model, Index pads);

}  // namespace hydra
