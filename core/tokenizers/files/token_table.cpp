#include "core/tokenizers/token_table.h"

#include <algorithm>
#include <array>
#include <deque>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/files/utf8.h"
#include "core/tokenizers/files/readers.h"
#include "core/tokenizers/files/sentencepiece_parts.h"

namespace hydra {

namespace {

constexpr const char* kLlama3Expression =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kQwen2Expression =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

// How texts are cut, by the names that llama.cpp gives to the ways of published models. Bytes become letters last.
struct NamedCut {
  const char* name;
  std::array<const char*, 4> expressions;
};
constexpr NamedCut kNamedCuts[] = {
    {"gpt-2", {kGpt2Expression}},
    {"gpt2", {kGpt2Expression}},
    {"mpt", {kGpt2Expression}},
    {"olmo", {kGpt2Expression}},
    {"roberta-bpe", {kGpt2Expression}},
    {"phi-2", {kGpt2Expression}},
    {"llama3", {kLlama3Expression}},
    {"llama-v3", {kLlama3Expression}},
    {"llama-bpe", {kLlama3Expression}},
    {"smaug-bpe", {kLlama3Expression}},
    {"dbrx", {kLlama3Expression}},
    {"qwen2", {kQwen2Expression}},
    {"deepseek-r1-qwen", {kQwen2Expression}},
    {"stablelm2", {kQwen2Expression}},
    {"starcoder", {R"(\p{N})", kGpt2Expression}},
    {"refact", {R"(\p{N})", kGpt2Expression}},
    {"command-r", {R"(\p{N})", kGpt2Expression}},
    {"smollm", {R"(\p{N})", kGpt2Expression}},
    {"codeshell", {R"(\p{N})", kGpt2Expression}},
    {"falcon", {R"([\p{P}\$\+<=>\^~\|`]+)", kGpt2Expression, R"([0-9][0-9][0-9])"}},
    {"default", {R"([\p{P}\$\+<=>\^~\|]+)", kGpt2Expression, R"(\p{N}+)", R"([0-9][0-9][0-9])"}},
};

class TableReader {
 public:
  explicit TableReader(const TokenTable& table) : table_(table) {}

  TokenizerParts read() {
    if (table_.tokens.empty()) throw InputError("the tokenizer has no tokens");
    if (table_.tokens.size() > kMostIds)
      throw InputError("the tokenizer has " + std::to_string(table_.tokens.size()) + " tokens; at most " +
                       std::to_string(kMostIds) + " are possible");
    check_count(table_.types.size(), "types");
    check_count(table_.scores.size(), "scores");
    TokenizerParts parts;
    if (table_.model == "llama" || table_.model == "t5")
      parts = read_scored();
    else if (table_.model == "gpt2")
      parts = read_byte_level();
    else if (table_.model == "bert")
      parts = read_words();
    else
      throw InputError("the tokenizer is of the kind " + in_quotes(table_.model) +
                       "; llama, gpt2, bert and t5 are known");
    add_special(parts);
    const bool words = table_.model == "bert";
    if (table_.add_bos) parts.before.push_back(id_of(table_.bos, "what begins a text"));
    if (table_.add_eos)
      parts.after.push_back(words && table_.separator >= 0 ? id_of(table_.separator, "what ends a text")
                                                           : id_of(table_.eos, "what ends a text"));
    return parts;
  }

 private:
  void check_count(std::size_t count, const char* of) const {
    if (count != 0 && count != table_.tokens.size())
      throw InputError("the tokenizer has " + std::to_string(table_.tokens.size()) + " tokens and " +
                       std::to_string(count) + " " + of + "; there must be as many");
  }

  std::uint32_t id_of(Index id, const char* what) const {
    if (id < 0 || static_cast<std::size_t>(id) >= table_.tokens.size())
      throw InputError(std::string(what) + " is the token " + std::to_string(id) + ", and the last one is " +
                       std::to_string(table_.tokens.size() - 1));
    return static_cast<std::uint32_t>(id);
  }

  std::vector<Spellings::Entry> entries() const {
    std::vector<Spellings::Entry> made;
    made.reserve(table_.tokens.size());
    for (const std::string& token : table_.tokens) {
      const auto id = static_cast<std::uint32_t>(made.size());
      if (!is_utf8(token)) throw InputError("the token " + std::to_string(id) + " is no UTF-8 text");
      made.push_back({id, token});
    }
    return made;
  }

  TokenType type_at(std::size_t k) const {
    if (table_.types.empty()) return TokenType::normal;
    if (table_.types[k] < 1 || table_.types[k] > 6)
      throw InputError("the token " + std::to_string(k) + " is of the type " + std::to_string(table_.types[k]) +
                       ", and the types are 1 to 6");
    return static_cast<TokenType>(table_.types[k]);
  }

  // Controls and the user's own are cut out of the text first.
  void add_special(TokenizerParts& parts) const {
    const bool scored = table_.model == "llama" || table_.model == "t5";
    for (std::size_t k = 0; k < table_.tokens.size() && !table_.types.empty(); ++k) {
      const TokenType type = type_at(k);
      const bool own = type == TokenType::user_defined;
      if ((type != TokenType::control && !own) || table_.tokens[k].empty() || (scored && !own)) continue;
      if (table_.tokens[k].size() > kMostSpellingBytes) continue;
      AddedToken token;
      token.id = static_cast<std::uint32_t>(k);
      token.content = table_.tokens[k];
      token.special = !own;
      parts.added.push_back(std::move(token));
    }
  }

  TokenizerParts read_scored() {
    if (table_.scores.empty()) throw InputError("the tokenizer has no scores, which one of its kind needs");
    ScoredPieces pieces;
    pieces.entries = entries();
    pieces.scores = table_.scores;
    for (std::size_t k = 0; k < table_.tokens.size(); ++k) {
      TokenType type = type_at(k);
      if (type == TokenType::unknown && static_cast<Index>(k) != table_.unknown && table_.unknown >= 0)
        type = TokenType::control;
      pieces.byte_fallback = pieces.byte_fallback || type == TokenType::byte;
      pieces.types.push_back(type);
    }
    pieces.unigram = table_.model == "t5";
    pieces.normalizer.add_prefix = table_.add_space_prefix;
    pieces.normalizer.remove_extra_spaces = table_.remove_extra_spaces;
    if (!table_.charsmap.empty()) pieces.normalizer.map = std::make_shared<Charsmap>(table_.charsmap);
    return parts_of(std::move(pieces));
  }

  TokenizerParts read_byte_level() const {
    TokenizerParts parts;
    parts.kind = "byte-level BPE";
    parts.letters_are_bytes = true;
    parts.spellings = Spellings(entries());
    std::vector<std::pair<std::string_view, std::string_view>> pairs;
    for (const std::string& merge : table_.merges) {
      // A token may begin with a space here.
      const std::size_t space = merge.find(' ', 1);
      if (space == std::string::npos)
        throw InputError("merge " + std::to_string(pairs.size()) + " is " + in_quotes(merge) +
                         "; a merge is two tokens with a space between them");
      pairs.emplace_back(std::string_view(merge).substr(0, space), std::string_view(merge).substr(space + 1));
    }
    Bpe model;
    model.merges = merges_of(pairs, parts.spellings, "", [](std::size_t k) { return "merge " + std::to_string(k); });
    model.ignore_merges = table_.pre == "llama-bpe" || table_.pre == "llama3" || table_.pre == "llama-v3";
    parts.model = std::move(model);
    const std::string sought = table_.pre.empty() ? "default" : table_.pre;
    for (const NamedCut& cut : kNamedCuts) {
      if (cut.name != sought) continue;
      for (const char* const expression : cut.expressions)
        if (expression != nullptr)
          parts.cuts.emplace_back(CutByExpression{Expression::of_pattern(expression), Behavior::isolated, false});
    }
    if (parts.cuts.empty())
      throw InputError("the tokenizer cuts texts as " + in_quotes(sought) + " does, which is not known here");
    parts.cuts.emplace_back(ByteLevel{false, false});
    parts.decoders.emplace_back(LettersToBytes{});
    return parts;
  }

  TokenizerParts read_words() const {
    TokenizerParts parts;
    parts.kind = "WordPiece";
    parts.spellings = Spellings(entries());
    WordPiece model = WordPiece::of(parts.spellings, "", "▁");
    model.unknown = id_of(table_.unknown, "the unknown token");
    parts.model = std::move(model);
    parts.normalizers.emplace_back(BertNormalizer{});
    parts.cuts.emplace_back(CutByKind{CutByKind::Kind::white, Behavior::removed});
    parts.cuts.emplace_back(CutByKind{CutByKind::Kind::punctuation, Behavior::isolated});
    parts.decoders.emplace_back(MarksToSpaces{"▁", false});
    parts.decoders.emplace_back(Fuse{});
    parts.decoders.emplace_back(StripSides{" ", 1, 0});
    return parts;
  }

  const TokenTable& table_;
};

Stamp stamp_of(const TokenTable& table) {
  Key key("table of tokens");
  key << std::string_view(table.model) << std::string_view(table.pre) << std::string_view(table.charsmap);
  for (const std::string& token : table.tokens) key << std::string_view(token);
  for (const float score : table.scores) key << static_cast<double>(score);
  for (const std::int32_t type : table.types) key << type;
  for (const std::string& merge : table.merges) key << std::string_view(merge);
  key << table.scores.size() << table.types.size() << table.merges.size();
  for (const Index id : {table.bos, table.eos, table.unknown, table.separator}) key << id;
  for (const bool flag : {table.add_bos, table.add_eos, table.add_space_prefix, table.remove_extra_spaces}) key << flag;
  return key.stamp();
}

}  // namespace

Tokenizer tokenizer_of(const TokenTable& table, const std::string& name) {
  TokenizerParts parts;
  try {
    parts = TableReader(table).read();
  } catch (const InputError& fault) {
    throw InputError(name + ": " + fault.what());
  }
  parts.stamp = stamp_of(table);
  return Tokenizer(std::move(parts));
}

}  // namespace hydra
