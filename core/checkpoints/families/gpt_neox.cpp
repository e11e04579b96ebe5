// GPT-NeoX (Black et al. 2022), as Pythia's models are: queries, keys and values of a head stand together, part of each
// is rotated, and the feed-forward part reads what the heads read.
#include "core/checkpoints/family.h"
#include "core/weights/model_weights.h"

namespace hydra::family {

namespace {
constexpr LayerNames kNeoxLayer = {"input_layernorm", "post_attention_layernorm", "attention.dense",
                                   "mlp.dense_h_to_4h", "mlp.dense_4h_to_h"};
}

bool holds_gpt_neox(const Checkpoint& checkpoint) {
  const Parts parts(checkpoint.tensors, {"gpt_neox."});
  return parts.has("embed_in.weight") && parts.has("layers.0.attention.query_key_value.weight");
}

Model read_gpt_neox(const Checkpoint& checkpoint) {
  const Config& config = checkpoint.config;
  Parts parts(checkpoint.tensors, {"gpt_neox."});
  for (const char* buffer : {".attention.bias", ".attention.masked_bias", ".rotary_emb.inv_freq"}) parts.skip(buffer);
  const Index layers = parts.count("layers.");
  const Tensor *const words = parts.find({"embed_in.weight"}), *const inner =
                                                                   parts.find({"layers.0.mlp.dense_h_to_4h.weight"});
  if (!words || !inner) parts.finish();
  const Index d = model_width(parts, *words, config, {"hidden_size"});
  if (inner->shape.size() != 2) parts.fail(*inner, "has rows and columns");
  Layer layer;
  layer.heads = head_count(config, {"num_attention_heads"}, d);
  layer.mask.kind = Mask::Kind::causal;
  LayerSettings& s = layer.settings;
  s.residual = s.norm = s.feed_forward = true;
  s.norm_epsilon = config.number({"layer_norm_eps"}).value_or(kUsualEpsilon);
  s.feed_forward_width = inner->shape[0];
  s.activation = activation_of(config, {"hidden_act"}, "gelu");
  s.parallel = config.flag({"use_parallel_residual"}).value_or(true);
  read_rotary(config, d / layer.heads, 0.25, s);
  Model model = begun(d, layers, layer);
  for (Index k = 0; k < layers; ++k) {
    const std::string at = "layers." + std::to_string(k) + ".", fused = at + "attention.query_key_value";
    read_around_heads(parts, at, kNeoxLayer, d, s.feed_forward_width, model.layer(k), Biases::needed);
    read_fused(parts, fused + ".weight", fused + ".bias", d, Fused::by_head, model.layer(k));
  }
  model.weights.E = table_of(parts, {"embed_in.weight"}, words->shape[0], d);
  read_final_norm(parts, "final_layer_norm", s.norm_epsilon, model, Biases::needed);
  config.agree({"vocab_size"}, words->shape[0]);
  config.agree({"num_hidden_layers"}, layers);
  config.agree({"intermediate_size"}, s.feed_forward_width);
  read_out(model, parts, config, {"embed_out.weight"}, {"embed_in.weight"});
  parts.finish();
  return model;
}

}  // namespace hydra::family
