#include "core/report/mixing_json.h"

namespace hydra {

namespace {

void shares(JsonWriter& out, const Shares& shares) {
  out.numbers("size", shares.size);
  out.numbers("along", shares.along);
  out.number("bias_along", shares.bias_along);
}

void heads(JsonWriter& out, std::string_view name, const std::vector<int>& heads) {
  out.key(name).text += '[';
  for (const int head : heads) out.entry().text += std::to_string(head);
  out.text += ']';
}

// What is measured of all that heads write, and of what varies alone.
void written(const Mixing& mixing, bool tokens, JsonWriter& out) {
  out.key("shares").text += '{';
  shares(out, mixing.shares());
  if (tokens) {
    out.line();
    out.key("tokens").text += '[';
    for (Index t = 0; t < mixing.size.rows(); ++t) {
      out.entry().text += '{';
      shares(out, mixing.shares(t));
      out.text += '}';
    }
    out.text += ']';
  }
  out.text += '}';
  out.line();
  out.numbers("ablation", mixing.ablation);
  out.line();
  heads(out, "silent", mixing.silencing.silent);
  heads(out, "greedy_order", mixing.silencing.order);
  out.numbers("greedy_change", mixing.silencing.change);
  out.numbers("random_change", mixing.silencing.random_mean);
  if (mixing.silencing.random_orders == 0)
    out.string("random_orders", "all");
  else
    out.whole("random_orders", mixing.silencing.random_orders);
  out.line();
  out.key("writing_cosines").text += '[';
  const Mat<double> cosines = writing_cosines(mixing);
  for (Index i = 0; i < cosines.rows(); ++i) {
    out.entry().text += '[';
    for (Index g = 0; g < cosines.cols(); ++g) out.entry().number(cosines(i, g));
    out.text += ']';
  }
  out.text += ']';
}

}  // namespace

void write_mixing(const Mixing& mixing, const Mixing& varying, bool tokens, JsonWriter& out) {
  written(mixing, tokens, out);
  out.line();
  out.numbers("constant", mixing.constant);
  out.key("varying").text += '{';
  written(varying, tokens, out);
  out.text += '}';
  out.line();
  out.numbers("W_O_norms", mixing.block_norm);
  out.number("gate_change", mixing.gate_change_overall);
}

}  // namespace hydra
