// What a user has marked in sentences, which a document keeps: pairs of tokens, by the relation's name.
#pragma once
#include "core/document/document.h"

namespace hydra {

// Each throws InputError. The pair goes from the query, which attends, to the key, and is of the document's tokens.
void mark_pair(Document& document, const std::string& relation, int query, int key, bool on);
void drop_relation(Document& document, const std::string& relation);  // from all its sentences
void check_marks(const std::vector<MarkedText>& marks);

// Of these tokens; null: nothing is marked in them.
const MarkedText* marks_of(const std::vector<MarkedText>& marks, const std::vector<std::string>& tokens);
// The names of all relations, in the order of the alphabet.
std::vector<std::string> relations_in(const std::vector<MarkedText>& marks);

// The marked sentence that is known of these tokens, or null, with what the document marks in them; nothing where
// nobody marks anything.
std::optional<AnnotatedSentence> marked_here(const AnnotatedSentence* known, const std::vector<MarkedText>& marks,
                                             const std::vector<std::string>& tokens);

}  // namespace hydra
