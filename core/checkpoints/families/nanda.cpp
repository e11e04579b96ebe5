// The older toys of Nanda's (the models of "Progress measures for grokking", Nanda et al. 2023): as TransformerLens has
// them but transposed, the heads an axis of W_Q, W_K and W_V alone; no norms, no biases of heads.
#include "core/checkpoints/family.h"
#include "core/files/printable.h"
#include "core/tensors/numbers.h"
#include "core/weights/config.h"
#include "core/weights/model_weights.h"

namespace hydra::family {

namespace {

Parts nanda_parts(const Checkpoint& checkpoint) { return {checkpoint.tensors, {"model."}}; }

std::string nanda_blocks(const Parts& parts) {
  return parts.has("attn_blocks.0.attn.W_Q") ? "attn_blocks." : "blocks.";
}

// (heads, d_k, d) as d x heads d_k.
Mat<float> beside_one_another(Parts& parts, const std::string& name, Index heads, Index d_k, Index d) {
  const Tensor* tensor = parts.find({name});
  if (!tensor) return Mat<float>::Zero(d, heads * d_k);
  if (tensor->shape != std::vector<Index>{heads, d_k, d})
    parts.fail(*tensor, "is " + std::to_string(heads) + " x " + std::to_string(d_k) + " x " + std::to_string(d));
  return numbers_of(*tensor, heads * d_k, d).transpose();
}

void read_nanda_layer(Parts& parts, const std::string& at, Index d_k, Index d, Layer& layer) {
  const std::pair<Quantity, const char*> projections[] = {
      {Quantity::W_Q, "attn.W_Q"}, {Quantity::W_K, "attn.W_K"}, {Quantity::W_V, "attn.W_V"}};
  for (const auto& [quantity, name] : projections)
    put(layer, quantity, beside_one_another(parts, at + name, layer.heads, d_k, d));
  put(layer, Quantity::W_O, parts.array({at + "attn.W_O"}, layer.heads * d_k, d, Stored::transposed));
  const Index hidden = layer.settings.feed_forward_width;
  if (!layer.settings.feed_forward) return;
  put(layer, Quantity::W_1, parts.array({at + "mlp.W_in"}, d, hidden, Stored::transposed));
  put(layer, Quantity::W_2, parts.array({at + "mlp.W_out"}, hidden, d, Stored::transposed));
  layer.weights.b_1 = parts.bias(Quantity::b_1, {at + "mlp.b_in"}, hidden);
  layer.weights.b_2 = parts.bias(Quantity::b_2, {at + "mlp.b_out"}, d);
}

}  // namespace

// TransformerLens has W_O with an axis of heads.
bool holds_nanda(const Checkpoint& checkpoint) {
  Parts parts = nanda_parts(checkpoint);
  const std::string first = nanda_blocks(parts) + "0.attn.";
  const Tensor* W_O = parts.has(first + "W_O") ? parts.find({first + "W_O"}) : nullptr;
  return parts.has("embed.W_E") && parts.has(first + "W_Q") && W_O && W_O->shape.size() == 2;
}

Model read_nanda(const Checkpoint& checkpoint) {
  const Config& config = checkpoint.config;
  Parts parts = nanda_parts(checkpoint);
  for (const char* buffer : {".attn.mask", ".IGNORE"}) parts.skip(buffer);
  const std::string blocks = nanda_blocks(parts);
  const Tensor *const words = parts.find({"embed.W_E"}), *const queries = parts.find({blocks + "0.attn.W_Q"});
  if (!words || !queries) parts.finish();
  if (words->shape.size() != 2 || words->shape[0] < 1 || words->shape[0] > kMaxFileModel || words->shape[1] < 1)
    parts.fail(*words, "has a column for each word, of 1 to " + std::to_string(kMaxFileModel) + " numbers");
  if (queries->shape.size() != 3 || queries->shape[0] < 1 || queries->shape[0] > kMaxHeads || queries->shape[1] < 1 ||
      queries->shape[1] > kMaxConcat / queries->shape[0])
    parts.fail(*queries, "has 1 to " + std::to_string(kMaxHeads) + " heads of together at most " +
                             std::to_string(kMaxConcat) + " numbers");
  const Index d = words->shape[0], count = words->shape[1], d_k = queries->shape[1];
  if (const std::string kind = config.text({"positional_embedding_type"}).value_or("standard"); kind != "standard")
    config.fail("positional_embedding_type", "is “" + printable(kind, 40) + "”; known is standard");
  Layer layer;
  layer.heads = queries->shape[0];
  if (layer.heads * d_k != d) layer.own_width = layer.heads * d_k;
  layer.mask.kind = Mask::Kind::causal;
  LayerSettings& s = layer.settings;
  s.residual = true;
  if (const Tensor* inner = parts.find({blocks + "0.mlp.W_in"}, false)) {
    if (inner->shape.size() != 2) parts.fail(*inner, "has rows and columns");
    s.feed_forward = true;
    s.feed_forward_width = inner->shape[0];
    s.activation = activation_of(config, {"act_type", "act_fn"}, "relu");
  }
  Model model = begun(d, parts.count(blocks), layer);
  for (Index k = 0; k < std::ssize(model.layers); ++k)
    read_nanda_layer(parts, blocks + std::to_string(k) + ".", d_k, d, model.layer(k));
  model.weights.E = table_of(parts, {"embed.W_E"}, count, d, Stored::transposed);
  if (const Tensor* places = parts.find({"pos_embed.W_pos"}, false)) {
    if (places->shape.size() != 2) parts.fail(*places, "has rows and columns");
    model.embedding.positions = Embedding::Positions::learned;
    model.weights.P = table_of(parts, {"pos_embed.W_pos"}, places->shape[0], d);
  }
  if (const Tensor* out = parts.find({"unembed.W_U"})) {
    if (out->shape.size() != 2) parts.fail(*out, "has rows and columns");
    model.settings.readout = ReadoutKind::own;
    model.weights.W_U = parts.array({"unembed.W_U"}, d, out->shape[1], Stored::as_is);
  }
  parts.finish();
  return model;
}

}  // namespace hydra::family
