// Sweep -> JSON.
#include <algorithm>

#include "core/json/writer.h"
#include "core/measures/likeness_table.h"
#include "core/measures/sweep_seeds.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

void multiply_adds(JsonWriter& out, std::string_view name, const MultiplyAdds& parts) {
  out.key(name).text += '{';
  out.number("projections", parts.projections);
  out.number("scores", parts.scores);
  out.number("weighted_sum", parts.weighted_sum);
  out.number("output", parts.output);
  out.number("feed_forward", parts.feed_forward);
  out.number("total", parts.total());
  out.text += '}';
}

// What the patterns do, and how many of them there are in effect.
void diversity(JsonWriter& out, const SweepEntry& e) {
  out.number("entropy_bits", e.entropy_bits);
  out.number("entropy_fraction", e.entropy_fraction);
  out.number("confidence", e.confidence);
  out.line();
  out.number("effective_heads", e.effective_heads);
  out.number("mean_cosine", e.mean_cosine);
  out.number("mean_js_bits", e.mean_js_bits);
  out.line();
  write_independent(e.independent, out);
}

// Of the heads' ranks; heads: of how many.
void over_heads(JsonWriter& out, std::string_view name, const RanksOverHeads& ranks) {
  out.key(name).text += '{';
  write_spread("numerical_rank", ranks.rank, out);
  write_spread("effective_rank", ranks.effective_rank, out);
  out.whole("heads", ranks.rank.count);
  out.text += '}';
}

// What is spread over seeds, where there are several.
void over_seeds(JsonWriter& out, const SeedSweep& seeds, std::size_t entry, bool ranks) {
  if (seeds.seeds.size() < 2) return;
  out.line();
  out.key("over_seeds").text += "{\n";
  for (int k = 0; k < kSweptNumbers; ++k) {
    const auto number = static_cast<SweptNumber>(k);
    if (!ranks && number >= SweptNumber::score_rank) break;
    if (out.text.back() != '\n') out.line();
    write_spread(key_of(number), seeds.of(entry, number), out);
  }
  out.text += '}';
}

void entry(JsonWriter& out, const SweepForFile& sweep, std::size_t k) {
  const SweepEntry& e = sweep.entries[k];
  const auto n = static_cast<double>(e.trace->tokens.size());
  out.text += '{';
  out.whole("heads", e.heads);
  out.whole("kv_heads", e.kv_heads);
  out.whole("d_k", e.d_k);
  out.line();
  diversity(out, e);
  out.line();
  out.numbers("shares", e.shares);
  out.number("output_change", e.output_change);
  if (std::isfinite(e.accuracy)) out.number("accuracy", e.accuracy);
  out.line();
  out.key("ranks").text += '{';
  out.whole("head", e.head);
  write_spectrum("scores", e.scores, out);
  write_spectrum("pattern", e.pattern, out);
  out.line();
  out.key("over_heads").text += '{';
  over_heads(out, "scores", e.scores_over_heads);
  over_heads(out, "pattern", e.pattern_over_heads);
  out.text += '}';
  out.line();
  out.key("any_pattern").text += e.any_pattern == AnyPattern::unknown ? "null"
                                 : e.any_pattern == AnyPattern::yes   ? "true"
                                                                      : "false";
  out.text += '}';
  out.line();
  out.number("weights", weight_count(e.sizes));
  multiply_adds(out, "multiply_adds", e.multiply_adds);
  out.number("pattern_numbers", pattern_count(e.sizes, n));
  over_seeds(out, sweep.over_seeds, k, true);
  out.text += '}';
}

void sharing_entry(JsonWriter& out, const SweepForFile& sweep, std::size_t k) {
  const SweepEntry& e = sweep.entries[k];
  out.text += '{';
  out.whole("kv_heads", e.kv_heads);
  out.key("norm_kept").text += e.rescaled ? "true" : "false";
  out.whole("group", e.heads / e.kv_heads);
  out.string("name", sharing_name(e.heads, e.kv_heads));
  out.line();
  out.number("weights", weight_count(e.sizes));
  out.key("kv_cache").text += '{';
  out.number("numbers_per_token", kv_cache_bytes(e.sizes, 1, 1, 1));
  out.number("bytes_per_number", kUsualBytes);
  out.number("bytes_per_token", kv_cache_bytes(e.sizes, 1, 1, kUsualBytes));
  out.number("tokens", kUsualContext);
  out.number("bytes", kv_cache_bytes(e.sizes, kUsualContext, 1, kUsualBytes));
  out.text += '}';
  multiply_adds(out, "decoding_step", decoding_step(e.sizes, kUsualContext));
  out.line();
  diversity(out, e);
  out.line();
  out.number("output_change", e.output_change);
  over_seeds(out, sweep.over_seeds, k, false);
  out.text += '}';
}

void list(JsonWriter& out, std::string_view name, const SweepForFile& sweep,
          void (*write)(JsonWriter&, const SweepForFile&, std::size_t)) {
  out.key(name).text += "[\n";
  for (std::size_t k = 0; k < sweep.entries.size(); ++k) {
    if (out.text.back() != '\n') out.line();
    write(out, sweep, k);
  }
  out.text += ']';
}

void seeds(JsonWriter& out, const SeedSweep& sweep) {
  out.key("seeds").text += '[';
  for (std::size_t k = 0; sweep.seeds.size() > 1 && k < sweep.seeds.size(); ++k)
    out.entry().text += std::to_string(sweep.seeds[k]);
  out.text += ']';
}

// The divisors of the head count with which the document was not compared.
std::vector<double> left_out(const std::vector<SweepEntry>& sharing) {
  std::vector<double> counts;
  for (const Index count : head_counts(sharing.front().heads))
    if (std::none_of(sharing.begin(), sharing.end(), [&](const SweepEntry& e) { return e.kv_heads == count; }))
      counts.push_back(static_cast<double>(count));
  return counts;
}

}  // namespace

void write_sweep(const SweepForFile& heads, const SweepForFile& sharing, const Sink& sink) {
  const Trace& trace = *heads.entries.front().trace;
  JsonWriter out;
  out.text = "{\n";
  out.strings("tokens", trace.tokens);
  out.line();
  out.whole("d_model", trace.X->cols());
  out.line();
  seeds(out, heads.over_seeds);
  out.line();
  list(out, "entries", heads, entry);
  if (!sharing.entries.empty()) {
    out.line();
    list(out, "kv_sharing", sharing, sharing_entry);
    out.line();
    out.numbers("kv_left_out", left_out(sharing.entries));
  }
  out.text += "\n}\n";
  sink(out.text);
}

}  // namespace hydra
