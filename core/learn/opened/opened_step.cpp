#include "core/learn/opened/opened_step.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace hydra::learn {

namespace {

bool is_pattern(Quantity quantity) {
  const QuantityRow& row = entry_of(quantity);
  return row.scope == QuantityRow::Scope::head && row.rows == Axis::token && row.cols == Axis::token;
}

// Whether the step reads that parameter, as this or that.
bool reads(const lanes::Weight& weight, const lanes::ParameterPlace& place) { return weight.at == place.at; }

}  // namespace

OpenedStep::OpenedStep(StepStart start, ThreadPool* pool)
    : start_(std::move(start)), run_(start_.task, *start_.document, start_.recipe, start_.seed, true) {
  run_.set_gates(start_.gates);
  run_.go_to(start_.state);
  scores_ = run_.take_step(pool, true);
  after_ = run_.state();
}

Rate OpenedStep::rate() const { return rate_of(recipe().optimizer, step(), recipe().steps); }

double OpenedStep::clip() const {
  return clip_factor(recipe().optimizer, scores_.gradient_norm * scores_.gradient_norm);
}

std::vector<std::pair<Index, Index>> OpenedStep::gold(Index sequence) const {
  std::vector<std::pair<Index, Index>> all;
  const std::span<const std::uint64_t> places = run_.batch().gold(sequence);
  const Index relations = task().outline().shape.relations, n = length(sequence);
  for (Index i = 0; i < n; ++i) {
    std::uint64_t any = 0;
    for (Index r = 0; r < relations; ++r) any |= places[static_cast<std::size_t>(i * relations + r)];
    for (Index j = 0; j < n; ++j)
      if (any >> j & 1) all.emplace_back(i, j);
  }
  return all;
}

std::vector<std::string> OpenedStep::tokens(Index sequence) const {
  const Batch& batch = run_.batch();
  const auto words = static_cast<std::size_t>(batch.length(sequence) * batch.shape().slots);
  return tokens_of(task().info(), batch.words(sequence).first(words));
}

Mat<float> OpenedStep::of_sequence(Index sequence, const Site& site, bool derivative) const {
  const lanes::Value made = compiled().value_of(site.quantity, site.layer);
  const lanes::Place& place = derivative ? made.gradient : made.value;
  if (!place.is()) return {};
  const Index n = length(sequence), all = compiled().shape().length;
  if (is_pattern(site.quantity)) {
    Mat<float> pattern(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        pattern(i, j) = sees(site.layer, site.head, i, j)
                            ? run_.executor().number(sequence, place, site.head * all + i, j)
                            : -std::numeric_limits<float>::infinity();
    return pattern;
  }
  Index first = 0, cols = place.cols;
  if (has_head(site.quantity)) {
    const lanes::LayerShape& layer = layer_shape(site.layer);
    cols = layer.widths.concat / layer.widths.heads;
    first = (entry_of(site.quantity).of_group ? layer.key_groups().set_of(site.head) : site.head) * cols;
  }
  Mat<float> values(n, cols);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < cols; ++j) values(i, j) = run_.executor().number(sequence, place, i, first + j);
  return values;
}

std::size_t OpenedStep::at(const Cell& cell) const {
  const lanes::ParameterPlace* place = this->place(cell.site);
  assert(place && cell.row < place->rows && cell.col < place->cols);
  return static_cast<std::size_t>(place->at + cell.row * place->cols + cell.col);
}

float OpenedStep::number(const Cell& cell, Facet facet) const {
  const std::size_t k = at(cell);
  switch (facet) {
    case Facet::before:
      return start_.state.parameters[k];
    case Facet::gradient:
      return run_.executor().gradient()[k];
    case Facet::first_moment:
      return after().moments.first[k];
    case Facet::second_moment:
      return after().moments.second[k];
    case Facet::change:
      return after().parameters[k] - start_.state.parameters[k];
  }
  return 0;
}

double OpenedStep::moment_before(const Cell& cell, Facet facet) const {
  const Moments& moments = start_.state.moments;
  return static_cast<double>((facet == Facet::first_moment ? moments.first : moments.second)[at(cell)]);
}

Mat<float> OpenedStep::of_parameter(const Site& site, Facet facet) const {
  const lanes::ParameterPlace* place = this->place(site);
  if (!place) return {};
  Mat<float> values(place->rows, place->cols);
  for (Index i = 0; i < place->rows; ++i)
    for (Index j = 0; j < place->cols; ++j) values(i, j) = number({site, i, j}, facet);
  return values;
}

bool OpenedStep::uses(const Cell& cell, Index sequence, std::vector<Use>& to) const {
  to.clear();
  const lanes::ParameterPlace* place = this->place(cell.site);
  if (!place) return false;
  const lanes::Plan& plan = compiled().plan();
  for (lanes::Size k = 0; k < plan.count; ++k) {
    const lanes::Step& step = plan.steps[k];
    const bool weighs = reads(step.weight, *place), adds = reads(step.bias, *place);
    const bool mixes = reads(step.more[0], *place) || reads(step.more[1], *place);
    if (!weighs && !adds && !mixes) continue;
    const bool sums = step.op == lanes::Op::linear || step.op == lanes::Op::embed || step.op == lanes::Op::norm;
    if (!sums) return to.clear(), false;
    add_uses(step, *place, cell, sequence, to);
  }
  return true;
}

void OpenedStep::add_uses(const lanes::Step& step, const lanes::ParameterPlace& place, const Cell& cell, Index sequence,
                          std::vector<Use>& to) const {
  const Batch& batch = run_.batch();
  const Index n = length(sequence), slots = batch.shape().slots;
  const bool adds = reads(step.bias, place);
  const bool transposed = step.op == lanes::Op::linear && !adds && step.weight.col != 1;  // the table as a readout
  const Index col = transposed ? cell.row : cell.col;
  for (Index t = 0; t < n; ++t) {
    const double right = read(sequence, step.out.gradient, t, col);
    switch (step.op) {
      case lanes::Op::linear:
        to.push_back({t, adds ? 1 : read(sequence, step.a.value, t, transposed ? cell.col : cell.row), right});
        break;
      case lanes::Op::norm:
        to.push_back({t, adds ? step.factor : normed(step, sequence, t, col), right});
        break;
      default:  // of tables: whoever stands there
        if (adds && t == cell.row) to.push_back({t, 1, right});
        for (Index slot = 0; !adds && slot < slots; ++slot)
          if (batch.words(sequence)[static_cast<std::size_t>(t * slots + slot)] == cell.row)
            to.push_back({t, 1, right});
    }
  }
}

// What the gain multiplies: the number as its part of the row is normalised (ops/norm.h).
double OpenedStep::normed(const lanes::Step& step, Index sequence, Index row, Index col) const {
  const Index width = step.cols / step.parts, first = col / width * width;
  double mean = 0, squares = 0;
  for (Index c = first; c < first + width; ++c) mean += read(sequence, step.a.value, row, c);
  mean = step.kind == static_cast<int>(NormKind::layer) ? mean / static_cast<double>(width) : 0;
  for (Index c = first; c < first + width; ++c) squares += std::pow(read(sequence, step.a.value, row, c) - mean, 2);
  return step.factor * (read(sequence, step.a.value, row, col) - mean) /
         std::sqrt(squares / static_cast<double>(width) + step.epsilon);
}

}  // namespace hydra::learn
