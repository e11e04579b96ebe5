// BLOOM (BigScience 2022): ALiBi in the place of positions, queries, keys and values of a head beside one another.
#include "core/checkpoints/family.h"
#include "core/error.h"
#include "core/files/printable.h"
#include "core/weights/model_weights.h"

namespace hydra::family {

namespace {
constexpr LayerNames kBloomLayer = {"input_layernorm", "post_attention_layernorm", "self_attention.dense",
                                    "mlp.dense_h_to_4h", "mlp.dense_4h_to_h"};
}

bool holds_bloom(const Checkpoint& checkpoint) {
  const Parts parts(checkpoint.tensors, {"transformer."});
  return parts.has("word_embeddings.weight") && parts.has("h.0.self_attention.query_key_value.weight");
}

Model read_bloom(const Checkpoint& checkpoint) {
  const Config& config = checkpoint.config;
  Parts parts(checkpoint.tensors, {"transformer."});
  const Index layers = parts.count("h.");
  const Tensor *const words = parts.find({"word_embeddings.weight"}), *const inner =
                                                                          parts.find({"h.0.mlp.dense_h_to_4h.weight"});
  if (!words || !inner) parts.finish();
  if (config.flag({"apply_residual_connection_post_layernorm"}).value_or(false))
    config.fail("apply_residual_connection_post_layernorm",
                "is true; that what is normed goes on as the stream is not known here");
  const Index d = model_width(parts, *words, config, {"hidden_size", "n_embed"});
  if (inner->shape.size() != 2) parts.fail(*inner, "has rows and columns");
  Layer layer;
  layer.heads = head_count(config, {"n_head", "num_attention_heads"}, d);
  layer.mask.kind = Mask::Kind::causal;
  LayerSettings& s = layer.settings;
  s.residual = s.norm = s.feed_forward = s.alibi = true;
  s.alibi_slopes = AlibiSlopes::interleaved;
  s.norm_epsilon = config.number({"layer_norm_epsilon"}).value_or(kUsualEpsilon);
  s.feed_forward_width = inner->shape[0];
  s.activation = Activation::gelu_tanh;
  Model model = begun(d, layers, layer);
  for (Index k = 0; k < layers; ++k) {
    const std::string at = "h." + std::to_string(k) + ".", fused = at + "self_attention.query_key_value";
    read_around_heads(parts, at, kBloomLayer, d, s.feed_forward_width, model.layer(k), Biases::needed);
    read_fused(parts, fused + ".weight", fused + ".bias", d, Fused::by_head, model.layer(k));
  }
  model.weights.E = table_of(parts, {"word_embeddings.weight"}, words->shape[0], d);
  if (parts.has("word_embeddings_layernorm.weight")) {
    model.settings.embedding_norm = true;
    model.settings.embedding_norm_epsilon = s.norm_epsilon;
    model.weights.gain_E = share(parts.row({"word_embeddings_layernorm.weight"}, d));
    model.weights.shift_E = share(parts.row({"word_embeddings_layernorm.bias"}, d));
  }
  read_final_norm(parts, "ln_f", s.norm_epsilon, model, Biases::needed);
  config.agree({"vocab_size"}, words->shape[0]);
  config.agree({"n_layer", "num_hidden_layers"}, layers);
  read_out(model, parts, config, {"lm_head.weight"}, {"word_embeddings.weight"});
  parts.finish();
  return model;
}

}  // namespace hydra::family
