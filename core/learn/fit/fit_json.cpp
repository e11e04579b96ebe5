#include "core/learn/fit/fit_json.h"

#include <algorithm>

#include "core/json/writer.h"

namespace hydra::learn {

namespace {

void write_fit_rows(JsonWriter& to, std::string_view name, const Mat<float>& values) {
  to.key(name).text += "[";
  for (Index i = 0; i < values.rows(); ++i) {
    to.entry().text += "[";
    for (Index j = 0; j < values.cols(); ++j) to.entry().number(static_cast<double>(values(i, j)));
    to.text += "]";
  }
  to.text += "]";
}

void write_fit_spread(JsonWriter& to, std::string_view name, const std::vector<double>& values) {
  const Spread spread = spread_of(values);
  to.key(name).text += "{";
  to.number("least", spread.least);
  to.number("median", spread.median);
  to.number("mean", spread.mean);
  to.number("most", spread.most);
  to.numbers("seeds", values);
  to.text += "}";
}

void write_fit_seeds(JsonWriter& to, const std::vector<std::uint64_t>& seeds) {
  std::vector<double> numbers;
  for (const std::uint64_t seed : seeds) numbers.push_back(static_cast<double>(seed));
  to.numbers("seeds", numbers);
}

}  // namespace

std::string fit_text(const WidthCurve& curve, std::string_view pattern) {
  JsonWriter to;
  to.text = "{";
  to.string("pattern", pattern);
  to.whole("n", curve.n);
  to.whole("d_model", curve.d_model);
  to.whole("rank", curve.rank);
  to.whole("asked", curve.asked);
  if (curve.rank >= curve.n)
    to.whole("enough", curve.n - 1);
  else
    to.key("enough").text += "null";
  write_fit_seeds(to, curve.seeds);
  to.line();
  write_fit_rows(to, "target", curve.target);
  to.line();
  to.key("widths").text += "[";
  for (const WidthPoint& point : curve.points) {
    to.entry().text += "\n{";
    to.whole("d_k", point.d_k);
    write_fit_spread(to, "misplaced", point.misplaced);
    write_fit_spread(to, "divergence", point.divergence);
    write_fit_rows(to, "attention", point.best.A);
    to.text += "}";
  }
  to.text += "]}";
  return to.text;
}

std::string fit_text(const HeadsCurve& curve) {
  JsonWriter to;
  to.text = "{";
  const Index m = curve.problem.relations;
  to.whole("relations", m);
  to.whole("tokens", curve.problem.tokens);
  to.whole("d_model", curve.problem.d_model);
  write_fit_seeds(to, curve.seeds);
  to.line();
  to.key("heads").text += "[";
  for (const HeadsPoint& point : curve.points) {
    to.entry().text += "\n{";
    to.whole("heads", point.heads);
    to.whole("d_k", point.d_k);
    to.number("bound", std::max(0.0, 1 - static_cast<double>(point.heads) / static_cast<double>(m)));
    write_fit_spread(to, "error", point.errors);
    write_fit_rows(to, "served", point.best.served);
    to.text += "}";
  }
  to.text += "]";
  if (m > 1) {
    to.line();
    to.key("two_targets").text += "{";
    to.number("to_first", curve.two.to_first);
    to.number("to_second", curve.two.to_second);
    to.number("to_average", curve.two.to_average);
    to.number("half_way", curve.two.half_way);
    to.number("on_first", curve.two.on_first);
    to.number("on_second", curve.two.on_second);
    to.text += "}";
  }
  to.text += "}";
  return to.text;
}

}  // namespace hydra::learn
