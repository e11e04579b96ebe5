// GPT-Neo (Black et al. 2021), as TinyStories' models are: scores are not divided by anything, and some layers see the
// last words only.
#include "core/checkpoints/family.h"
#include "core/weights/model_weights.h"

namespace hydra::family {

namespace {

// "global" or "local" of each layer: attention_layers, or attention_types, [[["global", "local"], 4]].
std::vector<std::string> kinds_of(const Config& config, Index layers) {
  std::vector<std::string> kinds = config.texts("attention_layers");
  for (int group = 0; kinds.empty() || group > 0; ++group) {
    const std::string at = "attention_types." + std::to_string(group);
    const std::vector<std::string> some = config.texts(at + ".0");
    const std::optional<Index> times = config.whole({at + ".1"});
    if (some.empty() || !times) break;
    for (Index k = 0; k < *times && std::ssize(kinds) < layers; ++k)
      kinds.insert(kinds.end(), some.begin(), some.end());
  }
  if (std::ssize(kinds) < layers)
    config.fail("attention_layers",
                "must say of each of the " + std::to_string(layers) + " layers whether it is “global” or “local”");
  return kinds;
}

void read_neo_layer(Parts& parts, Index k, Index d, Index hidden, Layer& layer) {
  constexpr LayerNames kNames = {"ln_1", "ln_2", "attn.attention.out_proj", "mlp.c_fc", "mlp.c_proj"};
  const std::string at = "h." + std::to_string(k) + ".";
  read_around_heads(parts, at, kNames, d, hidden, layer, Biases::needed);
  constexpr std::pair<Quantity, const char*> kProjections[] = {
      {Quantity::W_Q, "q_proj"}, {Quantity::W_K, "k_proj"}, {Quantity::W_V, "v_proj"}};
  for (const auto& [quantity, name] : kProjections)
    put(layer, quantity, parts.array({at + "attn.attention." + name + ".weight"}, d, d, Stored::transposed));
}

}  // namespace

bool holds_gpt_neo(const Checkpoint& checkpoint) {
  const Parts parts(checkpoint.tensors, {"transformer."});
  return parts.has("wte.weight") && parts.has("h.0.attn.attention.q_proj.weight");
}

Model read_gpt_neo(const Checkpoint& checkpoint) {
  const Config& config = checkpoint.config;
  Parts parts(checkpoint.tensors, {"transformer."});
  parts.skip(".attention.bias"), parts.skip(".attention.masked_bias");
  const Index layers = parts.count("h.");
  const Tensor *const words = parts.find({"wte.weight"}), *const places = parts.find({"wpe.weight"}),
                      *const inner = parts.find({"h.0.mlp.c_fc.weight"});
  if (!words || !places || !inner) parts.finish();
  const Index d = model_width(parts, *words, config, {"hidden_size"});
  for (const Tensor* each : {places, inner})
    if (each->shape.size() != 2) parts.fail(*each, "has rows and columns");
  Layer layer;
  layer.heads = head_count(config, {"num_heads", "num_attention_heads"}, d);
  layer.mask.kind = Mask::Kind::causal;
  LayerSettings& s = layer.settings;
  s.scale = false;
  s.residual = s.norm = s.feed_forward = true;
  s.norm_epsilon = config.number({"layer_norm_epsilon"}).value_or(kUsualEpsilon);
  s.feed_forward_width = inner->shape[0];
  s.activation = activation_of(config, {"activation_function"}, "gelu_new");
  Model model = begun(d, layers, layer);
  const Index window = config.whole({"window_size"}).value_or(256);
  const std::vector<std::string> kinds = kinds_of(config, layers);
  for (Index k = 0; k < layers; ++k) {
    const std::string& kind = kinds[static_cast<std::size_t>(k)];
    if (kind != "global" && kind != "local")
      config.fail("attention_layers", "has “" + kind + "”; only “global” and “local” are known");
    if (kind == "local" && window < kMaxWindow) model.layer(k).settings.window = window;
    read_neo_layer(parts, k, d, s.feed_forward_width, model.layer(k));
  }
  model.embedding.positions = Embedding::Positions::learned;
  model.weights.E = table_of(parts, {"wte.weight"}, words->shape[0], d);
  model.weights.P = table_of(parts, {"wpe.weight"}, places->shape[0], d);
  read_final_norm(parts, "ln_f", s.norm_epsilon, model, Biases::needed);
  config.agree({"vocab_size"}, words->shape[0]);
  config.agree({"num_layers"}, layers);
  config.agree({"intermediate_size"}, s.feed_forward_width);
  read_out(model, parts, config, {"lm_head.weight"}, {"wte.weight"});
  parts.finish();
  return model;
}

}  // namespace hydra::family
