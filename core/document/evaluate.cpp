#include "core/document/evaluate.h"

#include "core/text/embedding.h"

namespace hydra {

namespace {

MatPtr<float> embedding_matrix(const Document& document, const std::vector<std::string>& tokens) {
  const Embedding& e = document.embedding;
  if (e.kind == Embedding::Kind::explicit_values) return e.X;
  Mat<float> E = hashed_embedding(tokens, document.d_model, e.seed);
  return share(std::move(E));
}

// The old matrix when the new one has the same values, so that whatever hangs on it is shared too.
MatPtr<float> keep_if_same(MatPtr<float> fresh, const MatPtr<float>& old) {
  const bool same = old && old->rows() == fresh->rows() && old->cols() == fresh->cols() && *old == *fresh;
  return same ? old : fresh;
}

}  // namespace

std::shared_ptr<const Trace> evaluate(const Document& document, const Trace* previous, ThreadPool* pool) {
  auto trace = std::make_shared<Trace>();
  trace->tokens = tokens_of(document);
  const auto n = static_cast<Index>(trace->tokens.size());
  trace->embedding = keep_if_same(embedding_matrix(document, trace->tokens), previous ? previous->embedding : nullptr);
  trace->X = trace->embedding;
  if (document.embedding.kind == Embedding::Kind::hashed &&
      document.embedding.positions == Embedding::Positions::sinusoidal) {
    trace->positions = share(sinusoidal_positions(n, document.d_model));
    Mat<float> X = *trace->embedding + *trace->positions;
    for (const CellValue& edit : document.embedding.edits) X(edit.row, edit.col) = edit.value;
    trace->X = keep_if_same(share(std::move(X)), previous ? previous->X : nullptr);
  }
  const Layer& layer = document.layers.front();
  LayerInput<float> input{trace->X, layer.weights, layer.heads, layer.mask, layer.scale, layer.temperature};
  trace->layers.push_back(forward(std::move(input), previous ? &previous->layers.front() : nullptr, pool));
  return trace;
}

double multiply_adds(Index n, Index d_model, Index heads) {
  (void)heads;
  const auto N = static_cast<double>(n), D = static_cast<double>(d_model);
  return 4 * N * D * D + 2 * N * N * D;
}

}  // namespace hydra
