#include "core/report/stack_json.h"

#include "core/analysis/stream/composition.h"
#include "core/analysis/stream/rollout.h"

namespace hydra {

namespace {

void write_rows(JsonWriter& out, std::string_view name, const Mat<double>& matrix) {
  out.key(name).text += '[';
  for (Index i = 0; i < matrix.rows(); ++i) {
    out.entry().text += '[';
    for (const double value : matrix.row(i)) out.entry().number(value);
    out.text += ']';
  }
  out.text += ']';
}

}  // namespace

void write_rollout(const Trace& trace, int layer, ThreadPool* pool, JsonWriter& out) {
  out.key("rollout").text += '{';
  write_rows(out, "attention", rollout(trace, layer + 1, RolloutKind::attention, pool));
  out.line();
  write_rows(out, "value_weighted", rollout(trace, layer + 1, RolloutKind::value_weighted, pool));
  out.text += '}';
}

void write_composition(const Trace& trace, int layer, ThreadPool* pool, JsonWriter& out) {
  out.key("composition").text += '{';
  out.number("random", random_composition(trace.X.cols()));
  out.key("layers").text += '[';
  const LayerReads reads = reads_of(trace.layer(layer).input, pool);
  for (int earlier = 0; earlier < layer; ++earlier) {
    const Composition scores = composition(writes_of(trace.layer(earlier).input, pool), reads, pool);
    out.entry().text += '{';
    out.whole("layer", earlier);
    write_rows(out, "query", scores.query);
    write_rows(out, "key", scores.key);
    write_rows(out, "value", scores.value);
    out.text += '}';
  }
  out.text += "]}";
}

}  // namespace hydra
