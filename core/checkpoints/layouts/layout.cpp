#include "core/checkpoints/layouts/layout.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/files/printable.h"
#include "core/json/json.h"
#include "core/model/program.h"

namespace hydra {

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

std::string key_of(const LayerSettingRow& row) {
  return "layer." + (row.within ? std::string(entry_of(*row.within).key) + "." : "") + row.key;
}
std::string key_of(const ModelSettingRow& row) {
  const std::string object = std::string("model.") + row.object;
  return row.key && *row.key ? object + "." + row.key : object;
}

double number_in(const std::string& key, const std::string& value) {
  double number = 0;
  const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (fault == std::errc() && end == value.data() + value.size()) return number;
  throw InputError("“" + printable(key, 80) + "” must be a number, not “" + printable(value, 40) + "”");
}
// Of a row, as it is spelled: "true", "rms", "1e-5".
template <class Row>
double value_in(const std::string& key, const std::string& value, const Row& row) {
  if (is_switch(row)) return value == "true" ? 1 : 0;
  if (!is_choice(row)) return number_in(key, value);
  const auto at = std::ranges::find_if(row.names, [&](const char* name) { return value == name; });
  if (at == row.names.end()) throw InputError("“" + printable(key, 80) + "” cannot be “" + printable(value, 40) + "”");
  return static_cast<double>(at - row.names.begin());
}

// --- parts -----------------------------------------------------------------------------------------------------------

bool read_span(std::string_view text, ArrayPart::Span& span) {
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

std::string in_text(const ArrayPart::Span& span) {
  return (span.begin > 0 || span.end >= 0 ? std::to_string(span.begin) : "") + ":" +
         (span.end >= 0 ? std::to_string(span.end) : "");
}

// --- the text --------------------------------------------------------------------------------------------------------

// {"heads": 3, "norm": {"kind": "layer"}}: members as they come, those of one object one after the other.
class LayoutObject {
 public:
  void add(const std::string& key, const std::string& value) {
    const std::size_t point = key.find('.');
    if (point == std::string::npos) return enter(""), member(key, value);
    enter(key.substr(0, point));
    member(key.substr(point + 1), value);
  }
  std::string text() {
    enter("");
    return "{" + text_ + "}";
  }

 private:
  void enter(const std::string& object) {
    if (object == object_) return;
    if (!object_.empty()) text_ += "}";
    object_ = object;
    if (object.empty()) return;
    member(object, "{");
    text_.pop_back(), begins_ = true;
    text_ += "{";
  }
  void member(const std::string& key, const std::string& value) {
    if (!text_.empty() && !std::exchange(begins_, false)) text_ += ", ";
    begins_ = false;
    append_string(text_, key);
    text_ += ": " + value;
  }

  std::string text_, object_;
  bool begins_ = false;
};

template <class Settings, class Row>
std::string value_text(const Settings& settings, const Row& row) {
  const double value = value_of(settings, row);
  if (is_switch(row)) return value != 0 ? "true" : "false";
  std::string text;
  if (is_choice(row))
    append_string(text, row.names[static_cast<std::size_t>(value)]);
  else
    append_number(text, static_cast<float>(value));
  return text;
}

std::string layer_text(const ModelLayout& layout) {
  LayoutObject object;
  if (layout.heads > 0) object.add("heads", std::to_string(layout.heads));
  object.add("mask", layout.causal ? "\"causal\"" : "\"none\"");
  const auto is_said = [&](const LayerSettingRow& row) {
    if (row.setting == LayerSetting::feed_forward_width) return false;  // as the arrays have it
    const bool changed = value_of(layout.layer, row) != value_of(LayerSettings{}, row);
    if (!row.within) return changed;
    return value_of(layout.layer, entry_of(*row.within)) != 0 && (row.always_written || changed);
  };
  for (const LayerSettingRow& row : layer_settings()) {
    if (row.within) continue;
    bool has_parts = false;
    if (is_switch(row) && value_of(layout.layer, row) != 0)
      for (const LayerSettingRow& part : layer_settings())
        if (part.within == row.setting && is_said(part)) {
          object.add(std::string(row.key) + "." + part.key, value_text(layout.layer, part));
          has_parts = true;
        }
    if (!has_parts && is_said(row)) object.add(row.key, value_text(layout.layer, row));
  }
  return object.text();
}

std::string model_text(const ModelLayout& layout) {
  LayoutObject object;
  for (const ModelSettingRow& row : model_settings()) {
    const bool of_switch = is_switch(row);  // there where its parts are
    const bool off = row.within && value_of(layout.model, entry_of(*row.within)) == 0;
    const bool changed = value_of(layout.model, row) != value_of(ModelSettings{}, row);
    if (of_switch || off || !(changed || (row.within && row.always_written))) continue;
    object.add(key_of(row).substr(6), value_text(layout.model, row));
  }
  if (layout.sinusoidal) object.add("positions", "\"sinusoidal\"");
  return object.text();
}

}  // namespace

// --- parts

ArrayPart parse_part(std::string text, bool is_row) {
  ArrayPart part;
  if (const std::size_t open = text.find('['); open != std::string::npos && text.ends_with(']')) {
    const std::string inner = text.substr(open + 1, text.size() - open - 2);
    const std::size_t comma = inner.find(',');
    const bool known = comma != std::string::npos ? read_span(std::string_view(inner).substr(0, comma), part.rows) &&
                                                        read_span(std::string_view(inner).substr(comma + 1), part.cols)
                                                  : read_span(inner, is_row ? part.cols : part.rows);
    if (!known) throw InputError("has “[" + printable(inner, 40) + "]”; a part is written as [0:64, :]");
    text.erase(open);
  }
  if (text.ends_with("^T")) {
    part.stored = Stored::transposed;
    text.erase(text.size() - 2);
  }
  part.name = std::move(text);
  return part;
}

std::string spelled(const ArrayPart& part, bool is_row) {
  std::string text = part.name + (part.stored == Stored::transposed ? "^T" : "");
  if (part.rows.is_whole() && part.cols.is_whole()) return text;
  return text + "[" + (is_row ? in_text(part.cols) : in_text(part.rows) + ", " + in_text(part.cols)) + "]";
}

// --- layouts

bool is_layout(const Config& config) { return config.has({kMark}); }

ModelLayout layout_of(const Config& config) {
  ModelLayout layout;
  config.has({kMark});
  layout.heads = config.whole({"layer.heads"}).value_or(0);
  const std::string mask = config.text({"layer.mask"}).value_or("none");
  if (mask != "causal" && mask != "none")
    config.fail("layer.mask", "is “" + printable(mask, 40) + "”; known are none, causal");
  layout.causal = mask == "causal";
  for (const LayerSettingRow& row : layer_settings()) read_setting(config, key_of(row), row, layout.layer);
  for (const ModelSettingRow& row : model_settings()) read_setting(config, key_of(row), row, layout.model);
  const std::string positions = config.text({"model.positions"}).value_or("none");
  layout.sinusoidal = positions == "sinusoidal";
  if (!layout.sinusoidal && positions != "none" && positions != "learned")
    config.fail("model.positions", "is “" + printable(positions, 40) + "”; known are none, learned, sinusoidal");
  for (auto& [key, text] : config.texts_under("arrays.")) layout.arrays[key] = text;
  layout.ignored = config.texts("ignored");
  for (const std::string& key : config.not_asked())
    for (const char* part : {"layer.", "model."})
      if (key.starts_with(part)) config.fail(key, "is nothing that a model of these settings has");
  return layout;
}

namespace {

// Whether all that tells the layer's numbers is its settings and its parameters.
void check_plain(const Layer& layer) {
  if (layer.mask.kind == Mask::Kind::custom) throw InputError("has a mask of its own");
  if (!layer.own.empty()) throw InputError("has heads with a mask, a window or a temperature of their own");
  if (!layer.kv_of.empty()) throw InputError("has given groups of heads that share keys and values");
  if (layer.split == Split::slice) throw InputError("has heads that are slices of its input");
  if (!layer.painted.empty()) throw InputError("has rows of attention that were set by hand");
  if (!layer.gates.empty()) throw InputError("has heads that are silent, or louder than the others");
}

}  // namespace

ModelLayout layout_of(const Model& model) {
  const Layer& last = model.layers.back();
  if (!model.weights.E) throw InputError("has no table of words");
  if (!model.embedding.edits.empty()) throw InputError("has numbers of X that were set by hand");
  for (const Layer& layer : model.layers) {
    check_plain(layer);
    if (layer.heads != last.heads || layer.mask.kind != last.mask.kind || layer.settings != last.settings)
      throw InputError("has layers with other heads, another mask or other settings than the last");
  }
  if (model.weights.W_U && model.weights.W_U.cols() != model.weights.E.rows())
    throw InputError("reads out other words than it reads, or answers several questions");
  ModelLayout layout;
  layout.heads = last.heads;
  layout.causal = last.mask.kind == Mask::Kind::causal;
  layout.layer = last.settings, layout.model = model.settings;
  layout.sinusoidal = model.embedding.positions == Embedding::Positions::sinusoidal;
  const auto add = [&](const LayoutPlace& place, const Array<float>& values) {
    if (values) layout.arrays[place.key()] = place.key();
  };
  for (const Quantity p : kModelWeights) add({p, false}, *field_of(model.weights, p));
  for (const Quantity p : kWeights) add({p, true}, *field_of(last.weights, p));
  return layout;
}

std::string layout_text(const ModelLayout& layout) {
  std::string text = "{\"" + std::string(kMark) + "\": 1,\n \"layer\": " + layer_text(layout) +
                     ",\n \"model\": " + model_text(layout) + ",\n \"arrays\": {";
  const char* before = "\n  ";
  for (const auto& [key, part] : layout.arrays) {
    text += before, before = ",\n  ";
    append_string(text, key);
    text += ": ";
    append_string(text, part);
  }
  text += "},\n \"ignored\": [";
  before = "";
  for (const std::string& ending : layout.ignored) {
    text += before, before = ", ";
    append_string(text, ending);
  }
  return text + "]}\n";
}

ModelLayout changed(ModelLayout layout, const std::string& key, const std::string& value) {
  const auto of = [&](std::string_view object) {
    return key.starts_with(object) ? std::optional(key.substr(object.size())) : std::nullopt;
  };
  if (const auto place = of("arrays.")) {
    if (value.empty())
      layout.arrays.erase(*place);
    else
      layout.arrays[*place] = value;
    return layout;
  }
  if (const auto ending = of("ignored.")) {
    std::erase(layout.ignored, *ending);
    if (value == "true") layout.ignored.push_back(*ending);
    return layout;
  }
  if (key == "layer.heads") {
    const double heads = number_in(key, value);
    if (!(heads >= 0 && heads <= 1e6) || heads != std::floor(heads))
      throw InputError("“layer.heads” must be a whole number, not “" + printable(value, 40) + "”");
    layout.heads = static_cast<Index>(heads);
    return layout;
  }
  if (key == "layer.mask" || key == "model.positions") {
    const bool other = key == "layer.mask" ? value == "causal" : value == "sinusoidal";
    (key == "layer.mask" ? layout.causal : layout.sinusoidal) = other;
    if (layout.sinusoidal) layout.arrays.erase("P");
    return layout;
  }
  for (const LayerSettingRow& row : layer_settings())
    if (key_of(row) == key) return set_value(layout.layer, row, value_in(key, value, row)), layout;
  for (const ModelSettingRow& row : model_settings())
    if (key_of(row) == key) return set_value(layout.model, row, value_in(key, value, row)), layout;
  throw InputError("“" + printable(key, 80) + "” is nothing that a layout says");
}

std::string LayoutPlace::key() const {
  return (of_layer ? std::string(kAllLayers) : std::string()) + entry_of(quantity).key;
}

std::vector<LayoutPlace> places_of(const ModelLayout& layout) {
  const auto is_needed = [](Quantity p) { return !may_be_absent(p) && entry_of(p).start != QuantityRow::Start::zeros; };
  const bool learned = layout.arrays.contains("P");
  std::vector<LayoutPlace> places{{Quantity::E, false, true}};
  if (!layout.sinusoidal) places.push_back({Quantity::P, false, learned});
  for (const Quantity p : program_of(layout.layer).parameters) places.push_back({p, true, is_needed(p)});
  for (const Quantity p : program_of(layout.model, {true, learned}).parameters)
    if (p != Quantity::E && p != Quantity::P) places.push_back({p, false, is_needed(p)});
  return places;
}

std::string sentence_of(const LayoutFault& fault) { return "“" + printable(fault.key, 80) + "” " + fault.what; }

}  // namespace hydra
