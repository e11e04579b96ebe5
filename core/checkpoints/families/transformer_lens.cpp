// State dicts of TransformerLens' HookedTransformer (Nanda and Bloom 2022), as most toy models of the field are saved:
// nothing is transposed, and heads are an axis of their own. Which norm and which activation a model has stands in no
// array of it, and is asked for where no config beside it says so.
#include <cmath>

#include "core/checkpoints/family.h"
#include "core/error.h"
#include "core/files/printable.h"
#include "core/tensors/numbers.h"
#include "core/weights/config.h"
#include "core/weights/model_weights.h"

namespace hydra::family {

namespace {

enum class Norms { none, layer, rms };

struct LensSizes {
  Index d = 0, heads = 0, sets = 0, d_k = 0, hidden = 0;
  bool gains = false;  // else they are folded into what follows
};

void read_layer(Parts& parts, Index k, const LensSizes& of, Layer& layer) {
  const std::string at = "blocks." + std::to_string(k) + ".", attn = at + "attn.";
  const LayerSettings& s = layer.settings;
  put(layer, Quantity::W_Q, parts.side_by_side({attn + "W_Q"}, of.heads, of.d, of.d_k));
  put(layer, Quantity::W_K, parts.side_by_side({attn + "W_K", attn + "_W_K"}, of.sets, of.d, of.d_k));
  put(layer, Quantity::W_V, parts.side_by_side({attn + "W_V", attn + "_W_V"}, of.sets, of.d, of.d_k));
  put(layer, Quantity::W_O, parts.one_below_another({attn + "W_O"}, of.heads, of.d_k, of.d));
  layer.weights.b_Q = parts.bias(Quantity::b_Q, {attn + "b_Q"}, of.heads * of.d_k);
  layer.weights.b_K = parts.bias(Quantity::b_K, {attn + "b_K", attn + "_b_K"}, of.sets * of.d_k);
  layer.weights.b_V = parts.bias(Quantity::b_V, {attn + "b_V", attn + "_b_V"}, of.sets * of.d_k);
  layer.weights.b_O = parts.bias(Quantity::b_O, {attn + "b_O"}, of.d);
  const auto norm = [&](const std::string& name, Quantity gain, Quantity shift) {
    if (!s.norm) return;
    put(layer, gain, of.gains ? parts.row({at + name + ".w"}, of.d) : Mat<float>(Mat<float>::Ones(1, of.d)));
    if (s.norm_kind == NormKind::layer)
      put(layer, shift, of.gains ? parts.row({at + name + ".b"}, of.d) : Mat<float>(Mat<float>::Zero(1, of.d)));
  };
  norm("ln1", Quantity::gain_1, Quantity::shift_1);
  if (!s.feed_forward) return;
  norm("ln2", Quantity::gain_2, Quantity::shift_2);
  if (s.gated) {
    put(layer, Quantity::W_1, parts.array({at + "mlp.W_gate"}, of.d, of.hidden, Stored::as_is));
    put(layer, Quantity::W_3, parts.array({at + "mlp.W_in"}, of.d, of.hidden, Stored::as_is));
    if (parts.find({at + "mlp.b_in"}, false) && !parts.row({at + "mlp.b_in"}, of.hidden).isZero(0))
      parts.fail(*parts.find({at + "mlp.b_in"}), "is zero: no such bias beside a gate is possible here");
  } else {
    put(layer, Quantity::W_1, parts.array({at + "mlp.W_in"}, of.d, of.hidden, Stored::as_is));
    layer.weights.b_1 = parts.bias(Quantity::b_1, {at + "mlp.b_in"}, of.hidden);
  }
  put(layer, Quantity::W_2, parts.array({at + "mlp.W_out"}, of.hidden, of.d, Stored::as_is));
  layer.weights.b_2 = parts.bias(Quantity::b_2, {at + "mlp.b_out"}, of.d);
}

[[noreturn]] void ask(const Checkpoint& checkpoint, const std::string& what) {
  throw InputError(printable(checkpoint.tensors.name, 200) + ": its arrays do not say " + what);
}

Norms norms_of(const Checkpoint& checkpoint, const Parts& parts, LensSizes& of) {
  of.gains = parts.has("blocks.0.ln1.w");
  if (of.gains) return parts.has("blocks.0.ln1.b") ? Norms::layer : Norms::rms;
  const std::optional<std::string> said = checkpoint.config.text({"normalization_type"});
  if (said == "LN" || said == "LNPre") return Norms::layer;
  if (said == "RMS" || said == "RMSPre") return Norms::rms;
  if (said == "none" || said == "None") return Norms::none;
  ask(checkpoint,
      "which norm its layers have, if any; put a config.json with “normalization_type” (“LNPre”, “RMSPre” or “none”) "
      "beside it");
}

// By the mask that is kept beside the weights, else by the config.
bool is_causal(const Checkpoint& checkpoint, Parts& parts) {
  const std::optional<std::string> said = checkpoint.config.text({"attention_dir"});
  if (said) return *said == "causal";
  const Tensor* mask = parts.find({"blocks.0.attn.mask"}, false);
  if (mask && mask->shape.size() == 2 && mask->shape[1] > 1) {
    float first[2] = {};
    to_floats(*mask, 0, first);
    return first[1] == 0;
  }
  ask(checkpoint,
      "whether tokens see those after them; put a config.json with “attention_dir” (“causal” or "
      "“bidirectional”) beside it");
}

}  // namespace

bool holds_transformer_lens(const Checkpoint& checkpoint) {
  const Parts parts(checkpoint.tensors, {"model."});
  return parts.has("embed.W_E") && parts.has("blocks.0.attn.W_Q");
}

Model read_transformer_lens(const Checkpoint& checkpoint) {
  const Config& config = checkpoint.config;
  Parts parts(checkpoint.tensors, {"model."});
  for (const char* buffer : {".attn.mask", ".attn.IGNORE", ".attn.rotary_sin", ".attn.rotary_cos"}) parts.skip(buffer);
  const Tensor *const words = parts.find({"embed.W_E"}), *const queries = parts.find({"blocks.0.attn.W_Q"}),
                      *const keys = parts.find({"blocks.0.attn.W_K", "blocks.0.attn._W_K"});
  if (!words || !queries || !keys) parts.finish();
  for (const Tensor* each : {queries, keys})
    if (each->shape.size() != 3) parts.fail(*each, "has a place for each head, rows and columns");
  LensSizes of;
  of.d = model_width(parts, *words, config, {"d_model"});
  of.heads = queries->shape[0], of.d_k = queries->shape[2], of.sets = keys->shape[0];
  if (of.heads < 1 || of.heads > kMaxHeads || of.d_k < 1 || of.heads * of.d_k > kMaxConcat)
    parts.fail(*queries, "has 1 to " + std::to_string(kMaxHeads) + " heads of together at most " +
                             std::to_string(kMaxConcat) + " numbers");
  if (of.sets < 1 || of.heads % of.sets != 0) parts.fail(*keys, "has a number of heads that divides the queries'");
  Layer layer;
  layer.heads = of.heads;
  layer.group_size = of.heads / of.sets;
  if (of.heads * of.d_k != of.d) layer.own_width = of.heads * of.d_k;
  layer.mask.kind = is_causal(checkpoint, parts) ? Mask::Kind::causal : Mask::Kind::none;
  LayerSettings& s = layer.settings;
  s.residual = true;
  const Norms norms = norms_of(checkpoint, parts, of);
  s.norm = norms != Norms::none;
  if (s.norm) {
    s.norm_kind = norms == Norms::rms ? NormKind::rms : NormKind::layer;
    s.norm_epsilon = config.number({"eps"}).value_or(kUsualEpsilon);
  }
  if (const Tensor* inner = parts.find({"blocks.0.mlp.W_in"}, false)) {
    if (inner->shape.size() != 2) parts.fail(*inner, "has rows and columns");
    s.feed_forward = true;
    s.gated = parts.has("blocks.0.mlp.W_gate");
    s.feed_forward_width = of.hidden = inner->shape[1];
    if (!config.has({"act_fn"}))
      ask(checkpoint,
          "which activation its hidden numbers have; put a config.json with “act_fn” (“relu”, “gelu”, "
          "“gelu_new” or “silu”) beside it");
    s.activation = activation_of(config, {"act_fn"}, "");
  }
  s.parallel = config.flag({"parallel_attn_mlp"}).value_or(false);
  s.scale = config.flag({"use_attn_scale"}).value_or(true);
  if (const std::optional<double> scale = config.number({"attn_scale"}); scale && *scale > 0 && s.scale)
    s.temperature = static_cast<double>(static_cast<float>(*scale / std::sqrt(static_cast<double>(of.d_k))));
  const Tensor* places = parts.find({"pos_embed.W_pos"}, false);
  const std::string positions = config.text({"positional_embedding_type"})
                                    .value_or(places                                  ? "standard"
                                              : parts.has("blocks.0.attn.rotary_sin") ? "rotary"
                                                                                      : "none");
  if (positions == "rotary") {
    s.rotary = true;
    s.rotary_base = config.number({"rotary_base"}).value_or(10000);
    const Index width = config.whole({"rotary_dim"}).value_or(of.d_k);
    if (width < of.d_k) s.rotary_width = width;
    if (config.flag({"rotary_adjacent_pairs"}).value_or(false)) s.rotary_pairs = RotaryPairs::neighbours;
  } else if (positions != "standard" && positions != "none") {
    config.fail("positional_embedding_type", "is “" + printable(positions, 40) + "”; known are standard and rotary");
  }
  Model model = begun(of.d, parts.count("blocks."), layer);
  for (Index k = 0; k < std::ssize(model.layers); ++k) read_layer(parts, k, of, model.layer(k));
  model.weights.E = table_of(parts, {"embed.W_E"}, words->shape[0], of.d);
  if (places) {
    if (places->shape.size() != 2) parts.fail(*places, "has rows and columns");
    model.embedding.positions = Embedding::Positions::learned;
    model.weights.P = table_of(parts, {"pos_embed.W_pos"}, places->shape[0], of.d);
  }
  model.settings.final_norm = s.norm;
  if (s.norm) {
    model.settings.final_norm_kind = s.norm_kind;
    model.settings.final_norm_epsilon = s.norm_epsilon;
    const bool gain = parts.has("ln_final.w");
    model.weights.gain = share(gain ? parts.row({"ln_final.w"}, of.d) : Mat<float>(Mat<float>::Ones(1, of.d)));
    if (s.norm_kind == NormKind::layer)
      model.weights.shift =
          share(parts.has("ln_final.b") ? parts.row({"ln_final.b"}, of.d) : Mat<float>(Mat<float>::Zero(1, of.d)));
  }
  const Tensor* out = parts.find({"unembed.W_U"}, false);
  if (out) {
    if (out->shape.size() != 2) parts.fail(*out, "has rows and columns");
    model.settings.readout = ReadoutKind::own;
    model.weights.W_U = parts.array({"unembed.W_U"}, of.d, out->shape[1], Stored::as_is);
    if (parts.find({"unembed.b_U"}, false))
      model.weights.b_U = share_model_weight(Quantity::b_U, parts.row({"unembed.b_U"}, out->shape[1]));
  }
  parts.finish();
  return model;
}

}  // namespace hydra::family
