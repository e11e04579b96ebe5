// Document -> JSON: canonical, one row of a matrix per line, defaults left out, so that files are small and diffs
// short.
#include "core/design/design_json.h"
#include "core/document/fingerprints.h"
#include "core/document/limits.h"
#include "core/document/models.h"
#include "core/error.h"
#include "core/io/document_text.h"
#include "core/io/file.h"
#include "core/io/model_json.h"
#include "core/json/json.h"

namespace hydra {

namespace {

using namespace json_text;

// {"blorp": ["noun"]}, a word per line.
std::string corrections_text(const WordCorrections& words, int depth) {
  const std::vector<Feature>& features = Lexicon::standard().features();
  std::string text = "{";
  for (const auto& [word, set] : words) {
    text += (text.size() > 1 ? "," : "") + indent(depth + 1) + text_of(word) + ": [";
    for (std::size_t f = 0; f < features.size(); ++f)
      if (has_feature(set, static_cast<int>(f))) text += (text.back() == '[' ? "" : ", ") + text_of(features[f].name);
    text += ']';
  }
  return text + indent(depth) + "}";
}

// A place per head, one per line.
std::string designs_text(const std::vector<std::optional<HeadDesign>>& designs, int depth) {
  std::string text = "[";
  for (const std::optional<HeadDesign>& design : designs)
    text += (text.size() > 1 ? "," : "") + indent(depth + 1) + (design ? write_design(*design) : "null");
  return text + indent(depth) + "]";
}

// A paragraph per line.
std::string notes_text(const Notes& notes) {
  ObjectText object(1);
  if (!notes.title.empty()) object.add("title", text_of(notes.title));
  std::string text = "[";
  for (const std::string& paragraph : notes.paragraphs)
    text += (text.size() > 1 ? "," : "") + indent(3) + text_of(paragraph);
  if (!notes.paragraphs.empty()) object.add("text", text + indent(2) + "]");
  if (!notes.about.empty()) object.add("about", text_of(notes.about));
  return object.text();
}

std::string embedding_text(const Document& document) {
  const Embedding& e = document.embedding;
  ObjectText object(1);
  constexpr const char* kinds[] = {"hashed", "features", "explicit", "learned"};
  constexpr const char* positions[] = {"none", "sinusoidal", "learned"};
  const bool given = e.kind == Embedding::Kind::explicit_values;
  object.add("kind", text_of(std::string_view(kinds[static_cast<std::size_t>(e.kind)])));
  if (!given || e.seed != Embedding{}.seed) object.add("seed", std::to_string(e.seed));
  if (!given || e.positions != Embedding{}.positions)
    object.add("positions", text_of(std::string_view(positions[static_cast<std::size_t>(e.positions)])));
  if (e.slot) object.add("slot", "true");
  if (!e.words.empty()) object.add("words", corrections_text(e.words, 2));
  if (e.kind == Embedding::Kind::learned)
    add_tables(object, document);
  else if (!e.edits.empty())
    object.add("edits", text_of(e.edits, false, 2));
  if (e.X) object.add("X", text_of(e.X, 2));
  return object.text();
}

std::string mask_text(const Mask& mask) {
  if (mask.kind == Mask::Kind::custom) return text_of(mask.allowed, 3);
  return mask.kind == Mask::Kind::causal ? "\"causal\"" : "\"none\"";
}

std::string fingerprints_text(const std::vector<std::uint64_t>& prints) {
  std::string text = "[";
  for (const std::uint64_t print : prints) text += (text.size() > 1 ? ", " : "") + std::to_string(print);
  return text + "]";
}

// A matrix or bias goes whole into the weights, or its edited cells into the edits, or nowhere when it is as seeded.
class WeightsText {
 public:
  WeightsText(const Layer& layer, ModelColumns columns) : weights_(layer.weights), random_(!layer.source.by_number()) {
    const WeightSource& source = layer.source;
    const WeightSource usual;
    constexpr const char* kinds[] = {"random", "explicit", "drawn", "trained"};
    object_.add("kind", text_of(std::string_view(kinds[static_cast<std::size_t>(source.kind)])));
    if (source.init != usual.init) object_.add("init", source.init == Init::identity ? "\"identity\"" : "\"zero\"");
    if (random_ || source.seed != usual.seed) object_.add("seed", std::to_string(source.seed));
    if (source.gain != usual.gain) object_.add("gain", text_of(source.gain));
    if (!source.designs.empty()) object_.add("designs", designs_text(source.designs, 4));
    if (!source.fingerprints.empty() && source.fingerprints != fingerprints_of(layer))
      object_.add("fingerprints", fingerprints_text(source.fingerprints));
    if (random_) seeded_ = weights_of(source, layer, columns);
    for (const Quantity p : kWeights)
      add_parameter(object_, edits_, p, *field_of(weights_, p), *field_of(seeded_, p), !random_);
    if (!edits_.empty()) object_.add("edits", edits_.text());
  }
  std::string text() const { return object_.text(); }

 private:
  AttentionWeights<float> weights_, seeded_;
  bool random_;
  ObjectText object_{3}, edits_{4};
};

// One row per line.
std::string painted_text(const std::vector<PaintedRow<float>>& rows, int depth) {
  std::string text = "[";
  for (const PaintedRow<float>& painted : rows) {
    text += (text.size() > 1 ? "," : "") + indent(depth + 1) + "[" + std::to_string(painted.row) + ", ";
    text += row_text(*painted.values) + "]";
  }
  return text + indent(depth) + "]";
}

std::string painted_text(const std::vector<PaintedHead<float>>& heads) {
  std::string text = "[";
  for (std::size_t h = 0; h < heads.size(); ++h) {
    if (heads[h].empty()) continue;
    ObjectText object(4);
    object.add("head", std::to_string(h));
    if (!heads[h].attention.empty()) object.add("attention", painted_text(heads[h].attention, 5));
    if (!heads[h].values.empty()) object.add("values", painted_text(heads[h].values, 5));
    text += (text.size() > 1 ? "," : "") + indent(4) + object.text();
  }
  return text + indent(3) + "]";
}

// depth: of the object; within: of the switch whose object it is.
void add_setting(ObjectText& object, int depth, const LayerSettings& settings, const LayerSettingRow& row) {
  const double value = value_of(settings, row);
  if (!row.always_written && value == value_of(LayerSettings{}, row)) return;
  if (has_parts(row)) {
    ObjectText parts(depth);
    for (const LayerSettingRow& part : layer_settings())
      if (part.within == row.setting) add_setting(parts, depth + 1, settings, part);
    object.add(row.key, parts.empty() && may_be_flag(row) ? "true" : parts.text());
  } else if (is_choice(row)) {
    object.add(row.key, text_of(std::string_view(row.names[static_cast<std::size_t>(value)])));
  } else if (is_switch(row)) {
    object.add(row.key, value != 0 ? "true" : "false");
  } else {
    object.add(row.key, is_whole(row) ? std::to_string(static_cast<Index>(value)) : text_of(static_cast<float>(value)));
  }
}

std::string layer_text(const Layer& layer, ModelColumns columns) {
  ObjectText object(2);
  object.add("heads", std::to_string(layer.heads));
  if (layer.own_width != 0) object.add("d_k", std::to_string(layer.own_width / layer.heads));
  if (layer.group_size > 1) object.add("kv_heads", std::to_string(layer.kv_heads()));
  object.add("mask", mask_text(layer.mask));
  for (const LayerSettingRow& row : layer_settings())
    if (!row.within) add_setting(object, 3, layer.settings, row);
  if (layer.split == Split::slice) object.add("split", "\"slice\"");
  if (layer.slice_factor) object.add("slice_factor", text_of(*layer.slice_factor));
  if (!layer.gates.empty()) {
    object.add("gates", row_text(Eigen::Map<const Mat<float>>(layer.gates.data(), 1, layer.heads)));
  }
  object.add("weights", WeightsText(layer, columns).text());
  if (!layer.painted.empty()) object.add("painted", painted_text(layer.painted));
  return object.text();
}

// The keys of the model in use, as they stand in an object of the first depth.
std::string model_text(const Document& document) {
  std::string text = "\"d_model\": " + std::to_string(document.d_model);
  text += ",\n  \"embedding\": " + embedding_text(document);
  for (const auto& [key, object] : words_out_texts(document)) text += ",\n  \"" + key + "\": " + object;
  text += ",\n  \"layers\": [";
  for (const Layer& layer : document.layers)
    text += (text.back() == '[' ? "\n    " : ",\n    ") + layer_text(layer, document.columns());
  return text + "\n  ]";
}

// The same further in. A line ends only where the layout ends it.
std::string indented(const std::string& text, int depth) {
  std::string result;
  for (const char c : text) c == '\n' ? result += indent(depth) : result += c;
  return result;
}

}  // namespace

std::string document_text(const Document& document) {
  std::string text = "{\n  \"hydrascope\": 1,\n";
  if (!document.notes.empty()) text += "  \"notes\": " + notes_text(document.notes) + ",\n";
  text += "  \"sentence\": " + text_of(document.sentence);
  if (document.tokens) {
    text += ",\n  \"tokens\": [";
    for (const std::string& token : *document.tokens) text += (text.back() == '[' ? "" : ", ") + text_of(token);
    text += ']';
  }
  text += ",\n  " + model_text(document);
  for (std::size_t k = 0; k < document.aside.size(); ++k)
    text += (k == 0 ? ",\n  \"other_models\": [\n    {\n      " : ",\n    {\n      ") +
            indented(model_text(with_model(document, document.aside[k])), 2) + "\n    }";
  return text + (document.aside.empty() ? "\n}\n" : "\n  ]\n}\n");
}

KeptFile write_document(const Document& document, const std::string& path) {
  const auto refuse = [&](const std::string& what) {
    throw InputError(printable(path, 200) + ": not written, because it could not be read again: " + what);
  };
  try {
    check_document(document);
  } catch (const InputError& fault) {
    refuse(fault.what());
  }
  const std::string text = document_text(document);
  if (text.size() > kLargestDocument.bytes)
    refuse("the document has " + std::to_string(text.size() >> 20) + " MiB; at most " +
           std::to_string(kLargestDocument.bytes >> 20) + " are possible");
  write_whole(path, text);
  return {path, fingerprint_of(text)};
}

}  // namespace hydra
