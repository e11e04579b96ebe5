// The sentences of the grammar: six forms over one vocabulary, with four questions and where their answers stand.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/learn/tasks/parts.h"

namespace hydra::learn {

enum class Form {
  sees,     // S1: the old king near the cats chases the girl because she is tired .
  gave,     // S2: the teachers gave the boy his homework .
  that,     // S3: the cat that i adopted sleeps .
  are,      // S4: the keys to the cabinet are rusty .
  crossed,  // S5: the animal did not cross the street because it was too tired / wide .
  lifted,   // S6: the king could not lift the uncle because he was too weak / heavy .
};

// Its questions, each of which is a relation as well, and one relation more.
namespace asked {
inline constexpr Index kPrevious = 0, kEnd = 1, kSubject = 2, kAntecedent = 3, kQuestions = 4;
inline constexpr Index kDeciding = 4;  // from the pronoun of S5 and S6 to the adjective that decides whom it means
}  // namespace asked

inline constexpr Index kSentenceLength = 16;  // at most 15 are used

std::vector<std::string> sentence_words();  // 107: all that any form may hold
enum class Class { masculine, feminine, neuter, plural, none };
Class class_of(std::int32_t word);  // of a noun, and of a pronoun

// Writes one into a cleared sequence of shape (kSentenceLength, 1 word, 4 questions, 4 or 5 relations). An answer is
// the word at the place of gold.
void write_sentence(Random& random, Form form, Index relations, const SequenceOut& out);

}  // namespace hydra::learn
