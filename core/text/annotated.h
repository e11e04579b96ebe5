// Sentences with relations marked by hand ("gold"): what a head's pattern is compared with. They are
// assets/sentences/*.json and files of the user's own, each an object:
//
//   {"title": "The animal was tired",                    a few words for the menu
//    "group": "Pronouns",                                its heading there; left out: "Other"
//    "sentence": "The animal didn't cross the street.",  as it is written
//    "note": "...",                                      may be left out
//    "relations": {"determiner-noun": [["The@1", "animal"], ["the@2", "street"]]},
//    "unresolved": {"coreference": "..."}}               why no single layer can find a relation that is marked
//
// A pair goes from the word that attends to the word it attends to. A word that occurs more than once is numbered from
// 1; capitals do not matter.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra {

enum class Relation {
  coreference,
  subject_verb,
  verb_object,
  adjective_noun,
  determiner_noun,
  relative_clause,
  negation,
  same_word,
  similar_meaning,
};
inline constexpr int kRelations = 9;
struct RelationEntry {
  Relation relation;
  const char* key;    // "subject-verb": in files
  const char* title;  // key of "verb to subject": from what to what
  const char* tip;    // key of one sentence
};
const std::array<RelationEntry, kRelations>& relations();  // in the order of the enum

struct GoldPair {  // the query from attends to the key to
  int from = 0, to = 0;
  bool operator==(const GoldPair&) const = default;
};

struct AnnotatedSentence {
  std::string title, sentence, group, note;  // group: heading in the menu; note may be empty
  std::vector<std::string> tokens;
  std::array<std::vector<GoldPair>, kRelations> gold;  // by relation; sorted by from, to
  // Where no single layer can find a relation in this sentence: why. Empty where it can.
  std::array<std::string, kRelations> unresolved;
  // Of a task's sequence: where a head would look that did each of the task's jobs. Files have none.
  std::vector<std::vector<GoldPair>> jobs;
};

inline constexpr std::size_t kMostMarkedTokens = 1024;  // as many as a document holds

// Throws InputError, one sentence: the file, the place, the remedy.
AnnotatedSentence parse_annotated(std::string_view json, const std::string& name);

struct AnnotatedSet {
  std::vector<AnnotatedSentence> sentences;
  std::vector<std::string> faults;  // one sentence per file that was skipped
};
// The sentences that ship, in the order of their file names.
const AnnotatedSet& standard_sentences();
// *.json of a folder, by name; what is broken or no file is named in faults and skipped. A folder that is not there has
// none.
AnnotatedSet read_annotated_folder(const std::string& folder);
// Where a teacher's own files are: $XDG_DATA_HOME/hydrascope/sentences, by default below ~/.local/share. May be empty.
std::string own_sentences_folder();

// The sentence with these tokens, or null.
const AnnotatedSentence* find_annotated(const std::vector<AnnotatedSentence>& set,
                                        const std::vector<std::string>& tokens);

}  // namespace hydra
