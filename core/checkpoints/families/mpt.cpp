// MPT (MosaicML 2023): ALiBi or learned positions, no biases.
#include "core/checkpoints/family.h"
#include "core/files/printable.h"
#include "core/weights/model_weights.h"

namespace hydra::family {

namespace {

constexpr LayerNames kMptLayer = {"norm_1", "norm_2", "attn.out_proj", "ffn.up_proj", "ffn.down_proj"};

// What other models of these names do besides, which would change every number.
void refuse_other_mpt(const Config& config) {
  for (const char* key : {"attn_config.qk_ln", "attn_config.qk_gn", "attn_config.prefix_lm", "attn_config.rope"})
    if (config.flag({key}).value_or(false)) config.fail(key, "is true, which is not known here of such a model");
  for (const char* key : {"attn_config.clip_qkv", "attn_config.softmax_scale", "logit_scale"})
    if (config.has({key})) config.fail(key, "is not null, which is not known here of such a model");
  if (config.number({"attn_config.alibi_bias_max"}).value_or(8) != 8)
    config.fail("attn_config.alibi_bias_max", "is not 8; other slopes of ALiBi are not known here");
  const std::string kind = config.text({"attn_config.attn_type"}).value_or("multihead_attention");
  if (kind != "multihead_attention")
    config.fail("attn_config.attn_type", "is “" + printable(kind, 40) + "”; known is multihead_attention");
  const std::string norm = config.text({"norm_type"}).value_or("low_precision_layernorm");
  if (norm != "low_precision_layernorm" && norm != "layernorm")
    config.fail("norm_type", "is “" + printable(norm, 40) + "”; known are layernorm and low_precision_layernorm");
}

}  // namespace

bool holds_mpt(const Checkpoint& checkpoint) {
  const Parts parts(checkpoint.tensors, {"transformer."});
  return parts.has("wte.weight") && parts.has("blocks.0.attn.Wqkv.weight");
}

Model read_mpt(const Checkpoint& checkpoint) {
  const Config& config = checkpoint.config;
  refuse_other_mpt(config);
  Parts parts(checkpoint.tensors, {"transformer."});
  const Index layers = parts.count("blocks.");
  const Tensor *const words = parts.find({"wte.weight"}), *const inner = parts.find({"blocks.0.ffn.up_proj.weight"});
  if (!words || !inner) parts.finish();
  const Index d = model_width(parts, *words, config, {"d_model"});
  if (inner->shape.size() != 2) parts.fail(*inner, "has rows and columns");
  Layer layer;
  layer.heads = head_count(config, {"n_heads"}, d);
  layer.mask.kind = Mask::Kind::causal;
  LayerSettings& s = layer.settings;
  s.residual = s.norm = s.feed_forward = true;
  s.alibi = config.flag({"attn_config.alibi"}).value_or(!parts.has("wpe.weight"));
  if (s.alibi) s.alibi_slopes = AlibiSlopes::interleaved;
  s.norm_epsilon = config.number({"layer_norm_epsilon"}).value_or(kUsualEpsilon);
  s.feed_forward_width = inner->shape[0];
  s.activation = activation_of(config, {"ffn_config.ffn_act_fn.name"}, "gelu");
  Model model = begun(d, layers, layer);
  for (Index k = 0; k < layers; ++k) {
    const std::string at = "blocks." + std::to_string(k) + ".", fused = at + "attn.Wqkv";
    read_around_heads(parts, at, kMptLayer, d, s.feed_forward_width, model.layer(k), Biases::optional);
    read_fused(parts, fused + ".weight", fused + ".bias", d, Fused::thirds, model.layer(k));
  }
  model.weights.E = table_of(parts, {"wte.weight"}, words->shape[0], d);
  if (const Tensor* places = parts.has("wpe.weight") ? parts.find({"wpe.weight"}) : nullptr) {
    if (places->shape.size() != 2) parts.fail(*places, "has rows and columns");
    model.embedding.positions = Embedding::Positions::learned;
    model.weights.P = table_of(parts, {"wpe.weight"}, places->shape[0], d);
  }
  read_final_norm(parts, "norm_f", s.norm_epsilon, model);
  config.agree({"vocab_size"}, words->shape[0]);
  config.agree({"n_layers"}, layers);
  read_out(model, parts, config, {"lm_head.weight"}, {"wte.weight"});
  parts.finish();
  return model;
}

}  // namespace hydra::family
