#include "core/learn/opened/gradients.h"

#include <algorithm>

#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/json/reader.h"
#include "core/json/writer.h"
#include "core/learn/model.h"
#include "core/learn/task.h"

namespace hydra::learn {

namespace {

// Whatever X is made of: each of its rows a word of a table, so that it has a gradient as any other table.
Document with_rows_as_words(Document document) {
  const Array<float> X = evaluate(document)->X;
  std::vector<std::string> words;
  for (Index i = 0; i < X.rows(); ++i) words.push_back(std::to_string(i));
  document.embedding = Embedding();
  document.embedding.kind = Embedding::Kind::learned;
  document.embedding.positions = Embedding::Positions::none;
  document.embedding.vocabulary = Vocabulary(std::move(words));
  document.settings = ModelSettings();
  document.weights = {};
  document.weights.E = X;
  return document;
}

}  // namespace

SquareGradients square_gradients(const Document& document, const Mat<double>& target) {
  const Document model = with_rows_as_words(document);
  Running running;
  running.length = model.weights.E.rows();
  running.pads = document.pads.count;
  running.square = running.controls = true;
  const lanes::Compiled compiled(shape_of(model, running));
  lanes::Executor<double> executor(compiled, 1, lanes::reference());
  read_parameters(model, executor);
  executor.load_targets({target.data(), static_cast<std::size_t>(target.size())});
  std::vector<std::int32_t> words;
  for (Index i = 0; i < running.length; ++i) words.push_back(static_cast<std::int32_t>(i));
  executor.load(0, {words, {}, {}, static_cast<std::int32_t>(running.length), 0});
  lanes::Executor<double>::Request request;
  request.sequences = 1;
  request.back = true;
  const std::vector<double> gates = gates_of(model);
  request.controls.gates = gates.empty() ? nullptr : gates.data();
  executor.run(request, nullptr);
  executor.gather();
  SquareGradients made;
  made.loss = executor.loss();
  made.layers = static_cast<int>(model.layers.size());
  for (const lanes::ParameterPlace& place : compiled.parameters()) {
    const Mat<double> values = Eigen::Map<const Mat<double>>(executor.gradient(place).data(), place.rows, place.cols);
    if (place.site.quantity == Quantity::E)
      made.X = values;
    else
      made.parameters.push_back({place.site, values});
  }
  return made;
}

Mat<double> parse_target(std::string_view text, const std::string& name, Index rows, Index cols) {
  const JsonTree tree =
      parse_json(text, name, static_cast<std::uint64_t>(rows * (cols + 1)) + kMaxValues, JsonNumbers::doubles);
  const Node root{&tree.root(), ""};
  const JsonReader reader(name, "the target");
  const Node target = root.json->is_object() ? reader.member(root, "target") : root;
  if (!target) reader.fail(target.pointer, "is missing, the rows of the target");
  const std::string needed =
      std::to_string(rows) + " rows of " + std::to_string(cols) + " numbers, as the last layer's result";
  const auto check = [&](const Node& node, Index size) {
    if (!node.json->is_array() || static_cast<Index>(node.json->size()) != size) reader.fail_type(node, needed);
  };
  check(target, rows);
  Mat<double> values(rows, cols);
  Index i = 0;
  for (const Node& line : reader.elements(target, needed)) {
    check(line, cols);
    Index j = 0;
    for (const Node& value : reader.elements(line, needed)) {
      if (!value.json->is_number()) reader.fail_type(value, "a finite number");
      values(i, j++) = value.json->as<double>();
    }
    ++i;
  }
  return values;
}

namespace {

void write_rows(JsonWriter& to, std::string_view name, const Mat<double>& values) {
  to.key(name).text += "[";
  for (Index i = 0; i < values.rows(); ++i) {
    to.entry().text += "[";
    for (Index j = 0; j < values.cols(); ++j) to.entry().number(values(i, j));
    to.text += "]";
  }
  to.text += "]";
}

}  // namespace

std::string gradients_text(const SquareGradients& gradients) {
  JsonWriter to;
  to.text = "{";
  to.number("loss", gradients.loss);
  write_rows(to, "X", gradients.X);
  to.key("layers").text += "[";
  for (int k = 0; k < gradients.layers; ++k) {
    to.text += k == 0 ? "\n{" : ",\n{";
    for (const SquareGradients::Parameter& parameter : gradients.parameters) {
      if (parameter.site.layer != k) continue;
      const char* key = entry_of(parameter.site.quantity).key;
      if (parameter.values.rows() > 1 || is_weight(parameter.site.quantity))
        write_rows(to, key, parameter.values);
      else
        to.numbers(key, {parameter.values.data(), parameter.values.data() + parameter.values.size()});
    }
    to.text += "}";
  }
  to.text += "]}";
  return to.text;
}

}  // namespace hydra::learn
