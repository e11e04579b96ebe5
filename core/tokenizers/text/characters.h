// What characters are, as tokenizers ask for it (utf8proc), and texts in their normal forms.
#pragma once
#include <string>

#include "core/tokenizers/text/aligned_text.h"

namespace hydra::characters {

bool is_white(char32_t code);            // White_Space
bool is_punctuation(char32_t code);      // P*, and what ASCII has of marks: $ + < = > ^ ` | ~
bool is_number(char32_t code);           // N*
bool is_mark(char32_t code);             // M*
bool is_nonspacing_mark(char32_t code);  // Mn
bool is_control(char32_t code);          // C* that is assigned, no tab, no end of line
bool is_ideograph(char32_t code);        // Han, as BERT sees it
bool is_word(char32_t code);             // letters, marks, digits, connectors, joiners
std::string lower(char32_t code);        // in UTF-8; one character or two

enum class Form { nfc, nfd, nfkc, nfkd };
// A character that combines with those before it is normalised with them, at most 256 at once.
void append_normal_form(AlignedText& out, const AlignedText& text, Form form);

}  // namespace hydra::characters
