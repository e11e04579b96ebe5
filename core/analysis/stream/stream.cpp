#include "core/analysis/stream/stream.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/attention/stages.h"

namespace hydra {

namespace {

using Kind = StreamLine::Kind;
using enum Quantity;

constexpr double kMostHeadsKept = 64e6;  // bytes of what heads give, of all layers that are not whole

double share_of(double part, double whole) {
  return whole > 0 ? part / whole : std::numeric_limits<double>::quiet_NaN();
}

// --- which lines there are

class StreamLines {
 public:
  StreamLines(const LayerInput<float>& layer, int at) : layer_(layer), at_(at), program_(program_of(layer.settings)) {}

  std::vector<StreamLine> lines() {
    const Quantity between = fed();
    add(X, Kind::stream);
    for (const ProgramNode& node : program_.nodes) {
      const Quantity made = node.result;
      const bool is_stream = made == program_.leaves || made == between;
      if (made == Y) add_heads();
      if (is_stream || made == stream_1)
        add(made, Kind::stream);
      else if ((made == Y || made == feed_forward) && norms_outputs(layer_.settings))
        add(made, Kind::sum);
      else if (made == normed_Y || made == normed_F)
        add(made, made == normed_Y ? Kind::normed_heads : Kind::normed_feed_forward);
      else if (made == Y || made == feed_forward)
        add(made, made == Y ? Kind::heads : Kind::feed_forward);
      else if (made == sum_1 || made == sum_2)
        add(made, Kind::sum);
    }
    add_up(summed(program_.leaves));
    if (norms_outputs(layer_.settings)) add_up(Y);
    if (lines_[1].part_of == StreamLine::kOfNone) add_up(summed(between));
    return std::move(lines_);
  }

 private:
  const Quantity* operand(Quantity made, Operation by) const {
    if (!program_.makes(made)) return nullptr;
    const ProgramNode& node = program_.node_of(made);
    return node.operation == by ? node.operands.data() : nullptr;
  }
  // What the feed-forward part reads, before its norm, where it follows the heads.
  Quantity fed() const {
    if (!program_.makes(feed_forward) || layer_.settings.parallel) return program_.leaves;
    const Quantity read = program_.node_of(inner).reads()[0];
    return read == norm_2 ? program_.node_of(norm_2).reads()[0] : read;
  }
  // Before a norm that stands after a sum.
  Quantity summed(Quantity stream_now) const {
    const Quantity* normed = operand(stream_now, Operation::norm);
    return normed ? *normed : stream_now;
  }

  void add(Quantity quantity, Kind kind, int head = kNoHead) { lines_.push_back({{quantity, at_, head}, kind}); }
  void add_heads() {
    for (int h = 0; h < static_cast<int>(layer_.heads); ++h) add(contribution, Kind::head, h);
    if (layer_.weights.b_O) add(b_O, Kind::bias);
  }
  int line_of(Quantity quantity) const {
    const auto found =
        std::ranges::find_if(lines_, [&](const StreamLine& line) { return line.site.quantity == quantity; });
    assert(found != lines_.end());
    return static_cast<int>(found - lines_.begin());
  }

  // All that is added up to the sum becomes part of it.
  void add_up(Quantity sum) { add_terms(sum, line_of(sum)); }
  void add_terms(Quantity term, int sum) {
    if (term == Y) {
      for (int k = 0; k < static_cast<int>(lines_.size()); ++k) {
        StreamLine& line = lines_[static_cast<std::size_t>(k)];
        const bool of_heads = line.kind == Kind::head || line.kind == Kind::bias || line.kind == Kind::heads;
        if (of_heads && k != sum) line.part_of = sum;
      }
      return;
    }
    const ProgramNode* node = term != X && program_.makes(term) ? &program_.node_of(term) : nullptr;
    if (node && node->operation == Operation::add) {
      for (const Quantity operand : node->reads()) add_terms(operand, sum);
    } else if (line_of(term) != sum) {
      lines_[static_cast<std::size_t>(line_of(term))].part_of = sum;
    }
  }

  const LayerInput<float>& layer_;
  int at_;
  const LayerProgram& program_;
  std::vector<StreamLine> lines_;
};

// --- their vectors

const Array<float>& leaving_of(const Trace& trace, int layer) {
  const BlockTrace<float>& block = trace.block(layer);
  return block.stages.empty() ? trace.layer(layer).output : block.stages.back().second;
}

// A block of rows of a layer: its stages as they are kept, or recomputed from what enters and what the heads give; to
// the same bits, because blocks have the sizes that they had.
class LayerRows {
 public:
  LayerRows(const LayerTrace<float>& heads, const Trace& trace, int layer, RowBlock at) : heads_(heads), at_(at) {
    const LayerTrace<float>& kept = trace.layer(layer);
    block_.input = some(trace.block(layer).input);
    output_ = some(kept.output);
    if (!kept.is_whole())
      block_ = whole_block<float>({kept.input.settings, kept.input.weights}, output_, block_.input);
    else
      for (const auto& [quantity, stage] : trace.block(layer).stages) block_.stages.emplace_back(quantity, some(stage));
  }

  Mat<float> of(const StreamLine& line) const {
    if (line.kind == Kind::bias) return heads_.input.weights.b_O->replicate(at_.rows, 1);
    if (line.kind == Kind::head) return head(line.site.head);
    if (line.site.quantity == X) return *block_.input;
    return line.site.quantity == Y ? *output_ : *block_.of(line.site.quantity);
  }

 private:
  Array<float> some(const Array<float>& matrix) const {
    return share(Mat<float>(matrix->middleRows(at_.row, at_.rows)), matrix.stamp());
  }
  Mat<float> head(Index h) const {
    const HeadTrace<float>& head = heads_.heads[static_cast<std::size_t>(h)];
    if (!heads_.recomputed) return head.contribution->middleRows(at_.row, at_.rows);
    Mat<float> made(at_.rows, heads_.input.d_model());
    compute_contribution<float>(heads_.input, head, h, at_.row, made);
    return made;
  }

  const LayerTrace<float>& heads_;
  RowBlock at_;
  BlockTrace<float> block_;
  Array<float> output_;
};

RowBlock block_with(Index n, Index token) {
  Index k = 0;
  while (block_of(n, k).row + block_of(n, k).rows <= token) ++k;
  return block_of(n, k);
}

// --- measured

std::shared_ptr<const StreamLayer> measure(const LayerTrace<float>& heads, const Trace& trace, int layer,
                                           ThreadPool* pool) {
  auto made = std::make_shared<StreamLayer>();
  made->lines = stream_lines(trace.layer(layer).input, layer);
  const Index n = trace.X->rows(), lines = std::ssize(made->lines);
  for (Mat<double>* numbers : {&made->size, &made->share, &made->cosine}) numbers->resize(n, lines);
  parallel_for(pool, block_count(n), [&](Index k) {
    const RowBlock at = block_of(n, k);
    const LayerRows rows(heads, trace, layer, at);
    std::vector<Mat<float>> sums(made->lines.size());  // those that others are part of
    for (const StreamLine& line : made->lines)
      if (const auto sum = static_cast<std::size_t>(line.part_of); line.part_of >= 0 && sums[sum].size() == 0)
        sums[sum] = rows.of(made->lines[sum]);
    for (Index l = 0; l < lines; ++l) {
      const StreamLine& line = made->lines[static_cast<std::size_t>(l)];
      const Mat<float> vectors = rows.of(line);
      for (Index t = 0; t < at.rows; ++t) {
        const RowVec<double> v = vectors.row(t).cast<double>(), x = trace.X->row(at.row + t).cast<double>();
        made->size(at.row + t, l) = v.norm();
        made->cosine(at.row + t, l) = share_of(v.dot(x), v.norm() * x.norm());
        made->share(at.row + t, l) = std::numeric_limits<double>::quiet_NaN();
        if (line.part_of < 0) continue;
        const RowVec<double> s = sums[static_cast<std::size_t>(line.part_of)].row(t).cast<double>();
        made->share(at.row + t, l) = share_of(v.dot(s), s.squaredNorm());
      }
    }
  });
  made->largest.assign(made->lines.size(), 0);
  for (Index l = 0; l < lines; ++l)
    for (Index t = 0; t < n; ++t)
      if (double& largest = made->largest[static_cast<std::size_t>(l)]; std::isfinite(made->size(t, l)))
        largest = std::max(largest, made->size(t, l));
  return made;
}

// Of a layer that was recomputed: what leaves the heads, in the place of their outputs, and no more.
std::shared_ptr<const LayerTrace<float>> outputs_alone(LayerTrace<float> layer) {
  auto kept = std::make_shared<LayerTrace<float>>();
  kept->input = std::move(layer.input);
  kept->recomputed = std::make_shared<RecomputedStages<float>>();
  for (const HeadTrace<float>& head : layer.heads) kept->heads.emplace_back().output = head.leaving();
  return kept;
}

double bytes_of_outputs(const Trace& trace) {
  return static_cast<double>(sizeof(float)) * static_cast<double>(trace.X->size()) *
         static_cast<double>(trace.layers.size());
}

}  // namespace

std::vector<StreamLine> stream_lines(const LayerInput<float>& layer, int at) { return StreamLines(layer, at).lines(); }

void StreamMeasures::renew(const Trace& trace, int layer, Index token, Kept& kept) const {
  const LayerTrace<float>& own = trace.layer(layer);
  const Stamp of = (Key("stream") << trace.X.stamp() << trace.block(layer).input.stamp() << own.output.stamp()
                                  << leaving_of(trace, layer).stamp() << layer)
                       .stamp();
  const Stamp at = (Key("token of stream") << of << token).stamp();
  if (kept.of != of) kept = {};
  if (kept.measured && kept.token == at) return;
  std::shared_ptr<const LayerTrace<float>> heads = kept.heads;
  if (own.is_whole())
    heads = {std::shared_ptr<void>(), &own};  // the trace's
  else if (!heads)
    heads = outputs_alone(forward<float>(own.input, nullptr, pool_));
  if (!kept.measured) kept.measured = measure(*heads, trace, layer, pool_);
  const RowBlock block = block_with(trace.X->rows(), token);
  const LayerRows rows(*heads, trace, layer, block);
  const std::vector<StreamLine>& lines = kept.measured->lines;
  Mat<float> vectors(std::ssize(lines), trace.X->cols());
  for (Index l = 0; l < vectors.rows(); ++l)
    vectors.row(l) = rows.of(lines[static_cast<std::size_t>(l)]).row(token - block.row);
  kept.rows = share(std::move(vectors), at);
  kept.token = at;
  kept.of = of;
  kept.heads = own.is_whole() || bytes_of_outputs(trace) > kMostHeadsKept ? nullptr : heads;
}

Stream StreamMeasures::of(const Trace& trace, Index token) {
  kept_.resize(trace.layers.size());
  Stream stream;
  stream.token = token;
  for (int k = 0; k < static_cast<int>(trace.layers.size()); ++k) {
    Kept& kept = kept_[static_cast<std::size_t>(k)];
    renew(trace, k, token, kept);
    stream.layers.push_back(kept.measured);
    stream.rows.push_back(kept.rows);
    for (Index l = 0; l < kept.rows.rows(); ++l) {
      const Kind kind = kept.measured->lines[static_cast<std::size_t>(l)].kind;
      const bool is_stream = kind == Kind::stream || kind == Kind::sum,
                 of_heads = kind == Kind::head || kind == Kind::bias;
      float& largest = is_stream ? stream.in_streams : of_heads ? stream.in_heads : stream.in_parts;
      for (const float value : kept.rows->row(l))
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    }
  }
  return stream;
}

FeaturesWritten features_written(MatView<float> row, const FeatureLayout& layout, int most) {
  assert(row.rows() == 1 && row.cols() >= layout.features);
  FeaturesWritten written;
  std::vector<Index> columns(static_cast<std::size_t>(layout.features));
  std::iota(columns.begin(), columns.end(), Index(0));
  const auto size = [&](Index c) { return std::isfinite(row(0, c)) ? std::abs(row(0, c)) : 0.0f; };
  float largest = 0;
  for (const Index c : columns) largest = std::max(largest, size(c));
  constexpr float kLittle = 1e-3f;  // of the largest: rounding, or next to it
  std::erase_if(columns, [&](Index c) { return size(c) == 0 || size(c) < kLittle * largest; });
  const auto count = std::min<std::size_t>(static_cast<std::size_t>(most), columns.size());
  std::partial_sort(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(count), columns.end(),
                    [&](Index a, Index b) {
                      const float x = size(a), y = size(b);
                      return x > y || (x == y && a < b);
                    });
  for (std::size_t k = 0; k < count; ++k) written.strongest.emplace_back(columns[k], row(0, columns[k]));
  const RowVec<double> v = row.row(0).cast<double>();
  written.share = share_of(v.head(layout.features).squaredNorm(), v.squaredNorm());
  return written;
}

}  // namespace hydra
