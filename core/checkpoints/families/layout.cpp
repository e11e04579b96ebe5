// Models of no family that is known here: a layout.json beside the arrays says what the model is, in the words that
// documents have for it, and which array stands for which of its parameters (docs/models.md).
#include <charconv>

#include "core/checkpoints/family.h"
#include "core/error.h"
#include "core/files/printable.h"
#include "core/model/program.h"
#include "core/weights/config.h"
#include "core/weights/model_weights.h"

namespace hydra::family {

namespace {

constexpr const char* kMark = "hydrascope_layout";  // the key by which a layout is known

// --- settings --------------------------------------------------------------------------------------------------------

// Of a table's row, by the key that documents have.
template <class Settings, class Row>
void read_setting(const Config& config, const std::string& key, const Row& row, Settings& settings) {
  std::optional<double> value;
  if (is_switch(row)) {
    const bool has_parts = config.has_under(key + ".");
    if (has_parts || config.has({key})) value = has_parts || config.flag({key}).value_or(false) ? 1 : 0;
  } else if (is_choice(row)) {
    const std::optional<std::string> word = config.text({key});
    std::string known;
    for (std::size_t k = 0; word && k < row.names.size(); ++k) {
      if (*word == row.names[k]) value = static_cast<double>(k);
      known += (k > 0 ? ", " : "") + std::string(row.names[k]);
    }
    if (word && !value) config.fail(key, "is “" + printable(*word, 40) + "”; known are " + known);
  } else {
    value = config.number({key});
  }
  if (!value) return;
  try {
    set_value(settings, row, *value);
  } catch (const InputError& fault) {
    config.fail(key, std::string("is not possible: ") + fault.what());
  }
}

LayerSettings layer_settings_in(const Config& config) {
  LayerSettings settings;
  for (const LayerSettingRow& row : layer_settings())
    read_setting(config, "layer." + (row.within ? std::string(entry_of(*row.within).key) + "." : "") + row.key, row,
                 settings);
  return settings;
}

ModelSettings model_settings_in(const Config& config) {
  ModelSettings settings;
  for (const ModelSettingRow& row : model_settings()) {
    const std::string object = std::string("model.") + row.object;
    read_setting(config, row.key && *row.key ? object + "." + row.key : object, row, settings);
  }
  return settings;
}

// --- arrays ----------------------------------------------------------------------------------------------------------

// What stands for a parameter: "blocks.*.qkv.weight^T[:, 64:128]", an array, perhaps transposed, perhaps of that only
// some rows and columns.
struct ArrayPlace {
  struct Span {
    Index begin = 0, end = -1;  // -1: as far as it goes
  };
  std::string name;
  Stored stored = Stored::as_is;
  Span rows, cols;
};

bool read_span(std::string_view text, ArrayPlace::Span& span) {
  const auto whole = [](std::string_view digits, Index& into) {
    if (digits.empty()) return true;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), into);
    return fault == std::errc() && end == digits.data() + digits.size() && into >= 0;
  };
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  const std::size_t colon = text.find(':');
  return colon != std::string_view::npos && whole(text.substr(0, colon), span.begin) &&
         whole(text.substr(colon + 1), span.end);
}

// A row has one span, which is of its columns.
ArrayPlace place_in(const Config& config, const std::string& key, std::string text, bool is_row) {
  ArrayPlace place;
  if (const std::size_t open = text.find('['); open != std::string::npos && text.ends_with(']')) {
    const std::string inner = text.substr(open + 1, text.size() - open - 2);
    const std::size_t comma = inner.find(',');
    const bool two = comma != std::string::npos;
    const bool known = two ? read_span(std::string_view(inner).substr(0, comma), place.rows) &&
                                 read_span(std::string_view(inner).substr(comma + 1), place.cols)
                           : read_span(inner, is_row ? place.cols : place.rows);
    if (!known) config.fail(key, "has “[" + printable(inner, 40) + "]”; a part is written as [0:64, :]");
    text.erase(open);
  }
  if (text.ends_with("^T")) {
    place.stored = Stored::transposed;
    text.erase(text.size() - 2);
  }
  place.name = std::move(text);
  return place;
}

class LaidOut {
 public:
  LaidOut(const Config& config, Parts& parts) : config_(config), parts_(parts) {}

  bool is_there(const std::string& key) const { return config_.has({key}); }
  // Of a layer by its own entry, else by that of all layers.
  std::string key_of(Quantity parameter, Index layer) const {
    const std::string name = entry_of(parameter).key, own = "arrays.layers." + std::to_string(layer) + "." + name;
    return is_there(own) ? own : "arrays.layers.*." + name;
  }
  // rows x cols: that the parameter has; 0: as many as the array has. Null where no array stands for it, or it is
  // missing, which is noted.
  Array<float> array(Quantity parameter, const std::string& key, Index layer, Index rows, Index cols) {
    const std::optional<std::string> text = config_.text({key});
    if (!text) return nullptr;
    ArrayPlace place = place_in(config_, key, *text, is_bias(parameter));
    if (const std::size_t star = place.name.find('*'); star != std::string::npos)
      place.name.replace(star, 1, std::to_string(layer));
    const Tensor* tensor = parts_.find({place.name});
    if (!tensor) return nullptr;
    const Array<float> part = cut(key, whole(parameter, *tensor, place), place);
    if ((rows > 0 && part.rows() != rows) || (cols > 0 && part.cols() != cols))
      config_.fail(key, "gives " + in_words({part.rows(), part.cols()}) + ", and the model has " +
                            in_words({rows, cols}) + " there");
    return part;
  }

 private:
  static std::string in_words(std::initializer_list<Index> shape) { return hydra::in_words(std::vector<Index>(shape)); }
  // (heads, rows, cols) stands side by side, or for W_O one below another; of a row any axes are one after the other.
  Array<float> whole(Quantity parameter, const Tensor& tensor, const ArrayPlace& place) {
    const std::vector<Index>& shape = tensor.shape;
    if (is_bias(parameter) || shape.size() < 2) return share(parts_.row({place.name}, count_of(tensor)));
    if (shape.size() > 3) parts_.fail(tensor, "has rows and columns, or these for each head");
    if (shape.size() == 3 && entry_of(parameter).rows == Axis::head_dim)
      return parts_.one_below_another({place.name}, shape[0], shape[1], shape[2]);
    if (shape.size() == 3) return parts_.side_by_side({place.name}, shape[0], shape[1], shape[2]);
    return place.stored == Stored::as_is ? parts_.array({place.name}, shape[0], shape[1], Stored::as_is)
                                         : parts_.array({place.name}, shape[1], shape[0], Stored::transposed);
  }
  Array<float> cut(const std::string& key, Array<float> all, const ArrayPlace& place) const {
    const auto within = [&](ArrayPlace::Span span, Index size, const char* what) {
      const Index end = span.end < 0 ? size : span.end;
      if (span.begin >= end || end > size)
        config_.fail(key, "takes " + std::string(what) + " " + std::to_string(span.begin) + " to " +
                              std::to_string(end) + " of " + std::to_string(size));
      return std::pair(span.begin, end - span.begin);
    };
    const auto [row, rows] = within(place.rows, all.rows(), "rows");
    all = all.row_block(row, rows);
    const auto [col, cols] = within(place.cols, all.cols(), "columns");
    return all.columns(col, cols);
  }

  const Config& config_;
  Parts& parts_;
};

// How many there are, by the first array of all layers that is there.
Index count_layers(const Config& config, const Parts& parts) {
  for (const Quantity p : kWeights) {
    const std::optional<std::string> text = config.text({std::string("arrays.layers.*.") + entry_of(p).key});
    const std::size_t star = text ? text->find('*') : std::string::npos;
    if (star == std::string::npos) continue;
    std::string before = text->substr(0, star);
    if (const Index count = parts.count(before)) return count;
    config.fail(std::string("arrays.layers.*.") + entry_of(p).key,
                "is “" + printable(*text, 60) + "”, and there is none of that name with 0 for the *");
  }
  config.fail("arrays", "has no entry “layers.*.W_Q” with a * for the number of the layer");
}

// What it says and nothing here has asked for: it may be misspelt.
void check_asked(const Config& config) {
  for (const std::string& key : config.not_asked())
    for (const char* part : {"layer.", "model.", "arrays."})
      if (key.starts_with(part)) config.fail(key, "is nothing that a model of these settings has");
}

}  // namespace

bool holds_layout(const Checkpoint& checkpoint) { return checkpoint.config.has({kMark}); }

Model read_layout(const Checkpoint& checkpoint) {
  const Config& config = checkpoint.config;
  Parts parts(checkpoint.tensors, {});
  for (const std::string& ignored : config.texts("ignored")) parts.skip(ignored);
  LaidOut arrays(config, parts);
  Layer layer;
  layer.settings = layer_settings_in(config);
  layer.heads = config.size({"layer.heads"}, "heads", kMaxHeads);
  layer.mask.kind = config.text({"layer.mask"}) == "causal" ? Mask::Kind::causal : Mask::Kind::none;
  const Index layers = count_layers(config, parts);
  // Sizes are those of the first layer's arrays.
  const auto first = [&](Quantity p) { return arrays.array(p, arrays.key_of(p, 0), 0, 0, 0); };
  const Array<float> W_Q = first(Quantity::W_Q), W_K = first(Quantity::W_K), W_1 = first(Quantity::W_1);
  if (!W_Q || !W_K) parts.finish();
  const Index d_model = W_Q.rows(), concat = W_Q.cols();
  if (d_model < 1 || d_model > kMaxFileModel || concat % layer.heads != 0)
    config.fail("arrays.layers.*.W_Q", "gives " + in_words(std::vector{d_model, concat}) +
                                           ", which must be d_model x numbers of all heads (^T turns it)");
  if (concat != d_model) layer.own_width = concat;
  const Index d_k = concat / layer.heads, sets = W_K.cols() / d_k;
  if (sets < 1 || layer.heads % sets != 0 || W_K.cols() % d_k != 0)
    config.fail("arrays.layers.*.W_K", "has " + std::to_string(W_K.cols()) + " columns, which " +
                                           std::to_string(layer.heads) + " heads of " + std::to_string(d_k) +
                                           " numbers cannot share");
  layer.group_size = layer.heads / sets;
  if (layer.settings.feed_forward && W_1) layer.settings.feed_forward_width = W_1.cols();
  Model model = begun(d_model, layers, layer);
  model.settings = model_settings_in(config);
  const LayerWidths widths = layer.widths(d_model);
  for (Index k = 0; k < layers; ++k)
    for (const Quantity p : program_of(layer.settings).parameters) {
      const std::string key = arrays.key_of(p, k);
      if (!arrays.is_there(key) && !may_be_absent(p)) config.fail("arrays", "has no entry “" + key.substr(7) + "”");
      if (const Array<float> values = arrays.array(p, key, k, widths.rows(p), widths.cols(p)))
        put(model.layer(k), p, values);
    }
  Array<float> E = arrays.array(Quantity::E, "arrays.E", 0, 0, d_model);
  if (!E) config.fail("arrays", "has no entry “E”, the table of words");
  model.weights.E = E.with_row_stamps(std::make_shared<const std::vector<Stamp>>(new_stamps(E.rows())));
  if (arrays.is_there("arrays.P")) {
    model.embedding.positions = Embedding::Positions::learned;
    const Array<float> P = arrays.array(Quantity::P, "arrays.P", 0, 0, d_model);
    if (P) model.weights.P = P.with_row_stamps(std::make_shared<const std::vector<Stamp>>(new_stamps(P.rows())));
  } else if (config.text({"model.positions"}) == "sinusoidal") {
    model.embedding.positions = Embedding::Positions::sinusoidal;
  }
  const ModelWidths ends{d_model, E.rows(), 0, E.rows()};
  for (const Quantity p : program_of(model.settings, {true, bool(model.weights.P)}).parameters) {
    if (p == Quantity::E || p == Quantity::P) continue;
    const std::string key = std::string("arrays.") + entry_of(p).key;
    if (!arrays.is_there(key) && !may_be_absent(p)) config.fail("arrays", "has no entry “" + key.substr(7) + "”");
    *field_of(model.weights, p) = arrays.array(p, key, 0, ends.rows(p), ends.cols(p));
  }
  check_asked(config);
  parts.finish();
  return model;
}

}  // namespace hydra::family
