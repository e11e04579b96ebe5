// What an edit does to a cell, a row, a whole matrix. Part of edit.cpp, for which it is written.
#pragma once
#include "core/document/edits/edit.h"

namespace hydra {

void change(Document& document, Layer& layer, const SetBlock& edit);  // X, or weights of the layer
void change_model(Document& document, const SetBlock& edit);          // weights of no layer

// The matrix with the block placed in it; the same matrix when the block is there already.
Array<float> with_block(const Array<float>& matrix, Index row, Index col, MatIn<float> values);

}  // namespace hydra
