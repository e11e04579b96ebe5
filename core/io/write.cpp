// Document -> JSON: canonical, one row of a matrix per line, defaults left out, so that files are small and diffs
// short.
#include "core/document/limits.h"
#include "core/document/model_file.h"
#include "core/document/models.h"
#include "core/error.h"
#include "core/io/document_text.h"
#include "core/io/file.h"
#include "core/io/layer_json.h"
#include "core/io/model_json.h"
#include "core/json/json.h"
#include "core/text/tokenizer.h"

namespace hydra {

namespace {

using namespace json_text;

std::string strings_text(const std::vector<std::string>& strings) {
  std::string text = "[";
  for (const std::string& each : strings) text += (text.size() > 1 ? ", " : "") + text_of(each);
  return text + "]";
}

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

// A sentence per line, and under it a relation per line.
std::string marks_text(const std::vector<MarkedText>& marks) {
  std::string text = "[";
  for (const MarkedText& marked : marks) {
    text += (text.size() > 1 ? "," : "") + indent(2) + "{\"sentence\": " + text_of(marked.sentence);
    if (marked.tokens != tokenize(marked.sentence)) text += ",\n     \"tokens\": " + strings_text(marked.tokens);
    text += ",\n     \"relations\": {";
    for (const MarkedRelation& relation : marked.relations) {
      text += (text.back() == '{' ? "" : ",\n       ") + text_of(relation.name) + ": [";
      for (const GoldPair& pair : relation.pairs)
        text += (text.back() == '[' ? "" : ", ") +
                strings_text({token_reference(marked.tokens, pair.from), token_reference(marked.tokens, pair.to)});
      text += ']';
    }
    text += "}}";
  }
  return text + indent(1) + "]";
}

std::string embedding_text(const Document& document) {
  const Embedding& e = document.embedding;
  ObjectText object(1);
  const bool given = e.kind == Embedding::Kind::explicit_values;
  object.add("kind", text_of(word_of(e.kind, kEmbeddingKinds)));
  if (!given || e.seed != Embedding{}.seed) object.add("seed", std::to_string(e.seed));
  if (!given || e.positions != Embedding{}.positions)
    object.add("positions", text_of(word_of(e.positions, kPositions)));
  if (e.slot) object.add("slot", "true");
  if (!e.words.empty()) object.add("words", corrections_text(e.words, 2));
  if (e.kind == Embedding::Kind::learned)
    add_tables(object, document);
  else if (!e.edits.empty())
    object.add("edits", text_of(e.edits, false, 2));
  if (e.X) object.add("X", text_of(e.X, 2));
  return object.text();
}

// The keys of the model in use, as they stand in an object of the first depth.
std::string model_text(const Document& document) {
  std::string text;
  if (document.file)
    text += "\"model\": {\"folder\": " + text_of(document.file->path) +
            (document.file->sha256.empty() ? "" : ", \"sha256\": " + text_of(document.file->sha256)) + "},\n  ";
  text += "\"d_model\": " + std::to_string(document.d_model);
  text += ",\n  \"embedding\": " + embedding_text(document);
  for (const auto& [key, object] : words_out_texts(document)) text += ",\n  \"" + key + "\": " + object;
  text += ",\n  \"layers\": [";
  for (std::size_t k = 0; k < document.layers.size(); ++k)
    text += (text.back() == '[' ? "\n    " : ",\n    ") + layer_text(document, k);
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
  if (document.tokens) text += ",\n  \"tokens\": " + strings_text(*document.tokens);
  if (document.pads.count > 0) text += ",\n  \"pads\": " + std::to_string(document.pads.count);
  if (document.pads.placed) text += ",\n  \"pad_places\": \"all\"";
  if (!document.marks.empty()) text += ",\n  \"marks\": " + marks_text(document.marks);
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
  if (std::uint64_t{text.size()} > kLargestDocument.bytes)
    refuse("the document has " + std::to_string(text.size() >> 20) + " MiB; at most " +
           std::to_string(kLargestDocument.bytes >> 20) + " are possible");
  write_whole(path, text);
  return {path, fingerprint_of(text)};
}

}  // namespace hydra
