// What a trace is said to take is what it takes.
#include <catch2/catch.hpp>
#include <set>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/linalg/memory.h"

using namespace hydra;

namespace {

Document sized(Index tokens, Index d_model, Index heads) {
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{d_model}), SetHeads{heads});
  document.tokens.emplace();
  for (Index k = 0; k < tokens; ++k) document.tokens->push_back("w" + std::to_string(k));
  return document;
}

// Of every matrix that the trace holds, each once.
double held(const Trace& trace) {
  std::set<const void*> seen;
  double bytes = 0;
  const auto add = [&](const Array<float>& matrix) {
    if (matrix && seen.insert(matrix->data()).second) bytes += sizeof(float) * static_cast<double>(matrix->size());
  };
  for (const auto& matrix : {trace.embedding, trace.positions, trace.types, trace.summed, trace.X}) add(matrix);
  for (const ProgramNode& node : trace.model.program().out) add(*trace.model.stage(node.result));
  for (const Quantity p : kModelWeights) add(*field_of(trace.model.weights, p));
  for (const LayerTrace<float>& layer : trace.layers) {
    const AttentionWeights<float>& w = layer.input.weights;
    for (const auto& matrix : {w.W_Q, w.W_K, w.W_V, w.W_O}) add(matrix);
    for_each_stage(layer, add);
  }
  return bytes;
}

}  // namespace

TEST_CASE("trace bytes: within two percent of what is held", "[core][memory]") {
  for (const auto& [tokens, d_model, heads] :
       {std::tuple<Index, Index, Index>{12, 64, 8}, {1, 64, 64}, {200, 128, 16}, {300, 256, 1}, {600, 128, 128}}) {
    CAPTURE(tokens, d_model, heads);
    const Document document = sized(tokens, d_model, heads);
    CHECK(trace_bytes(document, tokens) == Approx(held(*evaluate(document))).epsilon(0.02));
  }
  Document read_out = hydra::apply(sized(200, 128, 16), SetEmbedding{Embedding::Kind::learned, 1});
  for (const auto& [setting, value] : {std::pair(ModelSetting::final_norm, 1.0), {ModelSetting::readout, 2.0}})
    read_out = hydra::apply(read_out, SetModelSetting{setting, value});
  CHECK(trace_bytes(read_out, 200) == Approx(held(*evaluate(read_out))).epsilon(0.02));
  read_out = hydra::apply(hydra::apply(read_out, SetPositions{Embedding::Positions::learned}),
                          SetModelSetting{ModelSetting::readout, 1});
  CHECK(trace_bytes(read_out, 200) == Approx(held(*evaluate(read_out))).epsilon(0.02));
  for (const auto& [setting, value] :
       {std::pair(ModelSetting::types, 2.0), {ModelSetting::embedding_norm, 1.0}, {ModelSetting::transform, 1.0}}) {
    read_out = hydra::apply(read_out, SetModelSetting{setting, value});
    CHECK(trace_bytes(read_out, 200) == Approx(held(*evaluate(read_out))).epsilon(0.02));
  }
  const Document grouped = hydra::apply(sized(100, 128, 16), SetKvHeads{2});
  CHECK(trace_bytes(grouped, 100) == Approx(held(*evaluate(grouped))).epsilon(0.02));
}

TEST_CASE("trace bytes: the largest document takes its patterns and little more", "[core][memory]") {
  const Document small = sized(12, 64, 8), large = sized(1024, 1024, 128);
  CHECK(trace_bytes(small, 12) < 1e6);
  CHECK(trace_bytes(large, 1024) < 700e6);
  CHECK(evaluate(small)->layers.front().input.keep_all);
  CHECK_FALSE(evaluate(sized(600, 128, 128))->layers.front().input.keep_all);
}

TEST_CASE("trace bytes: of a deep stack one layer's patterns are held", "[core][memory]") {
  Document deep = sized(512, 48, 12);
  while (deep.layers.size() < 24) deep.layers.push_back(deep.layers.front());
  const auto trace = evaluate(deep, nullptr, nullptr, {.focus = 7});
  CHECK(trace->layer(7).is_whole());
  CHECK_FALSE(trace->layer(8).is_whole());
  // The weights of these layers are the same ones.
  const double shared = 23 * 4 * 48 * 48 * sizeof(float);
  CHECK(trace_bytes(deep, 512) - shared == Approx(held(*trace)).epsilon(0.02));
  CHECK(held(*trace) < 30e6);
  CHECK(evaluate(deep)->layer(8).is_whole());  // nobody said which
}

TEST_CASE("memory: what is available is a number of bytes, or unknown", "[core][memory]") {
  CHECK(available_memory() > 1e6);
}
