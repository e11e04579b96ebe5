#include "core/analysis/stream/direct_effect.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "core/linalg/matmul.h"
#include "core/model/program.h"
#include "core/ops/norm.h"

namespace hydra {

namespace {

using Kind = StreamLine::Kind;
using Part = DirectPaths::Part;

using FixedNorm = DirectPaths::FixedNorm;

// What a row becomes on its way out, from the norm that it meets first to the last; norms: the last one first.
RowVec<double> passed(RowVec<double> row, const std::vector<FixedNorm>& norms) {
  for (auto norm = norms.rbegin(); norm != norms.rend(); ++norm) {
    if (norm->through) row = row * norm->through->cast<double>();
    if (norm->centred) row.array() -= row.mean();
    row = row.cwiseProduct(norm->gain) / norm->root;
  }
  return row;
}

// From the last stream down to what it is made of.
class PathFinder {
 public:
  PathFinder(const Trace& trace, const Stream& stream) : trace_(trace), stream_(stream) {}

  DirectPaths found(Index question) {
    const ModelTrace<float>& model = trace_.model;
    paths_.tied = model.settings.readout == ReadoutKind::tied;
    paths_.readout = paths_.tied ? model.weights.E : model.of_question(model.weights.W_U, question);
    if (model.weights.b_U) paths_.bias = model.of_question(model.weights.b_U, question);
    const Index d_model = trace_.X->cols();
    shifts_ = RowVec<double>::Zero(d_model);
    paths_.after_heads.resize(stream_.layers.size());
    for (std::size_t k = 0; k < stream_.layers.size(); ++k) {
      const auto lines = std::ssize(stream_.layers[k]->lines);
      paths_.parts.emplace_back(lines, Part::none);
      paths_.rows.push_back(Mat<float>::Zero(lines, d_model));
    }
    const int last = static_cast<int>(stream_.layers.size()) - 1, leaving = stream_.layer(last).leaving();
    const MatView<float> read = model.settings.transform ? MatView<float>(model.activated->middleRows(stream_.token, 1))
                                                         : row_at({last, leaving});
    if (model.settings.final_norm)
      come_through(read, model.settings.final_norm_kind, model.settings.final_norm_epsilon, model.weights.gain,
                   model.weights.shift);
    if (model.settings.transform) come_through_transform();
    if (model.settings.logit_cap != 0) hold_cap();
    visit({last, leaving});
    paths_.shifts = shifts_.cast<float>();
    return std::move(paths_);
  }

 private:
  struct Place {
    int layer, line;
  };

  const std::vector<StreamLine>& lines(int layer) const { return stream_.layer(layer).lines; }
  const StreamLine& line_at(Place at) const { return lines(at.layer)[static_cast<std::size_t>(at.line)]; }
  MatView<float> row_at(Place at) const {
    return stream_.rows[static_cast<std::size_t>(at.layer)]->middleRows(at.line, 1);
  }
  int line_of(int layer, Quantity quantity) const {
    const auto& all = lines(layer);
    const auto found = std::ranges::find_if(all, [&](const StreamLine& l) { return l.site.quantity == quantity; });
    return found == all.end() ? StreamLine::kOfNone : static_cast<int>(found - all.begin());
  }

  RowVec<double> led_out(RowVec<double> row) const { return passed(std::move(row), norms_); }

  // On the way down: what stands below is divided by what the norm of this row divides by.
  void come_through(MatView<float> row, NormKind kind, double epsilon, const Array<float>& gain,
                    const Array<float>& shift) {
    if (kind == NormKind::layer && shift) shifts_ += led_out(shift->row(0).cast<double>());
    norms_.push_back({norm::size_of(row.data(), row.cols(), kind, epsilon).root, kind == NormKind::layer,
                      gain->row(0).cast<double>()});
  }

  void come_through_transform() {
    const ModelTrace<float>& model = trace_.model;
    const RowVec<double> before = model.transformed->row(stream_.token).cast<double>(),
                         after = model.activated->row(stream_.token).cast<double>();
    RowVec<double> factors = RowVec<double>::Zero(before.size());  // of 0 an activation makes 0
    for (Index k = 0; k < before.size(); ++k)
      if (before(k) != 0) factors(k) = after(k) / before(k);
    if (const Array<float>& b = model.weights.b_T) shifts_ += led_out(b->row(0).cast<double>().cwiseProduct(factors));
    norms_.push_back({1, false, std::move(factors), model.weights.W_T});
  }

  // By the logits before it.
  void hold_cap() {
    const double cap = trace_.model.settings.logit_cap;
    const Index words = trace_.model.next_words.words.size();
    const RowVec<double> final = trace_.model.final->row(stream_.token).cast<double>();
    RowVec<double> factors(words);
    for (Index word = 0; word < words; ++word) {
      const double logit =
          final.dot(paths_.reader(word)) + (paths_.bias ? static_cast<double>((*paths_.bias)(0, word)) : 0);
      factors(word) = logit == 0 ? 1 : cap * std::tanh(logit / cap) / logit;
    }
    paths_.capped = std::move(factors);
  }

  void mark(Place at, Part part) {
    const auto layer = static_cast<std::size_t>(at.layer);
    paths_.parts[layer][static_cast<std::size_t>(at.line)] = part;
    paths_.rows[layer].row(at.line) = led_out(row_at(at).row(0).cast<double>()).cast<float>();
  }

  void visit(Place at) {
    const Quantity quantity = line_at(at).site.quantity;
    const LayerInput<float>& layer = trace_.layer(at.layer).input;
    const LayerProgram& program = program_of(layer.settings);
    if (quantity == Quantity::X) return visit_input(at, program);
    const bool normed = program.makes(quantity) && program.node_of(quantity).operation == Operation::norm;
    if (!normed) return visit_parts(at);
    mark(at, Part::sum);
    const auto reads = program.node_of(quantity).reads();
    const Place below{at.layer, line_of(at.layer, reads[0])};
    static const Array<float> none;
    come_through(row_at(below), layer.settings.norm_kind, layer.settings.norm_epsilon,
                 *field_of(layer.weights, reads[1]), reads.size() > 2 ? *field_of(layer.weights, reads[2]) : none);
    visit(below);
    norms_.pop_back();
  }

  // What enters a layer leaves the one before. What the feed-forward part is added to is a sum of it.
  void visit_input(Place at, const LayerProgram& program) {
    mark(at, at.layer == 0 ? Part::counts : Part::sum);
    if (const int between = line_of(at.layer, Quantity::stream_1);
        between >= 0 && program.node_of(Quantity::stream_1).operation == Operation::add)
      mark({at.layer, between}, Part::sum);
    if (at.layer > 0) visit({at.layer - 1, stream_.layer(at.layer - 1).leaving()});
  }

  void visit_parts(Place at) {
    bool has_parts = false;
    for (int l = 0; l < static_cast<int>(lines(at.layer).size()); ++l) {
      const Place part{at.layer, l};
      if (line_at(part).part_of != at.line) continue;
      has_parts = true;
      if (line_at(part).kind == Kind::heads)
        mark(part, Part::sum);
      else
        visit(part);
    }
    mark(at, has_parts ? Part::sum : Part::counts);
    if (line_at(at).kind == Kind::head) paths_.after_heads[static_cast<std::size_t>(at.layer)] = norms_;
  }

  const Trace& trace_;
  const Stream& stream_;
  DirectPaths paths_;
  std::vector<FixedNorm> norms_;  // come through so far, the last of the model first
  RowVec<double> shifts_;
};

}  // namespace

DirectPaths direct_paths(const Trace& trace, const Stream& stream, Index question) {
  assert(trace.model.logits && !stream.layers.empty());
  return PathFinder(trace, stream).found(question);
}

namespace {

Mat<float> on_words(const DirectPaths& paths, MatIn<float> rows) {
  Mat<float> effects(rows.rows(), paths.tied ? paths.readout.rows() : paths.readout.cols());
  if (paths.tied)
    multiply_transposed<float>(rows, *paths.readout, 1, effects);
  else
    multiply<float>(rows, *paths.readout, effects);
  if (paths.capped.size() > 0) effects.array().rowwise() *= paths.capped.cast<float>().array();
  return effects;
}

}  // namespace

Mat<float> DirectPaths::effects(int layer) const { return on_words(*this, rows[static_cast<std::size_t>(layer)]); }

Mat<float> DirectPaths::constants() const {
  Mat<float> constants = on_words(*this, shifts);
  if (bias) constants += capped.size() > 0 ? Mat<float>(bias->cwiseProduct(capped.cast<float>())) : Mat<float>(*bias);
  return constants;
}

RowVec<double> DirectPaths::reader(Index word) const {
  const double factor = capped.size() > 0 ? capped(word) : 1;
  if (tied) return factor * readout->row(word).cast<double>();
  return factor * readout->col(word).transpose().cast<double>();
}

double DirectPaths::effect(int layer, int line, const RowVec<double>& reader) const {
  return rows[static_cast<std::size_t>(layer)].row(line).cast<double>().dot(reader);
}

double DirectPaths::effect_of(int layer, MatView<float> added, const RowVec<double>& reader) const {
  const auto& norms = after_heads[static_cast<std::size_t>(layer)];
  return norms ? passed(added.row(0).cast<double>(), *norms).dot(reader) : 0;
}

double DirectPaths::constant(Index word) const {
  return shifts.row(0).cast<double>().dot(reader(word)) +
         (bias ? (capped.size() > 0 ? capped(word) : 1) * static_cast<double>((*bias)(0, word)) : 0);
}

DirectEffect told_of(MatView<float> effects) {
  std::vector<DirectEffect::OnWord> words;
  for (Index w = 0; w < effects.cols(); ++w)
    if (const float effect = effects(0, w); std::isfinite(effect) && effect != 0) words.push_back({w, effect});
  const auto foremost = [&](float sign) {
    std::vector<DirectEffect::OnWord> some;
    std::ranges::copy_if(words, std::back_inserter(some), [&](const auto& on) { return sign * on.effect > 0; });
    const auto end = some.begin() + std::min<std::ptrdiff_t>(kMostTold, std::ssize(some));
    std::partial_sort(some.begin(), end, some.end(), [&](const auto& a, const auto& b) {
      return a.effect != b.effect ? sign * a.effect > sign * b.effect : a.word < b.word;
    });
    some.erase(end, some.end());
    return some;
  };
  return {foremost(1), foremost(-1)};
}

std::shared_ptr<const DirectEffects> direct_effects(const Trace& trace, const Stream& stream, Index question,
                                                    ThreadPool* pool) {
  auto made = std::make_shared<DirectEffects>();
  made->question = question;
  made->paths = direct_paths(trace, stream, question);
  const std::size_t layers = stream.layers.size();
  made->lines.resize(layers);
  std::vector<RowVec<double>> sums(layers);
  parallel_for(pool, static_cast<Index>(layers), [&](Index layer) {
    const auto k = static_cast<std::size_t>(layer);
    const Mat<float> effects = made->paths.effects(static_cast<int>(layer));
    sums[k] = RowVec<double>::Zero(effects.cols());
    for (Index l = 0; l < effects.rows(); ++l) {
      const Part part = made->paths.parts[k][static_cast<std::size_t>(l)];
      made->lines[k].push_back(part == Part::none ? DirectEffect() : told_of(effects.middleRows(l, 1)));
      if (part == Part::counts) sums[k] += effects.row(l).cast<double>();
    }
  });
  const Mat<float> constants = made->paths.constants();
  const MatView<float> logits = trace.model.of_question(trace.model.logits, question).row(stream.token);
  made->constants = told_of(constants);
  made->logits = told_of(logits);
  const RowVec<double> sum = std::accumulate(sums.begin(), sums.end(), RowVec<double>(constants.row(0).cast<double>()));
  made->off = (sum - logits.row(0).cast<double>()).cwiseAbs().maxCoeff();
  return made;
}

std::shared_ptr<const DirectEffects> DirectMeasures::of(const Trace& trace, const Stream& stream, Index question) {
  if (!trace.model.logits) return nullptr;
  Key key("direct effects");
  key << stream.token << question << trace.model.of_question(trace.model.logits, question).stamp();
  for (const Array<float>& rows : stream.rows) key << rows.stamp();
  if (const Stamp of = key.stamp(); of_ != of || !kept_) {
    kept_ = direct_effects(trace, stream, question, pool_);
    of_ = of;
  }
  return kept_;
}

}  // namespace hydra
