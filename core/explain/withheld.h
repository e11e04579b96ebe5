// Numbers of a trace that are there and must not be seen: what asks first and answers later draws from a trace without
// them.
#pragma once
#include <memory>
#include <span>

#include "core/explain/quantity.h"

namespace hydra {

// What stands in the place of such a number: a NaN of its own bits. What is made of it is no number either.
extern const float kWithheld;
bool is_withheld(double value);

// The trace without these numbers, of what is computed; the matrices that they were in have stamps of their own, in
// whatever place of the trace they stand, and the trace is of another document than it was. Of a softmax the whole row
// goes, for its sum would tell.
std::shared_ptr<const Trace> withhold(const Trace& trace, std::span<const Cell> cells);
// The stamp of the document that such a trace is of.
Stamp withheld_stamp(Stamp document, std::span<const Cell> cells);

}  // namespace hydra
