// A bias by offset in documents: files, edits, and what is said of it.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/explain/explain.h"
#include "core/explain/links.h"
#include "core/io/file.h"
#include "tests/support/faults.h"

using namespace hydra;
using test::fault_at;

namespace {

Document offset_document(const std::string& layer) {
  return parse_document(
      R"({"hydrascope": 1, "sentence": "a b c d", "d_model": 12, "layers": [{"heads": 2)" + layer + "}]}", "file");
}
Document reaching_one() {
  return offset_document(R"(, "offset_bias": {"reach": 1}, "weights": {"B": [[1, 0, -1], [0.5, 0, 2]]})");
}

}  // namespace

TEST_CASE("offset bias: files say what is wrong with it in a sentence", "[document][offset_bias]") {
  const struct {
    std::string layer, place, word;
  } faults[] = {
      {R"(, "offset_bias": true)", "/layers/0/offset_bias", "object"},
      {R"(, "offset_bias": {"reach": 0})", "/layers/0/offset_bias/reach", "from 1 to 1024"},
      {R"(, "offset_bias": {"reach": 1.5})", "/layers/0/offset_bias/reach", "whole number"},
      {R"(, "offset_bias": {"buckets": 4})", "/layers/0/offset_bias/buckets", "not known"},
      {R"(, "weights": {"B": [[1, 2, 3], [1, 2, 3]]})", "/layers/0/weights/B", "\"offset_bias\""},
      {R"(, "offset_bias": {"reach": 2}, "weights": {"B": [[1, 2, 3], [1, 2, 3]]})", "/layers/0/weights/B/0", "5"}};
  for (const auto& [layer, place, word] : faults) {
    INFO(layer);
    CHECK_THROWS_WITH(offset_document(layer), fault_at(place, word));
  }
}

TEST_CASE("offset bias: it is drawn near 0 by the seed, as 0 by others, anew for another reach, and written as it is",
          "[document][offset_bias]") {
  const Document plain = offset_document("");
  Document document = hydra::apply(plain, SetSetting{LayerSetting::offset_bias, 1});
  const Array<float>& B = document.layer(0).weights.offset_bias;
  REQUIRE(B.rows() == 2);
  REQUIRE(B.cols() == 17);  // of a reach of 8
  CHECK(B->cwiseAbs().maxCoeff() <= 0.1f * std::sqrt(3.0f));
  CHECK(B->cwiseAbs().maxCoeff() > 0.1f);
  document = hydra::apply(document, SetSetting{LayerSetting::offset_reach, 2});
  CHECK(document.layer(0).weights.offset_bias.cols() == 5);
  document = hydra::apply(document, set_cell(Quantity::offset_bias, 1, 4, 3));
  const std::string text = document_text(document);
  CHECK(text.find(R"("offset_bias": {"reach": 2})") != std::string::npos);
  CHECK(same_document(parse_document(text, "file"), document));
  CHECK(describe(SetSetting{LayerSetting::offset_bias, 1}) == "offset bias on");
  CHECK(describe(SetSetting{LayerSetting::offset_reach, 2}) == "offset bias reach 2");
  CHECK(describe(set_cell(Quantity::offset_bias, 1, 4, 3)) == "B[1, 4] = 3");
  CHECK(same_document(hydra::apply(document, SetSetting{LayerSetting::offset_bias, 0}), plain));
  const Document zero = hydra::apply(document, SetWeightSource{Init::identity, 7});
  CHECK(zero.layer(0).weights.offset_bias->isZero(0));
}

TEST_CASE("offset bias: arithmetic, formula and places say what was added for which offset",
          "[document][offset_bias]") {
  const auto trace = evaluate(reaching_one());
  const auto added = [&](Index query, Index key, int head) {
    const Explanation e = explain(*trace, {{Quantity::scores, 0, head}, query, key});
    CHECK(e.steps.back().result == Approx(e.value).margin(1e-6));
    return e.steps.back().text + ": " + std::to_string(e.steps.back().terms[1].value);
  };
  CHECK(added(2, 1, 0) == "plus the number that head 1 has for the offset of “b”, −1: 1.000000");
  CHECK(added(0, 3, 1) ==
        "plus the number that head 2 has for the offset +1, which that of “d”, +3, counts as: 2.000000");
  CHECK(formula(*trace, {Quantity::scores, 0, 1}) == "S₂ = Q₂ K₂ᵀ / √6 + B[1, j − i]");
  CHECK(cell_title(*trace, {{Quantity::offset_bias, 0}, 1, 0}) == "B[head 2, −1]");
  CHECK(spelled(Cell{{Quantity::offset_bias, 0}, 1, 0}) == "layers.0.B[1,0]");
}

TEST_CASE("offset bias: a number of it reaches the pairs of its offset in its head, and is read by them",
          "[document][offset_bias]") {
  const auto trace = evaluate(reaching_one());
  const Cell same{{Quantity::offset_bias, 0}, 1, 1}, after{{Quantity::offset_bias, 0}, 1, 2};
  CHECK(linked(*trace, same, {Quantity::scores, 0, 0}).empty());
  REQUIRE(linked(*trace, same, {Quantity::scores, 0, 1}).size() == 1);
  const Region pairs = linked(*trace, after, {Quantity::scores, 0, 1}).front();
  CHECK((pairs.row0 == 0 && pairs.row1 == 3 && pairs.col0 == 1 && pairs.col1 == 4));
  const std::vector<Region> read = linked(*trace, {{Quantity::scores, 0, 1}, 0, 3}, {Quantity::offset_bias, 0});
  REQUIRE(read.size() == 1);
  CHECK((read[0].row0 == 1 && read[0].row1 == 2 && read[0].col0 == 2 && read[0].col1 == 3));
}
