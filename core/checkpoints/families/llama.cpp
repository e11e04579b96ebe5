// Llama (Touvron et al. 2023) and its kin: Mistral (a window), Qwen 2 (biases), Qwen 3 (norms of queries and keys),
// Gemma (1 + gain, scaled words), Gemma 2 and 3 (norms of what a part gives, layers that see the last words only),
// OLMo 2 (norms of what a part gives, of all heads' queries as one row); from the hub, from llama2.c and from GGUF,
// whose pairs of numbers that are rotated together are neighbours.
#include <cmath>

#include "core/checkpoints/family.h"
#include "core/checkpoints/hub_names.h"
#include "core/files/printable.h"
#include "core/weights/config.h"
#include "core/weights/model_weights.h"

namespace hydra::family {

namespace {

// What the names of the arrays do not say.
struct LlamaKind {
  const char* type;  // as config.json has it
  NormPlace place = NormPlace::before;
  float gain = 0;                   // what is added to each gain: 1 of Gemma, which scales its words as well
  const char* activation = "silu";  // where nothing is said
  double rotary_base = 10000;
};
constexpr LlamaKind kLlamaKinds[] = {{"llama"},
                                     {"mistral"},
                                     {"qwen2"},
                                     {"qwen3"},
                                     {"gemma", NormPlace::before, 1, "gelu_pytorch_tanh"},
                                     {"gemma2", NormPlace::both, 1, "gelu_pytorch_tanh"},
                                     {"gemma3_text", NormPlace::both, 1, "gelu_pytorch_tanh", 1e6},
                                     {"olmo2", NormPlace::output}};

struct LlamaSizes {
  Index d = 0, concat = 0, kv = 0, d_k = 0, hidden = 0;
  LlamaKind kind;
};

Mat<float> gain_of(Parts& parts, const std::string& name, Index width, float more) {
  return parts.row({name}, width).array() + more;
}

// The gain of a head's norm stands once in the file, for all heads; that of a norm over all heads is as wide as they.
void read_head_norm(Parts& parts, const std::string& name, const LlamaSizes& of, Index width, Quantity gain,
                    Layer& layer) {
  if (!parts.has(name)) return;
  const bool together = norms_all_heads(layer.settings);
  put(layer, gain,
      gain_of(parts, name, together ? width : of.d_k, of.kind.gain).replicate(1, together ? 1 : width / of.d_k));
}

void read_norms(Parts& parts, const std::string& at, const LlamaSizes& of, Layer& layer) {
  using Names = std::vector<std::pair<Quantity, const char*>>;
  static const Names kBefore{{Quantity::gain_1, "input_layernorm"}, {Quantity::gain_2, "post_attention_layernorm"}},
      kBoth{{Quantity::gain_1, "input_layernorm"},
            {Quantity::gain_Y, "post_attention_layernorm"},
            {Quantity::gain_2, "pre_feedforward_layernorm"},
            {Quantity::gain_F, "post_feedforward_layernorm"}},
      kOutput{{Quantity::gain_Y, "post_attention_layernorm"}, {Quantity::gain_F, "post_feedforward_layernorm"}};
  const NormPlace place = of.kind.place;
  for (const auto& [gain, name] : place == NormPlace::before ? kBefore : place == NormPlace::both ? kBoth : kOutput)
    put(layer, gain, gain_of(parts, at + name + ".weight", of.d, of.kind.gain));
}

void read_layer(Parts& parts, Index k, const LlamaSizes& of, Layer& layer) {
  const std::string at = "layers." + std::to_string(k) + ".", attention = at + "self_attn.", mlp = at + "mlp.";
  struct Projection {
    Quantity weight, bias;
    const char* name;
    Index width;
  };
  const Projection projections[] = {{Quantity::W_Q, Quantity::b_Q, "q_proj", of.concat},
                                    {Quantity::W_K, Quantity::b_K, "k_proj", of.kv},
                                    {Quantity::W_V, Quantity::b_V, "v_proj", of.kv}};
  for (const Projection& p : projections) {
    put(layer, p.weight, parts.array({attention + p.name + ".weight"}, of.d, p.width, Stored::transposed));
    *field_of(layer.weights, p.bias) = parts.bias(p.bias, {attention + p.name + ".bias"}, p.width);
  }
  put(layer, Quantity::W_O, parts.array({attention + "o_proj.weight"}, of.concat, of.d, Stored::transposed));
  layer.weights.b_O = parts.bias(Quantity::b_O, {attention + "o_proj.bias"}, of.d);
  read_head_norm(parts, attention + "q_norm.weight", of, of.concat, Quantity::gain_Q, layer);
  read_head_norm(parts, attention + "k_norm.weight", of, of.kv, Quantity::gain_K, layer);
  read_norms(parts, at, of, layer);
  put(layer, Quantity::W_1, parts.array({mlp + "gate_proj.weight"}, of.d, of.hidden, Stored::transposed));
  put(layer, Quantity::W_3, parts.array({mlp + "up_proj.weight"}, of.d, of.hidden, Stored::transposed));
  put(layer, Quantity::W_2, parts.array({mlp + "down_proj.weight"}, of.hidden, of.d, Stored::transposed));
}

// What other models of these names do besides, which would change every number.
LlamaKind kind_of(const Config& config) {
  const std::string type = config.text({"model_type"}).value_or("llama");
  for (const LlamaKind& kind : kLlamaKinds)
    if (type == kind.type) return kind;
  config.fail("model_type", "is “" + printable(type, 40) +
                                "”, whose arrays are called as Llama's are and whose model is another; known are "
                                "llama, mistral, qwen2, qwen3, gemma, gemma2, gemma3_text and olmo2");
}
void refuse_others(const Config& config) {
  if (config.flag({"use_bidirectional_attention"}).value_or(false))
    config.fail("use_bidirectional_attention",
                "is true; of these models only those whose words see none after them "
                "are known here");
}

// Which layers see the last words only: as layer_types says, else by the rule of the model's kind.
std::vector<bool> windowed_layers(const Config& config, const LlamaKind& kind, Index layers) {
  std::vector<bool> windowed;
  const std::string type = kind.type;
  const std::vector<std::string> said = config.texts("layer_types");
  const Index every = config.whole({"sliding_window_pattern", "_sliding_window_pattern"}).value_or(6),
              first = config.whole({"max_window_layers"}).value_or(28);
  if (every < 1) config.fail("sliding_window_pattern", "must be 1 or more");
  const bool some = config.flag({"use_sliding_window"}).value_or(false);
  for (Index k = 0; k < layers; ++k) {
    if (k < std::ssize(said)) {
      const std::string& own = said[static_cast<std::size_t>(k)];
      if (own != "sliding_attention" && own != "full_attention")
        config.fail("layer_types",
                    "has “" + printable(own, 40) + "”; only “sliding_attention” and “full_attention” are known here");
      windowed.push_back(own == "sliding_attention");
    } else {
      windowed.push_back(type == "gemma2"        ? k % 2 == 0
                         : type == "gemma3_text" ? (k + 1) % every != 0
                                                 : type == "mistral" || (some && k >= first));
    }
  }
  return windowed;
}

void set_checked(const Config& config, LayerSetting setting, const char* key, double value, LayerSettings& settings) {
  const LayerSettingRow& row = entry_of(setting);
  if (!(value >= row.least && value <= row.most)) config.fail(key, "is out of what is possible here");
  set_value(settings, row, value);
}

// What each layer has of its own: a window, and the rotation that goes with it.
void set_layer_kinds(const Config& config, const LlamaSizes& of, Model& model) {
  const std::vector<bool> windowed = windowed_layers(config, of.kind, std::ssize(model.layers));
  const std::optional<Index> window = config.whole({"sliding_window"});
  const bool two_rotations = std::string_view(of.kind.type) == "gemma3_text";
  for (Index k = 0; k < std::ssize(model.layers); ++k) {
    LayerSettings& s = model.layer(k).settings;
    const bool local = windowed[static_cast<std::size_t>(k)];
    if (local && window && *window < kMaxWindow)
      set_checked(config, LayerSetting::window, "sliding_window", static_cast<double>(*window), s);
    if (two_rotations && local)
      read_rotary_of(config, "sliding_attention", of.d_k, s, 10000);
    else if (two_rotations)
      read_rotary_of(config, "full_attention", of.d_k, s, of.kind.rotary_base);
    else
      read_rotary(config, of.d_k, 1, s, of.kind.rotary_base);
  }
}

}  // namespace

bool holds_llama(const Checkpoint& checkpoint) {
  const Parts parts(checkpoint.tensors, {"model."});
  return (parts.has("embed_tokens.weight") && parts.has("layers.0.self_attn.q_proj.weight")) ||
         has_other_names(checkpoint.tensors);
}

Model read_llama(const Checkpoint& given) {
  const Checkpoint renamed = as_on_the_hub(given);
  const Config& config = renamed.config;
  refuse_others(config);
  Parts parts(renamed.tensors, {"model."});
  parts.skip(".rotary_emb.inv_freq"), parts.skip("rope.freqs");
  LlamaSizes of;
  of.kind = kind_of(config);
  const bool gemma = of.kind.gain != 0;
  const Index layers = parts.count("layers.");
  const Tensor *const words = parts.find({"embed_tokens.weight"}), *const inner =
                                                                       parts.find({"layers.0.mlp.gate_proj.weight"});
  if (!words || !inner) parts.finish();
  of.d = model_width(parts, *words, config, {"hidden_size", "dim"});
  if (inner->shape.size() != 2) parts.fail(*inner, "has rows and columns");
  of.hidden = inner->shape[0];
  Layer layer;
  layer.heads = config.size({"num_attention_heads", "n_heads"}, "heads", kMaxHeads);
  const std::optional<Index> own = config.whole({"head_dim"});
  of.d_k = own.value_or(of.d / layer.heads);
  if (of.d_k < 1 || (!own && of.d % layer.heads != 0) || of.d_k > kMaxConcat / layer.heads)
    config.fail("head_dim",
                "is " + std::to_string(of.d_k) + ", which no " + std::to_string(layer.heads) + " heads can have here");
  of.concat = of.d_k * layer.heads;
  if (of.concat != of.d) layer.own_width = of.concat;
  const Index sets = config.whole({"num_key_value_heads", "n_kv_heads"}).value_or(layer.heads);
  if (sets < 1 || layer.heads % sets != 0)
    config.fail("num_key_value_heads",
                "is " + std::to_string(sets) + ", which " + std::to_string(layer.heads) + " heads cannot share");
  layer.group_size = layer.heads / sets;
  of.kv = of.d_k * sets;
  layer.mask.kind = Mask::Kind::causal;
  LayerSettings& s = layer.settings;
  s.residual = s.norm = s.feed_forward = s.gated = true;
  s.norm_kind = NormKind::rms;
  s.norm_place = of.kind.place;
  s.norm_epsilon = config.number({"rms_norm_eps", "norm_eps"})
                       .value_or(config.has({"rotary_pairs"}) ? kUsualEpsilon : static_cast<double>(1e-6f));
  s.feed_forward_width = of.hidden;
  s.activation = activation_of(config, {"hidden_activation", "hidden_act"}, of.kind.activation);
  s.qk_norm = parts.has("layers.0.self_attn.q_norm.weight");
  if (s.qk_norm && of.kind.place == NormPlace::output) s.qk_norm_over = NormOver::all_heads;
  if (of.kind.place == NormPlace::both) {  // Gemma 2 and 3
    const double scalar = config.number({"query_pre_attn_scalar"}).value_or(256);
    set_checked(config, LayerSetting::temperature, "query_pre_attn_scalar",
                std::sqrt(scalar / static_cast<double>(of.d_k)), s);
    if (const std::optional<double> cap = config.number({"attn_logit_softcapping"}))
      set_checked(config, LayerSetting::soft_cap, "attn_logit_softcapping", *cap, s);
  }
  Model model = begun(of.d, layers, layer);
  set_layer_kinds(config, of, model);
  for (Index k = 0; k < layers; ++k) read_layer(parts, k, of, model.layer(k));
  const Array<float> table = table_of(parts, {"embed_tokens.weight"}, words->shape[0], of.d);
  model.settings.final_norm = true;
  model.settings.final_norm_kind = NormKind::rms;
  model.settings.final_norm_epsilon = s.norm_epsilon;
  model.weights.gain = share(gain_of(parts, "norm.weight", of.d, of.kind.gain));
  model.weights.E = table;
  config.agree({"vocab_size"}, words->shape[0]);
  config.agree({"num_hidden_layers", "n_layers"}, layers);
  config.agree({"intermediate_size"}, of.hidden);
  if (const std::optional<double> cap = config.number({"final_logit_softcapping"})) {
    if (!(*cap >= 0 && *cap <= entry_of(ModelSetting::logit_cap).most))
      config.fail("final_logit_softcapping", "is beyond what a cap of the logits may be here");
    model.settings.logit_cap = *cap;
  }
  read_out(model, parts, config, {"lm_head.weight"}, {"embed_tokens.weight"});
  if (gemma) {  // words that are read in are multiplied; those that are read out are not
    model.settings.readout = ReadoutKind::own;
    model.weights.W_U = made_later(of.d, table.rows(), [table](Mat<float>& W) { W = table->transpose(); });
    const float factor = std::sqrt(static_cast<float>(of.d));
    model.weights.E =
        made_later(table.rows(), of.d, [=](Mat<float>& E) { E = *table * factor; }).with_row_stamps(table.row_stamps());
  }
  parts.finish();
  return model;
}

}  // namespace hydra::family
