// Document -> JSON: canonical, one row of a matrix per line, defaults left out, so that files are small and diffs
// short.
#include <bit>

#include "core/design/design_json.h"
#include "core/document/file.h"
#include "core/document/limits.h"
#include "core/error.h"
#include "core/files/json.h"

namespace hydra {

namespace {

constexpr std::size_t kLineLength = 120;

std::string indent(int depth) { return "\n" + std::string(static_cast<std::size_t>(2 * depth), ' '); }

std::string text_of(std::string_view string) {
  std::string text;
  append_string(text, string);
  return text;
}

template <class Values>
void append_row(std::string& out, const Values& values) {
  out += '[';
  for (Index j = 0; j < values.size(); ++j) {
    if (j > 0) out += ", ";
    append_number(out, static_cast<float>(values(j)));
  }
  out += ']';
}

// One row per line. depth is that of the line on which it begins.
template <class S>
std::string text_of(const Array<S>& values, int depth) {
  const auto matrix = *values;
  std::string text = "[";
  for (Index i = 0; i < matrix.rows(); ++i) {
    text += (i > 0 ? "," : "") + indent(depth + 1);
    append_row(text, matrix.row(i));
  }
  return text + indent(depth) + "]";
}

std::string row_text(const Array<float>& row) {
  std::string text;
  append_row(text, row->row(0));
  return text;
}

// [[row, col, value], ...]; of a vector [[col, value], ...].
std::string text_of(const std::vector<CellValue>& cells, bool vector, int depth) {
  std::string text = "[";
  for (const CellValue& cell : cells) {
    text += (text.size() > 1 ? "," : "") + indent(depth + 1) + "[";
    if (!vector) text += std::to_string(cell.row) + ", ";
    text += std::to_string(cell.col) + ", ";
    append_number(text, cell.value);
    text += ']';
  }
  return cells.empty() ? "[]" : text + indent(depth) + "]";
}

// An object at a depth: on one line when it fits, else a line per key.
class ObjectText {
 public:
  explicit ObjectText(int depth) : depth_(depth) {}

  void add(const char* key, std::string value) {
    if (value.find('\n') != std::string::npos) multiline_ = true;
    length_ += value.size() + std::string_view(key).size() + 6;
    members_.emplace_back(key, std::move(value));
  }
  bool empty() const { return members_.empty(); }

  std::string text() const {
    const bool lines = multiline_ || length_ > kLineLength;
    std::string text = "{";
    for (const auto& [key, value] : members_) {
      if (text.size() > 1) text += lines ? "," : ", ";
      if (lines) text += indent(depth_ + 1);
      text += "\"" + key + "\": " + value;
    }
    return text + (lines ? indent(depth_) : "") + "}";
  }

 private:
  int depth_;
  bool multiline_ = false;
  std::size_t length_ = 0;
  std::vector<std::pair<std::string, std::string>> members_;
};

std::string text_of(float value) {
  std::string number;
  append_number(number, value);
  return number;
}

// {"blorp": ["noun"]}, a word per line.
std::string text_of(const WordCorrections& words, int depth) {
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
std::string text_of(const std::vector<std::optional<HeadDesign>>& designs, int depth) {
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
  return object.text();
}

std::string embedding_text(const Embedding& embedding) {
  ObjectText object(1);
  constexpr const char* kinds[] = {"hashed", "features", "explicit"};
  const bool hashed = embedding.kind != Embedding::Kind::explicit_values;
  object.add("kind", std::string("\"") + kinds[static_cast<std::size_t>(embedding.kind)] + "\"");
  if (hashed || embedding.seed != Embedding{}.seed) object.add("seed", std::to_string(embedding.seed));
  const bool sinusoidal = embedding.positions == Embedding::Positions::sinusoidal;
  if (hashed || !sinusoidal) object.add("positions", sinusoidal ? "\"sinusoidal\"" : "\"none\"");
  if (embedding.slot) object.add("slot", "true");
  if (!embedding.words.empty()) object.add("words", text_of(embedding.words, 2));
  if (!embedding.edits.empty()) object.add("edits", text_of(embedding.edits, false, 2));
  if (embedding.X) object.add("X", text_of(embedding.X, 2));
  return object.text();
}

std::string mask_text(const Mask& mask) {
  if (mask.kind == Mask::Kind::custom) return text_of(mask.allowed, 3);
  return mask.kind == Mask::Kind::causal ? "\"causal\"" : "\"none\"";
}

// The cells of values that are not what the seed gives.
std::vector<CellValue> differing(MatIn<float> values, MatIn<float> seeded) {
  std::vector<CellValue> cells;
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      if (std::bit_cast<std::uint32_t>(values(i, j)) != std::bit_cast<std::uint32_t>(seeded(i, j)))
        cells.push_back({i, j, values(i, j)});
  return cells;
}

// A matrix or bias goes whole into the weights, or its edited cells into the edits, or nowhere when it is as seeded.
class WeightsText {
 public:
  WeightsText(const WeightSource& source, const AttentionWeights<float>& weights, const Layer& layer,
              ModelColumns columns)
      : weights_(weights), random_(source.kind == WeightSource::Kind::random) {
    const WeightSource usual;
    object_.add("kind", random_ ? "\"random\"" : "\"explicit\"");
    if (source.init != usual.init) object_.add("init", source.init == Init::identity ? "\"identity\"" : "\"zero\"");
    if (random_ || source.seed != usual.seed) object_.add("seed", std::to_string(source.seed));
    if (source.gain != usual.gain) object_.add("gain", text_of(source.gain));
    if (!source.designs.empty()) object_.add("designs", text_of(source.designs, 4));
    if (random_) seeded_ = weights_of(source, layer, columns);
    for (const Quantity p : kWeights) add(p);
    if (!edits_.empty()) object_.add("edits", edits_.text());
  }
  std::string text() const { return object_.text(); }

 private:
  void add(Quantity p) {
    const Array<float>& values = *field_of(weights_, p);
    if (!values) return;
    if (is_weight(p)) {
      if (!random_) return object_.add(entry_of(p).key, text_of(values, 4));
      const std::vector<CellValue> cells = differing(*values, **field_of(seeded_, p));
      if (cells.empty()) return;
      if (static_cast<Index>(largest::kSparse * cells.size()) >= values.size())
        object_.add(entry_of(p).key, text_of(values, 4));
      else
        edits_.add(entry_of(p).key, text_of(cells, false, 5));
    } else {
      const Array<float>& seeded = *field_of(seeded_, p);
      const std::vector<CellValue> cells =
          differing(*values, seeded ? Mat<float>(*seeded) : Mat<float>::Zero(1, values.size()));
      if (seeded && cells.empty()) return;
      if (!random_ || 2 * static_cast<Index>(cells.size()) >= values.size())
        object_.add(entry_of(p).key, row_text(values));
      else
        edits_.add(entry_of(p).key, text_of(cells, true, 5));
    }
  }

  AttentionWeights<float> weights_, seeded_;
  bool random_;
  ObjectText object_{3}, edits_{4};
};

// One row per line.
std::string painted_text(const std::vector<PaintedRow<float>>& rows, int depth) {
  std::string text = "[";
  for (const PaintedRow<float>& painted : rows) {
    text += (text.size() > 1 ? "," : "") + indent(depth + 1) + "[" + std::to_string(painted.row) + ", ";
    append_row(text, painted.values->row(0));
    text += ']';
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
  if (!row.always_written && value == value_of({}, row)) return;
  if (has_parts(row)) {
    ObjectText parts(depth);
    for (const LayerSettingRow& part : layer_settings())
      if (part.within == row.setting) add_setting(parts, depth + 1, settings, part);
    object.add(row.key, parts.text());
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
  if (layer.group_size > 1) object.add("kv_heads", std::to_string(layer.kv_heads()));
  object.add("mask", mask_text(layer.mask));
  for (const LayerSettingRow& row : layer_settings())
    if (!row.within) add_setting(object, 3, layer.settings, row);
  if (layer.split == Split::slice) object.add("split", "\"slice\"");
  if (layer.slice_factor) object.add("slice_factor", text_of(*layer.slice_factor));
  if (!layer.gates.empty()) {
    std::string gates;
    append_row(gates, Eigen::Map<const RowVec<float>>(layer.gates.data(), layer.heads));
    object.add("gates", gates);
  }
  object.add("weights", WeightsText(layer.source, layer.weights, layer, columns).text());
  if (layer.other)
    object.add("other_weights", WeightsText(layer.other->source, layer.other->weights, layer, columns).text());
  if (!layer.painted.empty()) object.add("painted", painted_text(layer.painted));
  return object.text();
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
  text += ",\n  \"d_model\": " + std::to_string(document.d_model);
  text += ",\n  \"embedding\": " + embedding_text(document.embedding);
  text += ",\n  \"layers\": [";
  for (const Layer& layer : document.layers)
    text += (text.back() == '[' ? "\n    " : ",\n    ") + layer_text(layer, document.columns());
  return text + "\n  ]\n}\n";
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
