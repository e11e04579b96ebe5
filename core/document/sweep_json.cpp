// Sweep -> JSON.
#include "core/document/sweep.h"
#include "core/files/json_writer.h"

namespace hydra {

namespace {

void numbers(JsonWriter& out, std::string_view name, const std::vector<double>& values) {
  out.key(name).text += '[';
  for (const double value : values) out.entry().number(value);
  out.text += ']';
}

void spectrum(JsonWriter& out, std::string_view name, const Spectrum& spectrum) {
  out.key(name).text += '{';
  out.whole("numerical_rank", spectrum.numerical_rank);
  out.number("effective_rank", spectrum.effective_rank);
  numbers(out, "singular_values", spectrum.values);
  out.text += '}';
}

void entry(JsonWriter& out, const SweepEntry& e) {
  const auto n = static_cast<double>(e.trace->tokens.size());
  out.text += '{';
  out.whole("heads", e.heads);
  out.whole("d_k", e.d_k);
  out.line();
  out.number("entropy_bits", e.entropy_bits);
  out.number("entropy_fraction", e.entropy_fraction);
  out.number("confidence", e.confidence);
  out.line();
  out.number("effective_heads", e.effective_heads);
  out.number("mean_cosine", e.mean_cosine);
  out.number("mean_js_bits", e.mean_js_bits);
  out.line();
  numbers(out, "shares", e.shares);
  out.number("output_change", e.output_change);
  out.line();
  out.key("ranks").text += '{';
  out.whole("head", e.head);
  spectrum(out, "scores", e.scores);
  spectrum(out, "pattern", e.pattern);
  out.key("any_pattern").text += e.any_pattern ? "true" : "false";
  out.text += '}';
  out.line();
  out.number("weights", weight_count(e.sizes));
  out.key("multiply_adds").text += '{';
  out.number("projections", e.multiply_adds.projections);
  out.number("scores", e.multiply_adds.scores);
  out.number("weighted_sum", e.multiply_adds.weighted_sum);
  out.number("output", e.multiply_adds.output);
  out.number("total", e.multiply_adds.total());
  out.text += '}';
  out.number("pattern_numbers", pattern_count(e.sizes, n));
  out.text += '}';
}

}  // namespace

void write_sweep(const std::vector<SweepEntry>& entries, const Sink& sink) {
  const Trace& trace = *entries.front().trace;
  JsonWriter out;
  out.text = "{\n";
  out.strings("tokens", trace.tokens);
  out.line();
  out.whole("d_model", trace.X->cols());
  out.line();
  out.key("entries").text += "[\n";
  for (const SweepEntry& e : entries) {
    if (out.text.back() != '\n') out.line();
    entry(out, e);
  }
  out.text += "]\n}\n";
  sink(out.text);
}

}  // namespace hydra
