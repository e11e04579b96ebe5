// Document -> Trace, sharing with the previous trace whatever has the same inputs.
#pragma once
#include "core/attention/trace.h"
#include "core/document/document.h"

namespace hydra {

inline constexpr double kMostKept = 256e6;  // bytes
// What a trace keeps of what is computed. Up to `most` bytes every stage of every head of every layer; else scores and
// contributions are recomputed when they are looked at; and where the patterns of all layers would still be more, of
// layers out of focus no more than the output is kept (keep_output_only in forward.h).
struct Keeping {
  static constexpr int kEveryLayer = -1;
  int focus = kEveryLayer;  // the layer that stays whole
  double most = kMostKept;
  ReadOut read_out = ReadOut::all_rows;
};

// Each layer reads what the one before it gives. The document must be valid (read_document and apply make no other).
// previous may be any trace, or null.
std::shared_ptr<const Trace> evaluate(const Document& document, const Trace* previous = nullptr,
                                      ThreadPool* pool = nullptr, const Keeping& keeping = {});
// The layers up to the one in focus as evaluate makes them; those after it stay as they are in previous, older, until
// evaluate, which then shares what is there, makes them (Trace::older_from). So a layer's pictures need not wait for a
// deep stack. What there is not much left to do after, or where previous has other layers, is evaluated as a whole.
std::shared_ptr<const Trace> evaluate_first(const Document& document, const Trace& previous, ThreadPool* pool,
                                            const Keeping& keeping);
// The layers up to the one in focus, and nothing of what follows them (Trace::is_beginning): of a deep stack of which
// there is nothing to share, so that it is looked at before the rest of it is read. previous may be another beginning.
std::shared_ptr<const Trace> evaluate_beginning(const Document& document, const Trace* previous, ThreadPool* pool,
                                                const Keeping& keeping);
// first with the later layers of another trace in the place of its older ones, where they are of the same shapes; else
// first itself.
std::shared_ptr<const Trace> with_later_layers(std::shared_ptr<const Trace> first, const Trace& later);
// The same trace with another layer whole; itself when it is.
std::shared_ptr<const Trace> with_whole_layer(std::shared_ptr<const Trace> trace, int layer);

// Bytes that the document's trace takes with one layer in focus, and the weights it uses.
double trace_bytes(const Document& document, Index tokens);
// What a layer computes with; the layers before it are computed for it.
LayerInput<float> input_of(const Document& document, int layer);

// Multiply-adds of a from-scratch evaluation of the layer for n tokens, an exponential counted as ten: what decides
// between computing within the frame and in the background.
double work_of(const Layer& layer, Index d_model, Index n);

}  // namespace hydra
