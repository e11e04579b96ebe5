// Stacks of blocks against PyTorch's numbers, on the configurations of scripts/make_block_golden.py. The file says what
// each layer is as a document does, with shapes in the place of weights; these and X are drawn here by their names.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/document/model.h"
#include "core/io/file.h"
#include "core/linalg/random.h"
#include "core/model/program.h"
#include "tests/support/data.h"
#include "tests/support/models/double_stack.h"
#include "tests/support/models/golden_stacks.h"

using namespace hydra;
using hydra::test::drawn_by_name;
using hydra::test::golden_ends;
using hydra::test::golden_padded;
using hydra::test::golden_stacks;
using nlohmann::json;

namespace {

// Of the largest number of the stream that leaves; of a stage's weighted sum, of the sum of its terms' absolute values.
template <class S>
constexpr double kGoldenTolerance = std::is_same_v<S, float> ? 1e-5 : 1e-12;

// --- stages

// The stage of that key; of what every head has, the heads' one below the other. Masked scores are 0.
template <class S>
Mat<double> stage_of(const LayerTrace<S>& heads, const BlockTrace<S>& block, const std::string& key) {
  static const std::map<std::string, Array<S> HeadTrace<S>::*> of_heads{{"scores", &HeadTrace<S>::scores},
                                                                        {"attention", &HeadTrace<S>::attention},
                                                                        {"scores_2", &HeadTrace<S>::scores_2},
                                                                        {"attention_2", &HeadTrace<S>::attention_2}};
  if (const auto found = of_heads.find(key); found != of_heads.end()) {
    const Index n = heads.input.n();
    Mat<double> below(n * heads.input.heads, n);
    for (std::size_t h = 0; h < heads.heads.size(); ++h)
      below.middleRows(static_cast<Index>(h) * n, n) = (*(heads.heads[h].*found->second)).template cast<double>();
    return below.unaryExpr([](double x) { return x == -std::numeric_limits<double>::infinity() ? 0 : x; });
  }
  const Quantity quantity = parse_site("layers.0." + key).quantity;
  const Array<S>& values = quantity == Quantity::Y ? heads.output : block.of(quantity);
  return values ? Mat<double>(values->template cast<double>()) : Mat<double>();
}

// The first stage that is off, in words; else nothing. A trace, or what is like it in double.
template <class S, class AnyTrace>
std::string first_that_is_off(const AnyTrace& trace, const json& golden) {
  const json& layers = golden.at("stages");
  for (std::size_t k = 0; k < layers.size(); ++k)
    for (const json& pair : layers[k]) {
      const std::string key = pair[0], name = "layers." + std::to_string(k) + "." + key;
      const Mat<double> ours = stage_of<S>(trace.layer(static_cast<Index>(k)), trace.block(static_cast<Index>(k)), key);
      if (ours.size() == 0) return name + " is not there";
      const Mat<double> terms = ours.cwiseProduct(drawn_by_name(name, golden.at("seed"), ours.rows(), ours.cols(), 64));
      const double theirs = pair[1], sizes = terms.cwiseAbs().sum();
      if (!(std::abs(terms.sum() - theirs) <= kGoldenTolerance<S> * sizes))
        return (std::ostringstream() << name << " is off by " << std::abs(terms.sum() - theirs) / sizes).str();
    }
  return "";
}

// The same of what follows the layers.
template <class S>
std::string first_read_out_that_is_off(const ModelTrace<S>& model, const json& golden) {
  for (const json& pair : golden.at("out")) {
    const std::string name = pair[0];
    const Array<S>& ours = *model.stage(parse_site(name).quantity);
    if (!ours) return name + " is not there";
    const Mat<double> terms = ours->template cast<double>().cwiseProduct(
        drawn_by_name(name, golden.at("seed"), ours.rows(), ours.cols(), 64));
    const double theirs = pair[1], sizes = terms.cwiseAbs().sum();
    if (!(std::abs(terms.sum() - theirs) <= kGoldenTolerance<S> * sizes))
      return (std::ostringstream() << name << " is off by " << std::abs(terms.sum() - theirs) / sizes).str();
  }
  return "";
}

// The largest deviation as a share of the largest number.
template <class S>
double stream_deviation(const Array<S>& stream, const json& golden) {
  REQUIRE(stream.rows() == static_cast<Index>(golden.size()));
  REQUIRE(stream.cols() == static_cast<Index>(golden.front().size()));
  double largest = 0, worst = 0;
  for (Index i = 0; i < stream.rows(); ++i)
    for (Index j = 0; j < stream.cols(); ++j) {
      const double theirs = golden[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      largest = std::max(largest, std::abs(theirs));
      const double difference = std::abs(static_cast<double>((*stream)(i, j)) - theirs);
      if (!(difference <= worst)) worst = difference;  // keeps a NaN
    }
  return worst == 0 ? 0 : worst / largest;
}

const Array<float>& what_leaves(const Trace& trace) {
  const Index last = static_cast<Index>(trace.layers.size()) - 1;
  const Quantity leaves = program_of(trace.layer(last).input.settings).leaves;
  return leaves == Quantity::Y ? trace.layer(last).output : trace.block(last).of(leaves);
}

// --- what occurs

struct Occurrences {
  std::map<std::string, int> layers;                // how many have it; of the model how many stacks
  std::map<LayerSetting, std::set<double>> values;  // of a setting that is not within one that is off
  std::map<ModelSetting, std::set<double>> model_values;
};

void add_model(Occurrences& in, const Document& document) {
  for (const ModelSettingRow& row : model_settings()) {
    if (row.within && value_of(document.settings, entry_of(*row.within)) == 0) continue;
    const double value = value_of(document.settings, row);
    in.model_values[row.setting].insert(value);
    ++in.layers[describe(SetModelSetting{row.setting, value})];
  }
  const IndexLists rows = document.embedding.vocabulary.find_all(tokens_of(document));
  for (Index i = 0; document.weights.E && i < rows.size(); ++i)
    ++in.layers[rows.of(i).size() == 1 ? "one word" : rows.of(i).size() == 2 ? "two words" : "three words"];
  if (document.settings.readout == ReadoutKind::own) {
    const Index questions = next_words_of(document).parts();
    ++in.layers[questions == 1 ? "one question" : questions == 2 ? "two questions" : "more questions"];
  }
  for (const Quantity p : model_program_of(document).parameters)
    ++in.layers[std::string(entry_of(p).key) + (*field_of(document.weights, p) ? "" : " absent")];
}

Occurrences occurrences() {
  Occurrences in;
  for (const auto& [golden, document] : golden_ends()) add_model(in, document);
  for (const auto& [golden, document] : golden_stacks()) {
    add_model(in, document);
    for (const Layer& layer : document.layers) {
      for (const LayerSettingRow& row : layer_settings()) {
        if (row.within && value_of(layer.settings, entry_of(*row.within)) == 0) continue;
        const double value = value_of(layer.settings, row);
        in.values[row.setting].insert(value);
        ++in.layers[describe(SetSetting{row.setting, value})];
      }
      for (const Quantity p : program_of(layer.settings).parameters)
        ++in.layers[std::string(entry_of(p).key) + (*field_of(layer.weights, p) ? "" : " absent")];
      if (layer.settings.alibi && makes_difference(entry_of(LayerSetting::alibi_slopes), layer.shape(document.d_model)))
        ++in.layers[layer.settings.alibi_slopes == AlibiSlopes::geometric ? "own geometric" : "own interleaved"];
      ++in.layers[std::to_string(document.layers.size()) + " in the stack"];
      ++in.layers["mask " + std::to_string(static_cast<int>(layer.mask.kind))];
      for (const HeadRule& rule : layer.own) {
        if (rule.mask) ++in.layers[rule.mask == Mask::Kind::none ? "own mask 0" : "own mask 1"];
        if (rule.window) ++in.layers["own window"];
        if (rule.temperature) ++in.layers["own temperature"];
      }
      ++in.layers[layer.gates.empty() ? "no gates" : "gates"];
      ++in.layers[layer.kv_heads() == layer.heads ? "own keys" : layer.kv_heads() == 1 ? "one set" : "groups"];
    }
  }
  return in;
}

}  // namespace

TEST_CASE("blocks: every stage of every stack is PyTorch's, in floats to 1e-5 and in double to 1e-12",
          "[blocks][golden]") {
  int compared = 0;
  std::vector<test::GoldenStack> all = golden_stacks();
  all.insert(all.end(), golden_ends().begin(), golden_ends().end());
  all.insert(all.end(), golden_padded().begin(), golden_padded().end());
  for (const auto& [golden, document] : all) {
    CAPTURE(golden.at("seed").dump(), golden.at("document").dump());
    const auto trace = evaluate(document);
    CHECK(first_that_is_off<float>(*trace, golden) == "");
    CHECK(stream_deviation(what_leaves(*trace), golden.at("stream")) <= kGoldenTolerance<float>);
    const test::DoubleStack doubles = test::in_double(*trace);
    CHECK(first_that_is_off<double>(doubles, golden) == "");
    CHECK(stream_deviation(doubles.stream, golden.at("stream")) <= kGoldenTolerance<double>);
    CHECK(first_read_out_that_is_off(trace->model, golden) == "");
    CHECK(first_read_out_that_is_off(doubles.model, golden) == "");
    if (golden.contains("probabilities")) {
      CHECK(stream_deviation(trace->model.probabilities, golden.at("probabilities")) <= kGoldenTolerance<float>);
      CHECK(stream_deviation(doubles.model.probabilities, golden.at("probabilities")) <= kGoldenTolerance<double>);
    }
    ++compared;
  }
  CHECK(compared >= 400);
}

TEST_CASE("blocks: the stacks compared with PyTorch have every setting, mask, bias and sharing of keys often",
          "[blocks][golden]") {
  Occurrences in = occurrences();
  const auto often = [&](const std::string& what) {
    INFO(what);
    CHECK(in.layers[what] >= 15);
  };
  for (const LayerSettingRow& row : layer_settings())
    if (is_switch(row) || is_choice(row)) {
      for (std::size_t k = 0; k < (is_switch(row) ? 2 : row.names.size()); ++k)
        often(describe(SetSetting{row.setting, static_cast<double>(k)}));
    } else {
      INFO(row.key);
      CHECK(in.values[row.setting].size() >= 3);
    }
  for (const ModelSettingRow& row : model_settings())
    if (is_switch(row) || is_choice(row)) {
      for (std::size_t k = 0; k < (is_switch(row) ? 2 : row.names.size()); ++k)
        often(describe(SetModelSetting{row.setting, static_cast<double>(k)}));
    } else {
      INFO(row.object);
      CHECK(in.model_values[row.setting].size() >= 3);
    }
  for (const Quantity p : kModelWeights) often(entry_of(p).key);
  often("b_U absent");
  often("b_T absent");
  for (const Quantity p : kWeights) {
    often(entry_of(p).key);
    if (entry_of(p).start == QuantityRow::Start::absent) often(std::string(entry_of(p).key) + " absent");
  }
  for (const char* what :
       {"1 in the stack",  "2 in the stack", "3 in the stack", "4 in the stack", "mask 0",         "mask 1",
        "mask 2",          "gates",          "no gates",       "own keys",       "one set",        "groups",
        "one question",    "two questions",  "more questions", "one word",       "two words",      "three words",
        "own interleaved", "own mask 0",     "own mask 1",     "own window",     "own temperature"})
    often(what);
  CHECK(in.layers["own geometric"] >= 10);
}
