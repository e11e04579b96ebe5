#include "tests/support/models/golden_stacks.h"

#include <cmath>
#include <fstream>

#include "core/io/file.h"
#include "core/linalg/random.h"
#include "tests/support/data.h"

namespace hydra::test {

using nlohmann::json;

Mat<double> drawn_by_name(const std::string& name, std::uint64_t seed, Index rows, Index cols, int most) {
  Random random(hash(name, seed));
  Mat<double> values(rows, cols);
  for (Index k = 0; k < values.size(); ++k) {
    const auto whole = static_cast<int>((random.bits() >> 11) % static_cast<std::uint64_t>(2 * most + 1)) - most;
    values.data()[k] = whole / 64.0;
  }
  return values;
}

namespace {

// [rows, cols] -> a table within 1, another matrix within 1.5 / sqrt(rows); [cols] -> a bias or shift within 0.5, a
// gain from 0.5 to 1.5.
json given(const std::string& name, std::uint64_t seed, const json& shape) {
  const Index rows = shape.size() == 2 ? shape[0].get<Index>() : 1, cols = shape.back();
  const int most = name == "E" || name == "P" || name == "T" ? 64
                   : shape.size() == 2 ? static_cast<int>(96 / std::sqrt(static_cast<double>(rows)))
                                       : 32;
  const Mat<double> values = drawn_by_name(name, seed, rows, cols, most);
  const double more = name.find("gain") != std::string::npos ? 1 : 0;
  json lines = json::array();
  for (Index i = 0; i < rows; ++i) {
    lines.push_back(json::array());
    for (Index j = 0; j < cols; ++j) lines.back().push_back(values(i, j) + more);
  }
  return shape.size() == 2 ? lines : lines.front();
}

// --- a configuration as a document

Document document_of(const json& golden) {
  const std::uint64_t seed = golden.at("seed");
  const Index n = golden.at("n"), d_model = golden.at("document").at("d_model");
  json text = golden.at("document");
  text["hydrascope"] = 1;
  if (!text.contains("embedding")) {
    text["tokens"] = std::vector<std::string>(static_cast<std::size_t>(n - text.value("pads", Index{0})), "word");
    const Mat<double> X = drawn_by_name("X", seed, n, d_model, 128);
    text["embedding"] = {{"kind", "explicit"}, {"X", json::array()}};
    for (Index i = 0; i < n; ++i)
      text["embedding"]["X"].push_back(std::vector<double>(X.row(i).begin(), X.row(i).end()));
  }
  for (const char* object : {"embedding", "embedding_norm", "transform", "final_norm", "readout"})
    for (const char* name : {"E", "P", "T", "gain_E", "shift_E", "W_T", "b_T", "gain", "shift", "W_U", "b_U"})
      if (text.contains(object) && text[object].contains(name))
        text[object][name] = given(name, seed, text[object][name]);

  text["layers"] = json::array();
  for (json layer : golden.at("document").at("layers")) {
    json& weights = layer.at("weights");
    for (auto& [name, shape] : weights.items())
      shape = given("layers." + std::to_string(text["layers"].size()) + "." + name, seed, shape);
    weights["kind"] = "explicit";
    text["layers"].push_back(std::move(layer));
  }
  return parse_document(text.dump(), "stack " + std::to_string(seed));
}

}  // namespace

namespace {

std::vector<GoldenStack> stacks_in(const char* file) {
  std::vector<GoldenStack> stacks;
  for (json& golden : json::parse(std::ifstream(data(file)))) stacks.push_back({golden, document_of(golden)});
  return stacks;
}

}  // namespace

const std::vector<GoldenStack>& golden_stacks() {
  static const std::vector<GoldenStack> all = stacks_in("block_golden.json");
  return all;
}

const std::vector<GoldenStack>& golden_ends() {
  static const std::vector<GoldenStack> all = stacks_in("ends_golden.json");
  return all;
}

const std::vector<GoldenStack>& golden_padded() {
  static const std::vector<GoldenStack> all = stacks_in("pads_golden.json");
  return all;
}

}  // namespace hydra::test
