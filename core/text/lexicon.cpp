#include "core/text/lexicon.h"

#include <algorithm>

#include "core/files/utf8.h"
#include "core/json/reader.h"
#include "core/text/tokenizer.h"
#include "embedded/core_assets.h"

namespace hydra {

namespace {

constexpr std::size_t kMostFeatures = 64;  // the bits of a FeatureSet
constexpr float kGuessedZipf = 2;          // below every word of the lexicon

char32_t lower_code(char32_t c) {
  if ((c >= U'A' && c <= U'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7)) return c + 0x20;       // ASCII, Latin-1
  if ((c >= 0x391 && c <= 0x3AB && c != 0x3A2) || (c >= 0x410 && c <= 0x42F)) return c + 0x20;  // Greek, Cyrillic
  if (c >= 0x400 && c <= 0x40F) return c + 0x50;
  if (c == 0x386) return 0x3AC;
  if (c >= 0x388 && c <= 0x38A) return c + 0x25;
  if (c == 0x38C) return 0x3CC;
  if (c == 0x38E || c == 0x38F) return c + 0x3F;
  return c;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Names of the features that a word's shape suggests. word: in lower case.
std::vector<const char*> shape_features(std::string_view token, std::string_view word) {
  if (std::any_of(word.begin(), word.end(), is_digit)) return {"number"};
  if (is_punctuation(decode(word, 0).code)) return {"punctuation"};
  const auto ends = [&](std::string_view ending) { return word.size() > ending.size() + 2 && word.ends_with(ending); };
  if (ends("n't")) return {"auxiliary", "negation"};
  if (lower_case(token) != token) return {"noun", "singular", "name"};
  if (ends("ly")) return {"adverb"};
  if (ends("ed")) return {"verb", "past"};
  if (ends("ing")) return {"verb"};
  if (ends("s") && !ends("ss") && !ends("us") && !ends("is") && !ends("'s")) return {"noun", "plural"};
  return {"noun", "singular"};
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// One object per feature: {"name": ..., "group": ..., "gloss": ...}.
Feature read_feature(const JsonReader& read, const Node& node) {
  read.check_object(node, {"name", "group", "gloss"});
  Feature feature;
  const Node name = read.member(node, "name"), gloss = read.member(node, "gloss");
  if (!name || !gloss) read.fail(node.pointer, "must have a name and a gloss, one line that says what it means");
  feature.name = read.string(name);
  feature.gloss = read.string(gloss);
  if (feature.name.empty() || feature.name.find(' ') != std::string::npos)
    read.fail(name.pointer, "must be a name without spaces");
  if (feature.gloss.empty()) read.fail(gloss.pointer, "must say what the feature means");
  feature.group = read.choice(read.member(node, "group"), Feature::Group::grammar,
                              {{"grammar", Feature::Group::grammar}, {"meaning", Feature::Group::meaning}});
  return feature;
}

}  // namespace

std::string lower_case(std::string_view word) {
  std::string lower;
  for (std::size_t at = 0; at < word.size();) {
    const Character c = decode(word, at);
    const std::size_t end = c.code == Character::kNone ? at + 1 : c.end;
    const char32_t code = c.code == Character::kNone ? c.code : lower_code(c.code);
    if (code == c.code) {
      lower += word.substr(at, end - at);
    } else if (code < 0x80) {
      lower += static_cast<char>(code);
    } else {  // what changes stays below 0x800: two bytes
      lower += static_cast<char>(0xC0 | (code >> 6));
      lower += static_cast<char>(0x80 | (code & 0x3F));
    }
    at = end;
  }
  return lower;
}

Lexicon Lexicon::parse(std::string_view json, const std::string& name) {
  const JsonTree tree = parse_json(json, name);
  const Json& root = tree.root();
  const JsonReader read(name, "the lexicon");
  const Node whole{&root, ""};
  read.check_object(whole, {"features", "words"});
  Lexicon lexicon;
  const Node features = read.member(whole, "features"), words = read.member(whole, "words");
  if (!features || !words) read.fail("", "must have features and words");
  for (const Node& node : read.elements(features, "an array of features")) {
    Feature feature = read_feature(read, node);
    if (lexicon.feature(feature.name) >= 0) read.fail(node.pointer + "/name", "is the name of an earlier feature");
    lexicon.features_.push_back(std::move(feature));
  }
  const std::size_t count = lexicon.features_.size();
  if (count == 0 || count > kMostFeatures)
    read.fail("/features", "must be from 1 to 64 features, not " + std::to_string(count));
  if (!words.json->is_object()) read.fail_type(words, "an object of words");
  for (auto at = words.json->begin(); at != words.json->end(); ++at) {
    const std::string word(at.key());
    const Node node{&*at, pointer_to("/words", word)};
    if (word.empty() || word != word_key(word)) read.fail(node.pointer, "must be written in lower case");
    read.check_object(node, {"features", "zipf"});
    const Node names = read.member(node, "features"), zipf = read.member(node, "zipf");
    if (!names || !zipf) read.fail(node.pointer, "must have features and zipf");
    WordFeatures entry;
    entry.features = feature_bit(0);
    const std::string list = read.string(names);
    for (const std::string_view each : split(list)) {
      const int feature = lexicon.feature(each);
      if (feature < 0) read.fail(names.pointer, "names " + printable(each) + ", which is not among the features");
      entry.features |= feature_bit(feature);
    }
    entry.zipf = read.number(*zipf.json, zipf.pointer);
    lexicon.words_.emplace(word, entry);
  }
  return lexicon;
}

const Lexicon& Lexicon::standard() {
  static const Lexicon lexicon = parse(core_assets::find("lexicon.json"), "lexicon.json");
  return lexicon;
}

int Lexicon::feature(std::string_view name) const {
  for (std::size_t k = 0; k < features_.size(); ++k)
    if (features_[k].name == name) return static_cast<int>(k);
  return -1;
}

bool Lexicon::knows(std::string_view token) const { return words_.contains(word_key(token)); }

WordFeatures Lexicon::look_up(std::string_view token, const WordCorrections& corrections) const {
  const std::string word = word_key(token);
  WordFeatures entry;
  if (const auto known = words_.find(word); known != words_.end()) {
    entry = known->second;
  } else {
    entry = {feature_bit(0), kGuessedZipf, true, false};
    for (const char* name : shape_features(token, word))
      if (const int k = feature(name); k >= 0) entry.features |= feature_bit(k);
  }
  if (const auto correction = corrections.find(word); correction != corrections.end()) {
    entry.features = correction->second | feature_bit(0);
    entry.guessed = false;
    entry.corrected = true;
  }
  return entry;
}

std::vector<std::string> Lexicon::words() const {
  std::vector<std::string> list;
  for (const auto& [word, entry] : words_) list.push_back(word);
  return list;
}

std::string word_key(std::string_view token) {
  static constexpr std::string_view kApostrophe = "\u2019";
  const std::string lower = lower_case(token);
  std::string word;
  std::size_t at = 0;
  for (std::size_t next = 0; (next = lower.find(kApostrophe, at)) != std::string::npos; at = next + kApostrophe.size())
    word.append(lower, at, next - at) += '\'';
  return word.append(lower, at);
}

}  // namespace hydra
