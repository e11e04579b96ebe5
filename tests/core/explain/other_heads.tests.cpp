// Whoever goes through a layer's program takes it as it stands: heads that no settings give are computed, recomputed,
// explained and linked like others.
#include <catch2/catch.hpp>

#include "core/attention/layer_gradient.h"
#include "core/linalg/same_bits.h"
#include "tests/core/explain/laws.h"
#include "tests/support/sanitized.h"

using namespace hydra;
using namespace hydra::test;

namespace {

using Op = Operation;

// With a gate for each head, whatever else is multiplied.
LayerSettings settings() {
  LayerSettings s;
  s.output_gate = OutputGate::head;
  return s;
}

ProgramNode times_gate(ProgramNode node) {
  node.gated = true;
  return node;
}

Nodes with_ends(const Nodes& between, Quantity leaving) {
  using enum Quantity;
  Nodes nodes{node(Q, Op::linear, X, W_Q, b_Q), node(K, Op::linear, X, W_K, b_K), node(V, Op::linear, X, W_V, b_V)};
  nodes.insert(nodes.end(), between.begin(), between.end());
  nodes.insert(nodes.end(), {times_gate(node(contribution, Op::linear, leaving, W_O)),
                             times_gate(node(concat, Op::join, leaving)), node(Y, Op::add, contribution, b_O)});
  return nodes;
}

// A stage between scores and softmax.
Nodes with_later_scores() {
  using enum Quantity;
  return with_ends({node(own_scores, Op::scores, Q, K), node(scores, Op::add, own_scores, own_scores),
                    node(attention, Op::softmax, scores), node(output, Op::mix, attention, V),
                    node(head_gates, Op::open, X, w_G), node(gated_output, Op::multiply, output, head_gates)},
                   gated_output);
}
// Products of weights, and of what a head gives with another matrix of its own; two stages between weights.
Nodes with_powers() {
  using enum Quantity;
  return with_ends({node(scores, Op::scores, Q, K), node(own_attention, Op::softmax, scores),
                    node(attention_2, Op::multiply, own_attention, own_attention),
                    node(attention, Op::multiply, attention_2, own_attention), node(output, Op::mix, attention, V),
                    node(head_gates, Op::open, X, w_G), node(gated_output, Op::multiply, output, V)},
                   gated_output);
}
// Products before the scores, scores that are read twice, and a product of a product.
Nodes with_two_patterns() {
  using enum Quantity;
  return with_ends({node(normed_Q, Op::multiply, Q, Q), node(normed_K, Op::multiply, K, V),
                    node(scores, Op::scores, normed_Q, normed_K), node(scores_2, Op::add, scores, scores),
                    node(own_attention, Op::softmax, scores_2), node(attention_2, Op::softmax, scores),
                    node(attention, Op::multiply, own_attention, attention_2), node(output, Op::mix, attention, V),
                    node(head_gates, Op::open, X, w_G), node(normed_output, Op::multiply, output, head_gates),
                    node(gated_output, Op::multiply, normed_output, Q)},
                   gated_output);
}

constexpr Nodes (*kOthers[])() = {with_later_scores, with_powers, with_two_patterns};

// Of a layer with those settings, and of one with others after it.
Document document(std::uint64_t seed) {
  Document document = random_document(seed);
  Layer& layer = document.layers.front();
  layer.settings = settings();
  layer.weights = initial_weights(layer.widths(document.d_model), Init::xavier, seed);
  fit_parameters(layer, document.d_model);
  return document;
}

template <class Check>
void for_documents(const Check& check) {
  for (std::size_t k = 0; k < std::size(kOthers); ++k)
    for (std::uint64_t seed = 0; seed < (kSanitized ? 4 : 24); ++seed) {
      CAPTURE(k, seed);
      const Document made = document(seed);
      const OtherHeads heads(made.layers.front().settings, kOthers[k]());
      check(made, seed);
    }
}

}  // namespace

TEST_CASE("other heads: every number adds up", "[core][program][explain]") {
  for_documents([](const Document& document, std::uint64_t) {
    const auto trace = evaluate(document);
    for_each_matrix(*trace, [&](const Site& site) {
      const Shape shape = shape_of(*trace, site);
      for (Index row = 0; row < shape.rows; ++row)
        for (Index col = 0; col < shape.cols; ++col) check_adds_up(*trace, explain(*trace, {site, row, col}));
    });
  });
}

TEST_CASE("other heads: links tell what a number depends on, and formulas what it is made of",
          "[core][program][links]") {
  for_documents([](const Document& document, std::uint64_t seed) {
    check_affected(document, seed);
    check_inputs(document, seed);
    const auto trace = evaluate(document);
    for (const ProgramNode& node : layer_program(*trace, 0).heads) {
      const Site site{node.result, 0, has_head(node.result) ? 0 : kNoHead};
      if (node.operation != Op::multiply && node.operation != Op::add) continue;
      CHECK(formula(*trace, site).find(node.result == Quantity::Y ? "W_O" : entry_of(node.reads()[1]).letter) !=
            std::string::npos);
    }
  });
}

TEST_CASE("other heads: what is not kept is recomputed to the bits of what is", "[core][program][recompute]") {
  for (const auto& others : kOthers) {
    for (const Index n : {Index{3}, Index{70}, Index{150}}) {
      Document made = document(7);
      made.tokens = std::vector<std::string>(static_cast<std::size_t>(n), "t");
      made.layers.front().mask = {Mask::Kind::causal, nullptr};
      made.layers.front().painted.clear();
      const OtherHeads heads(made.layers.front().settings, others());
      LayerInput<float> input = evaluate(made)->layer(0).input;
      const LayerTrace<float> all = forward(input);
      input.keep_all = false;
      ThreadPool pool(3);
      const LayerTrace<float> less = forward<float>(input, nullptr, &pool);
      REQUIRE(same_bits<float>(less.output, all.output));
      REQUIRE(same_bits<float>(less.concat, all.concat));
      for (const ProgramNode& node : heads.program().heads)
        for (std::size_t h = 0; is_head_stage(node.result) && h < all.heads.size(); ++h) {
          CAPTURE(n, h, entry_of(node.result).key);
          const bool kept = entry_of(node.result).kind != QuantityRow::Kind::recomputed;
          const auto head = static_cast<Index>(h);
          REQUIRE(bool(less.heads[h][node.result]) == kept);
          REQUIRE(same_bits<float>(kept                                    ? less.heads[h][node.result]
                                   : node.result == Quantity::contribution ? contribution_of(less, head)
                                                                           : pattern_of(less, node.result, head),
                                   all.heads[h][node.result]));
        }
    }
  }
}

TEST_CASE("other heads: the gradient's values are the trace's, and its derivatives differences",
          "[core][program][gradient]") {
  for_documents([](const Document& document, std::uint64_t seed) {
    const LayerInput<double> input = in_double(evaluate(document)->layer(0).input);
    const Mat<double> stream = evaluate(document)->layer(0).input.X->cast<double>();
    LayerInput<double> whole = input;
    whole.X = share(Mat<double>(stream));
    const LayerTrace<double> trace = forward(whole);
    LayerGradient layer(input, stream);
    for (const ProgramNode& node : program_of(input.settings).heads)
      for (int h = 0; is_head_stage(node.result) && h < static_cast<int>(input.heads); ++h)
        for (Index k = 0; k < layer.value(node.result, h).size(); ++k) {
          const double made = layer.value(node.result, h).data()[k],
                       kept = trace.heads[static_cast<std::size_t>(h)][node.result]->data()[k];
          CAPTURE(entry_of(node.result).key);
          REQUIRE((made == kept || std::abs(made - kept) <= 1e-9 * std::max(1.0, std::abs(kept))));
        }
    Random random(seed);
    const auto drawn = [&](Index rows, Index cols) {
      Mat<double> values(rows, cols);
      for (Index k = 0; k < values.size(); ++k) values.data()[k] = random.uniform(-1, 1);
      return values;
    };
    const Mat<double> by = drawn(stream.rows(), stream.cols()), step = drawn(stream.rows(), stream.cols());
    layer.back(layer.leaves(), by);
    const auto at = [&](double size) {
      const LayerGradient moved(input, stream + size * step);
      return moved.value(moved.leaves()).cwiseProduct(by).sum();
    };
    const double difference = (at(1e-6) - at(-1e-6)) / 2e-6, derived = layer.grad(Quantity::X).cwiseProduct(step).sum();
    CHECK(derived == Approx(difference).epsilon(1e-4).margin(1e-5));
  });
}

TEST_CASE("other heads: what no operation can read is told", "[core][program]") {
  using enum Quantity;
  const auto fault = [](const Nodes& heads) { return fault_of(OtherHeads(settings(), heads).program()); };
  for (const auto& others : kOthers) CHECK(fault(others()).empty());
  const auto with = [&](const Nodes& between) { return fault(with_ends(between, output)); };
  const ProgramNode made = node(scores, Op::scores, Q, K), weights = node(attention, Op::softmax, scores),
                    mixed = node(output, Op::mix, attention, V), gates = node(head_gates, Op::open, X, w_G);
  CHECK(with({made, weights, mixed}).empty());
  CHECK(with({made, weights, node(normed_K, Op::multiply, V, V), node(output, Op::mix, attention, normed_K)}) ==
        "normed_K is read by all rows, and stands after the first scores");
  CHECK(with({node(scores_2, Op::multiply, Q, Q), made, weights, node(output, Op::mix, attention, scores_2)}) ==
        "scores_2 is not kept, and stands before the scores");
  CHECK(with({node(normed_Q, Op::multiply, Q, Q), node(normed_K, Op::linear, X, W_K), made, weights, mixed}) ==
        "normed_K is a projection, and stands after what is none");
  CHECK(with({node(normed_Q, Op::multiply, Q, head_gates), made, weights, mixed, gates}) ==
        "head_gates is read by what stands before the scores");
}
