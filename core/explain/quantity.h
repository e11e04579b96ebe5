// Sites in a trace: which of them it has, their sizes, their numbers, and what they are called where there is one.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/attention/trace.h"
#include "core/model/program.h"

namespace hydra {

struct Shape {
  Index rows = 0, cols = 0;
  Axis row_axis = Axis::token, col_axis = Axis::model_dim;
};

bool exists(const Trace& trace, const Site& ref);  // layer and head in range, positions and biases present
Shape shape_of(const Trace& trace, const Site& ref);
// What makes the site: the program of its layer, or that of the model.
const NodeList& program_at(const Trace& trace, const Site& ref);
const LayerProgram& layer_program(const Trace& trace, int layer);
// What leaves a layer, and what leaves the last of them, which is read out.
Site leaves_of(const Trace& trace, int layer);
Site last_stream(const Trace& trace);
// An operand of what makes the site, of the same layer, and of its head where it has one.
Site operand_of(const Trace& trace, const Site& ref, Quantity operand);
// Heads [first, last) of which the matrix of a head is one and the same: those of a group that share keys and values,
// for W_K, W_V, b_K, b_V, K, what is made of it, V and what is made of that (but not for these where one of them has
// painted rows); else the head alone.
struct HeadRange {
  Index first = 0, last = 0;
  bool contains(Index head) const { return first <= head && head < last; }
  Index count() const { return last - first; }
};
HeadRange shared_by(const LayerInput<float>& input, const Site& ref);

// The numbers, as a view into the trace's own matrices (nothing is copied); valid while the trace lives, and of what it
// recomputes (forward.h) until the same of a dozen other heads is asked for. Not for
// value_weighted, mean_attention and the forms, which the trace does not hold: see weighted.h.
MatView<float> values_of(const Trace& trace, const Site& ref);
// The shared matrix the view looks into, with the block's place in it (for textures: one upload serves all blocks). The
// matrix is null for what no matrix of the trace holds: value_weighted, mean_attention and the forms.
struct Backing {
  Array<float> matrix;
  Index row0 = 0, col0 = 0, rows = 0, cols = 0;
};
Backing backing_of(const Trace& trace, const Site& ref);
inline Backing whole(const Array<float>& matrix) { return {matrix, 0, 0, matrix.rows(), matrix.cols()}; }
// Of an input or what is kept, the whole of it; where it is recomputed, for this one time: for what goes through all
// heads (pattern_once).
Array<float> array_once(const Trace& trace, const Site& ref);
// Same stamp, same numbers: of any quantity, also of what is not kept or not held.
Stamp stamp_of(const Trace& trace, const Site& ref);
// Any quantity: a value_weighted cell costs d_k * d_model, mean_attention is over all heads.
float value_at(const Trace& trace, const Cell& cell);

// "W_Q³", "Q₃", "A₃", "Y": Unicode with head numbers from 1. ascii: "W_Q^3", "Q_3" for fonts without them and for
// tests.
std::string symbol(const Site& ref, bool ascii = false);
// "query weights of head 3", "attention of head 3": one plain phrase.
std::string description(const Site& ref);
// What stands on an axis: the token, the column's name where X has named ones, else the number, 0-based like the files.
std::string axis_label(const Trace& trace, Axis axis, Index place);
// Of a row or a column of a site; of offsets it says which: "−3".
std::string axis_label(const Trace& trace, const Site& site, bool rows, Index place);
std::string offset_label(Index offset);
// "it → animal" for token axes, "[3, 12]" or "[pronoun, 12]" otherwise.
std::string cell_label(const Trace& trace, const Cell& cell);
// Symbol and place: "S₃[it → animal]", "W_Q³[3, 12]".
std::string cell_title(const Trace& trace, const Cell& cell);
// "heads 1–4" where the matrix is that of several heads (shared_by), else nothing.
std::string sharing_heads(const Trace& trace, const Site& ref);
// The formula that makes it: "S₃ = Q₃ K₃ᵀ / √8".
std::string formula(const Trace& trace, const Site& ref);
// From what the layer reads to its output, in one line: "O₃ = softmax((X W_Q³) (X W_K³)ᵀ / √8) (X W_V³),   C = [O₁ …
// O₈], Y = C W_O". What is more than a product or a softmax has its name in it.
std::string formula_of_head(const Trace& trace, int layer, int head);
// Any of these texts without Unicode: "S_3 = Q_3 K_3^T / sqrt 8".
std::string ascii_spelling(std::string_view text);
std::string subscript(Index number);  // "₃"

// The same number in the matrix the user edits: W_Q of a head -> the combined W_Q; X and combined weights stay. nullopt
// when the number is computed (the embedding too: an entry set by hand replaces the sum in X).
std::optional<Cell> editable_cell(const Trace& trace, const Cell& cell);
// The other way: the cell as its head's. W_Q[3, 20] is [3, 4] of head 3's block, C[7, 20] is [7, 4] of its output; of
// heads that share it, the first's.
Cell in_its_head(const Trace& trace, const Cell& cell);

}  // namespace hydra
