#include "app/views/stream/circuit_words.h"

#include <cmath>

#include "app/draw/format.h"
#include "app/draw/nth.h"

namespace hydra {

namespace {

std::string place(int layer, int head) { return ui::words(layer + 1, ".", head + 1); }

std::string in_percent(double share) {
  const double percent = 100 * share;
  if (percent < 1e-4) return "fewer than 0.0001 %";
  return (percent >= 10 ? ui::number(percent, As::whole) : ui::number(percent, As::rough)) + " %";
}

std::string times_random(const Circuit& circuit, double score) {
  return ui::number(score / random_composition(circuit.d_model), As::rough);
}

std::string of_random(const Circuit& circuit, double least) { return in_percent(circuit.random->share(least)); }

}  // namespace

const char* into_name(Into into) { return into == Into::query ? "query" : into == Into::key ? "key" : "value"; }

std::string line_name(const CircuitLine& line) {
  return place(line.layer, line.head) + " → " + into_name(line.into) + " of " + place(line.to_layer, line.to_head);
}

std::string line_title(const CircuitLine& line) {
  return ui::words("Head ", line.head + 1, " of layer ", line.layer + 1, " → ", into_name(line.into), " of head ",
                   line.to_head + 1, " of layer ", line.to_layer + 1);
}

std::string composed_formula(const CircuitLine& line) {
  const char* reads = line.into == Into::query ? "W_Q W_Kᵀ" : line.into == Into::key ? "W_K W_Qᵀ" : "W_V W_O";
  return "W_V W_O of " + place(line.layer, line.head) + " times " + reads + " of " + place(line.to_layer, line.to_head);
}

std::vector<std::string> composed_axes(const CircuitLine& line) {
  const std::string from = place(line.layer, line.head), to = place(line.to_layer, line.to_head);
  const std::string rows = "Row: in the word that " + from + " attends to. Column: ";
  switch (line.into) {
    case Into::query:
      return {rows + "in the key that " + to + " then asks for.", rows + "the key.", "row: moved, column: key"};
    case Into::key:
      return {rows + "in the query that " + to + " then answers.", rows + "the query.", "row: moved, column: query"};
    case Into::value:
      break;
  }
  return {rows + "what " + to + " then writes of it.", rows + "written.", "row: moved, column: written"};
}

std::vector<std::string> line_numbers(const Circuit& circuit, const CircuitLine& line) {
  const double score = circuit.score(line);
  std::string others;
  for (const Into into : {Into::query, Into::key, Into::value}) {
    if (into == line.into) continue;
    CircuitLine other = line;
    other.into = into;
    others += (others.empty() ? "" : ", ") + std::string("into the ") + into_name(into) + " " +
              ui::number(circuit.score(other));
  }
  return {line_title(line),
          "Composition " + ui::number(score) + ", " + times_random(circuit, score) +
              " times 1/√d_model = " + ui::number(random_composition(circuit.d_model)) + "; " +
              of_random(circuit, score) + " of lines between random heads of these sizes reach it.",
          "Of the same heads: " + others + "."};
}

std::vector<std::string> threshold_words(const Circuit& circuit, double least, std::size_t lines, std::size_t of) {
  const std::string from = "Lines from " + ui::number(least), random = of_random(circuit, least);
  const auto all = static_cast<double>(of), expected = circuit.random->share(least) * all;
  const std::string here =
      ui::number(static_cast<double>(lines), As::count) + " of " + ui::number(all, As::count) + " here";
  const std::string about = expected < 0.5 ? "hardly any line" : "about " + ui::counted(std::llround(expected), "line");
  const std::string line = ui::number(random_composition(circuit.d_model));
  return {from + ", " + times_random(circuit, least) + " times what random heads come to (1/√d_model = " + line +
              "). A stack of random heads shows " + about + " (" + random + "), this one " + here + ".",
          from + " (random heads: 1/√d_model = " + line + "); random heads show " + about + "; " + here + ".",
          from + " (random: " + line + "); " + about + " by chance, " + here + ".", from + "; " + here + "."};
}

std::vector<std::string> circuit_notes(const Trace& trace) {
  bool carried = true, silent = false, shared = false;
  for (int k = 0; k < int_size(trace.layers); ++k) {
    const LayerInput<float>& input = trace.layer(k).input;
    if (k > 0 && k + 1 < int_size(trace.layers) && !input.settings.residual) carried = false;
    if (input.group_size > 1) shared = true;
    for (int h = 0; h < static_cast<int>(input.heads); ++h) silent = silent || input.gate(h) == 0;
  }
  const std::string all =
      "Of the weights alone: how far a head could read what an earlier one writes. No sentence goes into it, nor do "
      "patterns, norms, feed-forward parts and gates.";
  std::string more;
  if (!carried) more += " Past a layer without a residual sum nothing is carried: lines over one say what would be.";
  if (silent) more += " Heads that are silenced are pale: they write nothing now.";
  if (shared) more += " Heads that share keys share what is read into them.";
  return {all + more, all, "Of the weights alone: what could be read, not what is."};
}

}  // namespace hydra
