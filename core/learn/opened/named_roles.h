// Role tables (core/measures/role_tables.h) with what their names come from: pooled over text that the model knows,
// and, where it answers a task's questions, with what silencing each head costs.
#pragma once
#include "core/learn/tasks/known_text.h"
#include "core/measures/own_relations.h"
#include "core/measures/role_tables.h"

namespace hydra::learn {

class NamedRoles {
 public:
  explicit NamedRoles(ThreadPool* pool = nullptr) : pool_(pool), tables_(pool) {}

  // Over text that the model knows, chosen with these marked sentences. Throws InputError when there is none.
  RoleTable pooled(const Document& document, int layer, const MarkedSentences& marked, const Progress& progress = {});
  StackRoleTables pooled(const Document& document, const MarkedSentences& marked, const Progress& progress = {});
  // Of the trace's own sentence. A model that answers a task's questions has the names of the pooled table, unless it is
  // of this sentence alone, as one whose mask was set by hand.
  RoleTable of_sentence(const Trace& trace, const Document& document, int layer, const MarkedSentences& marked,
                        const Progress& progress = {});
  StackRoleTables of_sentence(const Trace& trace, const Document& document, const MarkedSentences& marked,
                              const Progress& progress = {});
  // Over just these sentences, whether the model knows their words or not. Named as those of the trace's own.
  RoleTable over(const Document& document, int layer, const MarkedSentences& sentences, const MarkedSentences& marked,
                 const Progress& progress = {});
  StackRoleTables over(const Document& document, const MarkedSentences& sentences, const MarkedSentences& marked,
                       const Progress& progress = {});

 private:
  using Losses = std::vector<std::shared_ptr<const AnswersLost>>;
  // What is said of a table that was measured on this text.
  void tell(const Document& document, const KnownText& text, const Losses& losses, std::string why, int layer,
            RoleTable& table) const;
  Losses losses_of(const Document& document, const KnownText& text, const Progress& progress, std::string& why) const;
  // On other sentences too.
  bool gives_answers(const Document& document, const MarkedSentences& marked);
  StackRoleTables with_names(StackRoleTables tables, const StackRoleTables& named);

  // With own relations as jobs; the same ones for the same sentences.
  const OwnRelations& own_of(const MarkedSentences& sentences);
  // The marked sentences with what the document marks: the same ones for the same marks.
  const OwnRelations& own_of(const Document& document, const MarkedSentences& marked);

  ThreadPool* pool_;
  RoleTables tables_;
  MarkedSentences own_from_;
  OwnRelations own_;
  struct Marked {
    MarkedSentences from;
    std::vector<MarkedText> marks;
    OwnRelations with;
  } marked_;
  KnownTexts texts_;
  struct Told {  // what it was made of, by layer
    std::shared_ptr<const RoleTable> table;
    std::shared_ptr<const AnswersLost> answers;
    std::shared_ptr<const RoleTable> told;
  };
  std::vector<Told> told_;
};

}  // namespace hydra::learn
