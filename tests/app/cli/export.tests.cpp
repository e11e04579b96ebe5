// hydrascope export as a process: what is written is read back to the bit.
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>

#include "core/checkpoints/open_model.h"
#include "core/document/evaluate.h"
#include "core/explain/quantity.h"
#include "core/io/opening.h"
#include "core/linalg/same_bits.h"
#include "core/tensors/numbers.h"
#include "core/tensors/open.h"
#include "tests/support/data.h"
#include "tests/support/program.h"

using Catch::Contains;
using namespace hydra;
using hydra::test::Program;

namespace {

// The tensor is the matrix, bit by bit; of a bias one row.
void check_same(const Tensor& tensor, const Mat<float>& values, bool row) {
  CAPTURE(tensor.name);
  REQUIRE(tensor.shape == (row ? std::vector<Index>{values.cols()} : std::vector<Index>{values.rows(), values.cols()}));
  std::vector<float> read(static_cast<std::size_t>(values.size()));
  to_floats(tensor, 0, read);
  CHECK(std::memcmp(read.data(), values.data(), read.size() * sizeof(float)) == 0);
}

}  // namespace

TEST_CASE("export command: quantities of a trace, in three formats", "[app][cli]") {
  const Program program;
  const auto trace = evaluate(opening_document());
  const std::vector<std::string> names = {"X",
                                          "layers.0.heads.1.attention",
                                          "layers.0.heads.2.scores",
                                          "layers.0.heads.0.Q",
                                          "layers.0.output",
                                          "layers.0.heads.3.W_O",
                                          "layers.0.heads.1.value_weighted"};
  std::string asked;
  for (const std::string& name : names) asked += " --quantity " + name;
  for (const char* const file : {"all.npz", "all.safetensors"}) {
    REQUIRE(program.run("export --out '" + program.file(file) + "'" + asked).code == 0);
    const TensorFile read = open_tensors(program.file(file));
    REQUIRE(read.tensors.size() == names.size());
    for (const std::string& name : names) {
      const Site site = parse_site(name);
      REQUIRE(read.find(name));
      if (!is_asked(site.quantity)) check_same(*read.find(name), *array_once(*trace, site), false);
    }
    std::vector<float> weighted(trace->tokens.size() * trace->tokens.size());
    to_floats(*read.find(names.back()), 0, weighted);
    CHECK(weighted[trace->tokens.size()] == Approx(value_at(*trace, {parse_site(names.back()), 1, 0})));
  }
  REQUIRE(program.run("export --quantity " + names[1] + " --out '" + program.file("one.npy") + "'").code == 0);
  check_same(open_tensors(program.file("one.npy")).tensors.front(), *array_once(*trace, parse_site(names[1])), false);
}

TEST_CASE("export command: all parameters by their names", "[app][cli]") {
  const Program program;
  const Document document = opening_document();
  REQUIRE(program.run("export --weights --out '" + program.file("w.safetensors") + "'").code == 0);
  const TensorFile read = open_tensors(program.file("w.safetensors"));
  std::size_t count = 0;
  const auto check = [&](const Site& site, const Array<float>& values) {
    if (!values) return;
    ++count;
    REQUIRE(read.find(spelled(site)));
    check_same(*read.find(spelled(site)), *values, is_bias(site.quantity));
  };
  for (const Quantity p : kModelWeights) check({p}, *field_of(document.weights, p));
  for (const Quantity p : kWeights) check({p, 0}, *field_of(document.layer(0).weights, p));
  CHECK(count == read.tensors.size());
  CHECK(count > 5);
}

TEST_CASE("export command: parameters open again by the layout beside them, to the bit", "[app][cli]") {
  const Program program;
  for (const std::string& model : {test::data("checkpoints/gpt2"), test::data("checkpoints/llama")})
    for (const char* const name : {"w.safetensors", "w.npz"}) {
      CAPTURE(model, name);
      const std::string file = program.file(name);
      REQUIRE(program.run("export '" + model + "' --token-ids 1,2,3 --weights --out '" + file + "'").code == 0);
      const Document before = open_model(model).document, after = open_model(file).document;
      REQUIRE(after.layers.size() == before.layers.size());
      CHECK(after.settings == before.settings);
      for (std::size_t k = 0; k < before.layers.size(); ++k) {
        CHECK(after.layers[k].settings == before.layers[k].settings);
        CHECK(after.layers[k].heads == before.layers[k].heads);
        CHECK(after.layers[k].kv_heads() == before.layers[k].kv_heads());
        CHECK(after.layers[k].mask.kind == before.layers[k].mask.kind);
        for (const Quantity p : kWeights)
          CHECK(same_bits(*field_of(after.layers[k].weights, p), *field_of(before.layers[k].weights, p)));
      }
      for (const Quantity p : kModelWeights)
        CHECK(same_bits(*field_of(after.weights, p), *field_of(before.weights, p)));
    }
}

TEST_CASE("export command: a model that a layout cannot say is written without one, and a note says why",
          "[app][cli]") {
  const Program program;
  const auto done = program.run("export --weights --out '" + program.file("w.npz") + "'");
  CHECK(done.code == 0);
  CHECK_FALSE(std::filesystem::exists(program.file("w.npz.layout.json")));
  CHECK_THAT(done.error, Contains("without a layout") && Contains("several questions"));
}

TEST_CASE("export command: what cannot be written", "[app][cli]") {
  const Program program;
  const std::string out = " --out '" + program.file("a.npz") + "'";
  CHECK_THAT(program.refusal("export" + out), Contains("nothing is asked for"));
  CHECK_THAT(program.refusal("export --quantity layers.9.output" + out), Contains("has no") && Contains("layers.9"));
  CHECK_THAT(program.refusal("export --quantity layers.0.heads.1.nothing" + out), Contains("--quantity"));
  CHECK_THAT(program.refusal("export --weights --out '" + program.file("a.txt") + "'"), Contains(".safetensors"));
  CHECK_THAT(program.refusal("export --weights --out '" + program.file("a.npy") + "'"), Contains("holds one array"));
}
