// Where a number stands: the one way in which edits, selection, links, arithmetic and files speak of numbers.
#pragma once
#include <string>
#include <string_view>

#include "core/linalg/types.h"

namespace hydra {

enum class Quantity {
#define HYDRA_QUANTITY(name, ...) name,
#include "core/model/quantities.h"
};
inline constexpr int kQuantities = 0
#define HYDRA_QUANTITY(...) +1
#include "core/model/quantities.h"
    ;

inline constexpr int kNoHead = -1;

// A matrix. Two sites are equal when they name the same picture, so a quantity without heads always has kNoHead. (The
// W_K of two heads that share keys are the same numbers under two names: shared_by.)
struct Site {
  Quantity quantity = Quantity::X;
  int layer = 0;
  int head = kNoHead;
  bool operator==(const Site&) const = default;
};

struct Cell {
  Site site;
  Index row = 0, col = 0;
  bool operator==(const Cell&) const = default;
};

// What runs along an axis: tokens, the columns of X, the dimensions of heads (the columns of W_Q, the rows of W_O, the
// columns of C), half of those of one head, the hidden numbers of the feed-forward part, heads, offsets of a key from
// its query (ops/scores.h), the words of the table that words are read in by, its places, the types of tokens, the
// words that a readout chooses from, nothing.
enum class Axis { token, model_dim, head_dim, half_dim, hidden_dim, heads, offset, word, place, type, next_word, one };

// What a quantity is: a line of quantities.h.
struct QuantityRow {
  // computed: kept in a trace. recomputed: so, too, but in large traces computed anew when it is asked for. asked: a
  // number of the model that no trace keeps; a form is of weights alone.
  enum class Kind { input, weight, bias, computed, recomputed, asked, form };
  // What it belongs to; of a part: to the layer, and to each head its block.
  enum class Scope { model, layer, part, head };
  Quantity quantity;
  const char* key;     // in the spelling of sites and in the keys of files; by scope: a head's output, a layer's
  const char* letter;  // in formulas and titles
  const char* phrase;  // key of the text that says what it is: "queries"
  const char* row;     // key of what a row of it is, of a token: "the query of “it”"; of others nothing
  Kind kind;
  Scope scope;
  Axis rows, cols;
  // Its place in groups of heads that share keys and values: one block for all heads of a group.
  bool of_group = false;
  // What a weight or bias is at first: drawn from the seed (small: near 0), or all the same; absent counts as zeros.
  enum class Start { drawn, small, absent, zeros, ones } start = Start::drawn;
};
const QuantityRow& entry_of(Quantity quantity);

bool has_head(Quantity quantity);              // Q, scores, ...: needs a head. W_Q may have one or not.
bool may_have_head(Quantity quantity);         // those, W_Q, W_K, W_V, W_O and b_Q, b_K, b_V
bool is_editable(const Site& site);            // X of the first layer, weights and biases
bool is_weight(Quantity quantity);             // W_*
bool is_bias(Quantity quantity);               // b_*, gain_*, shift_*, sink, lambda_*: a row
bool is_projection_weight(Quantity quantity);  // W_Q, W_K, W_V: from the columns of X into the dimensions of heads
bool may_be_absent(Quantity quantity);         // b_*: as zeros
bool is_of_model(Quantity quantity);           // of no layer; its sites have layer 0. (X is what any layer reads.)
inline bool is_parameter(Quantity quantity) { return is_weight(quantity) || is_bias(quantity); }
// Of a query and a key. What it gives that before softmax, -inf where the mask hides it; what softmax gives, or what is
// made of that, 0 there. By their places in quantities.h.
bool is_score(Quantity quantity);
bool is_attention(Quantity quantity);
bool is_computed(Quantity quantity);  // kept in a trace, or recomputed
bool is_form(Quantity quantity);      // query_key, value_output
bool is_asked(Quantity quantity);     // forms, value_weighted, mean_attention: no trace keeps them

// "layers.2.heads.3.attention", "layers.0.W_Q", "X" (of other layers "layers.2.input"): layers and heads from 0. Of a
// cell "...[7,1]", of a bias "...[1]".
std::string spelled(const Site& site);
std::string spelled(const Cell& cell);
// The other way. Throw InputError, saying what was expected where; whether a model has the site is another question.
Site parse_site(std::string_view text);
Cell parse_cell(std::string_view text);

}  // namespace hydra
