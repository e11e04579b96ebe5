// The program says what is computed: carried out node by node in double it gives the trace's numbers.
#include "core/model/program.h"

#include <catch2/catch.hpp>
#include <map>

#include "core/attention/layer_gradient.h"
#include "core/document/evaluate.h"
#include "tests/core/analysis/random_documents.h"
#include "tests/support/models/double_stack.h"

using namespace hydra;

namespace {

// What the nodes of a layer make, of each head where it has heads.
std::vector<Site> made_in(const Trace& trace, int layer) {
  std::vector<Site> sites;
  for (const ProgramNode& node : layer_program(trace, layer).nodes) {
    if (node.result == Quantity::X) continue;  // of which entries may be set by hand
    if (!has_head(node.result)) sites.push_back({node.result, layer});
    for (int h = 0; has_head(node.result) && h < static_cast<int>(trace.layer(layer).input.heads); ++h)
      sites.push_back({node.result, layer, h});
  }
  return sites;
}

}  // namespace

TEST_CASE("program: carried out node by node it gives the trace's numbers", "[core][program]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto trace = evaluate(test::some_document(seed));
    for (int layer = 0; layer < static_cast<int>(trace->layers.size()); ++layer) {
      const LayerInput<double> input = in_double(trace->layer(layer).input);
      const LayerGradient walk(input, trace->block(layer).input->cast<double>());
      for (const Site& site : made_in(*trace, layer)) {
        const MatView<double> expected = walk.value(site.quantity, site.head);
        const Shape shape = shape_of(*trace, site);
        REQUIRE(expected.rows() == shape.rows);
        REQUIRE(expected.cols() == shape.cols);
        double size = 1;
        for (Index i = 0; i < shape.rows; ++i)
          for (Index j = 0; j < shape.cols; ++j)
            if (std::isfinite(expected(i, j))) size = std::max(size, std::abs(expected(i, j)));
        for (Index i = 0; i < shape.rows; ++i)
          for (Index j = 0; j < shape.cols; ++j) {
            const double ours = static_cast<double>(value_at(*trace, {site, i, j})), theirs = expected(i, j);
            // Scores of 1e4 are off by 1e-3 in floats, and so are the logarithms of the weights.
            const bool close = std::abs(ours - theirs) < 5e-3 * size;
            if (!(ours == theirs || close))
              FAIL("seed " << seed << ": " << spelled(Cell{site, i, j}) << " is " << ours << ", by the program "
                           << theirs);
          }
      }
    }
  }
}
