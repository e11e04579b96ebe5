// The program says what is computed: carried out node by node in double it gives the trace's numbers.
#include "core/model/program.h"

#include <catch2/catch.hpp>
#include <map>

#include "core/document/evaluate.h"
#include "core/ops/activate.h"
#include "core/ops/gate.h"
#include "core/ops/linear.h"
#include "core/ops/mix.h"
#include "core/ops/norm.h"
#include "core/ops/painted.h"
#include "core/ops/rotate.h"
#include "core/ops/scale.h"
#include "core/ops/scores.h"
#include "core/ops/softmax.h"
#include "tests/core/analysis/random_documents.h"

using namespace hydra;

namespace {

using D = Mat<double>;

// Nothing but the list of nodes and the operations; each head on its own.
class Plain {
 public:
  Plain(const Trace& trace, int layer) : trace_(trace), layer_(layer), input_(trace.layer(layer).input) {
    for (const ProgramNode& node : program_at(trace, {Quantity::X, layer}).nodes) {
      if (node.result == Quantity::X) continue;  // of which entries may be set by hand
      if (!has_head(node.result))
        made_[{node.result, kNoHead}] = of_layer(node);
      else
        for (int h = 0; h < static_cast<int>(input_.heads); ++h) made_[{node.result, h}] = of_head(node, h);
    }
  }
  const std::map<std::pair<Quantity, int>, D>& made() const { return made_; }

 private:
  D value(Quantity quantity, int head) const {
    if (const auto found = made_.find({quantity, has_head(quantity) ? head : kNoHead}); found != made_.end())
      return found->second;
    const Site site{quantity, layer_, may_have_head(quantity) ? head : kNoHead};
    return exists(trace_, site) ? D(values_of(trace_, site).cast<double>()) : D();
  }
  double gate(int head) const { return static_cast<double>(input_.gate(head)); }

  D of_head(const ProgramNode& node, int head) const {
    const D a = value(node.reads()[0], head), b = node.reads().size() > 1 ? value(node.reads()[1], head) : D();
    const PaintedHead<float>* by_hand = painted_head(input_.painted, head);
    const auto set = [&](D& values, const std::vector<PaintedRow<float>>& rows) {
      for (const PaintedRow<float>& row : rows) values.row(row.row) = row.values->row(0).cast<double>();
    };
    switch (node.operation) {
      case Operation::linear: {
        D Y(a.rows(), b.cols());
        linear::forward<double>(a, b, node.reads().size() > 2 ? value(node.reads()[2], head) : D(), Y);
        if (node.result == Quantity::V && by_hand) set(Y, by_hand->values);
        if (node.result == Quantity::contribution) scale::forward<double>(Y, gate(head), Y);
        return Y;
      }
      case Operation::outer:
        return a * b.transpose();
      case Operation::scores: {
        D S(a.rows(), b.rows());
        scores::forward<double>(a, b,
                                {static_cast<double>(input_.score_factor()), input_.settings.soft_cap,
                                 input_.settings.alibi ? scores::slope_of(head, input_.heads) : 0},
                                input_.mask, 0, S);
        return S;
      }
      case Operation::softmax: {
        D A(a.rows(), a.cols());
        softmax::forward<double>(a, A, input_.sink(head));
        if (by_hand) set(A, by_hand->attention);
        return A;
      }
      case Operation::norm: {
        D Y(a.rows(), a.cols());
        norm::forward<double>(a, b, D(), NormKind::rms, input_.settings.norm_epsilon, Y);
        return Y;
      }
      case Operation::rotate: {
        D Y(a.rows(), a.cols());
        rotate::forward<double>(a, rotate::rotation_of(input_.settings, a.cols()), 0, Y);
        return Y;
      }
      case Operation::open: {
        D G(a.rows(), b.cols());
        gate::open<double>(a, b, G);
        return G;
      }
      case Operation::multiply: {
        D Y(a.rows(), a.cols());
        gate::forward<double>(a, has_head(node.reads()[1]) ? b : D(b.col(head)), Y);
        return Y;
      }
      case Operation::mix: {
        D O(a.rows(), b.cols());
        mix::forward<double>(a, b, O);
        return O;
      }
      case Operation::weigh: {
        const Eigen::VectorXd carried = (b * value(node.reads()[2], head)).rowwise().norm();
        return gate(head) * (a.array().rowwise() * carried.transpose().array()).matrix();
      }
      default:
        FAIL("no operation of a head");
        return {};
    }
  }

  D of_layer(const ProgramNode& node) const {
    const Quantity first = node.reads()[0];
    if (node.operation == Operation::join) {
      D C(input_.n(), input_.d_model());
      for (int h = 0; h < static_cast<int>(input_.heads); ++h)
        C.middleCols(h * input_.d_k(), input_.d_k()) = gate(h) * value(first, h);
      return C;
    }
    if (!has_head(first)) return around_heads(node);
    D sum = value(first, 0);
    for (int h = 1; h < static_cast<int>(input_.heads); ++h) sum += value(first, h);
    if (node.operation == Operation::mean) return sum / static_cast<double>(input_.heads);
    REQUIRE(node.operation == Operation::add);
    const D b = value(node.reads()[1], kNoHead);
    if (b.size() > 0) sum.rowwise() += b.row(0);
    return sum;
  }

  D around_heads(const ProgramNode& node) const {
    const auto operand = [&](std::size_t k) { return k < node.reads().size() ? value(node.reads()[k], kNoHead) : D(); };
    const LayerSettings& s = input_.settings;
    const D a = operand(0), b = operand(1), c = operand(2);
    D Y = a;
    switch (node.operation) {
      case Operation::add:
        return c.size() > 0 ? D(a + b + c) : D(a + b);
      case Operation::open:
        Y.resize(a.rows(), b.cols());
        gate::open<double>(a, b, Y);
        return Y;
      case Operation::linear:
        Y.resize(a.rows(), b.cols());
        linear::forward<double>(a, b, c, Y);
        return Y;
      case Operation::norm:
        norm::forward<double>(a, b, c, s.norm_kind, s.norm_epsilon, Y);
        return Y;
      case Operation::activate:
        activate::forward<double>(a, b, s.activation, Y);
        return Y;
      default:
        FAIL("no operation of a layer");
        return {};
    }
  }

  const Trace& trace_;
  int layer_;
  const LayerInput<float>& input_;
  std::map<std::pair<Quantity, int>, D> made_;
};

}  // namespace

TEST_CASE("program: carried out node by node it gives the trace's numbers", "[core][program]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto trace = evaluate(test::some_document(seed));
    for (int layer = 0; layer < static_cast<int>(trace->layers.size()); ++layer) {
      const Plain plain(*trace, layer);
      for (const auto& [place, expected] : plain.made()) {
        const Site site{place.first, layer, place.second};
        const Shape shape = shape_of(*trace, site);
        REQUIRE(expected.rows() == shape.rows);
        REQUIRE(expected.cols() == shape.cols);
        double size = 1;
        for (Index k = 0; k < expected.size(); ++k)
          if (std::isfinite(expected.data()[k])) size = std::max(size, std::abs(expected.data()[k]));
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
