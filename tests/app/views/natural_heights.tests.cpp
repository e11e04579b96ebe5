// The natural heights of all layouts, over many rooms: given that height nothing scrolls or is left out, as far as the
// width allows it; given a tenth less something does, or is smaller than it should be.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "app/views/design/design_layout.h"
#include "app/views/flow/flow_layout.h"
#include "app/views/heads/heads_layout.h"
#include "app/views/learn/learn_layout.h"
#include "app/views/likeness/likeness_layout.h"
#include "app/views/mixing/mixing_layout.h"
#include "app/views/roles/roles_layout.h"
#include "app/views/stream/circuit_layout.h"
#include "app/views/stream/stream_layout.h"
#include "app/views/tradeoff/tradeoff_layout.h"
#include "app/views/tradeoff/trained/trained_layout.h"
#include "app/widgets/arrange.h"
#include "app/widgets/plot/label_steps.h"

using namespace hydra;

namespace {

template <class Input>
Input in_room(float width, float text) {
  Input in{};
  in.pos = {200, 100};
  in.size = {width, 300};
  in.text = text;
  in.small = 0.83f * text;
  in.unit = 0.27f * text;
  in.scrollbar = 0.8f * text;
  return in;
}

// missing(in): how much is left out, scrolls or is too small.
template <class Input, class Missing>
void check(Input in, float height, const Missing& missing) {
  CAPTURE(in.size.x, in.text, height);
  const auto at = [&](float high) {
    in.size.y = high;
    return missing(in);
  };
  REQUIRE(std::isfinite(height));
  REQUIRE(height >= 1);
  REQUIRE(height < real(kTallestLayout));
  const float least = at(real(kTallestLayout));
  CHECK(at(height) == least);
  CHECK((height < 10 || at(std::floor(0.9f * height)) > least));
}

template <class Task>
void for_rooms(const Task& task) {
  for (const float text : {15.0f, 22.0f})
    for (const float width : {560.0f, 736.0f, 965.0f, 1290.0f, 1880.0f}) task(width, text);
}

float count(std::initializer_list<bool> all) { return real(std::ranges::count(all, true)); }

}  // namespace

TEST_CASE("natural height: Flow", "[views][natural_height]") {
  for_rooms([](float width, float text) {
    for (const float n : {1.0f, 5.0f, 12.0f, 40.0f})
      for (const bool presentation : {false, true})
        for (const bool more : {false, true}) {
          auto in = in_room<FlowInput>(width, text);
          in.n = n, in.d_model = 64, in.d_k = 8, in.heads = 8;
          in.label_width = 4 * text, in.title = 1.4f * text, in.formula = 5 * text, in.large = 1.4f * text;
          in.presentation = presentation;
          if (more) in.stages = {{Quantity::X, "", {}}, {Quantity::Y, "heads", {}}, {Quantity::logits, "a", {}}};
          CAPTURE(n, presentation, more);
          FlowInput tall = in;
          tall.size.y = kTallestLayout;
          const float most = flow_layout(tall).of(FlowRow::Kind::head, Quantity::attention).size.y;
          check(in, height_of(in), [&](const FlowInput& one) {
            const FlowLayout at = flow_layout(one);
            const float side = at.of(FlowRow::Kind::head, Quantity::attention).size.y + one.unit;
            const float bottom = at.of(FlowRow::Kind::mixing, Quantity::Y).bottom() + one.small;
            return count({at.parted, !at.has(FlowRow::Kind::mixing), bottom > one.bottom() + 1}) +
                   std::max(0.0f, 1 - side / std::min(most, one.n * kLeastStep)) +
                   std::max(0.0f, 1 - at.row(FlowRow::Kind::strip)->box.size.y / (5 * one.small));
          });
          if (!more) continue;
          in.around = true;
          check(in, height_of(in), [](const FlowInput& one) {
            return std::max(0.0f, 5 * one.small - flow_layout(one).rows.front().places.front().box.size.y);
          });
        }
  });
}

TEST_CASE("natural height: Heads", "[views][natural_height]") {
  for_rooms([](float width, float text) {
    for (const int heads : {1, 8, 12, 96})
      for (const int tokens : {2, 12, 64}) {
        auto in = in_room<HeadsInput>(width, text);
        in.heads = heads, in.tokens = tokens, in.longest = 4 * text;
        CAPTURE(heads, tokens);
        check(in, height_of(in), [](const HeadsInput& one) {
          const HeadsLayout at = heads_layout(one);
          const float n = real(one.tokens);
          return count({at.grid_content > at.grid_size.y + 1, !at.arcs_shown, n * at.arcs_row > at.arcs_size.y + 1}) +
                 std::max(0.0f, 1 - at.side / (n * kLeastStep));
        });
      }
  });
}

TEST_CASE("natural height: Design", "[views][natural_height]") {
  for_rooms([](float width, float text) {
    for (const int columns : {0, 8, 40})
      for (const int tokens : {2, 12, 40}) {
        auto in = in_room<DesignInput>(width, text);
        in.columns = columns, in.tokens = tokens, in.longest = 6 * text, in.longest_token = 4 * text;
        in.instead = columns ? 0 : 3 * text;
        CAPTURE(columns, tokens);
        check(in, height_of(in), [](const DesignInput& one) {
          const DesignLayout at = design_layout(one);
          return count({at.pattern.side <= 0}) + std::max(0.0f, real(one.columns) * kLeastStep - at.forms[0].side) +
                 std::max(0.0f, real(one.tokens) * kLeastStep - at.pattern.side);
        });
      }
  });
}

TEST_CASE("natural height: Learn", "[views][natural_height]") {
  for_rooms([](float width, float text) {
    for (const int branches : {1, 3, 12}) {
      auto in = in_room<LearnInput>(width, text);
      in.branches = branches;
      CAPTURE(branches);
      check(in, height_of(in), [](const LearnInput& one) {
        const LearnLayout at = learn_layout(one);
        const float curves = std::max(at.loss.bottom(), at.accuracy.bottom()) - one.pos.y;
        return count({at.heads.size.y <= 0, at.shown_branches < one.branches, curves < 18 * one.small});
      });
    }
  });
}

TEST_CASE("natural height: Likeness", "[views][natural_height]") {
  for_rooms([](float width, float text) {
    for (const int heads : {2, 8, 12, 64})
      for (const int tokens : {0, 8, 40}) {
        auto in = in_room<LikenessInput>(width, text);
        in.heads = heads, in.tokens = std::max(1, tokens), in.compared = tokens > 0;
        in.longest = 4 * text, in.number = text, in.tools = 9 * text;
        CAPTURE(heads, tokens);
        check(in, height_of(in), [](const LikenessInput& one) {
          const LikenessLayout at = likeness_layout(one);
          const LikenessComparison& pair = at.comparison;
          const bool unread = one.compared && (pair.row_labels == 0 || pair.side < real(one.tokens) * kLeastStep);
          return count({at.alone, !at.map_shown, !at.tools_shown, unread}) +
                 std::max(0.0f, 1 - at.side / (7 * one.text)) + std::max(0.0f, 1 - at.map_side / (7 * one.text));
        });
      }
  });
}

TEST_CASE("natural height: Mixing", "[views][natural_height]") {
  for_rooms([](float width, float text) {
    for (const int heads : {1, 8, 12, 96})
      for (const int tokens : {1, 12, 64}) {
        auto in = in_room<MixingInput>(width, text);
        in.heads = heads, in.concat = in.d_model = 8 * heads, in.tokens = tokens;
        in.label_width = 4 * text, in.number_width = 2.2f * text, in.number = 0.73f * text;
        CAPTURE(heads, tokens);
        check(in, height_of_output(in), [](const MixingInput& one) {
          const OutputPage at = output_page(one);
          return count({at.strip_content > at.strip.size.y + 0.5f, !at.numbered}) +
                 std::max(0.0f, 1 - at.part.y / (2 * one.text));
        });
        check(in, height_of_shares(in), [](MixingInput one) {
          one.low = is_low(one.size, one.text);
          const SharesPage at = shares_page(one);
          return count({one.low, at.table_content > at.table.size.y + 1, at.bars_content > at.bars.size.y + 1});
        });
      }
  });
}

TEST_CASE("natural height: Roles", "[views][natural_height]") {
  for_rooms([](float width, float text) {
    for (const int heads : {1, 8, 96})
      for (const bool one_band : {false, true}) {
        auto in = in_room<RolesInput>(width, text);
        in.heads = heads, in.one_band = one_band, in.label = 120, in.longest = 300;
        in.groups = {46, 184, 346, 230, 322};
        CAPTURE(heads, one_band);
        check(in, height_of(in), [](const RolesInput& one) {
          const RolesLayout at = roles_layout(one);
          const float bottom = at.bands.back().top + at.bands.back().header + real(one.heads) * at.row;
          return count({bottom + (at.sideways ? one.scrollbar : 0) > one.size.y, at.scrolls && !at.sideways});
        });
      }
  });
}

TEST_CASE("natural height: Stream", "[views][natural_height]") {
  for_rooms([](float width, float text) {
    for (const int layers : {1, 4, 24})
      for (const int lines : {3, 20, 100})
        for (const bool features : {false, true}) {
          auto in = in_room<StreamInput>(width, text);
          in.tokens = 12, in.layers = layers, in.lines = lines, in.features = features;
          in.word = in.next_word = 5 * text, in.name = 7 * text, in.number = 3 * text;
          CAPTURE(layers, lines, features);
          check(in, height_of(in), [](const StreamInput& one) {
            const StreamLayout at = stream_layout(one);
            return count({at.line * real(one.lines) > at.ladder.size.y + 1, at.cell.y <= at.strip}) +
                   (400 - at.words - at.next);
          });
          auto circuit = in_room<CircuitInput>(width, text);
          circuit.layers = layers, circuit.heads = 8, circuit.lines = lines, circuit.column = 6 * text;
          check(circuit, height_of(circuit), [](const CircuitInput& one) {
            const CircuitLayout at = circuit_layout(one);
            return std::max(0.0f, one.small - at.node.y) + real(8 - at.listed) + real(int{at.side <= 0});
          });
        }
  });
}

TEST_CASE("natural height: Trade-off", "[views][natural_height]") {
  for_rooms([](float width, float text) {
    auto columns = in_room<TradeoffInput>(width, text);
    columns.heads = {1, 2, 4, 8}, columns.label = 6 * text, columns.large = 1.4f * text;
    check(columns, height_of(columns), [](const TradeoffInput& one) {
      const TradeoffLayout at = tradeoff_layout(one);
      return count({at.bottom > one.bottom() + 1, at.patterns_height < 2.8f * one.text});
    });
    auto product = in_room<ProductInput>(width, text);
    product.heads = 8, product.d_model = product.concat = 64;
    check(product, height_of(product),
          [](const ProductInput& one) { return count({product_layout(one).bottom > one.bottom() + 1}); });
    for (const float key : {0.0f, 20.0f})
      check(product, timing_height(width, text, product.unit, key), [&](const ProductInput& one) {
        return count({timing_layout(one.pos, one.size, text, one.unit, key).bottom > one.bottom() + 1});
      });
    for (const int tokens : {2, 12, 64}) {
      auto tiles = in_room<TilesInput>(width, text);
      tiles.tokens = tokens;
      check(tiles, height_of(tiles), [](const TilesInput& one) {
        const TilesLayout at = tiles_layout(one);
        return count({!at.scale}) + std::max(0.0f, kLeastStep - at.cell);
      });
    }
    auto trained = in_room<TrainedInput>(width, text);
    trained.rates = true;
    check(trained, height_of(trained), [](const TrainedInput& one) {
      const TrainedLayout at = trained_layout(one);
      return count({!at.captions, at.bottom > one.bottom() + 1});
    });
  });
}
