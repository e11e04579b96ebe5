// The whole arithmetic of one number, with the real numbers: what the inspector shows and lets the user walk into.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/explain/quantity.h"

namespace hydra {

// A number inside an explanation. With a source it can be opened in turn.
struct Operand {
  double value = 0;
  std::string label;           // "q[0]", "x[3]", "√8"
  std::optional<Cell> source;  // where the number stands; none for constants and intermediate results
};

// One line of a sum.
struct Term {
  std::string label;  // the summation index: "k = 3", "animal", "head 2"; empty when there is only one term
  std::vector<Operand> factors;
  double value = 0;  // of the factors, by the step
};

// What a term makes of its factors.
enum class Combine {
  product,             // f0 f1 ...; one factor stands for itself
  quotient,            // f0 / f1
  exponential,         // exp(f0)
  exp_difference,      // exp(f0 - f1)
  sine,                // sin(f0)
  cosine,              // cos(f0)
  square_root,         // √f0
  hyperbolic_tangent,  // tanh(f0)
  squared_difference,  // (f0 - f1)²
  sigmoid,             // of f0
  relu,
  gelu,
  gelu_tanh,
  silu,
  relu_squared,  // of f0: ops/activate.h
};
inline constexpr int kCombines = static_cast<int>(Combine::relu_squared) + 1;
double value_of(Combine combine, const std::vector<Operand>& factors);

// One step of the arithmetic: result is the sum of the terms. A step without terms states an input number or a rule.
struct Step {
  std::string text;     // "dot product of the query of “it” with the key of “animal”"
  std::string formula;  // "Σ_c q[c] k[c]"
  Combine combine = Combine::product;
  std::vector<Term> terms;
  double result = 0;
};

struct Explanation {
  Cell cell;
  std::string title;        // "S₃[it → animal]"
  std::vector<Step> steps;  // in order of computing; the last one's result is value within float rounding
  double value = 0;         // the trace's own number
  bool masked = false;      // a masked score or weight: no arithmetic, one step that says so
};

// mean_heads: which heads take part in mean_attention; none chosen means all. Sources lead to earlier stages only, so
// every walk from number to number ends at X's parts or at a weight.
Explanation explain(const Trace& trace, const Cell& cell, const std::vector<bool>& mean_heads = {});

}  // namespace hydra
