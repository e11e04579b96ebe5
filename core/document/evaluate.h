// Document -> Trace, sharing with the previous trace whatever has the same inputs.
#pragma once
#include "core/attention/trace.h"
#include "core/document/document.h"

namespace hydra {

// Each layer reads what the one before it gives. The document must be valid (read_document and apply make no other).
// previous may be any trace, or null.
std::shared_ptr<const Trace> evaluate(const Document& document, const Trace* previous = nullptr,
                                      ThreadPool* pool = nullptr);

// Bytes that the document's trace takes, with the weights it uses. Up to kMostKept every stage of every head is kept;
// beyond it scores and contributions are made again when they are looked at (forward.h).
double trace_bytes(const Document& document, Index tokens);
inline constexpr double kMostKept = 256e6;
// What a layer computes with; the layers before it are computed for it.
LayerInput<float> input_of(const Document& document, int layer);

// Multiply-adds of a from-scratch evaluation, an exponential counted as ten: what decides between computing within the
// frame and beside it.
double multiply_adds(Index n, Index d_model, Index heads);

}  // namespace hydra
