// A document's text with a word that its model has read out: one more, or one in the place of a word to be guessed.
#pragma once
#include <string>
#include <vector>

#include "core/document/edits/edit.h"

namespace hydra {

// tokens: the document's. word: a column of its readout. The sentence goes on as it is read, by the model's tokenizer;
// the tokens are those and the word, also where the sentence would be cut otherwise.
SetSentence continued(const Document& document, std::vector<std::string> tokens, Index word);
// The same with the word at a place of the tokens, and in the sentence where that token stands in it.
SetSentence filled(const Document& document, std::vector<std::string> tokens, Index place, Index word);

// Why no word can follow the text, in one sentence; nothing: one can.
std::string why_not_continued(const Document& document, Index tokens);

}  // namespace hydra
