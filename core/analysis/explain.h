// The whole arithmetic of one number, with the real numbers: what the inspector shows and lets the user walk into.
#pragma once
#include <string>
#include <vector>

#include "core/analysis/quantity.h"

namespace hydra {

// A number inside an explanation. With a source it can be opened in turn.
struct Operand {
  double value = 0;
  std::string label;               // "q[0]", "x[3]", "1/√8"
  std::optional<CellRef> source;   // where the number stands; none for constants and intermediate results
};

// One line of a sum: value is the product of the factors (or exp(s - max) and the like, as the step's text says).
struct Term {
  std::string label;               // the summation index: "k = 3", "animal", "head 2"
  std::vector<Operand> factors;
  double value = 0;
};

// One step of the arithmetic. When terms are present, result is their sum, then scaled by what `text` says.
struct Step {
  std::string text;                // "dot product of the query of it with the key of animal"
  std::string formula;             // "q · k = Σₖ qₖ kₖ"
  std::vector<Term> terms;
  double result = 0;
};

struct Explanation {
  CellRef cell;
  std::string title;               // "S₃[it → animal]"
  std::vector<Step> steps;         // in order of computing; the last one's result is value within float rounding
  double value = 0;                // the trace's own number
  bool masked = false;             // a masked score: no arithmetic, one step that says so
};

Explanation explain(const Trace& trace, const CellRef& cell);

}  // namespace hydra
