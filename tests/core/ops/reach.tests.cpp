// What a block reads and what it reaches are two sides of one thing, of every node of the program.
#include "core/ops/reach.h"

#include <catch2/catch.hpp>
#include <set>

#include "tests/support/models/layers.h"

using namespace hydra;
using namespace hydra::test;

namespace {

constexpr Index kTokens = 5, kModel = 6, kHead = 4, kHidden = 4, kHeads = 2, kWords = 7, kPlaces = 6, kTypes = 2,
                kNextWords = 6;
const Index kReach = LayerSettings().offset_reach;
// Of each token in a table of words; one has none.
const IndexLists kRowsOfWords{{3}, {0}, {}, {6, 5}, {2, 1, 2}};
const IndexLists kRowsOfTypes{{0}, {0}, {0}, {1}, {1}};

// Every list of nodes that settings can give, or nearly: all switches, norms in every place.
std::vector<LayerProgram> programs() {
  std::vector<LayerProgram> all;
  for (int bits = 0; bits < 1024; ++bits) {
    const auto on = [&](int bit) { return (bits >> bit & 1) != 0; };
    LayerSettings s;
    s.residual = on(0);
    s.norm = on(1);
    if (s.norm) s.norm_place = static_cast<NormPlace>((on(2) ? 1 : 0) + (on(9) ? 2 : 0));
    if (s.norm && on(3)) s.norm_kind = NormKind::rms;
    s.feed_forward = on(4);
    s.gated = s.feed_forward && on(5);
    s.parallel = s.feed_forward && on(6) && !norms_after(s);
    s.norm_shared = s.parallel && norms_before(s) && on(3);
    s.rotary = on(7);
    s.qk_norm = on(8);
    s.sink = on(9) ? SinkKind::learned : SinkKind::none;
    s.output_gate = static_cast<OutputGate>(bits / 128 % 3);
    s.talking_heads = static_cast<TalkingHeads>(bits / 64 % 4);
    s.differential = s.talking_heads == TalkingHeads::none && on(5);
    s.dropout = on(2) ? 0.5 : 0;
    s.offset_bias = on(6);
    s.offset_reach = kReach;
    all.push_back(program_of(s));
  }
  return all;
}

// And of the model: words in, words out.
std::vector<ModelProgram> model_programs() {
  std::vector<ModelProgram> all;
  for (int bits = 0; bits < 256; ++bits) {
    const auto on = [&](int bit) { return (bits >> bit & 1) != 0; };
    ModelSettings s;
    s.final_norm = on(0);
    if (s.final_norm && on(1)) s.final_norm_kind = NormKind::rms;
    s.types = on(4) ? kTypes : 0;
    s.embedding_norm = on(5);
    if (s.embedding_norm && on(6)) s.embedding_norm_kind = NormKind::rms;
    s.transform = on(7);
    for (const ReadoutKind kind : {ReadoutKind::none, ReadoutKind::tied, ReadoutKind::own}) {
      s.readout = kind;
      all.push_back(program_of(s, {on(2) || kind == ReadoutKind::tied, on(3)}));
    }
  }
  return all;
}

Block whole(Quantity quantity) {
  const auto range = [](Axis axis) -> Range {
    return {0, axis == Axis::token        ? kTokens
               : axis == Axis::model_dim  ? kModel
               : axis == Axis::head_dim   ? kHead
               : axis == Axis::half_dim   ? kHead / 2
               : axis == Axis::hidden_dim ? kHidden
               : axis == Axis::heads      ? kHeads
               : axis == Axis::offset     ? 2 * kReach + 1
               : axis == Axis::word       ? kWords
               : axis == Axis::place      ? kPlaces
               : axis == Axis::type       ? kTypes
               : axis == Axis::next_word  ? kNextWords
                                          : 1};
  };
  const QuantityRow& row = entry_of(quantity);
  return {range(row.rows), range(row.cols)};
}

bool is_pair(Quantity quantity) {
  return entry_of(quantity).rows == Axis::token && entry_of(quantity).cols == Axis::token;
}

template <class Visit>
void for_each_cell(const Block& block, const Visit& visit) {
  for (Index i = block.rows.first; i < block.rows.last; ++i)
    for (Index j = block.cols.first; j < block.cols.last; ++j) visit(Block{just(i), just(j)});
}

// Of the k-th operand.
void check_both_sides(const ProgramNode& node, std::size_t k, const Mask& mask, const LayerSettings& settings,
                      Index questions = 1) {
  const Quantity operand = node.reads()[k];
  Reaching at{mask, kTokens, whole(operand), whole(node.result), settings, {0, kHeads}};
  if (operand == Quantity::E) at.rows = &kRowsOfWords;
  if (operand == Quantity::T) at.rows = &kRowsOfTypes;
  at.over_words = node.result == Quantity::probabilities;
  at.half = node.half;
  at.column_of_head = has_column_of_head(node, operand);
  at.parts = at.over_words ? questions : norm_parts_of(node, settings);
  const bool diagonals = node.operation == Operation::scores && k == 2;  // those of an offset are no block
  for_each_cell(whole(node.result), [&](const Block& result) {
    if (is_pair(node.result) && !mask.allows(result.rows.first, result.cols.first)) return;  // reads nothing
    const Block read = reads(at, node.operation, k, result);
    CHECK(whole(operand).contains(read));
    for_each_cell(whole(operand), [&](const Block& number) {
      if (is_pair(operand) && !mask.allows(number.rows.first, number.cols.first)) return;
      const Block reached = reaches(at, node.operation, k, number);
      if (diagonals ? read.contains(number) && !reached.contains(result)
                    : read.contains(number) != reached.contains(result))
        FAIL(entry_of(node.result).key << " and " << entry_of(operand).key << ": " << result.rows.first << ", "
                                       << result.cols.first << " and " << number.rows.first << ", "
                                       << number.cols.first);
    });
  });
}

}  // namespace

TEST_CASE("program: every node's operands are made before it, or come from outside", "[core][program]") {
  std::set<Quantity> made_by_some;
  for (const LayerProgram& program : programs()) {
    std::set<Quantity> made;
    for (const ProgramNode& node : program.nodes) {
      for (const Quantity operand : node.reads()) {
        const bool from_outside =
            is_parameter(operand) || operand == Quantity::embedding || operand == Quantity::positions;
        CAPTURE(entry_of(node.result).key, entry_of(operand).key);
        if (!from_outside) REQUIRE(made.contains(operand));
        if (is_parameter(operand)) REQUIRE(program.has(operand));
      }
      REQUIRE(made.insert(node.result).second);
    }
    REQUIRE(made.contains(program.read));
    REQUIRE(made.contains(program.leaves));
    REQUIRE(program.node_of(Quantity::Q).reads()[0] == program.read);
    made_by_some.insert(made.begin(), made.end());
  }
  for (const ModelProgram& program : model_programs()) {
    std::set<Quantity> made;
    for (const ProgramNode& node : program.nodes) {
      for (const Quantity operand : node.reads()) {
        CAPTURE(entry_of(node.result).key, entry_of(operand).key);
        const bool from_outside =
            operand == Quantity::stream || operand == Quantity::embedding || operand == Quantity::positions;
        if (!is_parameter(operand) && !from_outside) REQUIRE(made.contains(operand));
        if (is_parameter(operand)) REQUIRE(program.has(operand));
      }
      REQUIRE(made.insert(node.result).second);
    }
    made_by_some.insert(made.begin(), made.end());
  }
  for (int q = 0; q < kQuantities; ++q) {  // whatever is computed is made by a node
    const auto quantity = static_cast<Quantity>(q);
    const QuantityRow::Kind kind = entry_of(quantity).kind;
    const bool computed = is_computed(quantity) || is_asked(quantity);
    CAPTURE(entry_of(quantity).key);
    const bool input = kind == QuantityRow::Kind::input;  // X, and where there are tables the words and positions
    CHECK((computed || input) == made_by_some.contains(quantity));
  }
}

TEST_CASE("program: what a layer has follows from its settings", "[core][program]") {
  const LayerProgram& plain = program_of({});
  CHECK(plain.leaves == Quantity::Y);
  CHECK(plain.before.empty());
  CHECK(plain.after.empty());
  LayerSettings s;
  s.residual = s.norm = s.feed_forward = true;
  const auto results = [](std::span<const ProgramNode> nodes) {
    std::vector<std::string> keys;
    for (const ProgramNode& node : nodes) keys.push_back(entry_of(node.result).key);
    return keys;
  };
  using Keys = std::vector<std::string>;
  CHECK(results(program_of(s).before) == Keys{"norm_1"});
  CHECK(results(program_of(s).after) == Keys{"stream_1", "norm_2", "inner", "hidden", "feed_forward", "stream"});
  s.norm_place = NormPlace::after;
  CHECK(program_of(s).before.empty());
  CHECK(results(program_of(s).after) ==
        Keys{"sum_1", "stream_1", "inner", "hidden", "feed_forward", "sum_2", "stream"});
  s.norm_place = NormPlace::both;
  CHECK(results(program_of(s).before) == Keys{"norm_1"});
  CHECK(results(program_of(s).after) ==
        Keys{"normed_Y", "stream_1", "norm_2", "inner", "hidden", "feed_forward", "normed_F", "stream"});
  s.norm_place = NormPlace::output;
  CHECK(program_of(s).before.empty());
  CHECK(results(program_of(s).after) ==
        Keys{"normed_Y", "stream_1", "inner", "hidden", "feed_forward", "normed_F", "stream"});
  s.parallel = true;
  CHECK(results(program_of(s).after) == Keys{"normed_Y", "inner", "hidden", "feed_forward", "normed_F", "stream"});
  s.norm_place = NormPlace::before;
  s.norm_shared = s.gated = true;
  CHECK(results(program_of(s).after) == Keys{"inner", "inner_gate", "hidden", "feed_forward", "stream"});
  CHECK(program_of(s).node_of(Quantity::inner).reads()[0] == Quantity::norm_1);
}

TEST_CASE("reach: a number reads another where that one reaches it, and nowhere else", "[core][program]") {
  std::vector<ProgramNode> nodes;
  for (const LayerProgram& program : programs())
    for (const ProgramNode& node : program.nodes)
      if (std::ranges::none_of(nodes, [&](const ProgramNode& known) {
            return known.result == node.result && std::ranges::equal(known.reads(), node.reads()) &&
                   known.half == node.half;
          }))
        nodes.push_back(node);
  for (const ModelProgram& program : model_programs())
    for (const ProgramNode& node : program.nodes)
      if (std::ranges::none_of(nodes, [&](const ProgramNode& known) {
            return known.result == node.result && known.operation == node.operation;
          }))
        nodes.push_back(node);
  for (const Mask& mask : {Mask(), causal_mask(), Mask{Mask::Kind::causal, nullptr, 2}})
    for (const RotaryPairs pairs : {RotaryPairs::halves, RotaryPairs::neighbours})
      for (const bool differential : {false, true}) {
        LayerSettings settings;
        settings.rotary_pairs = pairs;
        settings.differential = differential;  // queries and keys are normalised and rotated half by half
        for (const ProgramNode& node : nodes) {
          const bool of_head = std::ranges::count(node.reads(), Quantity::head_gates) > 0;
          settings.output_gate = of_head ? OutputGate::head : OutputGate::element;
          for (std::size_t k = 0; k < node.reads().size(); ++k)
            for (const Index questions : {1, 2, 3}) {
              check_both_sides(node, k, mask, settings, questions);
              if (node.result != Quantity::probabilities) break;
            }
        }
      }
}

TEST_CASE("reach: of a custom mask the keys are those from the first to the last", "[core][program]") {
  Mat<std::uint8_t> allowed = Mat<std::uint8_t>::Zero(4, 4);
  allowed(1, 0) = allowed(1, 2) = allowed(3, 3) = 1;
  const Mask mask{Mask::Kind::custom, share(std::move(allowed))};
  CHECK(keys_of(mask, just(0), 4).empty());
  CHECK(keys_of(mask, just(1), 4).last == 3);
  CHECK(keys_of(mask, {0, 4}, 4).count() == 4);
  CHECK(queries_of(mask, just(2), 4).first == 1);
  CHECK(queries_of(mask, just(1), 4).empty());
}
