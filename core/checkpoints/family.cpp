#include "core/checkpoints/family.h"

#include <algorithm>
#include <cstdio>

#include "core/document/limits.h"
#include "core/error.h"
#include "core/files/printable.h"
#include "core/ops/rotate.h"
#include "core/weights/config.h"
#include "core/weights/model_weights.h"

namespace hydra {

std::span<const Family> families() {
  // Those that are known by the names of their arrays alone come last.
  static constexpr Family kFamilies[] = {
      {"layout", "by its layout.json", family::holds_layout, family::read_layout},
      {"gpt_neo", "GPT-Neo", family::holds_gpt_neo, family::read_gpt_neo},
      {"gpt_neox", "GPT-NeoX", family::holds_gpt_neox, family::read_gpt_neox},
      {"bloom", "BLOOM", family::holds_bloom, family::read_bloom},
      {"mpt", "MPT", family::holds_mpt, family::read_mpt},
      {"gpt2", "GPT-2", family::holds_gpt2, family::read_gpt2},
      {"llama", "Llama", family::holds_llama, family::read_llama},
      {"nanda", "Nanda's older toys", family::holds_nanda, family::read_nanda},
      {"roberta", "RoBERTa", family::holds_roberta, family::read_roberta},
      {"distilbert", "DistilBERT", family::holds_distilbert, family::read_distilbert},
      {"bert", "BERT", family::holds_bert, family::read_bert},
      {"transformer_lens", "TransformerLens", family::holds_transformer_lens, family::read_transformer_lens},
      {"torch_encoder", "PyTorch's own layers", family::holds_torch_encoder, family::read_torch_encoder},
  };
  return kFamilies;
}

bool Family::is_called(std::string_view model_type) const {
  static constexpr std::string_view kOfNoConfig[] = {"layout", "nanda", "transformer_lens", "torch_encoder"};
  if (std::ranges::find(kOfNoConfig, key) != std::end(kOfNoConfig)) return true;  // whatever stands beside them
  static constexpr std::pair<std::string_view, std::string_view> kOthers[] = {{"roberta", "xlm-roberta"},
                                                                              {"roberta", "camembert"}};
  return model_type == key || std::string_view(key) == "llama" ||  // whose reader refuses all but its own
         std::ranges::any_of(kOthers,
                             [&](const auto& other) { return other == std::pair(std::string_view(key), model_type); });
}

bool Checkpoint::is_called(std::string_view model_type) const {
  return config.text({"model_type", "general.architecture"}) == model_type;
}

void Checkpoint::leave_out(Parts& parts, std::initializer_list<std::string_view> beginnings) const {
  for (const std::string_view beginning : beginnings)
    for (const std::string& left : parts.leave_out(beginning)) not_read->push_back(left);
}

namespace family {

Index model_width(const Parts& parts, const Tensor& words, const Config& config, Config::Keys keys) {
  if (words.shape.size() != 2 || words.shape[0] < 1 || words.shape[1] < 1 || words.shape[1] > kMaxFileModel)
    parts.fail(words, "has a row for each word, of 1 to " + std::to_string(kMaxFileModel) + " numbers");
  const Index width = words.shape[1];
  if (const std::optional<Index> said = config.whole(keys); said && *said != width)
    config.fail(*keys.begin(), "is " + std::to_string(*said) + ", and the words of the file have " +
                                   std::to_string(width) + " numbers each");
  return width;
}

Index head_count(const Config& config, Config::Keys keys, Index width) {
  const Index heads = config.size(keys, "heads", kMaxHeads);
  if (width % heads != 0)
    config.fail(*keys.begin(), "is " + std::to_string(heads) + ", by which a width of " + std::to_string(width) +
                                   " cannot be divided");
  return heads;
}

Activation activation_of(const Config& config, Config::Keys keys, const char* otherwise) {
  const std::string name = config.text(keys).value_or(otherwise);
  if (name == "gelu" || name == "gelu_python") return Activation::gelu;
  if (name == "gelu_new" || name == "gelu_fast" || name == "gelu_pytorch_tanh") return Activation::gelu_tanh;
  if (name == "relu") return Activation::relu;
  if (name == "silu" || name == "swish") return Activation::silu;
  if (name == "relu2" || name == "relu_squared") return Activation::relu_squared;
  config.fail(*keys.begin(), "is “" + printable(name, 40) +
                                 "”, an activation that is not known here; known are gelu, "
                                 "gelu_new, relu, relu2 and silu");
}

namespace {

// What configs say of a rotation: under rope_parameters, or under rope_scaling and beside it.
class RotarySaid {
 public:
  RotarySaid(const Config& config, std::string object) : config_(config), object_(std::move(object)) {}

  std::optional<double> number(const std::string& key) const { return config_.number({in(key), old(key)}); }
  std::string kind() const {
    return config_.text({in("rope_type"), in("type"), old("rope_type"), old("type")}).value_or("default");
  }
  // The key that is there, else as it would be now.
  std::string said(const std::string& key) const {
    return config_.has({in(key)}) || !config_.has({old(key)}) ? in(key) : old(key);
  }
  double needed(const std::string& key) const {
    const std::optional<double> value = number(key);
    if (!value) config_.fail(said(key), "is not said, and a rotation that is “" + kind() + "” needs it");
    return *value;
  }
  [[noreturn]] void fail_kind() const {
    const std::string key = config_.has({in("rope_type")})    ? in("rope_type")
                            : config_.has({in("type")})       ? in("type")
                            : config_.has({old("rope_type")}) ? old("rope_type")
                                                              : old("type");
    config_.fail(key, "is “" + printable(kind(), 40) +
                          "”, a rotation that is not known here; known are default, linear, llama3 and yarn");
  }
  void set(LayerSetting setting, const std::string& key, double value, LayerSettings& settings) const {
    const LayerSettingRow& row = entry_of(setting);
    char bounds[80];
    std::snprintf(bounds, sizeof bounds, "is %g; %g to %g is possible here", value, row.least, row.most);
    if (!(value >= row.least && value <= row.most)) config_.fail(said(key), bounds);
    set_value(settings, row, value);
  }
  const Config& config() const { return config_; }

 private:
  std::string in(const std::string& key) const { return object_ + "." + key; }
  static std::string old(const std::string& key) { return "rope_scaling." + key; }

  const Config& config_;
  std::string object_;
};

// The words that a model was trained on first.
double first_length(const RotarySaid& said) {
  if (const std::optional<double> own = said.number("original_max_position_embeddings")) return *own;
  const std::optional<double> known =
      said.config().number({"original_max_position_embeddings", "max_position_embeddings", "n_positions"});
  return known ? *known : said.needed("original_max_position_embeddings");
}

void read_yarn(const RotarySaid& said, LayerSettings& settings) {
  const std::string length = "original_max_position_embeddings";
  const double first = first_length(said);
  std::optional<double> factor = said.number("factor");
  if (const std::optional<double> now = said.config().number({"max_position_embeddings"}); now && !factor)
    factor = *now / first;
  said.set(LayerSetting::rotary_factor, "factor", factor ? *factor : said.needed("factor"), settings);
  said.set(LayerSetting::rotary_length, length, first, settings);
  said.set(LayerSetting::rotary_fast_turns, "beta_fast", said.number("beta_fast").value_or(32), settings);
  said.set(LayerSetting::rotary_slow_turns, "beta_slow", said.number("beta_slow").value_or(1), settings);
  const std::optional<double> share = said.number("mscale"), share_of_all = said.number("mscale_all_dim");
  std::optional<double> magnitude = said.number("attention_factor");
  if (!magnitude && share.value_or(0) != 0 && share_of_all.value_or(0) != 0)
    magnitude = rotate::yarn_magnitude(settings.rotary_factor, *share) /
                rotate::yarn_magnitude(settings.rotary_factor, *share_of_all);
  if (magnitude) said.set(LayerSetting::rotary_magnitude, "attention_factor", *magnitude, settings);
  for (const char* key : {"rope_parameters.truncate", "rope_scaling.truncate"})
    if (!said.config().flag({key}).value_or(true))
      said.config().fail(key, "is false; bounds of a scaled rotation between pairs are not known here");
}

void read_scaling(const RotarySaid& said, LayerSettings& settings) {
  const std::string kind = said.kind();
  if (kind == "default" || kind == "none") return;
  if (kind != "linear" && kind != "llama3" && kind != "yarn") said.fail_kind();
  settings.rotary_scaling = kind == "linear"   ? RotaryScaling::linear
                            : kind == "llama3" ? RotaryScaling::llama3
                                               : RotaryScaling::yarn;
  if (kind == "yarn") return read_yarn(said, settings);
  said.set(LayerSetting::rotary_factor, "factor", said.needed("factor"), settings);
  if (kind == "linear") return;
  said.set(LayerSetting::rotary_length, "original_max_position_embeddings", first_length(said), settings);
  said.set(LayerSetting::rotary_slow_turns, "low_freq_factor", said.needed("low_freq_factor"), settings);
  said.set(LayerSetting::rotary_fast_turns, "high_freq_factor", said.needed("high_freq_factor"), settings);
  if (!(settings.rotary_slow_turns < settings.rotary_fast_turns))
    said.config().fail(said.said("high_freq_factor"), "must be more than low_freq_factor");
}

void read_rotary(const RotarySaid& said, std::optional<double> base, Index d_k, double share, LayerSettings& settings) {
  const Config& config = said.config();
  settings.rotary = true;
  settings.rotary_base = base.value_or(settings.rotary_base);
  const double part =
      config.number({"rope_parameters.partial_rotary_factor", "partial_rotary_factor", "rotary_pct"}).value_or(share);
  if (!(part > 0 && part <= 1)) config.fail("partial_rotary_factor", "must be a share, above 0 and at most 1");
  const auto width = static_cast<Index>(part * static_cast<double>(d_k));
  if (width != d_k) settings.rotary_width = width / 2 * 2;
  const std::string pairs = config.text({"rotary_pairs"}).value_or("halves");
  settings.rotary_pairs = pairs == "neighbours" ? RotaryPairs::neighbours : RotaryPairs::halves;
  read_scaling(said, settings);
}

}  // namespace

void read_rotary(const Config& config, Index d_k, double share, LayerSettings& settings, double base) {
  read_rotary({config, "rope_parameters"},
              config.number({"rope_parameters.rope_theta", "rope_theta", "rotary_emb_base"}).value_or(base), d_k, share,
              settings);
}

void read_rotary_of(const Config& config, const std::string& kind, Index d_k, LayerSettings& settings, double base) {
  const std::string object = "rope_parameters." + kind;
  if (const std::optional<double> own = config.number({object + ".rope_theta"});
      own || config.has({object + ".rope_type"}))
    return read_rotary({config, object}, own.value_or(base), d_k, 1, settings);
  if (kind == "full_attention") return read_rotary(config, d_k, 1, settings, base);
  settings.rotary = true;  // where there is one key for it, it is not scaled
  settings.rotary_base = config.number({"rope_local_base_freq"}).value_or(base);
}

Model begun(Index d_model, Index layers, const Layer& layer) {
  check_layer_count(static_cast<std::size_t>(layers), 1);
  Model model;
  model.d_model = d_model;
  model.embedding.kind = Embedding::Kind::learned;
  model.embedding.positions = Embedding::Positions::none;
  model.layers.assign(static_cast<std::size_t>(layers), layer);
  return model;
}

void put(Layer& layer, Quantity quantity, const Array<float>& values) {
  *field_of(layer.weights, quantity) = with_part_stamps(quantity, values);
}
void put(Layer& layer, Quantity quantity, Mat<float> values) { put(layer, quantity, share(std::move(values))); }

Array<float> table_of(Parts& parts, Parts::Names names, Index rows, Index cols, Stored stored) {
  return parts.array(names, rows, cols, stored)
      .with_row_stamps(std::make_shared<const std::vector<Stamp>>(new_stamps(rows)));
}

void read_fused(Parts& parts, const std::string& weight, const std::string& bias, Index d, Fused fused, Layer& layer) {
  const Array<float> all = parts.array({weight}, d, 3 * d, Stored::transposed);
  const Array<float> of_all = parts.has(bias) ? share(parts.row({bias}, 3 * d)) : Array<float>();
  const auto part = [&](const Array<float>& values, Index which) {
    return fused == Fused::by_head ? part_of_heads(values, layer.heads, 3, which) : values.columns(which * d, d);
  };
  constexpr std::pair<Quantity, Quantity> kParts[] = {
      {Quantity::W_Q, Quantity::b_Q}, {Quantity::W_K, Quantity::b_K}, {Quantity::W_V, Quantity::b_V}};
  for (Index which = 0; which < 3; ++which) {
    put(layer, kParts[which].first, part(all, which));
    if (of_all) put(layer, kParts[which].second, part(of_all, which));
  }
}

namespace {

Mat<float> gain_of(Parts& parts, const std::string& name, Index d) {
  return parts.row({name + ".weight", name + ".gamma"}, d);
}
Mat<float> shift_of(Parts& parts, const std::string& name, Index d, Biases biases) {
  const bool there = parts.has(name + ".bias") || parts.has(name + ".beta");
  if (!there && biases == Biases::optional) return Mat<float>::Zero(1, d);
  return parts.row({name + ".bias", name + ".beta"}, d);
}

}  // namespace

void read_norm_of(Parts& parts, const std::string& name, Index d, Quantity gain, Quantity shift, Layer& layer,
                  Biases biases) {
  put(layer, gain, gain_of(parts, name, d));
  put(layer, shift, shift_of(parts, name, d, biases));
}

void read_final_norm(Parts& parts, const std::string& name, double epsilon, Model& model, Biases biases) {
  model.settings.final_norm = true;
  model.settings.final_norm_epsilon = epsilon;
  model.weights.gain = share(gain_of(parts, name, model.d_model));
  model.weights.shift = share(shift_of(parts, name, model.d_model, biases));
}

void read_around_heads(Parts& parts, const std::string& at, const LayerNames& names, Index d, Index hidden,
                       Layer& layer, Biases biases, Stored stored) {
  read_norm_of(parts, at + names.norm_1, d, Quantity::gain_1, Quantity::shift_1, layer, biases);
  read_norm_of(parts, at + names.norm_2, d, Quantity::gain_2, Quantity::shift_2, layer, biases);
  const auto read = [&](Quantity weight, Quantity bias, const std::string& name, Index rows, Index cols) {
    put(layer, weight, parts.array({name + ".weight"}, rows, cols, stored));
    *field_of(layer.weights, bias) = parts.bias(bias, {name + ".bias"}, cols);
  };
  read(Quantity::W_O, Quantity::b_O, at + names.out, d, d);
  read(Quantity::W_1, Quantity::b_1, at + names.up, d, hidden);
  read(Quantity::W_2, Quantity::b_2, at + names.down, hidden, d);
}

void read_out(Model& model, Parts& parts, const Config& config, Parts::Names own, Parts::Names table) {
  const std::optional<bool> tied = config.flag({"tie_word_embeddings"});
  const Tensor *const readout = parts.find(own, tied == false), *const words = parts.find(table, false);
  const bool same = !tied && readout && words && readout->shape == words->shape && readout->type == words->type &&
                    std::ranges::equal(readout->bytes, words->bytes);
  model.settings.readout = readout && !same && tied != true ? ReadoutKind::own : ReadoutKind::tied;
  if (model.settings.readout == ReadoutKind::own)
    model.weights.W_U = parts.array(own, model.d_model, model.weights.E.rows(), Stored::transposed);
}

}  // namespace family

}  // namespace hydra
