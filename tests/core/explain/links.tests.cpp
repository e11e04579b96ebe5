#include "core/explain/links.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/explain/explain.h"
#include "tests/core/analysis/random_documents.h"
#include "tests/core/explain/laws.h"
#include "tests/support/sanitized.h"

using namespace hydra;
using namespace hydra::test;
using Role = Region::Role;

namespace {

// The smallest block around the cells that differ; empty when none does.
std::vector<Region> changed_block(const Trace& before, const Trace& after, const Site& ref) {
  const Shape shape = shape_of(before, ref);
  Region r{shape.rows, 0, shape.cols, 0, Role::affected};
  for (Index i = 0; i < shape.rows; ++i) {
    for (Index j = 0; j < shape.cols; ++j) {
      if (same(value_at(before, {ref, i, j}), value_at(after, {ref, i, j}))) continue;
      r = {std::min(r.row0, i), i + 1, std::min(r.col0, j), std::max(r.col1, j + 1), Role::affected};
    }
  }
  return r.row1 == 0 ? std::vector<Region>{} : std::vector<Region>{r};
}

}  // namespace

TEST_CASE("links: what an edit changes lies in the affected regions", "[core][links]") {
  for (std::uint64_t seed = 0; seed < (test::kSanitized ? 20u : 80u); ++seed) {
    INFO("seed " << seed);
    test::check_affected(test::some_document(seed), seed);
  }
}

TEST_CASE("links: numbers outside the input regions do not matter", "[core][links]") {
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    INFO("seed " << seed);
    test::check_inputs(test::some_document(seed), seed);
  }
}

TEST_CASE("links: the operands of the arithmetic lie in the input regions, all the way down", "[core][links]") {
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    const auto trace = evaluate(test::some_document(seed));
    Random random(seed);
    test::for_each_matrix(*trace, [&](const Site& ref) {
      const Shape shape = shape_of(*trace, ref);
      const Cell top{ref, pick_below(random, shape.rows), pick_below(random, shape.cols)};
      Cell cell = top;
      for (int depth = 0; depth < 24; ++depth) {
        std::vector<Cell> sources;
        for (const Step& step : explain(*trace, cell).steps) {
          for (const Term& term : step.terms) {
            if (term.value == 0) continue;  // a masked key's term
            for (const Operand& factor : term.factors)
              if (factor.source) sources.push_back(*factor.source);
          }
        }
        for (const Cell& source : sources)
          if (!covered(linked(*trace, top, source.site), source.row, source.col))
            FAIL("seed " << seed << ": " << symbol(top.site) << " uses " << symbol(source.site) << "[" << source.row
                         << ", " << source.col << "]");
        if (sources.empty()) break;
        cell = sources[static_cast<std::size_t>(pick_below(random, static_cast<Index>(sources.size())))];
      }
    });
  }
}

TEST_CASE("links: without a mask the affected regions are no larger than what changes", "[core][links]") {
  const Document document = default_document();
  const auto before = evaluate(document);
  for (const Cell& cell : {Cell{{Quantity::X}, 3, 7}, Cell{{Quantity::W_Q}, 5, 21}, Cell{{Quantity::W_K}, 5, 21},
                           Cell{{Quantity::W_V}, 5, 21}, Cell{{Quantity::W_O}, 21, 5}}) {
    Mat<float> values = values_of(*before, cell.site);
    values(cell.row, cell.col) += 2;
    const auto after = evaluate(with_values(document, cell.site, std::move(values)));
    test::for_each_matrix(*before, [&](const Site& shown) {
      if (is_editable(shown) || shown.quantity == Quantity::embedding || shown.quantity == Quantity::positions) return;
      INFO(symbol(cell.site, true) << " in " << symbol(shown, true));
      const std::vector<Region> regions = linked(*before, cell, shown);
      if (cell.site.quantity == Quantity::X && shown.quantity == Quantity::scores)
        CHECK(regions == std::vector<Region>{{3, 4, 0, 12, Role::affected}, {0, 12, 3, 4, Role::affected}});
      else if (shown.quantity != Quantity::value_weighted)  // bounded by head, not by column
        CHECK(regions == changed_block(*before, *after, shown));
    });
  }
}

TEST_CASE("links: a number is itself in every matrix that holds it", "[core][links]") {
  const auto trace = evaluate(default_document());
  const auto self = [](Index row, Index col) { return std::vector<Region>{{row, row + 1, col, col + 1, Role::self}}; };
  CHECK(linked(*trace, {{Quantity::W_Q, 0, 2}, 3, 4}, {Quantity::W_Q}) == self(3, 20));
  CHECK(linked(*trace, {{Quantity::W_Q}, 3, 20}, {Quantity::W_Q, 0, 2}) == self(3, 4));
  CHECK(linked(*trace, {{Quantity::W_O}, 20, 3}, {Quantity::W_O, 0, 2}) == self(4, 3));
  CHECK(linked(*trace, {{Quantity::concat}, 7, 20}, {Quantity::output, 0, 2}) == self(7, 4));
  CHECK(linked(*trace, {{Quantity::output, 0, 2}, 7, 4}, {Quantity::concat}) == self(7, 20));
  CHECK(linked(*trace, {{Quantity::W_Q}, 3, 20}, {Quantity::W_Q, 0, 3}).empty());
}

TEST_CASE("links: a score comes from one row of Q and one of K", "[core][links]") {
  const auto trace = evaluate(default_document());
  const Cell score{{Quantity::scores, 0, 2}, 7, 1};
  CHECK(linked(*trace, score, {Quantity::Q, 0, 2}) == std::vector<Region>{{7, 8, 0, 8, Role::input}});
  CHECK(linked(*trace, score, {Quantity::K, 0, 2}) == std::vector<Region>{{1, 2, 0, 8, Role::input}});
  CHECK(linked(*trace, score, {Quantity::X}) ==
        std::vector<Region>{{7, 8, 0, 64, Role::input}, {1, 2, 0, 64, Role::input}});
  CHECK(linked(*trace, score, {Quantity::W_Q}) == std::vector<Region>{{0, 64, 16, 24, Role::input}});
  CHECK(linked(*trace, score, {Quantity::V, 0, 2}).empty());
  CHECK(linked(*trace, score, {Quantity::Q, 0, 3}).empty());
}

TEST_CASE("links: of a stream both terms are a cell, though the heads read all of the one", "[core][links]") {
  const auto trace = evaluate(hydra::apply(default_document(), SetSetting{LayerSetting::residual, 1}));
  const Cell sum{{Quantity::stream}, 2, 1};
  for (const Quantity term : {Quantity::X, Quantity::Y}) {
    const std::vector<Region> regions = linked(*trace, sum, {term});
    REQUIRE_FALSE(regions.empty());
    CHECK(regions.front() == Region{2, 3, 1, 2, Region::Role::input});
  }
}

TEST_CASE("links: a causal mask bounds what is linked", "[core][links]") {
  Document document = default_document();
  document.layers[0].mask.kind = Mask::Kind::causal;
  const auto trace = evaluate(document);
  CHECK(linked(*trace, {{Quantity::Y}, 4, 9}, {Quantity::X}) == std::vector<Region>{{0, 5, 0, 64, Role::input}});
  CHECK(linked(*trace, {{Quantity::X}, 4, 9}, {Quantity::Y}) == std::vector<Region>{{4, 12, 0, 64, Role::affected}});
  CHECK(linked(*trace, {{Quantity::scores, 0, 0}, 2, 5}, {Quantity::Q, 0, 0}).empty());
}

TEST_CASE("links: weights of exactly 0 read nothing of X", "[core][links]") {
  const Document xavier = default_document();
  const auto random = evaluate(xavier);
  const auto identity = evaluate(hydra::apply(xavier, SetWeightSource{Init::identity, 7}));
  const auto zero = evaluate(hydra::apply(xavier, SetWeightSource{Init::zero, 7}));
  const Site X{Quantity::X, 0, kNoHead};
  for (const Quantity quantity : {Quantity::Q, Quantity::K, Quantity::V}) {
    const Cell cell{{quantity, 0, 2}, 3, 5};
    const std::vector<Region> one = linked(*identity, cell, X);
    REQUIRE(one.size() == 1);
    CHECK(one[0] == Region{3, 4, 21, 22, Role::input});  // column 2 * 8 + 5
    CHECK(linked(*random, cell, X)[0] == Region{3, 4, 0, 64, Role::input});
    CHECK(linked(*zero, cell, X).empty());
  }
  // The weights themselves all count: X is not 0 there.
  CHECK(linked(*identity, {{Quantity::Q, 0, 2}, 3, 5}, {Quantity::W_Q, 0, 2})[0] == Region{0, 64, 5, 6, Role::input});
  // A score of a head under identity weights reads the head's slice.
  CHECK(linked(*identity, {{Quantity::scores, 0, 2}, 3, 5}, X)[0] == Region{3, 4, 16, 24, Role::input});
}
