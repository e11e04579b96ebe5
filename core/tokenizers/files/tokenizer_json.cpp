#include <algorithm>
#include <functional>

#include "core/error.h"
#include "core/tokenizers/files/json_steps.h"
#include "core/tokenizers/files/readers.h"

namespace hydra {

std::uint32_t id_in(const Spellings& spellings, std::string_view text, const std::string& what) {
  const std::uint32_t id = spellings.find(text);
  if (id == kNoId) throw InputError(what + " is " + in_quotes(text) + ", which is not in the vocabulary");
  return id;
}

Merges merges_of(const std::vector<std::pair<std::string_view, std::string_view>>& pairs, const Spellings& spellings,
                 std::string_view joined, const std::function<std::string(std::size_t)>& place) {
  Merges merges(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto& [left, right] = pairs[k];
    const std::string made =
        std::string(left) + std::string(right.starts_with(joined) ? right.substr(joined.size()) : right);
    const std::uint32_t ids[] = {spellings.find(left), spellings.find(right), spellings.find(made)};
    const std::string_view texts[] = {left, right, made};
    for (std::size_t of = 0; of < 3; ++of)
      if (ids[of] == kNoId || texts[of].empty())
        throw InputError(place(k) + " joins " + in_quotes(left) + " and " + in_quotes(right) + ", and " +
                         in_quotes(texts[of]) + " is not in the vocabulary");
    merges.put(ids[0], ids[1], {static_cast<std::uint32_t>(k), ids[2]});
  }
  return merges;
}

Spellings vocabulary_of(const JsonReader& reader, const Node& node) {
  if (!node || !node.json->is_object()) reader.fail(node.pointer, "must be an object, the id of each token");
  std::vector<Spellings::Entry> entries;
  entries.reserve(node.json->size());
  for (auto at = node.json->begin(); at != node.json->end(); ++at) {
    const bool is_id = at->is_whole() && !at->is_negative() && at->as<std::uint64_t>() < kMostIds;
    if (!is_id)
      reader.fail_type({&*at, pointer_to(node.pointer, at.key())}, "an id, from 0 to " + std::to_string(kMostIds - 1));
    entries.push_back({at->as<std::uint32_t>(), at.key()});
  }
  Spellings spellings;
  reader.check_at(node.pointer, [&] { spellings = Spellings(std::move(entries)); });
  return spellings;
}

namespace {

Merges read_merges(const JsonReader& reader, const Node& node, const Spellings& spellings, std::string_view joined) {
  if (!node || !node.json->is_array()) reader.fail(node.pointer, "must be an array of merges");
  std::vector<std::pair<std::string_view, std::string_view>> pairs;
  pairs.reserve(node.json->size());
  for (const Json& merge : *node.json) {
    const auto fail = [&] {
      reader.fail_type({&merge, pointer_to(node.pointer, std::to_string(pairs.size()))},
                       "two tokens, \"a b\" or [\"a\", \"b\"]");
    };
    if (merge.is_array()) {
      if (merge.size() != 2 || !merge[0].is_string() || !merge[1].is_string()) fail();
      pairs.emplace_back(merge[0].text(), merge[1].text());
      continue;
    }
    const std::string_view text = merge.is_string() ? merge.text() : std::string_view();
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos || text.find(' ', space + 1) != std::string_view::npos) fail();
    pairs.emplace_back(text.substr(0, space), text.substr(space + 1));
  }
  Merges merges;
  reader.check_at(node.pointer, [&] {
    merges = merges_of(pairs, spellings, joined, [](std::size_t k) { return "merge " + std::to_string(k); });
  });
  return merges;
}

std::string optional_text(const JsonReader& reader, const Node& node) {
  return !node || node.json->is_null() ? std::string() : reader.string(node);
}

std::uint32_t read_unknown(const JsonReader& reader, const Node& node, const Spellings& spellings) {
  const std::string text = optional_text(reader, node);
  if (text.empty()) return kNoId;
  const std::uint32_t id = spellings.find(text);
  if (id == kNoId) reader.fail(node.pointer, "is " + in_quotes(text) + ", which is not in the vocabulary");
  return id;
}

class ModelReader {
 public:
  ModelReader(const JsonReader& reader, const Node& node, TokenizerParts& parts)
      : reader_(reader), node_(node), parts_(parts) {}

  void read() {
    if (!node_) reader_.fail("", "has no \"model\"; a tokenizer.json has one");
    if (!node_.json->is_object()) reader_.fail_type(node_, "an object");
    const std::string type = type_or_guess();
    if (type == "BPE")
      read_bpe();
    else if (type == "WordPiece")
      read_word_piece();
    else if (type == "Unigram")
      read_unigram();
    else if (type == "WordLevel")
      read_word_level();
    else
      reader_.fail(node_.pointer,
                   "is of the type " + in_quotes(type) + "; BPE, WordPiece, Unigram and WordLevel are known");
  }

 private:
  Node at(const char* key) const { return reader_.member(node_, key); }
  bool flag(const char* key) const { return at(key) && !at(key).json->is_null() && reader_.flag(at(key), false); }

  // Older files have no type; what belongs to one kind alone tells it.
  std::string type_or_guess() const {
    if (at("type")) return type_of(reader_, node_);
    const Node vocabulary = at("vocab");
    if (at("merges")) return "BPE";
    if (vocabulary && vocabulary.json->is_array()) return "Unigram";
    return at("continuing_subword_prefix") ? "WordPiece" : "WordLevel";
  }

  void read_bpe() {
    reader_.check_object(node_, {"type", "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix",
                                 "fuse_unk", "byte_fallback", "ignore_merges", "vocab", "merges"});
    const Node dropout = at("dropout");
    if (dropout && !dropout.json->is_null() && !dropout.json->is(0))
      reader_.fail_type(dropout, "null or 0, since ids are not to be drawn by chance");
    parts_.spellings = vocabulary_of(reader_, at("vocab"));
    Bpe model;
    model.prefix = optional_text(reader_, at("continuing_subword_prefix"));
    model.suffix = optional_text(reader_, at("end_of_word_suffix"));
    model.merges = read_merges(reader_, at("merges"), parts_.spellings, model.prefix);
    model.unknown = read_unknown(reader_, at("unk_token"), parts_.spellings);
    model.fuse_unknown = flag("fuse_unk");
    model.ignore_merges = flag("ignore_merges");
    if (flag("byte_fallback")) model.bytes = std::make_shared<ByteTokens>(parts_.spellings);
    parts_.kind = parts_.letters_are_bytes ? "byte-level BPE" : model.bytes ? "BPE with byte fallback" : "BPE";
    parts_.model = std::move(model);
  }

  void read_word_piece() {
    reader_.check_object(node_,
                         {"type", "unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"});
    parts_.spellings = vocabulary_of(reader_, at("vocab"));
    const Node mark = at("continuing_subword_prefix");
    WordPiece model = WordPiece::of(parts_.spellings, mark ? reader_.string(mark) : "##");
    model.unknown = read_unknown(reader_, at("unk_token"), parts_.spellings);
    model.most_characters =
        static_cast<std::size_t>(reader_.whole_number(at("max_input_chars_per_word"), 0, 1 << 30, 100));
    parts_.kind = "WordPiece";
    parts_.model = std::move(model);
  }

  void read_word_level() {
    reader_.check_object(node_, {"type", "unk_token", "vocab"});
    parts_.spellings = vocabulary_of(reader_, at("vocab"));
    parts_.kind = "WordLevel";
    parts_.model = WordLevel{read_unknown(reader_, at("unk_token"), parts_.spellings)};
  }

  void read_unigram() {
    reader_.check_object(node_, {"type", "unk_id", "vocab", "byte_fallback"});
    const Node vocabulary = at("vocab");
    if (!vocabulary || !vocabulary.json->is_array())
      reader_.fail(vocabulary.pointer, "must be an array of [token, score]");
    std::vector<Spellings::Entry> entries;
    std::vector<Trie::Entry> pieces;
    Unigram model;
    double least = 0;
    for (const Json& piece : *vocabulary.json) {
      if (!piece.is_array() || piece.size() != 2 || !piece[0].is_string() || !piece[1].is_number())
        reader_.fail_type({&piece, pointer_to(vocabulary.pointer, std::to_string(entries.size()))}, "[token, score]");
      const auto id = static_cast<std::uint32_t>(entries.size());
      entries.push_back({id, piece[0].text()});
      pieces.push_back({piece[0].text(), id});
      model.scores.push_back(piece[1].as<double>());
      least = std::min(least, model.scores.back());
    }
    reader_.check_at(vocabulary.pointer, [&] { parts_.spellings = Spellings(std::move(entries)); });
    model.pieces = std::make_shared<Trie>(std::move(pieces));
    const Node unknown = at("unk_id");
    if (unknown && !unknown.json->is_null()) {
      model.unknown = read_id(reader_, unknown);
      if (!parts_.spellings.has(model.unknown)) reader_.fail_type(unknown, "an id of the vocabulary");
    }
    model.unknown_score = least - 10;
    if (flag("byte_fallback")) model.bytes = std::make_shared<ByteTokens>(parts_.spellings);
    parts_.kind = "Unigram";
    parts_.model = std::move(model);
  }

  const JsonReader& reader_;
  const Node& node_;
  TokenizerParts& parts_;
};

void read_added(const JsonReader& reader, const Node& node, TokenizerParts& parts) {
  if (!node || node.json->is_null()) return;
  std::vector<std::pair<std::uint32_t, std::size_t>> ids;
  for (const Node& one : reader.elements(node, "an array of added tokens")) {
    reader.check_object(one, {"id", "content", "special", "single_word", "lstrip", "rstrip", "normalized"});
    for (const char* const key : {"id", "content"})
      if (!reader.member(one, key)) reader.fail(one.pointer, std::string("has no \"") + key + "\", which it needs");
    AddedToken token;
    token.id = read_id(reader, reader.member(one, "id"));
    token.content = reader.string(reader.member(one, "content"));
    token.special = reader.flag(reader.member(one, "special"), false);
    token.single_word = reader.flag(reader.member(one, "single_word"), false);
    token.lstrip = reader.flag(reader.member(one, "lstrip"), false);
    token.rstrip = reader.flag(reader.member(one, "rstrip"), false);
    token.normalized = reader.flag(reader.member(one, "normalized"), !token.special);
    if (token.content.size() > kMostSpellingBytes)
      reader.fail(one.pointer, "has " + std::to_string(token.content.size()) + " bytes; the longest token has " +
                                   std::to_string(kMostSpellingBytes));
    if (parts.spellings.has(token.id) && parts.spellings[token.id] != token.content)
      reader.fail(one.pointer, "has the id " + std::to_string(token.id) + ", which is that of " +
                                   in_quotes(parts.spellings[token.id]) + " in the vocabulary");
    ids.emplace_back(token.id, parts.added.size());
    parts.added.push_back(std::move(token));
  }
  std::sort(ids.begin(), ids.end());
  for (std::size_t k = 1; k < ids.size(); ++k)
    if (ids[k - 1].first == ids[k].first)
      reader.fail(pointer_to(node.pointer, std::to_string(ids[k].second)),
                  "has the id " + std::to_string(ids[k].first) + ", as another of the added tokens has");
}

}  // namespace

Tokenizer read_tokenizer_json(std::string_view json, const std::string& name) {
  if (json.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError(name + ": empty; a tokenizer.json is needed");
  const JsonTree tree = parse_json(json, name, kMaxValues, JsonNumbers::doubles);
  const JsonReader reader(name, "the tokenizer");
  const Node root = {&tree.root(), ""};
  reader.check_object(root, {"version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer",
                             "post_processor", "decoder", "model"});
  TokenizerParts parts;
  read_normalizers(reader, reader.member(root, "normalizer"), parts.normalizers);
  read_cuts(reader, reader.member(root, "pre_tokenizer"), parts.cuts);
  const Node decoder = reader.member(root, "decoder");
  read_decoders(reader, decoder, parts.decoders);
  if (parts.decoders.empty()) parts.between = " ";
  const auto is_letters = [](const auto& step) { return std::holds_alternative<LettersToBytes>(step); };
  parts.letters_are_bytes = std::any_of(parts.decoders.begin(), parts.decoders.end(), is_letters);
  const Node model = reader.member(root, "model");
  ModelReader(reader, model, parts).read();
  read_added(reader, reader.member(root, "added_tokens"), parts);
  Template around;
  const Node processor = reader.member(root, "post_processor");
  read_template(reader, processor, around);
  std::vector<std::uint32_t> added;
  for (const AddedToken& token : parts.added) added.push_back(token.id);
  std::sort(added.begin(), added.end());
  for (const std::vector<std::uint32_t>& side : {around.before, around.after})
    for (const std::uint32_t id : side)
      if (!parts.spellings.has(id) && !std::binary_search(added.begin(), added.end(), id))
        reader.fail(processor.pointer, "has the id " + std::to_string(id) + ", which no token has");
  parts.before = std::move(around.before);
  parts.after = std::move(around.after);
  parts.stamp = (Key("tokenizer.json") << json).stamp();
  return Tokenizer(std::move(parts));
}

}  // namespace hydra
