#include "core/checkpoints/families/encoders.h"

#include "core/files/printable.h"
#include "core/weights/config.h"
#include "core/weights/model_weights.h"

namespace hydra::family {

const EncoderNames kBertNames{"encoder.layer.",       "attention.self.query",   "attention.self.key",
                              "attention.self.value", "attention.output.dense", "attention.output.LayerNorm",
                              "intermediate.dense",   "output.dense",           "output.LayerNorm"};

namespace {

using std::to_string;

// Old files say gamma and beta.
Mat<float> gain_of(Parts& parts, const std::string& norm, Index width) {
  return parts.row({norm + ".weight", norm + ".gamma"}, width);
}
Mat<float> shift_of(Parts& parts, const std::string& norm, Index width) {
  return parts.row({norm + ".bias", norm + ".beta"}, width);
}

void read_encoder_layer(Parts& parts, const std::string& at, const EncoderNames& names, Index d, Layer& layer) {
  const std::tuple<Quantity, Quantity, const char*> attention[] = {{Quantity::W_Q, Quantity::b_Q, names.query},
                                                                   {Quantity::W_K, Quantity::b_K, names.key},
                                                                   {Quantity::W_V, Quantity::b_V, names.value},
                                                                   {Quantity::W_O, Quantity::b_O, names.output}};
  for (const auto& [W, b, name] : attention) {
    put(layer, W, parts.array({at + name + ".weight"}, d, d, Stored::transposed));
    *field_of(layer.weights, b) = parts.bias(b, {at + name + ".bias"}, d);
  }
  const Index hidden = layer.settings.feed_forward_width;
  put(layer, Quantity::gain_1, gain_of(parts, at + names.first_norm, d));
  put(layer, Quantity::shift_1, shift_of(parts, at + names.first_norm, d));
  put(layer, Quantity::W_1, parts.array({at + names.inner + ".weight"}, d, hidden, Stored::transposed));
  layer.weights.b_1 = parts.bias(Quantity::b_1, {at + names.inner + ".bias"}, hidden);
  put(layer, Quantity::W_2, parts.array({at + names.outer + ".weight"}, hidden, d, Stored::transposed));
  layer.weights.b_2 = parts.bias(Quantity::b_2, {at + names.outer + ".bias"}, d);
  put(layer, Quantity::gain_2, gain_of(parts, at + names.second_norm, d));
  put(layer, Quantity::shift_2, shift_of(parts, at + names.second_norm, d));
}

void read_types(Model& model, Parts& parts, const Config& config) {
  const Tensor* const types = parts.find({"embeddings.token_type_embeddings.weight"}, false);
  if (!types) return;
  if (types->shape.size() != 2 || types->shape[0] < 1 || types->shape[0] > kMaxTypes)
    parts.fail(*types, "has a row for each type of tokens, 1 to " + to_string(kMaxTypes));
  config.agree({"type_vocab_size"}, types->shape[0]);
  model.settings.types = types->shape[0];
  model.weights.T = table_of(parts, {"embeddings.token_type_embeddings.weight"}, types->shape[0], model.d_model);
}

}  // namespace

bool holds_encoder(const Checkpoint& checkpoint, std::string_view prefix, const EncoderNames& names) {
  const Parts parts(checkpoint.tensors, {prefix});
  return parts.has("embeddings.word_embeddings.weight") &&
         parts.has(names.layers + std::string("0.") + names.query + ".weight");
}

Model read_encoder(const Checkpoint& checkpoint, Parts& parts, const EncoderNames& names, Index first) {
  const Config& config = checkpoint.config;
  parts.skip("embeddings.position_ids"), parts.skip("embeddings.token_type_ids");  // 0, 1, 2 ... and zeros
  const Index layers = parts.count(names.layers);
  const Tensor *const words = parts.find({"embeddings.word_embeddings.weight"}),
                      *const places = parts.find({"embeddings.position_embeddings.weight"}),
                      *const inner = parts.find({names.layers + std::string("0.") + names.inner + ".weight"});
  if (!words || !places || !inner) parts.finish();
  const Index d = model_width(parts, *words, config, {"hidden_size", "dim"});
  for (const Tensor* each : {places, inner})
    if (each->shape.size() != 2) parts.fail(*each, "has rows and columns");
  if (places->shape[0] <= first) parts.fail(*places, "has more than " + to_string(first) + " rows");
  if (const auto kind = config.text({"position_embedding_type"}); kind && *kind != "absolute")
    config.fail("position_embedding_type",
                "is “" + printable(*kind, 40) + "”, which is not known here; known is only “absolute”");
  Layer layer;
  layer.heads = head_count(config, {"num_attention_heads", "n_heads"}, d);
  if (config.flag({"is_decoder"}).value_or(false)) layer.mask.kind = Mask::Kind::causal;
  LayerSettings& s = layer.settings;
  s.residual = s.norm = s.feed_forward = true;
  s.norm_place = NormPlace::after;
  s.norm_epsilon = config.number({"layer_norm_eps"}).value_or(kEncoderEpsilon);
  s.feed_forward_width = inner->shape[0];
  s.activation = activation_of(config, {"hidden_act", "activation"}, "gelu");
  Model model = begun(d, layers, layer);
  model.embedding.positions = Embedding::Positions::learned;
  model.weights.E = table_of(parts, {"embeddings.word_embeddings.weight"}, words->shape[0], d);
  const Index left = places->shape[0] - first;
  model.weights.P = table_of(parts, {"embeddings.position_embeddings.weight"}, places->shape[0], d)
                        .row_block(first, left)
                        .with_row_stamps(std::make_shared<const std::vector<Stamp>>(new_stamps(left)));
  read_types(model, parts, config);
  model.settings.embedding_norm = true;
  model.settings.embedding_norm_epsilon = s.norm_epsilon;
  model.weights.gain_E = share(gain_of(parts, "embeddings.LayerNorm", d));
  model.weights.shift_E = share(shift_of(parts, "embeddings.LayerNorm", d));
  for (Index k = 0; k < layers; ++k)
    read_encoder_layer(parts, names.layers + to_string(k) + ".", names, d, model.layer(k));
  config.agree({"vocab_size"}, words->shape[0]);
  config.agree({"num_hidden_layers", "n_layers"}, layers);
  config.agree({"intermediate_size", "hidden_dim"}, s.feed_forward_width);
  config.has({"sinusoidal_pos_embds", "tie_weights_"});  // the table and the readout stand in the file
  return model;
}

void read_masked_readout(Model& model, Parts& parts, const Config& config, const MaskedReadoutNames& names) {
  const std::string dense = names.dense, norm = names.norm, decoder = names.decoder;
  if (!parts.find({dense + ".weight"}, false)) return;
  const Index d = model.d_model, words = model.weights.E.rows();
  ModelSettings& s = model.settings;
  s.transform = s.final_norm = true;
  s.transform_activation = model.layers.back().settings.activation;  // all have the same
  s.final_norm_epsilon = s.embedding_norm_epsilon;
  model.weights.W_T = parts.array({dense + ".weight"}, d, d, Stored::transposed);
  model.weights.b_T = parts.bias(Quantity::b_T, {dense + ".bias"}, d);
  model.weights.gain = share(gain_of(parts, norm, d));
  model.weights.shift = share(shift_of(parts, norm, d));
  read_out(model, parts, config, {decoder + ".weight"}, {"embeddings.word_embeddings.weight"});
  model.weights.b_U = parts.bias(Quantity::b_U, {names.bias, decoder + ".bias"}, words);
  parts.find({decoder + ".bias"}, false);
}

}  // namespace hydra::family
