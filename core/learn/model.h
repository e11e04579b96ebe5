// Between documents and what is trained: a document's model for the lane executor, its parameters as one long row of
// numbers, and back.
#pragma once
#include <memory>
#include <vector>

#include "core/document/document.h"
#include "core/lanes/executor.h"

namespace hydra::learn {

// What is run of a document's model.
struct Running {
  Index length = 1, slots = 1, relations = 0;
  bool some_are_shorter = false;
  bool square = false;  // lanes/compile.h: Shape
  bool controls = false, gates = false, alike = false;
  bool places_stay = false;  // as they are
  Index pads = 0;            // of each sequence so many; those of tasks have none, whatever the document's have
};
// Throws InputError, with one sentence, for what cannot be trained: words that are no rows of a table, numbers set by
// hand in place of what is computed, slices, more tokens than lanes run, no readout.
lanes::Shape shape_of(const Document& document, const Running& running);

// The document's numbers, in the executor's places. Places that do not learn are sinusoids, as documents have them,
// and L0 gates begin open.
template <class S>
void read_parameters(const Document& document, lanes::Executor<S>& executor);

// The same as a row of its own, as long as the plan's parameters. A bias that the document leaves out is zeros.
std::vector<float> parameters_of(const Document& document, const lanes::Compiled& compiled);
// Whether the plan has every parameter that the document has: its biases may be left out.
bool has_all(const lanes::Compiled& compiled, const Document& document);

// The gates of all heads [layers x heads, as many as the layer with the most has]; empty: 1 each.
std::vector<double> gates_of(const Document& document);

// Those in the place of the document's own.
void put_gates(Document& document, const std::vector<double>& gates);

inline constexpr float kOpenLogit = 2;  // of L0 gates that begin: P(open) is 0.97

// What an L0 gate multiplies its head by when nothing is drawn: sigmoid(logit) stretched over -0.1 to 1.1, and cut at 0
// and 1 (Louizos et al. 2018, equations 11 and 13).
double gate_of(double logit);

// The document with those numbers in the place of its own, said to be from where its own are. They are looked into, not
// copied. L0 gates multiply those that the document has.
Document with_parameters(const Document& document, const lanes::Compiled& compiled,
                         const std::shared_ptr<const std::vector<float>>& numbers);

// Says of all layers that their weights are, as they are, what a run began with or what steps of it made.
void mark_layers(Document& document, WeightSource::Kind kind);

}  // namespace hydra::learn
