// LikenessTable -> JSON.
#include <cmath>

#include "core/json/writer.h"
#include "core/measures/likeness_table.h"

namespace hydra {

namespace {

void matrix(JsonWriter& out, std::string_view name, MatIn<double> values) {
  out.key(name).text += '[';
  for (Index i = 0; i < values.rows(); ++i) {
    out.entry().text += '[';
    for (Index g = 0; g < values.cols(); ++g) out.entry().number(values(i, g));
    out.text += ']';
  }
  out.text += ']';
}

void clustering(JsonWriter& out, const Clustering& tree) {
  out.key("merges").text += '[';
  for (const Merge& merge : tree.merges) {
    out.entry().text += '[' + std::to_string(merge.left) + ", " + std::to_string(merge.right);
    out.entry().number(merge.distance);
    out.entry().text += std::to_string(merge.size) + ']';
  }
  out.text += ']';
  out.key("leaf_order").text += '[';
  for (const int head : tree.leaves) out.entry().text += std::to_string(head);
  out.text += ']';
}

}  // namespace

void write_spread(std::string_view name, const Spread& spread, JsonWriter& out) {
  out.key(name).text += '{';
  out.number("least", spread.least);
  out.number("median", spread.median);
  out.number("mean", spread.mean);
  out.number("most", spread.most);
  out.text += '}';
}

void write_independent(const IndependentHeads& independent, JsonWriter& out) {
  out.key("independent_heads").text += '{';
  out.whole("draws", independent.draws);
  write_spread("effective_heads", independent.effective_heads, out);
  write_spread("mean_cosine", independent.mean_cosine, out);
  write_spread("mean_js_bits", independent.mean_js_bits, out);
  out.text += '}';
}

void write_spectrum(std::string_view name, const Spectrum& spectrum, JsonWriter& out) {
  out.key(name).text += '{';
  out.whole("numerical_rank", spectrum.numerical_rank);
  out.number("effective_rank", spectrum.effective_rank);
  out.numbers("singular_values", spectrum.values);
  out.text += '}';
}

void write_likeness(const LikenessTable& table, Index d_k, Index n, JsonWriter& out) {
  const char* const measure = likenesses()[static_cast<std::size_t>(table.ordered_by)].key;
  out.key("similarity").text += "{\n";
  for (const LikenessEntry& entry : likenesses()) {
    if (!table.matrix(entry.measure)) continue;
    if (out.text.back() != '\n') out.line();
    matrix(out, entry.key, *table.matrix(entry.measure));
  }
  out.text += '}';
  out.line();
  out.key("clustering").text += '{';
  out.string("measure", measure);
  clustering(out, table.clustering);
  out.text += '}';
  out.line();
  out.key("map").text += '{';
  out.string("measure", measure);
  matrix(out, "points", table.map.points);
  out.number("stress", table.map.stress);
  out.text += '}';
  out.line();
  out.number("effective_heads", table.effective_heads);
  out.number("mean_cosine", table.mean_cosine);
  out.number("mean_js_bits", table.mean_js_bits);
  out.line();
  write_independent(table.independent, out);
  if (table.matrix(Likeness::cka)) {
    out.line();
    out.key("unrelated_outputs").text += '{';
    out.whole("draws", table.unrelated.draws);
    out.number("cka_median", table.unrelated.median);
    out.number("cka_high", table.unrelated.high);
    out.text += '}';
  }
  if (table.ranks.empty()) return;
  out.line();
  out.key("ranks").text += '{';
  out.whole("d_k", d_k);
  out.whole("n", n);
  out.key("heads").text += "[\n";
  for (const HeadRanks& ranks : table.ranks) {
    if (out.text.back() != '\n') out.line();
    out.text += '{';
    write_spectrum("scores", ranks.scores, out);
    write_spectrum("query_key", ranks.query_key, out);
    out.text += '}';
  }
  out.text += "]}";
}

void write_stack_likeness(const LikenessTable& table, JsonWriter& out) {
  out.key("heads").text += '[';
  for (const HeadPlace& place : table.places)
    out.entry().text += '[' + std::to_string(place.layer) + ", " + std::to_string(place.head) + ']';
  out.text += ']';
  out.line();
  write_likeness(table, 0, 0, out);
}

}  // namespace hydra
