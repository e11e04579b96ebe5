// What tests of measures share: marked sentences, all that can be asked for, a role table as text.
#pragma once
#include "core/document/edits/edit.h"
#include "core/measures/likeness_table.h"
#include "core/measures/role_tables.h"

namespace hydra {

// Their third word refers to their first.
inline MarkedSentences marked(const std::vector<std::string>& sentences) {
  auto set = std::make_shared<std::vector<AnnotatedSentence>>();
  for (const std::string& text : sentences) {
    AnnotatedSentence sentence;
    sentence.sentence = text;
    sentence.tokens = tokens_of(hydra::apply(default_document(), SetSentence{text}));
    sentence.gold[0] = {{2, 0}};
    set->push_back(std::move(sentence));
  }
  return set;
}

inline LikenessWanted all_measures(bool ranks = false) {
  LikenessWanted wanted;
  wanted.measures.fill(true);
  wanted.ranks = ranks;
  return wanted;
}

// Every number, as the file has it.
inline std::string text_of(const RoleTable& table) {
  std::string text;
  write_roles({{0, table}}, {}, kRoleThreshold, [&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace hydra
