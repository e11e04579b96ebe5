// PyTorch's own layers as a state dict has them: nn.MultiheadAttention, nn.TransformerEncoderLayer and
// nn.TransformerEncoder. Their heads, where their norms stand and which activation they have stand in no array. They
// have no words: vectors are those of a document without a table.
#include "core/checkpoints/family.h"
#include "core/weights/config.h"
#include "core/weights/model_weights.h"

namespace hydra::family {

namespace {

struct TorchLayout {
  std::string layer;      // "layers.", or nothing where there is one
  std::string attention;  // "self_attn.", or nothing where that is all there is
};

Parts torch_parts(const Checkpoint& checkpoint) {
  return {checkpoint.tensors, {"transformer.encoder.", "transformer_encoder.", "encoder."}};
}

std::optional<TorchLayout> torch_layout(const Parts& parts) {
  for (const TorchLayout& layout : {TorchLayout{"layers.", "self_attn."}, {"", "self_attn."}, {"", ""}})
    if (parts.has(layout.layer + (layout.layer.empty() ? "" : "0.") + layout.attention + "in_proj_weight"))
      return layout;
  return std::nullopt;
}

void read_torch_layer(Parts& parts, const std::string& at, const TorchLayout& layout, Index d, Layer& layer) {
  const std::string attention = at + layout.attention;
  read_fused(parts, attention + "in_proj_weight", attention + "in_proj_bias", d, Fused::thirds, layer);
  put(layer, Quantity::W_O, parts.array({attention + "out_proj.weight"}, d, d, Stored::transposed));
  layer.weights.b_O = parts.bias(Quantity::b_O, {attention + "out_proj.bias"}, d);
  const LayerSettings& s = layer.settings;
  if (!s.feed_forward) return;
  read_norm_of(parts, at + "norm1", d, Quantity::gain_1, Quantity::shift_1, layer);
  read_norm_of(parts, at + "norm2", d, Quantity::gain_2, Quantity::shift_2, layer);
  put(layer, Quantity::W_1, parts.array({at + "linear1.weight"}, d, s.feed_forward_width, Stored::transposed));
  put(layer, Quantity::W_2, parts.array({at + "linear2.weight"}, s.feed_forward_width, d, Stored::transposed));
  layer.weights.b_1 = parts.bias(Quantity::b_1, {at + "linear1.bias"}, s.feed_forward_width);
  layer.weights.b_2 = parts.bias(Quantity::b_2, {at + "linear2.bias"}, d);
}

// The sums with the stream, the norms and the feed-forward part of an encoder's layer.
void set_around(Parts& parts, const std::string& first, const Config& config, LayerSettings& s) {
  const Tensor* inner = parts.find({first + "linear1.weight"});
  if (!inner) parts.finish();
  if (inner->shape.size() != 2) parts.fail(*inner, "has rows and columns");
  s.residual = s.norm = s.feed_forward = true;
  s.norm_place = config.flag({"norm_first"}).value_or(false) ? NormPlace::before : NormPlace::after;
  s.norm_epsilon = config.number({"layer_norm_eps"}).value_or(kUsualEpsilon);
  s.feed_forward_width = inner->shape[0];
  s.activation = activation_of(config, {"activation"}, "relu");
}

}  // namespace

bool holds_torch_encoder(const Checkpoint& checkpoint) { return torch_layout(torch_parts(checkpoint)).has_value(); }

Model read_torch_encoder(const Checkpoint& checkpoint) {
  const Config& config = checkpoint.config;
  Parts parts = torch_parts(checkpoint);
  const TorchLayout layout = *torch_layout(parts);
  const bool numbered = !layout.layer.empty();
  const Index layers = numbered ? parts.count(layout.layer) : 1;
  const std::string first = numbered ? layout.layer + "0." : "";
  const Tensor& fused = *parts.find({first + layout.attention + "in_proj_weight"});
  if (fused.shape.size() != 2 || fused.shape[1] < 1 || fused.shape[1] > kMaxFileModel)
    parts.fail(fused, "has three rows for each of 1 to " + std::to_string(kMaxFileModel) + " columns");
  const Index d = fused.shape[1];
  Layer layer;
  layer.heads = head_count(config, {"num_heads", "nhead", "n_heads", "num_attention_heads"}, d);
  layer.mask.kind = config.flag({"is_causal"}).value_or(false) ? Mask::Kind::causal : Mask::Kind::none;
  if (!layout.attention.empty()) set_around(parts, first, config, layer.settings);
  config.agree({"d_model", "embed_dim"}, d);
  Model model = begun(d, layers, layer);
  for (Index k = 0; k < layers; ++k)
    read_torch_layer(parts, numbered ? layout.layer + std::to_string(k) + "." : "", layout, d, model.layer(k));
  model.embedding.kind = Embedding::Kind::hashed;
  if (parts.has("norm.weight")) read_final_norm(parts, "norm", layer.settings.norm_epsilon, model);
  parts.finish();
  return model;
}

}  // namespace hydra::family
