#include "app/views/stream/circuit_words.h"

#include <cmath>

#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

std::string place(int layer, int head) { return ui::words(layer + 1, ".", head + 1); }

std::string in_percent(double share) {
  const double percent = 100 * share;
  if (percent < 1e-4) return wording("stream:share.tiny");
  return (percent >= 10 ? ui::number(percent, As::whole) : ui::number(percent, As::rough)) + " %";
}

std::string times_random(const Circuit& circuit, double score) {
  return ui::number(score / random_composition(circuit.d_model), As::rough);
}

std::string of_random(const Circuit& circuit, double least) { return in_percent(circuit.random->share(least)); }

}  // namespace

const std::string& into_words(Into into) {
  switch (into) {
    case Into::query:
      return wording("stream:into_the.query");
    case Into::key:
      return wording("stream:into_the.key");
    case Into::value:
      break;
  }
  return wording("stream:into_the.value");
}

std::string line_key(const CircuitLine& line) {
  const char* into = line.into == Into::query ? "query" : line.into == Into::key ? "key" : "value";
  return place(line.layer, line.head) + " → " + into + " of " + place(line.to_layer, line.to_head);
}

std::string line_name(const CircuitLine& line) {
  const std::string from = place(line.layer, line.head), to = place(line.to_layer, line.to_head);
  switch (line.into) {
    case Into::query:
      return wording("stream:line.query", {{"from", from}, {"to", to}});
    case Into::key:
      return wording("stream:line.key", {{"from", from}, {"to", to}});
    case Into::value:
      break;
  }
  return wording("stream:line.value", {{"from", from}, {"to", to}});
}

std::string line_title(const CircuitLine& line) {
  const int head = line.head + 1, layer = line.layer + 1, to_head = line.to_head + 1, to_layer = line.to_layer + 1;
  switch (line.into) {
    case Into::query:
      return wording("stream:line.title.query",
                     {{"head", head}, {"layer", layer}, {"to_head", to_head}, {"to_layer", to_layer}});
    case Into::key:
      return wording("stream:line.title.key",
                     {{"head", head}, {"layer", layer}, {"to_head", to_head}, {"to_layer", to_layer}});
    case Into::value:
      break;
  }
  return wording("stream:line.title.value",
                 {{"head", head}, {"layer", layer}, {"to_head", to_head}, {"to_layer", to_layer}});
}

std::string composed_formula(const CircuitLine& line) {
  const char* reads = line.into == Into::query ? "W_Q W_Kᵀ" : line.into == Into::key ? "W_K W_Qᵀ" : "W_V W_O";
  return wording(
      "stream:composed.formula",
      {{"from", place(line.layer, line.head)}, {"reads", reads}, {"to", place(line.to_layer, line.to_head)}});
}

std::vector<std::string> composed_axes(const CircuitLine& line) {
  const std::string from = place(line.layer, line.head), to = place(line.to_layer, line.to_head);
  switch (line.into) {
    case Into::query:
      return {wording("stream:composed.axes.query", {{"from", from}, {"to", to}}),
              wording("stream:composed.axes.query.brief", {{"from", from}}),
              wording("stream:composed.axes.query.least")};
    case Into::key:
      return {wording("stream:composed.axes.key", {{"from", from}, {"to", to}}),
              wording("stream:composed.axes.key.brief", {{"from", from}}), wording("stream:composed.axes.key.least")};
    case Into::value:
      break;
  }
  return {wording("stream:composed.axes.value", {{"from", from}, {"to", to}}),
          wording("stream:composed.axes.value.brief", {{"from", from}}), wording("stream:composed.axes.value.least")};
}

std::vector<std::string> line_numbers(const Circuit& circuit, const CircuitLine& line) {
  const double score = circuit.score(line);
  const auto into = [&](Into other) {
    CircuitLine same = line;
    same.into = other;
    return ui::number(circuit.score(same));
  };
  return {line_title(line),
          wording("stream:line.numbers", {{"score", ui::number(score)},
                                          {"times", times_random(circuit, score)},
                                          {"random", ui::number(random_composition(circuit.d_model))},
                                          {"share", of_random(circuit, score)}}),
          line.into == Into::query
              ? wording("stream:line.others.query", {{"key", into(Into::key)}, {"value", into(Into::value)}})
          : line.into == Into::key
              ? wording("stream:line.others.key", {{"query", into(Into::query)}, {"value", into(Into::value)}})
              : wording("stream:line.others.value", {{"query", into(Into::query)}, {"key", into(Into::key)}})};
}

std::vector<std::string> threshold_words(const Circuit& circuit, double least, std::size_t lines, std::size_t of) {
  const auto all = static_cast<double>(of), expected = circuit.random->share(least) * all;
  const std::string from = ui::number(least), random = ui::number(random_composition(circuit.d_model));
  const std::string here =
      wording("stream:threshold.here",
              {{"lines", ui::number(static_cast<double>(lines), As::count)}, {"all", ui::number(all, As::count)}});
  const std::string about = expected < 0.5 ? wording("stream:threshold.hardly_any")
                                           : wording("stream:threshold.about", {{"n", std::llround(expected)}});
  return {wording("stream:threshold", {{"least", from},
                                       {"times", times_random(circuit, least)},
                                       {"random", random},
                                       {"about", about},
                                       {"share", of_random(circuit, least)},
                                       {"here", here}}),
          wording("stream:threshold.brief", {{"least", from}, {"random", random}, {"about", about}, {"here", here}}),
          wording("stream:threshold.briefer", {{"least", from}, {"random", random}, {"about", about}, {"here", here}}),
          wording("stream:threshold.least", {{"least", from}, {"here", here}})};
}

std::vector<std::string> circuit_notes(const Trace& trace) {
  bool carried = true, silent = false, shared = false;
  for (int k = 0; k < int_size(trace.layers); ++k) {
    const LayerInput<float>& input = trace.layer(k).input;
    if (k > 0 && k + 1 < int_size(trace.layers) && !input.settings.residual) carried = false;
    if (input.key_groups().shares()) shared = true;
    for (int h = 0; h < static_cast<int>(input.heads); ++h) silent = silent || input.gate(h) == 0;
  }
  const std::string& all = wording("stream:circuit.note");
  std::string more;
  if (!carried) more += " " + wording("stream:circuit.note.not_carried");
  if (silent) more += " " + wording("stream:circuit.note.silenced");
  if (shared) more += " " + wording("stream:circuit.note.shared");
  return {all + more, all, wording("stream:circuit.note.brief")};
}

}  // namespace hydra
