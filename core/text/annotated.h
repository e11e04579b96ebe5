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
// A relation may also have a name of one's own, of at most 24 letters: "relations": {"owner": [["her", "dog"]]}.
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
  auto operator<=>(const GoldPair&) const = default;
};

// Pairs by their relation's name: one of the keys above, or one's own.
struct MarkedRelation {
  std::string name;
  std::vector<GoldPair> pairs;  // sorted by from, to
  bool operator==(const MarkedRelation&) const = default;
};
inline constexpr std::size_t kMostRelationLetters = 24;
inline constexpr std::size_t kMostOwnRelations = 9;              // of a set of sentences
inline constexpr std::size_t kMostPairs = 4096;                  // of a relation in a sentence
std::optional<Relation> relation_called(std::string_view name);  // by its key; none: the name is one's own
// Throws InputError: it is empty or too long, holds control characters, or is a key misspelt.
void check_relation_name(const std::string& name);

struct AnnotatedSentence {
  std::string title, sentence, group, note;  // group: heading in the menu; note may be empty
  std::vector<std::string> tokens;
  std::array<std::vector<GoldPair>, kRelations> gold;  // by relation; sorted by from, to
  std::vector<MarkedRelation> own;                     // none of them by a name of the above
  // Where no single layer can find a relation in this sentence: why. Empty where it can.
  std::array<std::string, kRelations> unresolved;
  // Of a task's sequence: where a head would look that did each of the task's jobs. Files have none.
  std::vector<std::vector<GoldPair>> jobs;
};

inline constexpr std::size_t kMostMarkedTokens = 1024;  // as many as a document holds

// What is marked in a text, by names.
struct MarkedText {
  std::string sentence;
  std::vector<std::string> tokens;
  std::vector<MarkedRelation> relations;  // by name, each with a pair
  bool operator==(const MarkedText&) const = default;
};
AnnotatedSentence annotated(const MarkedText& text);
// Its pairs, besides those that the sentence, of the same tokens, has.
void add_marks(AnnotatedSentence& sentence, const MarkedText& text);
// The pairs of what is called so; null: there are none.
const std::vector<GoldPair>* pairs_called(const AnnotatedSentence& sentence, std::string_view name);
// "the@2": how files name a token.
std::string token_reference(const std::vector<std::string>& tokens, int token);

class JsonReader;
struct Node;
// {"owner": [["her", "dog"]]} of these tokens, in the order of the names; nothing of a relation without a pair. Throws
// InputError.
std::vector<MarkedRelation> read_marked_relations(const JsonReader& read, const Node& node,
                                                  const std::vector<std::string>& tokens);

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
