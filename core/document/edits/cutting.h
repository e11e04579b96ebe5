// What edits of the sizes do to a layer: how its weights are cut into heads, and which heads share keys and values.
// Part of edit.cpp, for which it is written. Each throws InputError with one sentence.
#pragma once
#include "core/document/document.h"

namespace hydra {

// The same combined matrices as so many heads. Groups that share keys and values stay of one size where it divides the
// heads; where it does not, every head gets keys and values of its own, those of its group.
void cut_into_heads(Layer& layer, Index d_model, Index heads);
// Keys and values for so many heads (with_kv_heads). Designs go: their weights stay.
void share_keys(Layer& layer, Index d_model, Index kv_heads, bool keep_norm = false);
// Those of given groups, by head its set.
void share_keys(Layer& layer, Index d_model, const std::vector<Index>& kv_of);
// So many heads of so many numbers each, whatever d_model is. Weights that are just what their source gives are that of
// the new sizes; of others each head keeps what both sizes have, and the rest begins as from the source. Designed heads
// are built anew. Groups and gates as above.
void size_heads(Layer& layer, ModelColumns columns, Index heads, Index d_k);
// New weights from the seeds after d_model was another; heads become the allowed count nearest to the present one, the
// smaller of two; those with a d_k of their own stay as many and as wide.
void renew_for_width(Layer& layer, ModelColumns columns, Index d_model_before);

}  // namespace hydra
