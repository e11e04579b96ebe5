#include "app/cli/input_note.h"

#include <cstdio>

#include "core/document/text/known_words.h"
#include "core/weights/mask_patterns.h"

namespace hydra {

namespace {

void note_masks(const Document& document) {
  for (std::size_t k = 0; k < document.layers.size(); ++k)
    if (const std::string remark = mask_remark(document.layers[k].mask); !remark.empty())
      std::fprintf(stderr, "layer %zu: %s\n", k + 1, remark.c_str());
}

}  // namespace

void note_input(const Document& document) {
  note_masks(document);
  const std::vector<std::string> tokens = tokens_without_pads(document);
  const KnownWords known = known_words(document, tokens);
  for (const std::string& sentence : unknown_sentences(known, tokens)) std::fprintf(stderr, "%s\n", sentence.c_str());
  if (known.placed() < known.tokens())
    std::fprintf(stderr, "--set /embedding/places=%td gives them one\n", known.tokens());
}

void note_sentences(const Document& document, const std::vector<AnnotatedSentence>& sentences) {
  note_masks(document);
  std::vector<std::string> tokens;
  Index placed = 0;
  for (const AnnotatedSentence& sentence : sentences) {
    tokens.insert(tokens.end(), sentence.tokens.begin(), sentence.tokens.end());
    placed += known_words(document, sentence.tokens).placed();
  }
  KnownWords known = known_words(document, tokens);
  known.places.reset();
  const Index all = known.tokens();
  if (known.known() < all)
    std::fprintf(stderr, "of %td tokens in %zu sentences %td are known\n", all, sentences.size(), known.known());
  if (placed < all) std::fprintf(stderr, "of %td tokens %td stand past the learned positions\n", all, all - placed);
}

}  // namespace hydra
