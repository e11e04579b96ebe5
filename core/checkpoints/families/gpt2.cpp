// GPT-2 (Radford et al. 2019) as the hub has it, whose Conv1D stores (in, out); minGPT and nanoGPT, which have the same
// names over nn.Linear, (out, in).
#include "core/checkpoints/family.h"
#include "core/weights/config.h"
#include "core/weights/model_weights.h"

namespace hydra::family {

namespace {

using std::to_string;

struct Gpt2Sizes {
  Index d_model = 0, hidden = 0;
  Stored stored = Stored::as_is;
};

void read_layer(Parts& parts, Index k, const Gpt2Sizes& of, Layer& layer) {
  const std::string at = "h." + to_string(k) + ".";
  const Index d = of.d_model;
  constexpr LayerNames kNames = {"ln_1", "ln_2", "attn.c_proj", "mlp.c_fc", "mlp.c_proj"};
  read_around_heads(parts, at, kNames, d, of.hidden, layer, Biases::optional, of.stored);
  const Array<float> attention = parts.array({at + "attn.c_attn.weight"}, d, 3 * d, of.stored);
  const bool biases = parts.has(at + "attn.c_attn.bias");
  const Mat<float> bias = biases ? parts.row({at + "attn.c_attn.bias"}, 3 * d) : Mat<float>();
  constexpr std::pair<Quantity, Quantity> kParts[] = {
      {Quantity::W_Q, Quantity::b_Q}, {Quantity::W_K, Quantity::b_K}, {Quantity::W_V, Quantity::b_V}};
  for (Index part = 0; part < 3; ++part) {
    put(layer, kParts[part].first, attention.columns(part * d, d));
    if (biases) put(layer, kParts[part].second, Mat<float>(bias.middleCols(part * d, d)));
  }
}

}  // namespace

bool holds_gpt2(const Checkpoint& checkpoint) {
  const Parts parts(checkpoint.tensors, {"transformer."});
  return parts.has("wte.weight") && parts.has("h.0.attn.c_attn.weight");
}

Model read_gpt2(const Checkpoint& checkpoint) {
  const Config& config = checkpoint.config;
  Parts parts(checkpoint.tensors, {"transformer."});
  parts.skip(".attn.bias"), parts.skip(".attn.masked_bias");  // the causal mask
  const Tensor *const words = parts.find({"wte.weight"}), *const places = parts.find({"wpe.weight"}),
                      *const attention = parts.find({"h.0.attn.c_attn.weight"}),
                      *const inner = parts.find({"h.0.mlp.c_fc.weight"});
  if (!words || !places || !attention || !inner) parts.finish();
  for (const Tensor* each : {places, attention, inner})
    if (each->shape.size() != 2) parts.fail(*each, "has rows and columns");
  Gpt2Sizes of;
  of.d_model = model_width(parts, *words, config, {"n_embd", "hidden_size"});
  of.stored = attention->shape[0] == of.d_model ? Stored::as_is : Stored::transposed;
  of.hidden = inner->shape[of.stored == Stored::as_is ? 1 : 0];
  Layer layer;
  layer.heads = head_count(config, {"n_head", "num_heads", "num_attention_heads"}, of.d_model);
  layer.mask.kind = Mask::Kind::causal;
  LayerSettings& s = layer.settings;
  s.residual = s.norm = s.feed_forward = true;
  s.norm_epsilon = config.number({"layer_norm_epsilon", "layer_norm_eps"}).value_or(kUsualEpsilon);
  s.feed_forward_width = of.hidden;
  // The hub's and minGPT's is the form with tanh, nanoGPT's, which keeps its sizes as model_args, is exact.
  const bool nano = checkpoint.tensors.meta("iter_num") != nullptr;
  s.activation = activation_of(config, {"activation_function"}, nano ? "gelu" : "gelu_new");
  s.scale = config.flag({"scale_attn_weights"}).value_or(true);
  const bool by_place = config.flag({"scale_attn_by_inverse_layer_idx"}).value_or(false);
  Model model = begun(of.d_model, parts.count("h."), layer);
  model.embedding.positions = Embedding::Positions::learned;
  model.weights.E = table_of(parts, {"wte.weight"}, words->shape[0], of.d_model);
  model.weights.P = table_of(parts, {"wpe.weight"}, places->shape[0], of.d_model);
  for (Index k = 0; k < std::ssize(model.layers); ++k) {
    if (by_place) model.layer(k).settings.temperature = static_cast<double>(k + 1);
    read_layer(parts, k, of, model.layer(k));
  }
  read_final_norm(parts, "ln_f", s.norm_epsilon, model);
  config.agree({"vocab_size"}, words->shape[0]);
  config.agree({"n_layer"}, std::ssize(model.layers));
  config.agree({"n_inner"}, of.hidden);
  read_out(model, parts, config, {"lm_head.weight"}, {"wte.weight"});
  parts.finish();
  return model;
}

}  // namespace hydra::family
