#include "core/measures/own_relations.h"

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/files/utf8.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

std::shared_ptr<const HeadJob> job_of(const std::string& name) {
  constexpr std::size_t kBrief = 10;
  HeadJob job{name, name, shortened(name, kBrief), wording("words:relation.own.tip", {{"relation", name}})};
  return std::make_shared<const HeadJob>(std::move(job));
}

}  // namespace

OwnRelations with_own_relations(const MarkedSentences& sentences) {
  std::set<std::string> names;
  for (const AnnotatedSentence& sentence : *sentences)
    for (const MarkedRelation& relation : sentence.own) names.insert(relation.name);
  if (names.empty()) return {sentences, {}};
  if (names.size() > kMostOwnRelations)
    throw InputError("these sentences are marked with " + std::to_string(names.size()) +
                     " relations of your own; at most " + std::to_string(kMostOwnRelations) +
                     " can be told apart: put some of them into another set");
  auto marked = std::make_shared<std::vector<AnnotatedSentence>>(*sentences);
  for (AnnotatedSentence& sentence : *marked) {
    sentence.jobs.clear();
    for (const std::string& name : names) {
      const std::vector<GoldPair>* pairs = pairs_called(sentence, name);
      sentence.jobs.push_back(pairs ? *pairs : std::vector<GoldPair>{});
    }
  }
  OwnRelations own{std::move(marked), {}};
  for (const std::string& name : names) own.relations.push_back(job_of(name));
  return own;
}

MarkedSentences sentences_of(const std::vector<MarkedText>& marks) {
  auto sentences = std::make_shared<std::vector<AnnotatedSentence>>();
  for (const MarkedText& text : marks) sentences->push_back(annotated(text));
  return sentences;
}

MarkedSentences with_marks(const MarkedSentences& sentences, const std::vector<MarkedText>& marks) {
  if (marks.empty()) return sentences;
  auto all = std::make_shared<std::vector<AnnotatedSentence>>();
  if (sentences) *all = *sentences;
  for (const MarkedText& text : marks) {
    const auto known = std::ranges::find(*all, text.tokens, &AnnotatedSentence::tokens);
    if (known == all->end())
      all->push_back(annotated(text));
    else
      add_marks(*known, text);
  }
  return all;
}

}  // namespace hydra
