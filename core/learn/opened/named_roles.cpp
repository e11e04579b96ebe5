#include "core/learn/opened/named_roles.h"

#include "core/error.h"
#include "core/text/wording.h"

namespace hydra::learn {

namespace {

bool same(const std::shared_ptr<const AnswersLost>& a, const std::shared_ptr<const AnswersLost>& b) {
  return a == b || (a && b && *a == *b);
}

StackRoleTables with_own(StackRoleTables tables, const HeadJobs& relations) {
  if (relations.empty()) return tables;
  for (std::shared_ptr<const RoleTable>& table : tables) {
    auto told = std::make_shared<RoleTable>(*table);
    told->own = relations;
    table = std::move(told);
  }
  return tables;
}

}  // namespace

NamedRoles::Losses NamedRoles::losses_of(const Document& document, const KnownText& text, const Progress& progress,
                                         std::string& why) const {
  if (!text.task) return {};
  try {
    return answers_lost(document, text.task, pool_, progress);
  } catch (const InputError& fault) {
    why = wording("training:not_measured", {{"why", fault.what()}});
    return {};
  }
}

void NamedRoles::tell(const Document& document, const KnownText& text, const Losses& losses, std::string why, int layer,
                      RoleTable& table) const {
  table.jobs = text.jobs;
  table.unit = text.unit;
  table.source = text.source;
  table.known_words = known_share(document, *text.sentences);
  if (!losses.empty()) table.answers = losses[static_cast<std::size_t>(layer)];
  table.why_unconfirmed = std::move(why);
}

RoleTable NamedRoles::pooled(const Document& document, int layer, const MarkedSentences& marked,
                             const Progress& progress) {
  const KnownText text = texts_.of(document, marked);
  RoleTable table = tables_.pooled(document, layer, text.sentences, progress);
  std::string why;
  const Losses losses = losses_of(document, text, progress, why);
  tell(document, text, losses, why, layer, table);
  return table;
}

StackRoleTables NamedRoles::pooled(const Document& document, const MarkedSentences& marked, const Progress& progress) {
  const KnownText text = texts_.of(document, marked);
  StackRoleTables tables = tables_.pooled(document, text.sentences, progress);
  std::string why;
  const Losses losses = losses_of(document, text, progress, why);
  told_.resize(tables.size());
  for (std::size_t k = 0; k < tables.size(); ++k) {
    const std::shared_ptr<const AnswersLost> answers = losses.empty() ? nullptr : losses[k];
    Told& told = told_[k];
    if (told.table != tables[k] || !same(told.answers, answers)) {
      auto made = std::make_shared<RoleTable>(*tables[k]);
      tell(document, text, losses, why, static_cast<int>(k), *made);
      told = {tables[k], answers, std::move(made)};
    }
    tables[k] = told.told;
  }
  return tables;
}

bool NamedRoles::gives_answers(const Document& document, const MarkedSentences& marked) {
  try {
    const KnownText text = texts_.of(document, marked);
    check_poolable(document, text.sentences);
    return text.task != nullptr;
  } catch (const InputError&) {
    return false;
  }
}

StackRoleTables NamedRoles::with_names(StackRoleTables tables, const StackRoleTables& named) {
  for (std::size_t k = 0; k < tables.size(); ++k) {
    auto table = std::make_shared<RoleTable>(*tables[k]);
    table->named = named[k];
    tables[k] = std::move(table);
  }
  return tables;
}

const OwnRelations& NamedRoles::own_of(const MarkedSentences& sentences) {
  if (own_from_ != sentences) own_ = with_own_relations(sentences), own_from_ = sentences;
  return own_;
}

const OwnRelations& NamedRoles::own_of(const Document& document, const MarkedSentences& marked) {
  if (!marked_.with.sentences || marked_.from != marked || marked_.marks != document.marks)
    marked_ = {marked, document.marks, with_own_relations(with_marks(marked, document.marks))};
  return marked_.with;
}

RoleTable NamedRoles::of_sentence(const Trace& trace, const Document& document, int layer,
                                  const MarkedSentences& marked, const Progress& progress) {
  const OwnRelations& own = own_of(document, marked);
  RoleTable table = tables_.of_sentence(trace, layer, own.sentences, &document.layer(layer), progress);
  table.own = own.relations;
  if (gives_answers(document, marked))
    table.named = std::make_shared<const RoleTable>(pooled(document, layer, marked, progress));
  return table;
}

StackRoleTables NamedRoles::of_sentence(const Trace& trace, const Document& document, const MarkedSentences& marked,
                                        const Progress& progress) {
  const OwnRelations& own = own_of(document, marked);
  StackRoleTables tables = with_own(tables_.of_sentence(trace, document, own.sentences, progress), own.relations);
  return gives_answers(document, marked) ? with_names(std::move(tables), pooled(document, marked, progress)) : tables;
}

RoleTable NamedRoles::over(const Document& document, int layer, const MarkedSentences& sentences,
                           const MarkedSentences& marked, const Progress& progress) {
  const OwnRelations& own = own_of(sentences);
  RoleTable table = tables_.pooled(document, layer, own.sentences, progress);
  table.own = own.relations;
  table.known_words = known_share(document, *sentences);
  if (gives_answers(document, marked))
    table.named = std::make_shared<const RoleTable>(pooled(document, layer, marked, progress));
  return table;
}

StackRoleTables NamedRoles::over(const Document& document, const MarkedSentences& sentences,
                                 const MarkedSentences& marked, const Progress& progress) {
  const OwnRelations& own = own_of(sentences);
  StackRoleTables tables = tables_.pooled(document, own.sentences, progress);
  for (std::shared_ptr<const RoleTable>& table : tables) {
    auto told = std::make_shared<RoleTable>(*table);
    told->own = own.relations;
    told->known_words = known_share(document, *sentences);
    table = std::move(told);
  }
  return gives_answers(document, marked) ? with_names(std::move(tables), pooled(document, marked, progress)) : tables;
}

}  // namespace hydra::learn
