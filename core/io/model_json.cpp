#include "core/io/model_json.h"

#include <algorithm>

#include "core/document/model.h"
#include "core/document/model_file.h"
#include "core/io/numbers_json.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

using namespace json_text;

constexpr std::pair<const char*, Init> kTableInits[] = {
    {"random", Init::xavier}, {"identity", Init::identity}, {"zero", Init::zero}};
constexpr std::pair<const char*, Vocabulary::Case> kCases[] = {{"folded", Vocabulary::Case::folded},
                                                               {"exact", Vocabulary::Case::exact}};
constexpr Quantity kTables[] = {Quantity::E, Quantity::P, Quantity::T},
                   kOfWords[] = {Quantity::gain_E, Quantity::shift_E}, kOfTransform[] = {Quantity::W_T, Quantity::b_T},
                   kOfNorm[] = {Quantity::final_gain, Quantity::final_shift},
                   kOfReadout[] = {Quantity::W_U, Quantity::b_U};
// Objects beside the embedding, in their order, with the parameters of each.
constexpr std::pair<const char*, std::span<const Quantity>> kEnds[] = {
    {"embedding_norm", kOfWords}, {"transform", kOfTransform}, {"final_norm", kOfNorm}, {"readout", kOfReadout}};

Vocabulary read_vocabulary(const JsonReader& reader, const Node& node) {
  std::vector<std::string> words;
  const Elements all = reader.elements(node, "an array of words");
  reader.check_count(node, kMaxVocabulary, "words");
  words.reserve(all.size());
  for (const Node& word : all) words.push_back(reader.string(word));
  reader.check_at(node.pointer, [&] { check_vocabulary(words); });
  return Vocabulary(std::move(words));
}

Vocabulary read_questions(const JsonReader& reader, const Node& node) {
  std::vector<std::string> names;
  const Elements all = reader.elements(node, "an array of names");
  reader.check_count(node, kMaxVocabulary, "questions");
  for (const Node& name : all) names.push_back(reader.string(name));
  if (names.empty()) reader.fail(node.pointer, "names no question; leave it out where there is one without a name");
  reader.check_at(node.pointer, [&] { check_questions(names); });
  return Vocabulary(std::move(names));
}

Init read_init(const JsonReader& reader, const Node& node) { return reader.choice(node, Init::xavier, kTableInits); }

// What would be needed for a parameter that the model does not have.
std::string missing_part(const Document& document, Quantity parameter) {
  if (parameter == Quantity::T) return "is of types of tokens; \"types\", how many there are, is needed beside it";
  if (parameter == Quantity::final_shift || parameter == Quantity::shift_E)
    return "is for a layer norm; \"kind\": \"rms\" has a gain alone";
  if (parameter == Quantity::b_U) return "is of a readout; \"kind\": \"tied\" or \"own\" is needed beside it";
  if (parameter == Quantity::W_U)
    return document.settings.readout == ReadoutKind::tied
               ? "is of a readout with weights of its own; a tied one reads out by the embedding's E"
               : "is of a readout with weights of its own; \"kind\": \"own\" is needed beside it";
  return "is for learned positions; \"positions\": \"learned\" is needed beside it";
}

// The parameters that stand in an object, whole or as edits, over those that the document has as they begin.
void read_parameters(const JsonReader& reader, const Node& node, std::span<const Quantity> parameters,
                     Document& document, const Node& edits) {
  const ModelWidths widths = widths_of(document);
  for (const Quantity p : parameters) {
    const Node whole = reader.member(node, entry_of(p).key), edited = reader.member(edits, entry_of(p).key);
    if (!whole && !edited) continue;
    if (!model_program_of(document).has(p)) reader.fail((whole ? whole : edited).pointer, missing_part(document, p));
    if (whole && edited) reader.fail(edited.pointer, "stands beside " + whole.pointer + "; one of the two is needed");
    Array<float>& values = *field_of(document.weights, p);
    values = share_model_weight(p, whole ? read_parameter(reader, whole, p, widths.rows(p), widths.cols(p))
                                         : read_edits(reader, edited, p, values, widths.cols(p)));
  }
}

// How many learned positions there are: as P has rows, as is said, or one for each token.
Index read_places(const JsonReader& reader, const Node& embedding, Index tokens) {
  const Node P = reader.member(embedding, "P"), places = reader.member(embedding, "places");
  if (!P) return reader.whole_number(places, 1, kMaxTokens, tokens);
  if (!P.json->is_array()) reader.fail_type(P, "an array of rows");
  const auto rows = static_cast<Index>(P.json->size());
  if (rows < 1 || rows > kMaxTokens)
    reader.fail(P.pointer, "has " + std::to_string(rows) + " rows where 1 to " + std::to_string(kMaxTokens) +
                               " are needed, one for each place");
  if (places) reader.whole_number(places, rows, kMaxTokens, rows);
  return rows;
}

// So many of the file's where it has as many, else as they begin.
Array<float> places_of(Index places, const Document& document) {
  if (document.file)
    if (const Array<float>& P = document.file->model.weights.P; P && P.rows() == places && P.cols() == document.d_model)
      return P;
  return initial_places(places, document.d_model, document.embedding.init, document.embedding.seed);
}

// P given with fewer rows than there are to be places: the others are zeros.
void add_places(const JsonReader& reader, const Node& embedding, Document& document) {
  const Node P = reader.member(embedding, "P"), places = reader.member(embedding, "places");
  if (P && places) lengthen_places(document, reader.whole_number(places, 1, kMaxTokens, 1));
}

// object: that the row's key stands in.
void read_setting(const JsonReader& reader, const Node& object, const ModelSettingRow& row, ModelSettings& settings) {
  if (is_switch(row)) return set_value(settings, row, object ? 1 : 0);
  const Node node = reader.member(object, row.key);
  if (!node) return;
  double value = 0;
  if (is_choice(row)) {
    std::vector<std::pair<const char*, double>> choices;
    for (const char* name : row.names) choices.emplace_back(name, static_cast<double>(choices.size()));
    value = reader.choice<double>(node, 0, choices);
  } else {
    value = static_cast<double>(reader.number(*node.json, node.pointer));
  }
  reader.check_at(node.pointer, [&] { set_value(settings, row, value); });
}

// The keys of an object: those of its settings, and others.
std::vector<std::string_view> keys_of(std::string_view object, std::initializer_list<std::string_view> others) {
  std::vector<std::string_view> keys;
  for (const ModelSettingRow& row : model_settings())
    if (row.object == object && !is_switch(row)) keys.push_back(row.key);
  keys.insert(keys.end(), others);
  return keys;
}

void read_readout_source(const JsonReader& reader, const Node& node, Document& document) {
  const Node vocabulary = reader.member(node, "vocabulary"), questions = reader.member(node, "questions"),
             init = reader.member(node, "init"), seed = reader.member(node, "seed");
  if (questions && document.settings.readout == ReadoutKind::tied)
    reader.fail(questions.pointer, "is for a readout of its own; a tied one answers one question");
  for (const Node& of_own : {vocabulary, questions, init, seed})
    if (of_own && document.settings.readout != ReadoutKind::own)
      reader.fail(of_own.pointer, document.settings.readout == ReadoutKind::tied
                                      ? "is for a readout of its own; a tied one has the embedding's words and table"
                                      : "is for a readout of its own; \"kind\": \"own\" is needed beside it");
  if (vocabulary) document.readout.vocabulary = read_vocabulary(reader, vocabulary);
  if (questions) document.readout.questions = read_questions(reader, questions);
  document.readout.init = read_init(reader, init);
  document.readout.seed = reader.seed(seed, document.readout.seed);
}

}  // namespace

void read_tables(const JsonReader& reader, const Node& embedding, Document& document) {
  Embedding& e = document.embedding;
  const auto tokens = static_cast<Index>(tokens_of(document).size());
  const Node vocabulary = reader.member(embedding, "vocabulary");
  if (vocabulary) e.vocabulary = read_vocabulary(reader, vocabulary);
  if (!vocabulary && document.file) e.vocabulary = document.file->model.embedding.vocabulary;
  e.vocabulary = e.vocabulary.with(reader.choice(reader.member(embedding, "case"), Vocabulary::Case::folded, kCases));
  e.init = read_init(reader, reader.member(embedding, "init"));
  if (reader.member(embedding, "P") && !reader.member(embedding, "positions"))
    e.positions = Embedding::Positions::learned;
  if (const Node places = reader.member(embedding, "places"); places && e.positions != Embedding::Positions::learned)
    reader.fail(places.pointer, missing_part(document, Quantity::P));
  if (e.positions == Embedding::Positions::learned)
    document.weights.P = places_of(read_places(reader, embedding, tokens), document);
  read_setting(reader, embedding, entry_of(ModelSetting::types), document.settings);
  reader.check_at(embedding.pointer, [&] { fit_model(document); });
  const Node edits = reader.member(embedding, "edits");
  reader.check_object(edits, {"X", "E", "P", "T"});
  if (const Node X = reader.member(edits, "X"))
    e.edits = read_cells(reader, X, Cells::of_matrix, tokens, document.d_model);
  read_parameters(reader, embedding, kTables, document, edits);
  add_places(reader, embedding, document);
}

void read_words_out(const JsonReader& reader, const Node& root, Document& document) {
  for (const auto& [object, parameters] : kEnds) {
    std::vector<std::string_view> keys = keys_of(object, {});
    if (parameters.front() == Quantity::W_U) keys.insert(keys.end(), {"vocabulary", "questions", "init", "seed"});
    for (const Quantity p : parameters) keys.push_back(entry_of(p).key);
    keys.push_back("edits");
    reader.check_object(reader.member(root, object), keys);
  }
  const Node words = reader.member(root, "embedding_norm"), readout = reader.member(root, "readout");
  if (words && document.embedding.kind == Embedding::Kind::explicit_values)
    reader.fail(words.pointer, "is for words that are embedded; an explicit X has its numbers in X, as they are");
  for (const ModelSettingRow& row : model_settings())
    if (row.setting != ModelSetting::types)
      read_setting(reader, reader.member(root, row.object), row, document.settings);
  if (const Node cap = reader.member(readout, "cap"); cap && document.settings.readout == ReadoutKind::none)
    reader.fail(cap.pointer, "is of a readout; \"kind\": \"tied\" or \"own\" is needed beside it");
  reader.check_at(readout.pointer + (readout ? "/kind" : ""),
                  [&] { check_settings(document.settings, document.embedding.kind == Embedding::Kind::learned); });
  read_readout_source(reader, readout, document);
  reader.check_at(readout.pointer, [&] { fit_model(document); });
  for (const auto& [object, parameters] : kEnds) {
    const Node node = reader.member(root, object), edits = reader.member(node, "edits");
    std::vector<std::string_view> keys;
    for (const Quantity p : parameters) keys.push_back(entry_of(p).key);
    reader.check_object(edits, keys);
    read_parameters(reader, node, parameters, document, edits);
  }
}

// --- writing ---------------------------------------------------------------------------------------------------------

namespace {

void add_settings(ObjectText& object, const char* of, const ModelSettings& settings) {
  for (const ModelSettingRow& row : model_settings()) {
    if (std::string_view(row.object) != of || is_switch(row)) continue;
    const double value = value_of(settings, row);
    if (!row.always_written && value == value_of(ModelSettings{}, row)) continue;
    object.add(row.key, is_choice(row) ? text_of(std::string_view(row.names[static_cast<std::size_t>(value)]))
                                       : text_of(static_cast<float>(value)));
  }
}

}  // namespace

void add_tables(ObjectText& object, const Document& document) {
  const Embedding& e = document.embedding;
  if (!document.file || document.file->model.embedding.vocabulary.words() != e.vocabulary.words())
    object.add("vocabulary", text_of(e.vocabulary.words(), 2));
  if (e.vocabulary.letter_case() != Vocabulary::Case::folded)
    object.add("case", text_of(word_of(e.vocabulary.letter_case(), kCases)));
  if (e.init != Init::xavier) object.add("init", text_of(word_of(e.init, kTableInits)));
  ObjectText tables(1), edits(2);
  for (const Quantity p : kTables)
    add_parameter(tables, edits, p, *field_of(document.weights, p), initial_parameter(document, p));
  if (!e.edits.empty()) edits.add("X", text_of(e.edits, false, 3));
  const bool whole_places = document.weights.P && tables.has("P");
  if (document.weights.P && !whole_places) object.add("places", std::to_string(document.weights.P.rows()));
  add_settings(object, "embedding", document.settings);
  object.add(tables);
  if (!edits.empty()) object.add("edits", edits.text());
}

namespace {

std::string object_text(const Document& document, const char* of, std::span<const Quantity> parameters) {
  ObjectText object(1), edits(2);
  add_settings(object, of, document.settings);
  if (parameters.front() == Quantity::W_U && document.settings.readout == ReadoutKind::own) {
    const ReadoutSource& source = document.readout;
    if (document.embedding.vocabulary.words() != source.vocabulary.words())
      object.add("vocabulary", text_of(source.vocabulary.words(), 2));
    if (source.questions.size() > 0) object.add("questions", text_of(source.questions.words(), 2));
    if (source.init != Init::xavier) object.add("init", text_of(word_of(source.init, kTableInits)));
    object.add("seed", std::to_string(source.seed));
  }
  for (const Quantity p : parameters)
    add_parameter(object, edits, p, *field_of(document.weights, p), initial_parameter(document, p));
  if (!edits.empty()) object.add("edits", edits.text());
  return object.text();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> words_out_texts(const Document& document) {
  const ModelSettings& s = document.settings;
  const bool there[] = {s.embedding_norm, s.transform, s.final_norm, s.readout != ReadoutKind::none};
  std::vector<std::pair<std::string, std::string>> texts;
  for (std::size_t k = 0; k < std::size(kEnds); ++k)
    if (const auto& [object, parameters] = kEnds[k]; there[k])
      texts.emplace_back(object, object_text(document, object, parameters));
  return texts;
}

}  // namespace hydra
