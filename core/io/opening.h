// The document that opens where none is named, and the number of a document that is worth dragging first.
#pragma once
#include "core/attention/trace.h"
#include "core/document/document.h"
#include "core/explain/quantity.h"

namespace hydra {

// The trained model of assets/documents/trained_grammar.json, with a page of its own, and beside it the heads that
// grammar_designed.json designs, on a sentence in which anybody can tell whom the pronoun means. What a file leaves out
// is that of default_document(), not of this one.
Document opening_document();
// Its page, which opens when it is asked for and not by itself: the window begins with pictures.
const Notes& opening_notes();

// Of the entries of a head's W_Q that are not 0 (for named features, where columns have names), the one that a drag
// changes the head's pattern by most, whichever way it goes: by how much a row changes (half the sum of |change|
// of its weights, 0 to 1) when the entry goes up, and when it goes down, by step. Where can_offer_weight.
struct OfferedWeight {
  Cell cell;
  Index query = 0;          // whose row changes most
  double up = 0, down = 0;  // by so much
};
OfferedWeight offered_weight(const Trace& trace, int layer, int head, float step);
// Whether the layer's patterns are a softmax of queries and keys as they are projected from X, with nothing between or
// set by hand, as the opening document's are, and it is small enough that every entry can be tried within a frame.
bool can_offer_weight(const Trace& trace, int layer);

}  // namespace hydra
