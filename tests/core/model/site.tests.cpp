#include "core/model/site.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/error.h"
#include "core/linalg/random.h"
#include "tests/support/faults.h"

using namespace hydra;
using test::fault_at;

namespace {

std::vector<Site> every_site() {
  std::vector<Site> sites;
  for (int q = 0; q < kQuantities; ++q) {
    const auto quantity = static_cast<Quantity>(q);
    const bool of_model = entry_of(quantity).scope == QuantityRow::Scope::model && quantity != Quantity::X;
    for (int layer = 0; layer < (of_model ? 1 : 3); ++layer) {
      if (!has_head(quantity)) sites.push_back({quantity, layer, kNoHead});
      for (int head = 0; may_have_head(quantity) && head < 12; ++head) sites.push_back({quantity, layer, head});
    }
  }
  return sites;
}

}  // namespace

TEST_CASE("site: spelled as design and files spell it", "[site]") {
  CHECK(spelled(Cell{{Quantity::attention, 2, 3}, 7, 1}) == "layers.2.heads.3.attention[7,1]");
  CHECK(spelled(Cell{{Quantity::W_Q, 0, kNoHead}, 3, 12}) == "layers.0.W_Q[3,12]");
  CHECK(spelled(Site{Quantity::Y, 1, kNoHead}) == "layers.1.output");
  CHECK(spelled(Site{Quantity::output, 1, 0}) == "layers.1.heads.0.output");
  CHECK(spelled(Cell{{Quantity::b_O, 0, kNoHead}, 0, 5}) == "layers.0.b_O[5]");
  CHECK(spelled(Cell{{Quantity::X}, 2, 5}) == "X[2,5]");
  CHECK(spelled(Site{Quantity::X, 2, kNoHead}) == "layers.2.input");
  CHECK(parse_site("layers.0.input") == Site{Quantity::X});
}

TEST_CASE("site: every one is read as it was spelled, and no two are spelled alike", "[site]") {
  std::vector<std::string> seen;
  for (const Site& site : every_site()) {
    CAPTURE(spelled(site));
    CHECK(parse_site(spelled(site)) == site);
    const Cell cell{site, is_bias(site.quantity) ? 0 : 17, 230};
    CHECK(parse_cell(spelled(cell)) == cell);
    CHECK(std::find(seen.begin(), seen.end(), spelled(site)) == seen.end());
    seen.push_back(spelled(site));
  }
  CHECK(seen.size() > 300);
}

TEST_CASE("site: what is none is refused with one sentence that says what was expected", "[site]") {
  using Catch::Contains;
  CHECK_THROWS_WITH(parse_site("layers.x.W_Q"), fault_at("\"layers.x.W_Q\"", "a number from 0 up at \"x.W_Q\""));
  CHECK_THROWS_WITH(parse_site("layers.0.scores"), fault_at("\"layers.0.scores\"", "a layer's matrix at \"scores\""));
  CHECK_THROWS_WITH(parse_site("layers.0.heads.1.concat"), fault_at("\"layers.0.heads.1.concat\"", "a head's matrix"));
  CHECK_THROWS_WITH(parse_site("W_Q"), fault_at("\"W_Q\"", "layers. or X"));
  CHECK_THROWS_WITH(parse_site("X[2,3]"), fault_at("\"X[2,3]\"", "nothing more"));
  CHECK_THROWS_WITH(parse_cell("X"), fault_at("\"X\"", "should be \"[\""));
  CHECK_THROWS_WITH(parse_cell("layers.0.b_O[2,3]"), fault_at("\"layers.0.b_O[2,3]\"", "should be \"]\""));
  CHECK_THROWS_AS(parse_cell("layers.0.W_Q[-1,0]"), InputError);
  CHECK_THROWS_AS(parse_cell("layers.99999999999999999999.W_Q[1,0]"), InputError);
  // Spellings with a piece cut out, doubled or made another are read to the same site or refused.
  Random random(3);
  const std::vector<Site> sites = every_site();
  for (int trial = 0; trial < 5000; ++trial) {
    std::string text = spelled(Cell{sites[random.bits() % sites.size()], 4, 9});
    const std::size_t at = random.bits() % text.size(), count = 1 + random.bits() % 4;
    const std::string piece = text.substr(at, count);
    if (trial % 3 == 0) text.erase(at, count);
    if (trial % 3 == 1) text.insert(at, piece);
    if (trial % 3 == 2) text[at] = static_cast<char>(random.bits() % 128);
    try {
      const Cell cell = parse_cell(text);
      CAPTURE(text);
      CHECK(parse_cell(spelled(cell)) == cell);
    } catch (const InputError&) {
    }
  }
}
