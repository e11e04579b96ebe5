// What a command says on standard error of what it was given, before its numbers: of the mask of each layer that can
// hardly be meant, and what of the text the model does not know. Nothing where there is neither.
#pragma once
#include "core/document/document.h"
#include "core/text/annotated.h"

namespace hydra {

void note_input(const Document& document);
// Of marked sentences in the place of the document's own: how many of their words and places it knows.
void note_sentences(const Document& document, const std::vector<AnnotatedSentence>& sentences);

}  // namespace hydra
