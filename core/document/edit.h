// The only ways to change a Document. Each is a small value; apply is the only writer.
#pragma once
#include <string>
#include <variant>

#include "core/document/document.h"

namespace hydra {

// The numbers a user can change by hand. W_* and b_* are those of one layer; X is the input.
enum class Parameter { X, W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O };

struct SetSentence { std::string sentence; };  // drops a token list; keeps X edits of rows whose word stays
struct SetModelWidth { Index d_model; };       // new weights from the source; heads become the nearest allowed count
struct SetHeads { Index heads; };              // re-cuts the same combined matrices
struct SetMask { Mask mask; };
struct SetScale { bool on; };
struct SetTemperature { float temperature; };
struct SetPositions { Embedding::Positions positions; };
struct SetEmbeddingSeed { std::uint64_t seed; };  // back to hashed embeddings, hand-made X entries dropped
struct SetWeightSource { Init init; std::uint64_t seed; };  // new weights; hand-made entries are dropped (undo has them)
struct SetBlock {                              // a cell, a row, a whole matrix: values placed at (row, col)
  Parameter parameter;
  Index row, col;
  MatPtr<float> values;                        // biases are 1 x d_model
};
struct ReplaceDocument { Document document; std::string name; };  // open a file or an example

using Edit = std::variant<SetSentence, SetModelWidth, SetHeads, SetMask, SetScale, SetTemperature, SetPositions,
                          SetEmbeddingSeed, SetWeightSource, SetBlock, ReplaceDocument>;

Edit set_cell(Parameter parameter, Index row, Index col, float value);

// The document after the edit. Throws InputError, with the sentence to show, when the edit makes no valid document.
Document apply(const Document& document, const Edit& edit);

// For the history and the status line: "W_Q[3, 12] = 0.25", "heads 4".
std::string describe(const Edit& edit);

}  // namespace hydra
