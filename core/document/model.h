// What a document has of the whole model, besides its layers: the tables by which words are read in, the final norm,
// the readout. What edits of it throw is an InputError with one sentence.
#pragma once
#include "core/document/document.h"
#include "core/model/program.h"

namespace hydra {

Lookups lookups_of(const Embedding& embedding);
const ModelProgram& model_program_of(const Document& document);
// What a readout chooses from; of a tied one the words that are read in.
NextWords next_words_of(const Document& document);
ModelWidths widths_of(const Document& document);
// A weight or bias as it begins; none where a bias begins as none.
Array<float> initial_parameter(const Document& document, Quantity parameter);
// The document has the parameters that its embedding and settings ask for, and no others: what is missing or of another
// size begins anew. What belongs to nothing that is there is as by default; where no words are given they are those of
// the sentence; learned positions that are not there yet are as many as it has tokens.
void fit_model(Document& document);
// P as it is, with rows of zeros below up to so many.
void lengthen_places(Document& document, Index places);
// After the tokens became others: P that is just as its seed gives it goes on as that does, one row for each token. Any
// other stays as it is, and tokens past its rows have no position.
void draw_places(Document& document);
void check_has(const Document& document, Quantity parameter);
void check_model(const Document& document);

// Edits. Part of edit.cpp, for which they are written.
void set_model_setting(Document& document, ModelSetting setting, double value);
void make_embedding(Document& document, Embedding::Kind kind, std::uint64_t seed, Init init);
void set_positions(Document& document, Embedding::Positions positions);
void set_words(Document& document, Vocabulary vocabulary);
void set_case(Document& document, Vocabulary::Case letter_case);
void set_next_words(Document& document, Vocabulary vocabulary);
void set_questions(Document& document, Vocabulary questions);

}  // namespace hydra
