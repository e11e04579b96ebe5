#include "core/text/annotated.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "core/files/utf8.h"
#include "core/files/whole_file.h"
#include "core/json/reader.h"
#include "core/text/lexicon.h"
#include "core/text/tokenizer.h"
#include "core/text/wording.h"
#include "embedded/core_sentences.h"

namespace hydra {

namespace {

std::size_t place_of(Relation relation) { return static_cast<std::size_t>(relation); }

// "the@2": the second "the" of the sentence, counted from 1, in capitals or not. A word that occurs once needs no
// number.
int find_token(const JsonReader& read, const Node& node, const std::vector<std::string>& tokens) {
  const std::string reference = read.string(node);
  const std::size_t at = reference.size() > 1 ? reference.rfind('@') : std::string::npos;
  const std::string word = lower_case(reference.substr(0, at));
  std::vector<int> found;
  for (std::size_t k = 0; k < tokens.size(); ++k)
    if (lower_case(tokens[k]) == word) found.push_back(static_cast<int>(k));
  if (found.empty())
    read.fail(node.pointer, "names " + in_quotes(word) +
                                ", which is no token of the sentence: " + "write a word or a mark as it stands there");
  if (at == std::string::npos) {
    if (found.size() == 1) return found.front();
    read.fail(node.pointer, "names " + in_quotes(word) + ", which occurs " + std::to_string(found.size()) +
                                " times: write " + in_quotes(word + "@1") + " for the first of them");
  }
  const std::string number = reference.substr(at + 1);
  for (std::size_t k = 0; k < found.size(); ++k)
    if (number == std::to_string(k + 1)) return found[k];
  read.fail(node.pointer, "asks for " + in_quotes(reference) + ", but " + in_quotes(word) + " occurs " +
                              std::to_string(found.size()) + (found.size() == 1 ? " time" : " times") +
                              ": count from 1");
}

std::vector<GoldPair> read_pairs(const JsonReader& read, const Node& node, const std::vector<std::string>& tokens) {
  std::vector<GoldPair> pairs;
  if (node && node.json->is_array()) read.check_count(node, kMostPairs, "pairs");
  for (const Node& element : read.elements(node, "an array of pairs of words")) {
    if (!element.json->is_array() || element.json->size() != 2)
      read.fail_type(element, "a pair of words, the one that attends and the one it attends to");
    const Elements ends = read.elements(element, "a pair of words");
    const GoldPair pair{find_token(read, ends[0], tokens), find_token(read, ends[1], tokens)};
    if (pair.from == pair.to) read.fail(element.pointer, "goes from a word to itself: name two words");
    const auto at = std::ranges::lower_bound(pairs, pair);
    if (at != pairs.end() && *at == pair) read.fail(element.pointer, "is there twice: leave one out");
    pairs.insert(at, pair);
  }
  return pairs;
}

// Those of them that are not there yet.
void add(std::vector<GoldPair>& pairs, const std::vector<GoldPair>& others) {
  std::vector<GoldPair> all;
  std::set_union(pairs.begin(), pairs.end(), others.begin(), others.end(), std::back_inserter(all));
  pairs = std::move(all);
}

void add(AnnotatedSentence& sentence, const MarkedRelation& relation) {
  if (const std::optional<Relation> known = relation_called(relation.name))
    return add(sentence.gold[place_of(*known)], relation.pairs);
  const auto at = std::ranges::lower_bound(sentence.own, relation.name, {}, &MarkedRelation::name);
  if (at != sentence.own.end() && at->name == relation.name)
    add(at->pairs, relation.pairs);
  else
    sentence.own.insert(at, relation);
}

// The keys of all relations: what an object of relations may hold.
const std::vector<std::string_view>& relation_keys() {
  static const std::vector<std::string_view> keys = [] {
    std::vector<std::string_view> list;
    for (const RelationEntry& entry : relations()) list.push_back(entry.key);
    return list;
  }();
  return keys;
}

// As a key would be spelt: in small letters, with hyphens.
std::string as_key(std::string_view name) {
  std::string key = lower_case(name);
  std::ranges::replace_if(
      key, [](char c) { return c == '_' || c == ' '; }, '-');
  return key;
}

// One letter more, less or another.
bool is_nearly(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return false;
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return std::equal(in_a + (a.size() == b.size() && in_a != a.end() ? 1 : 0), a.end(), in_b + (in_b != b.end() ? 1 : 0),
                    b.end());
}

std::string text_of(const JsonReader& read, const Node& node, const char* what) {
  if (!node) read.fail(node.pointer, std::string("is missing: give ") + what);
  std::string text = read.string(node);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    read.fail(node.pointer, std::string("is empty: give ") + what);
  return text;
}

}  // namespace

std::optional<Relation> relation_called(std::string_view name) {
  const auto at = std::ranges::find(relations(), name, &RelationEntry::key);
  return at == relations().end() ? std::nullopt : std::optional(at->relation);
}

void check_relation_name(const std::string& name) {
  if (relation_called(name)) return;
  if (name.find_first_not_of(" \t\r\n") == std::string::npos)
    throw InputError("a relation needs a name, of at most " + std::to_string(kMostRelationLetters) + " letters");
  if (!is_plain_text(name)) throw InputError("the name of a relation must be UTF-8 text without control characters");
  std::size_t letters = 0;
  for (std::size_t at = 0; at < name.size(); at = decode(name, at).end) ++letters;
  if (letters > kMostRelationLetters)
    throw InputError("the name of a relation has " + std::to_string(letters) + " letters; at most " +
                     std::to_string(kMostRelationLetters) + " are possible");
  const std::string key = as_key(name);
  for (const RelationEntry& entry : relations())
    if (is_nearly(key, entry.key))
      throw InputError(in_quotes(name) + " is not known, but " + in_quotes(entry.key) +
                       " is: write that, or call your own relation less like it");
}

const std::array<RelationEntry, kRelations>& relations() {
  static const std::array<RelationEntry, kRelations> entries = {{
      {Relation::coreference, "coreference", "words:relation.coreference", "words:relation.coreference.tip"},
      {Relation::subject_verb, "subject-verb", "words:relation.subject_verb", "words:relation.subject_verb.tip"},
      {Relation::verb_object, "verb-object", "words:relation.verb_object", "words:relation.verb_object.tip"},
      {Relation::adjective_noun, "adjective-noun", "words:relation.adjective_noun",
       "words:relation.adjective_noun.tip"},
      {Relation::determiner_noun, "determiner-noun", "words:relation.determiner_noun",
       "words:relation.determiner_noun.tip"},
      {Relation::relative_clause, "relative-clause", "words:relation.relative_clause",
       "words:relation.relative_clause.tip"},
      {Relation::negation, "negation", "words:relation.negation", "words:relation.negation.tip"},
      {Relation::same_word, "same-word", "words:relation.same_word", "words:relation.same_word.tip"},
      {Relation::similar_meaning, "similar-meaning", "words:relation.similar_meaning",
       "words:relation.similar_meaning.tip"},
  }};
  return entries;
}

std::vector<MarkedRelation> read_marked_relations(const JsonReader& read, const Node& node,
                                                  const std::vector<std::string>& tokens) {
  std::vector<MarkedRelation> relations;
  if (!node) return relations;
  if (!node.json->is_object()) read.fail_type(node, "an object of relations, each with an array of pairs of words");
  for (auto at = node.json->begin(); at != node.json->end(); ++at) {
    MarkedRelation relation{std::string(at.key()), {}};
    const std::string pointer = pointer_to(node.pointer, relation.name);
    read.check_at(pointer, [&] { check_relation_name(relation.name); });
    relation.pairs = read_pairs(read, {&*at, pointer}, tokens);
    if (!relation.pairs.empty()) relations.push_back(std::move(relation));
  }
  std::ranges::sort(relations, {}, &MarkedRelation::name);
  return relations;
}

std::string token_reference(const std::vector<std::string>& tokens, int token) {
  const std::string& word = tokens[static_cast<std::size_t>(token)];
  const auto same = [key = lower_case(word)](const std::string& other) { return lower_case(other) == key; };
  const auto all = std::ranges::count_if(tokens, same),
             before = std::count_if(tokens.begin(), tokens.begin() + token, same);
  if (all == 1 && word.rfind('@') == std::string::npos) return word;
  return word + "@" + std::to_string(before + 1);
}

AnnotatedSentence annotated(const MarkedText& text) {
  AnnotatedSentence result;
  result.title = result.sentence = text.sentence;
  result.tokens = text.tokens;
  add_marks(result, text);
  return result;
}

void add_marks(AnnotatedSentence& sentence, const MarkedText& text) {
  for (const MarkedRelation& relation : text.relations) add(sentence, relation);
}

const std::vector<GoldPair>* pairs_called(const AnnotatedSentence& sentence, std::string_view name) {
  if (const std::optional<Relation> known = relation_called(name)) {
    const std::vector<GoldPair>& pairs = sentence.gold[place_of(*known)];
    return pairs.empty() ? nullptr : &pairs;
  }
  const auto own = std::ranges::find(sentence.own, name, &MarkedRelation::name);
  return own == sentence.own.end() ? nullptr : &own->pairs;
}

AnnotatedSentence parse_annotated(std::string_view json, const std::string& name) {
  if (json.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError(name + ": empty; a marked sentence is an object with a title, a sentence and relations");
  const JsonTree tree = parse_json(json, name);
  const Json& root = tree.root();
  const JsonReader read(name, "the file");
  const Node whole{&root, ""};
  if (!root.is_object()) read.fail_type(whole, "an object with a title, a sentence and relations");
  read.check_object(whole, {"title", "group", "sentence", "note", "relations", "unresolved"});
  AnnotatedSentence result;
  const Node sentence = read.member(whole, "sentence");
  result.sentence = text_of(read, sentence, "the sentence as it is written");
  result.title = text_of(read, read.member(whole, "title"), "a few words for the menu");
  const Node group = read.member(whole, "group"), note = read.member(whole, "note");
  result.group = group ? text_of(read, group, "the heading in the menu") : wording("words:group.other");
  if (note) result.note = read.string(note);
  read.check_at(sentence.pointer, [&] { result.tokens = tokenize(result.sentence); });
  if (result.tokens.empty() || result.tokens.size() > kMostMarkedTokens)
    read.fail(sentence.pointer, "has " + std::to_string(result.tokens.size()) + " tokens; there must be from 1 to " +
                                    std::to_string(kMostMarkedTokens));

  const Node marks = read.member(whole, "relations"), unresolved = read.member(whole, "unresolved");
  read.check_object(unresolved, relation_keys());
  for (const MarkedRelation& marked : read_marked_relations(read, marks, result.tokens)) add(result, marked);
  for (const RelationEntry& entry : relations()) {
    const std::size_t k = place_of(entry.relation);
    const Node reason = read.member(unresolved, entry.key);
    if (!reason) continue;
    result.unresolved[k] = text_of(read, reason, "the reason why no single layer can find it");
    if (result.gold[k].empty())
      read.fail(reason.pointer, "gives a reason for a relation without a mark: mark it in /relations, or leave it out");
  }
  return result;
}

const AnnotatedSet& standard_sentences() {
  static const AnnotatedSet set = [] {
    AnnotatedSet all;
    for (const std::string_view name : core_sentences::names())
      all.sentences.push_back(parse_annotated(core_sentences::find(name), std::string(name)));
    return all;
  }();
  return set;
}

AnnotatedSet read_annotated_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  AnnotatedSet set;
  std::vector<std::string> paths;
  std::error_code fault, ignored;
  for (fs::directory_iterator it(folder, fault), end; !fault && it != end; it.increment(fault)) {
    if (it->path().extension() != ".json") continue;
    // A pipe would be waited for.
    if (it->is_regular_file(ignored))
      paths.push_back(it->path().string());
    else
      set.faults.push_back(printable(it->path().string(), 200) + ": is no regular file; marked sentences are files");
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    try {
      set.sentences.push_back(parse_annotated(read_whole(path), path));
    } catch (const InputError& error) {
      set.faults.push_back(error.what());
    }
  }
  return set;
}

std::string own_sentences_folder() {
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && *data == '/') return std::string(data) + "/hydrascope/sentences";
  const char* home = std::getenv("HOME");
  return home != nullptr && *home != 0 ? std::string(home) + "/.local/share/hydrascope/sentences" : std::string();
}

const AnnotatedSentence* find_annotated(const std::vector<AnnotatedSentence>& set,
                                        const std::vector<std::string>& tokens) {
  const auto found = std::find_if(set.begin(), set.end(), [&](const auto& each) { return each.tokens == tokens; });
  return found == set.end() ? nullptr : &*found;
}

}  // namespace hydra
