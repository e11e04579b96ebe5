#include "core/document/text/marks.h"

#include <algorithm>
#include <functional>
#include <set>

#include "core/document/limits.h"
#include "core/error.h"
#include "core/files/printable.h"

namespace hydra {

namespace {

void check_pair(const GoldPair& pair, std::size_t tokens) {
  const auto n = static_cast<int>(tokens);
  if (pair.from < 0 || pair.from >= n || pair.to < 0 || pair.to >= n)
    throw InputError("a pair is of two of the " + std::to_string(n) + " tokens, by their places from 0 to " +
                     std::to_string(n - 1));
  if (pair.from == pair.to) throw InputError("a pair goes from a token to another one, not to itself");
}

std::size_t bytes_of(const MarkedText& text) {
  constexpr std::size_t kAround = 40;  // keys, brackets, numbers of words
  std::size_t bytes = kAround + text.sentence.size();
  for (const std::string& token : text.tokens) bytes += token.size() + 4;
  for (const MarkedRelation& relation : text.relations) {
    bytes += kAround + relation.name.size();
    for (const GoldPair& pair : relation.pairs)
      for (const int end : {pair.from, pair.to}) bytes += 16 + text.tokens[static_cast<std::size_t>(end)].size();
  }
  return bytes;
}

void check_text(const MarkedText& text) {
  check_sentence(text.sentence);
  check_tokens(text.tokens);
  if (text.tokens.empty() || text.tokens.size() > kMostMarkedTokens)
    throw InputError("a marked sentence has " + std::to_string(text.tokens.size()) +
                     " tokens; there must be from 1 to " + std::to_string(kMostMarkedTokens));
  for (std::size_t r = 0; r < text.relations.size(); ++r) {
    const MarkedRelation& relation = text.relations[r];
    check_relation_name(relation.name);
    if (r > 0 && relation.name <= text.relations[r - 1].name)
      throw InputError("the relation " + in_quotes(relation.name) + " is there twice; leave one out");
    if (relation.pairs.empty() || relation.pairs.size() > kMostPairs)
      throw InputError("the relation " + in_quotes(relation.name) + " has " + std::to_string(relation.pairs.size()) +
                       " pairs in a sentence; there must be from 1 to " + std::to_string(kMostPairs));
    for (const GoldPair& pair : relation.pairs) check_pair(pair, text.tokens.size());
    if (std::ranges::adjacent_find(relation.pairs, std::greater_equal()) != relation.pairs.end())
      throw InputError("a pair of " + in_quotes(relation.name) + " is there twice; leave one out");
  }
}

}  // namespace

void check_marks(const std::vector<MarkedText>& marks) {
  if (marks.size() > kMostMarkedTexts)
    throw InputError("there are marks in " + std::to_string(marks.size()) + " sentences; at most " +
                     std::to_string(kMostMarkedTexts) + " are possible");
  std::set<std::vector<std::string>> texts;
  std::size_t bytes = 0;
  for (const MarkedText& text : marks) {
    check_text(text);
    if (!texts.insert(text.tokens).second)
      throw InputError("the sentence " + in_quotes(text.sentence) + " is marked twice; leave one out");
    bytes += bytes_of(text);
  }
  if (bytes > kMaxMarkBytes)
    throw InputError("marked sentences take " + std::to_string(bytes) + " bytes; at most " +
                     std::to_string(kMaxMarkBytes) + " are possible");
  std::size_t own = 0;
  for (const std::string& name : relations_in(marks)) own += relation_called(name) ? 0 : 1;
  if (own > kMostOwnRelations)
    throw InputError("there are " + std::to_string(own) + " relations of your own; at most " +
                     std::to_string(kMostOwnRelations) + " are possible: remove one that is no longer needed");
}

void mark_pair(Document& document, const std::string& relation, int query, int key, bool on) {
  const std::vector<std::string> tokens = tokens_of(document);
  const GoldPair pair{query, key};
  check_relation_name(relation);
  check_pair(pair, tokens.size());
  auto text = std::ranges::find(document.marks, tokens, &MarkedText::tokens);
  if (text == document.marks.end()) {
    if (!on) return;
    document.marks.push_back({document.sentence, tokens, {}});
    text = std::prev(document.marks.end());
  }
  std::vector<MarkedRelation>& all = text->relations;
  auto at = std::ranges::lower_bound(all, relation, {}, &MarkedRelation::name);
  if (at == all.end() || at->name != relation) at = all.insert(at, {relation, {}});
  const auto place = std::ranges::lower_bound(at->pairs, pair);
  const bool is_there = place != at->pairs.end() && *place == pair;
  if (on && !is_there) at->pairs.insert(place, pair);
  if (!on && is_there) at->pairs.erase(place);
  if (at->pairs.empty()) all.erase(at);
  if (all.empty()) document.marks.erase(text);
  check_marks(document.marks);
}

void drop_relation(Document& document, const std::string& relation) {
  for (MarkedText& text : document.marks)
    std::erase_if(text.relations, [&](const MarkedRelation& r) { return r.name == relation; });
  std::erase_if(document.marks, [](const MarkedText& text) { return text.relations.empty(); });
}

const MarkedText* marks_of(const std::vector<MarkedText>& marks, const std::vector<std::string>& tokens) {
  const auto at = std::ranges::find(marks, tokens, &MarkedText::tokens);
  return at == marks.end() ? nullptr : &*at;
}

std::vector<std::string> relations_in(const std::vector<MarkedText>& marks) {
  std::set<std::string> names;
  for (const MarkedText& text : marks)
    for (const MarkedRelation& relation : text.relations) names.insert(relation.name);
  return {names.begin(), names.end()};
}

std::optional<AnnotatedSentence> marked_here(const AnnotatedSentence* known, const std::vector<MarkedText>& marks,
                                             const std::vector<std::string>& tokens) {
  const MarkedText* text = marks_of(marks, tokens);
  if (!known) return text ? std::optional(annotated(*text)) : std::nullopt;
  AnnotatedSentence all = *known;
  if (text) add_marks(all, *text);
  return all;
}

}  // namespace hydra
