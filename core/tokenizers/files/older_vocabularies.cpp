// The files that came before tokenizer.json: vocab.json with merges.txt, and vocab.txt.
#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/files/utf8.h"
#include "core/json/reader.h"
#include "core/tokenizers/files/readers.h"

namespace hydra {

namespace {

// visit(line, number) for each line, counted from 1; the end of a line may be that of other systems.
template <class Visit>
void for_each_line(std::string_view text, const Visit& visit) {
  std::size_t number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    visit(line, number);
    at = end + 1;
  }
}

void check_text(std::string_view bytes, const std::string& name) {
  if (const std::size_t broken = first_broken(bytes); broken < bytes.size())
    throw InputError(name + ": byte " + std::to_string(broken) + " is no UTF-8 text; save it as UTF-8");
}

// What a tokenizer_config.json says of such a vocabulary; most of its keys are of no concern here.
struct OlderConfig {
  bool add_prefix_space = false, lowercase = true, chinese_characters = true;
  std::optional<bool> strip_accents;
  std::string of_class;
  std::vector<std::string> special;
};

OlderConfig read_config(const OlderFiles& older) {
  OlderConfig config;
  if (older.config.empty()) return config;
  const JsonTree tree = parse_json(older.config, older.config_name);
  const JsonReader reader(older.config_name, "the configuration");
  const Node root = {&tree.root(), ""};
  if (!root.json->is_object()) reader.fail_type(root, "an object");
  const auto given = [&](const char* key) {
    const Node node = reader.member(root, key);
    return node && !node.json->is_null() ? node : Node{nullptr, node.pointer};
  };
  config.add_prefix_space = reader.flag(given("add_prefix_space"), false);
  config.lowercase = reader.flag(given("do_lower_case"), true);
  config.chinese_characters = reader.flag(given("tokenize_chinese_chars"), true);
  if (const Node node = given("strip_accents")) config.strip_accents = reader.flag(node, true);
  if (const Node node = given("tokenizer_class")) config.of_class = reader.string(node);
  for (const char* const key :
       {"bos_token", "eos_token", "unk_token", "sep_token", "cls_token", "pad_token", "mask_token"}) {
    Node node = given(key);
    if (node && node.json->is_object()) node = reader.member(node, "content");
    if (node && node.json->is_string()) config.special.push_back(reader.string(node));
  }
  return config;
}

// Those of the texts that the vocabulary has are cut out before all else.
void add_special(TokenizerParts& parts, std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  for (const std::string& text : texts) {
    const std::uint32_t id = parts.spellings.find(text);
    if (id == kNoId || text.empty()) continue;
    AddedToken token;
    token.id = id;
    token.content = text;
    token.special = true;
    token.lstrip = text == "<mask>";
    parts.added.push_back(std::move(token));
  }
}

}  // namespace

Tokenizer read_vocabulary_and_merges(std::string_view vocabulary, const std::string& vocabulary_name,
                                     std::string_view merges, const std::string& merges_name, const OlderFiles& older) {
  const OlderConfig config = read_config(older);
  check_text(merges, merges_name);
  if (vocabulary.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError(vocabulary_name + ": empty; the id of each token is needed");
  const JsonTree tree = parse_json(vocabulary, vocabulary_name);
  const JsonReader reader(vocabulary_name, "the vocabulary");
  TokenizerParts parts;
  parts.kind = "byte-level BPE";
  parts.letters_are_bytes = true;
  parts.spellings = vocabulary_of(reader, {&tree.root(), ""});
  std::vector<std::pair<std::string_view, std::string_view>> pairs;
  std::vector<std::size_t> lines;
  for_each_line(merges, [&](std::string_view line, std::size_t number) {
    if (line.empty() || (number == 1 && line.starts_with("#version"))) return;
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos)
      throw InputError(merges_name + ": line " + std::to_string(number) + " is " + in_quotes(line) +
                       "; a merge is two tokens with a space between them");
    pairs.emplace_back(line.substr(0, space), line.substr(space + 1));
    lines.push_back(number);
  });
  Bpe model;
  try {
    model.merges =
        merges_of(pairs, parts.spellings, "", [&](std::size_t k) { return "line " + std::to_string(lines[k]); });
  } catch (const InputError& fault) {
    throw InputError(merges_name + ": " + fault.what());
  }
  parts.model = std::move(model);
  parts.cuts.emplace_back(ByteLevel{config.add_prefix_space, true});
  parts.decoders.emplace_back(LettersToBytes{});
  std::vector<std::string> special = {"<|endoftext|>", "<s>", "</s>", "<pad>", "<unk>", "<mask>"};
  special.insert(special.end(), config.special.begin(), config.special.end());
  add_special(parts, std::move(special));
  if (config.of_class.starts_with("Roberta")) {
    try {
      parts.before = {id_in(parts.spellings, "<s>", "what begins a text")};
      parts.after = {id_in(parts.spellings, "</s>", "what ends a text")};
    } catch (const InputError& fault) {
      throw InputError(vocabulary_name + ": " + fault.what());
    }
  }
  parts.stamp = (Key("vocabulary and merges") << vocabulary << merges << std::string_view(older.config)).stamp();
  return Tokenizer(std::move(parts));
}

Tokenizer read_word_list(std::string_view lines, const std::string& name, const OlderFiles& older) {
  const OlderConfig config = read_config(older);
  check_text(lines, name);
  std::vector<Spellings::Entry> entries;
  for_each_line(lines, [&](std::string_view line, std::size_t) {
    entries.push_back({static_cast<std::uint32_t>(entries.size()), line});
  });
  TokenizerParts parts;
  parts.kind = "WordPiece";
  std::uint32_t unknown = kNoId;
  try {
    parts.spellings = Spellings(std::move(entries));
    unknown = id_in(parts.spellings, "[UNK]", "the unknown token");
  } catch (const InputError& fault) {
    throw InputError(name + ": " + fault.what());
  }
  WordPiece model = WordPiece::of(parts.spellings, "##");
  model.unknown = unknown;
  parts.model = std::move(model);
  parts.normalizers.emplace_back(BertNormalizer{true, config.chinese_characters,
                                                config.strip_accents.value_or(config.lowercase), config.lowercase});
  parts.cuts.emplace_back(CutByKind{CutByKind::Kind::white, Behavior::removed});
  parts.cuts.emplace_back(CutByKind{CutByKind::Kind::punctuation, Behavior::isolated});
  parts.decoders.emplace_back(JoinWordPieces{});
  std::vector<std::string> special = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
  special.insert(special.end(), config.special.begin(), config.special.end());
  add_special(parts, std::move(special));
  const std::uint32_t begin = parts.spellings.find("[CLS]"), end = parts.spellings.find("[SEP]");
  if (begin != kNoId && end != kNoId) {
    parts.before = {begin};
    parts.after = {end};
  }
  parts.stamp = (Key("word list") << lines << std::string_view(older.config)).stamp();
  return Tokenizer(std::move(parts));
}

}  // namespace hydra
