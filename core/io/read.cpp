// JSON -> Document, strictly: whatever is not a document is one sentence naming the place, what is there, what is
// needed.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "core/design/design_json.h"
#include "core/document/fingerprints.h"
#include "core/document/limits.h"
#include "core/document/models.h"
#include "core/files/bounded_file.h"
#include "core/io/examples.h"
#include "core/io/file.h"
#include "core/io/model_json.h"
#include "core/io/numbers_json.h"
#include "core/io/opening.h"
#include "core/json/reader.h"
#include "core/model/program.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

class Reader : JsonReader {
 public:
  Reader(std::string name, std::vector<Override> overrides, std::uint64_t most_numbers)
      : JsonReader(std::move(name), "the document", std::move(overrides)), most_numbers_(most_numbers) {}
  Document document(const Json& json) const;

 private:
  Notes notes(const Node& node) const;
  void sentence(const Node& root, Document& document) const;
  void embedding(const Node& node, Index n, Document& document) const;
  void setting(const Node& node, const LayerSettingRow& row, LayerSettings& settings) const;
  // What older files have besides a layer's weights: others of one layer alone, put aside.
  struct Older {
    std::optional<WeightSource> source;
    AttentionWeights<float> weights;
  };
  void model(const Node& node, Index n, Document& document, std::vector<Older>* older) const;
  static std::optional<Model> model_of(const Model& model, const std::vector<Older>& older);
  Layer layer(const Node& node, Index n, ModelColumns columns, std::vector<Older>* older) const;
  Mask mask(const Node& node, Index n) const;
  WordCorrections words(const Node& node) const;
  void settings(const Node& node, Index d_model, Layer& layer) const;
  void weights(const Node& node, const Layer& layer, ModelColumns columns, WeightSource& source,
               AttentionWeights<float>& weights) const;
  [[noreturn]] void fail_part(const std::string& pointer, Quantity quantity) const;
  void designs(const Node& node, ModelColumns columns, Index concat, WeightSource& source) const;
  std::vector<std::uint64_t> fingerprints(const Node& node) const;
  std::vector<float> gates(const Node& node, Index heads) const;
  std::vector<PaintedHead<float>> painted(const Node& node, Index n, Index d_model, const Layer& layer) const;
  std::vector<PaintedRow<float>> painted_rows(const Node& node, Index n, Index size, const Mask* mask) const;
  // Fails where so many more numbers are more than the document may ask for in all.
  void ask_for(const std::string& pointer, std::uint64_t numbers) const;

  std::uint64_t most_numbers_;
  mutable std::uint64_t asked_ = 0;
};

void Reader::ask_for(const std::string& pointer, std::uint64_t numbers) const {
  asked_ += numbers;
  if (asked_ > most_numbers_)
    fail(pointer, "makes it a document of more than " + std::to_string(most_numbers_ >> 20) +
                      " million numbers with its patterns, which no link may ask for; give its file instead");
}

// --- the document ----------------------------------------------------------------------------------------------------

// {"title": "...", "text": ["a paragraph", ...], "about": "a sentence"}
Notes Reader::notes(const Node& node) const {
  Notes notes;
  if (!node) return notes;
  check_object(node, {"title", "text", "about"});
  const Node title = member(node, "title"), text = member(node, "text");
  if (title) notes.title = string(title);
  const Elements paragraphs = elements(text, "an array of paragraphs");
  check_count(text, kMaxParagraphs, "paragraphs");
  for (const Node& paragraph : paragraphs) notes.paragraphs.push_back(string(paragraph));
  if (const Node about = member(node, "about")) notes.about = string(about);
  check_at(node.pointer, [&] { check_notes(notes); });
  return notes;
}

void Reader::sentence(const Node& root, Document& document) const {
  // Tokens are the sentence as it is cut, but where another sentence is asked for in their place.
  const Node sentence = member(root, "sentence");
  const bool replaced = is_set("/sentence") && !is_set("/tokens");
  const Node tokens = replaced ? Node{nullptr, "/tokens"} : member(root, "tokens");
  if (tokens) {
    const Elements all = elements(tokens, "an array of strings");
    check_at(tokens.pointer, [&] { check_sizes(static_cast<Index>(all.size()), 1, 1); });
    document.sentence.clear();
    document.tokens.emplace();
    for (const Node& each : all) {
      const std::string token = string(each);
      document.sentence += (document.tokens->empty() ? "" : " ") + token;
      document.tokens->push_back(token);
    }
    check_at(tokens.pointer, [&] { check_tokens(*document.tokens); });
  }
  if (sentence) document.sentence = string(sentence);
  check_at(sentence.pointer, [&] { check_sentence(document.sentence); });
  check_at(tokens ? tokens.pointer : sentence.pointer,
           [&] { check_sizes(static_cast<Index>(tokens_of(document).size()), 1, 1); });
}

void Reader::embedding(const Node& node, Index n, Document& document) const {
  std::vector<const char*> keys{"kind", "seed", "positions", "slot", "words", "edits", "X"};
  keys.insert(keys.end(), std::begin(kTableKeys), std::end(kTableKeys));
  check_object(node, keys);
  using Kind = Embedding::Kind;
  using Positions = Embedding::Positions;
  Embedding& e = document.embedding;
  e = {};
  e.kind = choice<Kind>(member(node, "kind"), e.kind,
                        {{"hashed", Kind::hashed},
                         {"features", Kind::features},
                         {"explicit", Kind::explicit_values},
                         {"learned", Kind::learned}});
  e.seed = seed(member(node, "seed"), e.seed);
  const Node positions = member(node, "positions"), X = member(node, "X"), edits = member(node, "edits");
  e.positions = choice<Positions>(
      positions, e.positions,
      {{"sinusoidal", Positions::sinusoidal}, {"none", Positions::none}, {"learned", Positions::learned}});
  e.slot = flag(member(node, "slot"), e.slot);
  e.words = words(member(node, "words"));
  if (e.kind == Kind::features) check_at(node.pointer, [&] { check_feature_width(document.d_model); });
  if (X && e.kind != Kind::explicit_values)
    fail(X.pointer, "is for explicit embeddings; \"kind\": \"explicit\" is needed beside it");
  if (e.kind == Kind::learned) return read_tables(*this, node, document);
  for (const char* key : kTableKeys)
    if (const Node table = member(node, key))
      fail(table.pointer, "is for learned embeddings; \"kind\": \"learned\" is needed beside it");
  if (e.positions == Positions::learned)
    fail(positions.pointer, "is for learned embeddings; \"kind\": \"learned\" is needed beside it");
  if (e.kind != Kind::explicit_values) {
    if (edits) e.edits = read_cells(*this, edits, Cells::of_matrix, n, document.d_model);
    return;
  }
  if (!X) fail(node.pointer, "has no \"X\", which explicit embeddings need");
  if (edits) fail(edits.pointer, "is not for an explicit X, which has its numbers in X");
  e.X = share(matrix(X, n, document.d_model));
}

// {"blorp": ["noun", "animate"], ...}
WordCorrections Reader::words(const Node& node) const {
  WordCorrections words;
  if (!node) return words;
  if (!node.json->is_object()) fail_type(node, "an object of words, each with an array of features");
  check_count(node, kMaxCorrectedWords, "words");
  const Lexicon& lexicon = Lexicon::standard();
  for (auto at = node.json->begin(); at != node.json->end(); ++at) {
    const std::string word(at.key()), pointer = pointer_to(node.pointer, word);
    if (word.empty() || word != word_key(word))
      fail(pointer, "must be a word in lower-case letters, with straight apostrophes");
    FeatureSet& set = words[word];
    for (const Node& name : elements({&*at, pointer}, "an array of features such as [\"noun\"]")) {
      const int feature = lexicon.feature(string(name));
      if (feature < 0) fail(name.pointer, "is no feature: " + printable(string(name)));
      set |= feature_bit(feature);
    }
  }
  check_at(node.pointer, [&] { check_words(words); });
  return words;
}

Mask Reader::mask(const Node& node, Index n) const {
  using Kind = Mask::Kind;
  if (!node) return {};
  if (!node.json->is_array()) {
    const std::string word = node.json->is_string() ? string(node) : "";
    if (word == "none") return {};
    if (word == "causal") return {Kind::causal, nullptr};
    fail_type(node, "\"none\", \"causal\" or an array of rows of 0 (hidden) and 1 (may attend)");
  }
  const auto holds_arrays = [](const Json& json) { return json.is_array() && !json.empty() && json[0].is_array(); };
  if (holds_arrays(*node.json) && holds_arrays((*node.json)[0]))
    fail(node.pointer, "has a matrix for each head, and a layer has one mask for all its heads: one matrix of " +
                           std::to_string(n) +
                           " rows is needed; what a single head attends to can be set by \"painted\"");
  const Json& lines = array(*node.json, node.pointer, n, "row");
  Mat<std::uint8_t> allowed(n, n);
  Index i = 0;
  for (const Json& each : lines) {
    const std::string pointer = pointer_to(node.pointer, std::to_string(i));
    Index j = 0;
    for (const Json& value : array(each, pointer, n, "number")) {
      if (!value.is(0) && !value.is(1))
        fail_type({&value, pointer_to(pointer, std::to_string(j))}, "0 (hidden) or 1 (may attend)");
      allowed(i, j++) = value.is(1) ? 1 : 0;
    }
    ++i;
  }
  return {Kind::custom, share(std::move(allowed))};
}

// [[row, [numbers]], ...], sorted by row. With a mask they are rows of attention.
std::vector<PaintedRow<float>> Reader::painted_rows(const Node& node, Index n, Index size, const Mask* mask) const {
  std::vector<PaintedRow<float>> rows;
  for (const Node& entry : elements(node, "an array of [row, numbers]")) {
    const Json& pair = array(*entry.json, entry.pointer, 2, "value");
    const Index row = whole_number({&pair[0], pointer_to(entry.pointer, "0")}, 0, n - 1, 0);
    const Node numbers{&pair[1], pointer_to(entry.pointer, "1")};
    rows.push_back({row, share(vector(numbers, size))});
    if (mask) check_at(numbers.pointer, [&] { check_painted_attention(*mask, row, *rows.back().values); });
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
  const auto twice =
      std::adjacent_find(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.row == b.row; });
  if (twice != rows.end()) fail(node.pointer, "sets row " + std::to_string(twice->row) + " twice");
  return rows;
}

// layer: with its heads, its mask and its settings.
std::vector<PaintedHead<float>> Reader::painted(const Node& node, Index n, Index d_model, const Layer& layer) const {
  const Mask mask = layer.seen();
  std::vector<PaintedHead<float>> heads;
  for (const Node& entry : elements(node, "an array of painted heads")) {
    check_object(entry, {"head", "attention", "values"});
    const Node number = member(entry, "head");
    if (!number) fail(entry.pointer, "has no \"head\", the number of the head that is painted");
    const Index head = whole_number(number, 0, layer.heads - 1, 0);
    PaintedHead<float> painted{painted_rows(member(entry, "attention"), n, n, &mask),
                               painted_rows(member(entry, "values"), n, layer.d_k(d_model), nullptr)};
    heads.resize(static_cast<std::size_t>(layer.heads));
    if (!heads[static_cast<std::size_t>(head)].empty())
      fail(number.pointer, "is " + std::to_string(head) + " once more; each painted head stands once");
    heads[static_cast<std::size_t>(head)] = std::move(painted);
  }
  const auto empty = [](const PaintedHead<float>& head) { return head.empty(); };
  if (std::all_of(heads.begin(), heads.end(), empty)) heads.clear();
  return heads;
}

// One per head; none when all are 1.
std::vector<float> Reader::gates(const Node& node, Index heads) const {
  if (!node) return {};
  const RowVec<float> numbers = vector(node, heads);
  std::vector<float> gates(numbers.data(), numbers.data() + numbers.size());
  check_at(node.pointer, [&] { check_gates(gates, heads); });
  if (std::count(gates.begin(), gates.end(), 1.0f) == heads) gates.clear();
  return gates;
}

// The setting without which a layer has no such weights.
const char* setting_of(Quantity weights) {
  switch (weights) {
    case Quantity::sink:
      return "\"sink\": \"learned\"";
    case Quantity::W_G:
      return "\"output_gate\": \"element\"";
    case Quantity::w_G:
      return "\"output_gate\": \"head\"";
    case Quantity::gain_Q:
    case Quantity::gain_K:
      return "\"qk_norm\"";
    case Quantity::P_L:
    case Quantity::P_W:
      return "\"talking_heads\"";
    case Quantity::gain_1:
    case Quantity::gain_2:
    case Quantity::shift_1:
    case Quantity::shift_2:
      return "\"norm\"";
    case Quantity::W_3:
      return "a \"gated\" \"feed_forward\"";
    default:
      return weights >= Quantity::lambda_q1 && weights <= Quantity::gain_O ? "\"differential\"" : "\"feed_forward\"";
  }
}

void Reader::fail_part(const std::string& pointer, Quantity quantity) const {
  fail(pointer, std::string("is of a part that the layer does not have; ") + setting_of(quantity) +
                    " is needed beside its weights");
}

// [{"preset": "previous"}, null, ...]: a place per head; null for one that is as seeded.
void Reader::designs(const Node& node, ModelColumns columns, Index concat, WeightSource& source) const {
  if (!node) return;
  const Elements places = elements(node, "an array with a designed head or null for each head");
  check_at(node.pointer, [&] {
    check_feature_width(columns.d_model);
    check_heads(static_cast<Index>(places.size()), concat, columns.d_model);
  });
  for (const Node& place : places) {
    std::optional<HeadDesign>& design = source.designs.emplace_back();
    if (place.json->is_null()) continue;
    design = read_design(*this, place);
    check_at(place.pointer, [&] { designed_head(*design, columns, concat / static_cast<Index>(places.size())); });
  }
}

// [3141592653589793238, ...]: a number for each head that there was.
std::vector<std::uint64_t> Reader::fingerprints(const Node& node) const {
  const Elements all = elements(node, "an array of whole numbers, one for each head");
  if (all.size() == 0 || all.size() > static_cast<std::size_t>(kMaxHeads))
    fail(node.pointer, "has " + std::to_string(all.size()) + " fingerprints where 1 to " + std::to_string(kMaxHeads) +
                           " are needed, one for each head");
  std::vector<std::uint64_t> prints;
  for (const Node& print : all) prints.push_back(seed(print, 0));
  return prints;
}

// layer: with its sizes and settings.
void Reader::weights(const Node& node, const Layer& layer, ModelColumns columns, WeightSource& source,
                     AttentionWeights<float>& weights) const {
  std::vector<const char*> names;
  for (const Quantity p : kWeights) names.push_back(entry_of(p).key);
  std::vector<const char*> keys{"kind", "init", "seed", "gain", "designs", "fingerprints", "edits"};
  keys.insert(keys.begin() + 6, names.begin(), names.end());
  check_object(node, keys);
  using Kind = WeightSource::Kind;
  source.kind = choice<Kind>(member(node, "kind"), source.kind,
                             {{"random", Kind::random},
                              {"explicit", Kind::explicit_values},
                              {"drawn", Kind::drawn},
                              {"trained", Kind::trained}});
  source.init = choice<Init>(member(node, "init"), source.init,
                             {{"xavier", Init::xavier}, {"identity", Init::identity}, {"zero", Init::zero}});
  source.seed = seed(member(node, "seed"), source.seed);
  if (const Node gain = member(node, "gain")) {
    source.gain = number(*gain.json, gain.pointer);
    check_at(gain.pointer, [&] { check_gain(source.gain); });
  }
  const bool random = !source.by_number();
  const Node prints = member(node, "fingerprints");
  if (prints && source.kind != Kind::drawn && source.kind != Kind::trained)
    fail(prints.pointer, "is for weights that are \"drawn\" or \"trained\"");
  const Node designed = member(node, "designs");
  const LayerWidths widths = layer.widths(columns.d_model);
  designs(designed, columns, widths.concat, source);
  if (!source.designs.empty() && widths.kv != widths.concat)
    fail(designed.pointer, "is for heads with keys and values of their own, and \"kv_heads\" lets them share");
  if (random) weights = weights_of(source, layer, columns);
  const Node edits = member(node, "edits");
  if (edits && !random) fail(edits.pointer, "is for random weights; explicit ones have their numbers in W_Q and so on");
  check_object(edits, names);
  const LayerProgram& program = program_of(layer.settings);
  for (const Quantity p : kWeights) {
    const Node whole = member(node, entry_of(p).key), edited = member(edits, entry_of(p).key);
    if (!program.has(p)) {
      if (whole || edited) fail_part((whole ? whole : edited).pointer, p);
      continue;
    }
    if (whole && edited) fail(edited.pointer, "stands beside " + whole.pointer + "; one of the two is needed");
    Array<float>& values = *field_of(weights, p);
    if (whole)
      values = make_weight(p, read_parameter(*this, whole, p, widths.rows(p), widths.cols(p)));
    else if (edited)
      values = make_weight(p, read_edits(*this, edited, p, values, widths.cols(p)));
    else if (!random && is_bias(p))
      values = initial_parameter(p, widths, source.init, source.seed);
    else if (!random)
      fail(node.pointer, std::string("has no \"") + entry_of(p).key + "\", which explicit weights need");
  }
  if (prints)
    source.fingerprints = fingerprints(prints);
  else if (source.kind == Kind::drawn || source.kind == Kind::trained)
    source.fingerprints = fingerprints_of(weights, layer.heads);
}

// A switch that others belong to is the object that has them, or true where all of them may be left out.
void Reader::setting(const Node& node, const LayerSettingRow& row, LayerSettings& settings) const {
  if (!node) return;
  double value = 1;
  if (may_be_flag(row) && node.json->is_boolean()) {
    value = flag(node, false);
  } else if (has_parts(row)) {
    if (may_be_flag(row) && !node.json->is_object()) fail_type(node, "true, false or an object");
    std::vector<const char*> keys;
    for (const LayerSettingRow& part : layer_settings())
      if (part.within == row.setting) keys.push_back(part.key);
    check_object(node, keys);
  } else if (is_choice(row)) {
    std::vector<std::pair<const char*, double>> choices;
    for (const char* name : row.names) choices.emplace_back(name, static_cast<double>(choices.size()));
    value = choice<double>(node, 0, choices);
  } else if (is_switch(row)) {
    value = flag(node, false);
  } else {
    value = is_whole(row) ? static_cast<double>(whole_number(node, 0))
                          : static_cast<double>(number(*node.json, node.pointer));
  }
  check_at(node.pointer, [&] { set_value(settings, row, value); });
}

void Reader::settings(const Node& node, Index d_model, Layer& layer) const {
  LayerSettings& settings = layer.settings;
  for (const LayerSettingRow& row : layer_settings()) {
    const Node object = row.within ? member(node, entry_of(*row.within).key) : node;
    if (object || !row.within) setting(member(object, row.key), row, settings);
  }
  settle(settings, d_model);
  check_at(node.pointer, [&] { check_settings(settings, layer.shape(d_model)); });
}

Layer Reader::layer(const Node& node, Index n, ModelColumns columns, std::vector<Older>* older) const {
  const Index d_model = columns.d_model;
  std::vector<const char*> keys{"heads", "d_k", "kv_heads", "mask"};
  for (const LayerSettingRow& row : layer_settings())
    if (!row.within) keys.push_back(row.key);
  for (const char* key : {"weights", "split", "slice_factor", "painted", "gates"}) keys.push_back(key);
  if (older) keys.push_back("other_weights");
  check_object(node, keys);
  Layer layer;
  const Node heads = member(node, "heads"), d_k = member(node, "d_k"), kv_heads = member(node, "kv_heads");
  layer.heads = whole_number(heads, layer.heads);
  if (!d_k)
    check_at(heads.pointer, [&] {
      try {
        check_sizes(n, d_model, layer.heads);
      } catch (const InputError& error) {
        if (layer.heads < 1 || layer.heads > kMaxHeads || d_model % layer.heads == 0) throw;
        throw InputError(std::string(error.what()) + ", and any number with \"d_k\", a head's width, beside it");
      }
    });
  if (d_k) {
    const Index each = whole_number(d_k, 0);
    check_at(d_k.pointer, [&] { check_head_width(each, layer.heads); });
    if (each * layer.heads != d_model) layer.own_width = each * layer.heads;
  }
  layer.mask = mask(member(node, "mask"), n);
  settings(node, d_model, layer);
  layer.split =
      choice<Split>(member(node, "split"), layer.split, {{"projection", Split::projection}, {"slice", Split::slice}});
  check_at(d_k.pointer, [&] { check_heads(layer, d_model); });
  if (const Node factor = member(node, "slice_factor")) {
    if (layer.split != Split::slice) fail(factor.pointer, "is for slices; \"split\": \"slice\" is needed beside it");
    layer.slice_factor = number(*factor.json, factor.pointer);
    check_at(factor.pointer, [&] { check_gain(*layer.slice_factor); });
  }
  const Index sets = whole_number(kv_heads, layer.heads);
  check_at(kv_heads.pointer, [&] { check_kv_heads(sets, layer.heads); });
  layer.group_size = layer.heads / sets;
  check_at(kv_heads.pointer, [&] { check_kv_heads(layer); });
  layer.painted = painted(member(node, "painted"), n, d_model, layer);
  layer.gates = gates(member(node, "gates"), layer.heads);
  ask_for(node.pointer, numbers_asked(layer, n, d_model));
  weights(member(node, "weights"), layer, columns, layer.source, layer.weights);
  if (!older) return layer;
  older->emplace_back();
  if (const Node other = member(node, "other_weights"))
    weights(other, layer, columns, older->back().source.emplace(), older->back().weights);
  return layer;
}

// Into a document that has its text. older: where what an older file puts aside goes; none where it cannot stand.
void Reader::model(const Node& root, Index n, Document& document, std::vector<Older>* older) const {
  const Node d_model = member(root, "d_model");
  document.d_model = whole_number(d_model, document.d_model);
  check_at(d_model.pointer, [&] { check_sizes(1, document.d_model, 1); });
  embedding(member(root, "embedding"), n, document);
  read_words_out(*this, root, document);
  ask_for(root.pointer, numbers_asked(document.weights));
  const Node layers = member(root, "layers");
  document.layers.clear();
  if (layers) {
    if (!layers.json->is_array()) fail_type(layers, "an array of layers");
    check_at(layers.pointer, [&] { check_layer_count(layers.json->size(), document.d_model); });
    for (const Node& each : elements(layers, "an array of layers"))
      document.layers.push_back(layer(each, n, document.columns(), older));
  } else {
    document.layers.push_back(layer({nullptr, layers.pointer + "/0"}, n, document.columns(), older));
  }
  check_at(layers.pointer, [&] { check_width_count(document); });
}

// What the switch of one layer had put aside, as a model: that layer with its other weights, the rest as it is.
std::optional<Model> Reader::model_of(const Model& model, const std::vector<Older>& older) {
  Model other = model;
  bool any = false;
  for (std::size_t k = 0; k < older.size(); ++k) {
    if (!older[k].source) continue;
    any = true;
    other.layers[k].source = *older[k].source;
    other.layers[k].weights = older[k].weights;
  }
  return any ? std::optional(other) : std::nullopt;
}

Document Reader::document(const Json& json) const {
  const Node root{&json, ""};
  if (!json.is_object()) fail_type(root, "an object");
  const Node version = member(root, "hydrascope");
  if (!version) fail("", "has no \"hydrascope\": 1, by which documents are known");
  if (!version.json->is(1))
    fail(version.pointer, "must be 1, the only version there is, not " + in_words(*version.json));
  check_object(root, {"hydrascope", "notes", "sentence", "tokens", "d_model", "embedding", "final_norm", "readout",
                      "layers", "other_models"});

  Document document = default_document();
  document.notes = notes(member(root, "notes"));
  sentence(root, document);
  const auto n = static_cast<Index>(tokens_of(document).size());
  std::vector<Older> older;
  model(root, n, document, &older);
  const Node others = member(root, "other_models");
  const Elements aside = elements(others, "an array of models");
  check_at(others.pointer, [&] { check_aside_count(aside.size()); });
  for (const Node& each : aside) {
    check_object(each, {"d_model", "embedding", "final_norm", "readout", "layers"});
    Document other = with_model(document, default_document());
    model(each, n, other, nullptr);
    document.aside.push_back(std::move(static_cast<Model&>(other)));
  }
  if (const auto other = model_of(document, older)) document.aside.push_back(*other);
  check_at(others.pointer, [&] { check_aside_count(document.aside.size()); });
  check_at(pointer_to("", "layers"), [&] {
    check_painted_count(document);
    check_designed_count(document);
  });
  return document;
}

}  // namespace

Document parse_document(std::string_view text, const std::string& name, const std::vector<std::string>& sets,
                        std::uint64_t most_numbers) {
  JsonTree tree = parse_json(text, name, kLargestDocument.values);
  std::vector<Override> overrides;
  if (!sets.empty() && tree.root().is_object() && tree.root().find("layers") == nullptr)
    apply_override(tree, "/layers=[{}]");
  for (const std::string& set : sets) overrides.push_back(apply_override(tree, set));
  return Reader(name, std::move(overrides), most_numbers).document(tree.root());
}

namespace {

void check_no_link(std::string_view text, const std::string& name) {
  const std::size_t start = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  if (start < text.size() && text[start] != '{' && text[start] != '[' && is_link(text.substr(start, 4096)))
    throw InputError(name + ": holds a link, and a document is JSON; give the link itself, in quotes");
}

}  // namespace

bool names_link(const std::string& path) {
  std::error_code ignored;
  return is_link(path) && !std::filesystem::exists(path, ignored);
}

Document read_document(const std::string& path, const std::vector<std::string>& sets) {
  if (names_link(path)) return parse_document(linked_text(path), "the link", sets, kMostLinkNumbers);
  if (path.empty() && sets.empty()) return opening_document();
  if (path.empty()) return parse_document(document_text(opening_document()), "the opening document", sets);
  const std::string name = path == "-" ? "standard input" : printable(path, 200),
                    text = read_at_most(kLargestDocument.bytes, path);
  check_no_link(text, name);
  return parse_document(text, name, sets);
}

OpenedDocument open_document(const std::string& path) {
  if (path.empty() || path == "-") return {read_document(path), {}};
  if (names_link(path)) {
    Link link = parse_link(path);
    return {std::move(link.document), {}, std::move(link.place)};
  }
  const std::string text = read_at_most(kLargestDocument.bytes, path);
  check_no_link(text, printable(path, 200));
  return {parse_document(text, printable(path, 200)), {path, fingerprint_of(text)}};
}

OpenedDocument open_example(const std::string& file) {
  const std::string_view text = example_text(file);
  if (text.empty()) throw InputError(printable(file, 60) + ": there is no such example here");
  return {parse_document(text, file), {}, {}, file};
}

}  // namespace hydra
