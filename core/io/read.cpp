// JSON -> Document, strictly: whatever is not a document is one sentence naming the place, what is there, what is
// needed.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "core/checkpoints/open_model.h"
#include "core/checkpoints/series.h"
#include "core/document/limits.h"
#include "core/document/model_file.h"
#include "core/document/models.h"
#include "core/document/text/marks.h"
#include "core/files/bounded_file.h"
#include "core/io/examples.h"
#include "core/io/file.h"
#include "core/io/layer_json.h"
#include "core/io/model_json.h"
#include "core/io/numbers_json.h"
#include "core/io/opening.h"
#include "core/json/reader.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

class Reader : JsonReader {
 public:
  Reader(std::string name, std::vector<Override> overrides, std::uint64_t most_numbers, std::string path)
      : JsonReader(std::move(name), "the document", std::move(overrides)),
        path_(std::move(path)),
        asked_{most_numbers} {}
  Document document(const Json& json) const;

 private:
  Notes notes(const Node& node) const;
  void sentence(const Node& root, Document& document) const;
  void pads(const Node& root, Document& document) const;
  std::vector<MarkedText> marks(const Node& node) const;
  void embedding(const Node& node, Index n, Document& document) const;
  WordCorrections words(const Node& node) const;
  std::shared_ptr<const ModelFile> file(const Node& node) const;
  void take_file(const Node& root, Document& document) const;
  void model(const Node& node, Index n, Document& document, std::vector<OlderWeights>* older) const;
  static std::optional<Model> model_of(const Model& model, const std::vector<OlderWeights>& older);

  std::string path_;  // of the document's own file; empty: it has none
  mutable NumbersAsked asked_;
};

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
  const bool replaced = is_set(pointer_to(root.pointer, "sentence")) && !is_set(pointer_to(root.pointer, "tokens"));
  const Node tokens = replaced ? Node{nullptr, pointer_to(root.pointer, "tokens")} : member(root, "tokens");
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

// "pads": 3, "pad_places": "all"
void Reader::pads(const Node& root, Document& document) const {
  const Node count = member(root, "pads");
  document.pads.count = whole_number(count, 0, kMaxTokens - 1, 0);
  check_at(count.pointer, [&] { check_pads(document.pads, static_cast<Index>(tokens_without_pads(document).size())); });
  const bool placed = choice(member(root, "pad_places"), false, {{"words", false}, {"all", true}});
  document.pads.placed = placed && document.pads.count > 0;
}

// [{"sentence": "She saw her dog.", "relations": {"owner": [["dog", "she"]]}}, ...], with "tokens" where the sentence
// is cut otherwise.
std::vector<MarkedText> Reader::marks(const Node& node) const {
  std::vector<MarkedText> marks;
  const Elements texts = elements(node, "an array of marked sentences");
  check_count(node, kMostMarkedTexts, "marked sentences");
  for (const Node& each : texts) {
    check_object(each, {"sentence", "tokens", "relations"});
    Document text;
    sentence(each, text);
    marks.push_back(
        {text.sentence, tokens_of(text), read_marked_relations(*this, member(each, "relations"), tokens_of(text))});
    if (marks.back().relations.empty()) fail(each.pointer, "has no pair in its \"relations\"; leave the sentence out");
  }
  check_at(node.pointer, [&] { check_marks(marks); });
  return marks;
}

void Reader::embedding(const Node& node, Index n, Document& document) const {
  std::vector<std::string_view> keys{"kind", "seed", "positions", "slot", "words", "edits", "X"};
  keys.insert(keys.end(), std::begin(kTableKeys), std::end(kTableKeys));
  check_object(node, keys);
  using Kind = Embedding::Kind;
  Embedding& e = document.embedding;
  e = {};
  e.kind = choice(member(node, "kind"), e.kind, kEmbeddingKinds);
  e.seed = seed(member(node, "seed"), e.seed);
  const Node positions = member(node, "positions"), X = member(node, "X"), edits = member(node, "edits");
  e.positions = choice(positions, e.positions, kPositions);
  e.slot = flag(member(node, "slot"), e.slot);
  e.words = words(member(node, "words"));
  if (e.kind == Kind::features) check_at(node.pointer, [&] { check_feature_width(document.d_model); });
  if (X && e.kind != Kind::explicit_values)
    fail(X.pointer, "is for explicit embeddings; \"kind\": \"explicit\" is needed beside it");
  if (e.kind == Kind::learned) return read_tables(*this, node, document);
  for (const char* key : kTableKeys)
    if (const Node table = member(node, key))
      fail(table.pointer, "is for learned embeddings; \"kind\": \"learned\" is needed beside it");
  if (e.positions == Embedding::Positions::learned)
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

// Where a model may be that a document names: there; as seen from the document's file; and beside that, as whoever
// copies both to another machine puts it.
std::vector<std::string> places_of(const std::string& folder, const std::string& document) {
  namespace fs = std::filesystem;
  std::vector<std::string> places{folder};
  if (document.empty()) return places;
  const fs::path beside = fs::path(document).parent_path(), named = fs::path(folder).lexically_normal();
  const fs::path last = named.has_filename() ? named.filename() : named.parent_path().filename();
  for (const fs::path& place : {beside / named, beside / last})
    if (std::ranges::find(places, place.string()) == places.end()) places.push_back(place.string());
  return places;
}

// {"folder": "models/gpt2", "sha256": "..."}: what the model is an overlay of.
std::shared_ptr<const ModelFile> Reader::file(const Node& node) const {
  if (!node) return nullptr;
  check_object(node, {"folder", "sha256"});
  const Node folder = member(node, "folder"), sha256 = member(node, "sha256");
  if (!folder) fail(node.pointer, "has no \"folder\", where the model's files are");
  if (asked_.most != kAnyNumbers)
    fail(node.pointer, "names files of a machine, which no link may; give its file and the model's instead");
  std::shared_ptr<const ModelFile> file;
  const std::vector<std::string> places = places_of(string(folder), path_);
  std::error_code ignored;
  const auto found = std::ranges::find_if(places, [&](const auto& at) { return std::filesystem::exists(at, ignored); });
  if (found == places.end()) {
    try {
      fail(folder.pointer, "names a model that is not there any more: " + printable(string(folder), 200) +
                               (path_.empty() ? "" : ", nor beside the document") +
                               "; put it there, or say where it is");
    } catch (const InputError& fault) {
      throw MissingModel(fault.what());
    }
  }
  check_at(folder.pointer, [&] { file = open_model(*found).document.file; });
  if (sha256 && string(sha256) != file->sha256)
    fail(sha256.pointer, "is of another model than " + printable(file->path, 200) +
                             ", so the changes in this document are not of its numbers; choose the model that the "
                             "document was saved with, or, to have the changes over this one, take \"sha256\" out of "
                             "the document");
  return file;
}

// Before its sentence is cut, which the file's tokenizer does where the model has its words.
void Reader::take_file(const Node& root, Document& document) const {
  document.file = file(member(root, "model"));
  const Node embedding = member(root, "embedding");
  if (document.file && !member(embedding, "vocabulary")) document.embedding = document.file->model.embedding;
}

// Into a document that has its text. older: where what an older file puts aside goes; none where it cannot stand.
void Reader::model(const Node& root, Index n, Document& document, std::vector<OlderWeights>* older) const {
  const Node d_model = member(root, "d_model");
  document.d_model = whole_number(d_model, document.d_model);
  check_at(d_model.pointer, [&] { check_sizes(1, document.d_model, 1, document.file ? kMaxFileModel : kMaxModel); });
  embedding(member(root, "embedding"), n, document);
  read_words_out(*this, root, document);
  asked_.add(*this, root.pointer, numbers_asked(document.weights));
  const Node layers = member(root, "layers");
  document.layers.clear();
  if (layers) {
    if (!layers.json->is_array()) fail_type(layers, "an array of layers");
    check_at(layers.pointer, [&] { check_layer_count(layers.json->size(), document.file ? 1 : document.d_model); });
    for (const Node& each : elements(layers, "an array of layers"))
      document.layers.push_back(read_layer(*this, each, n, document, asked_, older));
  } else {
    document.layers.push_back(read_layer(*this, {nullptr, layers.pointer + "/0"}, n, document, asked_, older));
  }
  if (!document.file) check_at(layers.pointer, [&] { check_width_count(document); });
}

// What the switch of one layer had put aside, as a model: that layer with its other weights, the rest as it is.
std::optional<Model> Reader::model_of(const Model& model, const std::vector<OlderWeights>& older) {
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
  if (!version && (member(root, "model_type") || member(root, "architectures")))
    fail("", "is what a model says about itself, and no document; open the folder that it stands in");
  if (!version) fail("", "has no \"hydrascope\": 1, by which documents are known");
  if (!version.json->is(1))
    fail(version.pointer, "must be 1, the only version there is, not " + in_words(*version.json));
  std::vector<std::string_view> keys{"hydrascope", "notes", "sentence", "tokens", "pads", "pad_places", "marks"};
  keys.insert(keys.end(), std::begin(kModelKeys), std::end(kModelKeys));
  keys.push_back("other_models");
  check_object(root, keys);

  Document document = default_document();
  document.notes = notes(member(root, "notes"));
  take_file(root, document);
  sentence(root, document);
  pads(root, document);
  document.marks = marks(member(root, "marks"));
  const auto n = static_cast<Index>(tokens_of(document).size());
  std::vector<OlderWeights> older;
  model(root, n, document, &older);
  const Node others = member(root, "other_models");
  const Elements aside = elements(others, "an array of models");
  check_at(others.pointer, [&] { check_aside_count(aside.size()); });
  for (const Node& each : aside) {
    check_object(each, {std::begin(kModelKeys), std::end(kModelKeys)});
    Document other = with_model(document, default_document());
    take_file(each, other);
    model(each, static_cast<Index>(tokens_of(other).size()), other, nullptr);
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
                        std::uint64_t most_numbers, const std::string& path) {
  JsonTree tree = parse_json(text, name, kLargestDocument.values);
  std::vector<Override> overrides;
  if (!sets.empty() && tree.root().is_object() && tree.root().find("layers") == nullptr)
    apply_override(tree, "/layers=[{}]");
  for (const std::string& set : sets) overrides.push_back(apply_override(tree, set));
  return Reader(name, std::move(overrides), most_numbers, path).document(tree.root());
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
  if (path != "-" && names_model(path)) {
    const Document document = open_model(model_in_series(path)).document;
    return sets.empty() ? document : parse_document(document_text(document), printable(path, 200), sets);
  }
  const std::string name = path == "-" ? "standard input" : printable(path, 200),
                    text = read_at_most(kLargestDocument.bytes, path);
  check_no_link(text, name);
  return parse_document(text, name, sets, kAnyNumbers, path == "-" ? "" : path);
}

OpenedDocument open_document(const std::string& path, const std::vector<std::string>& sets) {
  if (path.empty() || path == "-") return {read_document(path, sets), {}};
  if (names_link(path)) {
    Link link = parse_link(path);
    return {std::move(link.document), {}, std::move(link.place)};
  }
  if (names_model(path)) return {open_model(model_in_series(path)).document, {}};
  const std::string text = read_at_most(kLargestDocument.bytes, path);
  check_no_link(text, printable(path, 200));
  return {parse_document(text, printable(path, 200), sets, kAnyNumbers, path), {path, fingerprint_of(text)}};
}

OpenedDocument open_example(const std::string& file) {
  const std::string_view text = example_text(file);
  if (text.empty()) throw InputError(printable(file, 60) + ": there is no such example here");
  return {parse_document(text, file), {}, {}, file};
}

}  // namespace hydra
