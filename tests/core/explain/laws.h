// What holds of any document: arithmetic comes to the number that it explains, and links tell what a number depends on.
#pragma once
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/explain/explain.h"
#include "core/explain/links.h"
#include "core/model/program.h"
#include "tests/core/analysis/random_documents.h"

namespace hydra::test {

inline constexpr double kEpsilon = std::numeric_limits<float>::epsilon();

inline constexpr double kLeast = std::numeric_limits<float>::min();

inline double sum_of_magnitudes(const Step& step) {
  return std::accumulate(step.terms.begin(), step.terms.end(), 0.0,
                         [](double sum, const Term& term) { return sum + std::abs(term.value); });
}

// How far the float trace may be from the arithmetic in double: rounding of a sum grows with its terms' magnitudes, and
// the later steps (a quotient, a factor, a bias, a mask) carry it along.
inline double tolerance(const Explanation& e, std::size_t first_step) {
  double magnitude = sum_of_magnitudes(e.steps[first_step]);
  double terms = static_cast<double>(e.steps[first_step].terms.size());
  for (std::size_t s = first_step + 1; s < e.steps.size(); ++s) {
    const Step& step = e.steps[s];
    if (step.combine == Combine::quotient) magnitude /= std::abs(step.terms[0].factors[1].value);
    if (step.combine == Combine::product && step.terms.size() == 1 && step.terms[0].factors.size() == 2)
      magnitude *= std::max(1.0, std::abs(step.terms[0].factors[0].value));
    for (std::size_t t = 1; t < step.terms.size(); ++t) magnitude += std::abs(step.terms[t].value);
    terms += 2;
  }
  return terms * kEpsilon * magnitude;
}

// How much the last step's magnitude may be off by: norms are computed in double, activations by a fit. 0: a sum.
inline double error_of(const Trace& trace, const Site& site) {
  const NodeList& program = program_at(trace, site);
  if (!program.makes(site.quantity)) return 0;
  const Operation operation = program.node_of(site.quantity).operation;
  if (operation == Operation::activate) return 3e-5;
  return operation == Operation::norm || operation == Operation::rotate ? 4 * kEpsilon : 0;
}

// A weight, or a product, may be too small for its digits.
inline double least_of(const Trace& trace, const Site& site) {
  const NodeList& program = program_at(trace, site);
  const bool product = program.makes(site.quantity) && program.node_of(site.quantity).operation == Operation::multiply;
  return product || is_attention(site.quantity) ? kLeast : 0;
}

inline void check_adds_up(const Trace& trace, const Explanation& e) {
  INFO(ascii_spelling(e.title));
  REQUIRE_FALSE(e.steps.empty());
  for (const Step& step : e.steps) {
    double sum = 0;
    for (const Term& term : step.terms) {
      bool true_to_trace = term.value == value_of(step.combine, term.factors);
      for (const Operand& factor : term.factors)
        true_to_trace &= !factor.source || factor.value == static_cast<double>(value_at(trace, *factor.source));
      if (!true_to_trace) FAIL("term " << term.label << " of " << ascii_spelling(step.text));
      sum += term.value;
    }
    if (!step.terms.empty()) REQUIRE(std::abs(sum - step.result) <= 1e-14 * sum_of_magnitudes(step));
  }
  const double result = e.steps.back().result;
  if (std::isinf(e.value)) {
    REQUIRE(e.masked);
    REQUIRE(result == e.value);
    return;
  }
  const NodeList& program = program_at(trace, e.cell.site);
  if (program.makes(e.cell.site.quantity) &&
      program.node_of(e.cell.site.quantity).operation == Operation::softmax) {  // shares of a whole
    REQUIRE(std::abs(result - e.value) <= 8 * kEpsilon);
    return;
  }
  switch (e.cell.site.quantity) {
    case Quantity::attention:
    case Quantity::probabilities:
      REQUIRE(std::abs(result - e.value) <= 8 * kEpsilon);
      break;
    case Quantity::positions:
      REQUIRE(std::abs(result - e.value) <= kEpsilon);
      break;
    case Quantity::value_weighted:  // min: a weight of 1e-40 has lost digits
      REQUIRE(std::abs(result - e.value) <= 64 * kEpsilon * std::abs(e.value) + kLeast);
      break;
    case Quantity::Y:
      REQUIRE(std::abs(e.steps[0].result - e.value) <= tolerance({e.cell, "", {e.steps[0]}, 0, false}, 0));
      REQUIRE(std::abs(result - e.value) <= tolerance(e, 1));
      break;
    case Quantity::output_gate:
    case Quantity::head_gates:  // a sigmoid is nowhere steeper than 1/4
      REQUIRE(std::abs(result - e.value) <= tolerance({e.cell, "", {e.steps[0]}, 0, false}, 0) / 4 + 4 * kEpsilon);
      break;
    default:
      REQUIRE(std::abs(result - e.value) <=
              (error_of(trace, e.cell.site) > 0
                   ? error_of(trace, e.cell.site) * sum_of_magnitudes(e.steps.back()) + kLeast
                   : tolerance(e, 0) + least_of(trace, e.cell.site)));
  }
}

inline bool covered(const std::vector<Region>& regions, Index row, Index col) {
  return std::any_of(regions.begin(), regions.end(),
                     [&](const Region& r) { return r.row0 <= row && row < r.row1 && r.col0 <= col && col < r.col1; });
}

// Also of weights that slices do not read, which no edit changes.
inline Document with_values(const Document& document, const Site& site, Mat<float> values) {
  if (is_weight(site.quantity)) {
    Document changed = document;
    Array<float>* of_model = field_of(changed.weights, site.quantity);
    *(of_model ? of_model : field_of(changed.layer(site.layer).weights, site.quantity)) = share(std::move(values));
    return changed;
  }
  return hydra::apply(document, {SetBlock{site.quantity, 0, 0, share(std::move(values))}, site.layer});
}

inline Index pick_below(Random& random, Index end) {
  return static_cast<Index>(random.bits() % static_cast<std::uint64_t>(end));
}

inline bool same(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

inline void check_affected(const Document& document, std::uint64_t seed) {
  const auto before = evaluate(document);
  Random random(seed);
  for_each_matrix(*before, [&](const Site& edited) {
    if (!is_editable(edited) || edited.head != kNoHead) return;
    const Shape shape = shape_of(*before, edited);
    const Cell cell{edited, pick_below(random, shape.rows), pick_below(random, shape.cols)};
    Mat<float> values = values_of(*before, edited);
    values(cell.row, cell.col) += 1.5f;
    const auto after = evaluate(with_values(document, edited, std::move(values)));
    for_each_matrix(*before, [&](const Site& shown) {
      const std::vector<Region> regions = linked(*before, cell, shown);
      const Shape s = shape_of(*before, shown);
      for (Index i = 0; i < s.rows; ++i)
        for (Index j = 0; j < s.cols; ++j)
          if (!same(value_at(*before, {shown, i, j}), value_at(*after, {shown, i, j})) && !covered(regions, i, j))
            FAIL(symbol(cell.site) << "[" << cell.row << ", " << cell.col << "] changes " << symbol(shown) << "[" << i
                                   << ", " << j << "] from " << value_at(*before, {shown, i, j}) << " to "
                                   << value_at(*after, {shown, i, j}));
    });
  });
}

inline void check_inputs(const Document& document, std::uint64_t seed) {
  const auto before = evaluate(document);
  Random random(seed);
  for_each_matrix(*before, [&](const Site& hovered) {
    if (is_editable(hovered)) return;
    const Shape shape = shape_of(*before, hovered);
    const Cell cell{hovered, pick_below(random, shape.rows), pick_below(random, shape.cols)};
    Document other = document;
    for_each_matrix(*before, [&](const Site& input) {
      if (!is_editable(input) || input.head != kNoHead) return;
      const std::vector<Region> regions = linked(*before, cell, input);
      Mat<float> values = values_of(*before, input);
      for (Index i = 0; i < values.rows(); ++i)
        for (Index j = 0; j < values.cols(); ++j)
          if (!covered(regions, i, j)) values(i, j) += static_cast<float>(random.uniform(-1, 1));
      other = with_values(other, input, std::move(values));
    });
    if (hovered.quantity == Quantity::embedding) return;  // has no inputs, and is itself no number to set
    INFO(symbol(hovered, true) << "[" << cell.row << ", " << cell.col << "]");
    CHECK(same(value_at(*evaluate(other), cell), value_at(*before, cell)));
  });
}

}  // namespace hydra::test
