#include "core/attention/readout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/attention/readout_rows.h"
#include "core/attention/stages.h"
#include "core/linalg/arena.h"

namespace hydra {

namespace {

template <class S>
class ReadoutStages {
 public:
  ReadoutStages(const Array<S>& stream, ModelTrace<S>& model, const ModelTrace<S>* previous, ThreadPool* pool,
                ReadOut rows)
      : stream_(stream), model_(model), previous_(previous), pool_(pool), rows_(rows) {}

  void make(const ProgramNode& node) {
    Array<S>& stage = *model_.stage(node.result);
    if (node.operation == Operation::add) {  // of one alone
      stage = operand(node, 0);
      return;
    }
    const Stamp stamp = stamp_of(node);
    if (const Array<S>* old = previous_ ? previous_->stage(node.result) : nullptr;
        old && *old && old->stamp() == stamp) {
      stage = *old;
      if (rows_ == ReadOut::all_rows) *stage;
      return;
    }
    const Array<S>& first = operand(node, 0);
    const bool product = node.operation == Operation::linear || node.operation == Operation::outer;
    const Index n = first.rows(),
                cols = entry_of(node.result).cols == Axis::next_word ? model_.next_words.size() : first.cols();
    const Index work = n * cols * (product ? first.cols() : 1);
    if (rows_ == ReadOut::asked_rows && cols == model_.next_words.size() && !soon(n)) {
      stage = later(node, first, n, cols, stamp);
      return;
    }
    Arena<S> arena;
    const Fresh<S> fresh = arena.make(stage, stamp, n, cols);
    parallel_for(work < kTooLittleToCut ? nullptr : pool_, block_count(n), [&](Index index) {
      const RowBlock rows = block_of(n, index);
      make_readout_rows<S>(node, model_, first->middleRows(rows.row, rows.rows), fresh.rows(rows.row, rows.rows));
    });
  }

 private:
  // Whether all of it takes a moment: then nobody has to ask.
  bool soon(Index n) const {
    constexpr double kMoment = 1e8;  // multiply-adds
    return static_cast<double>(n) * static_cast<double>(model_.next_words.size() * stream_.cols()) <= kMoment;
  }
  Array<S> later(const ProgramNode& node, const Array<S>& from, Index n, Index cols, Stamp stamp) const {
    auto compute = [&node, from, model = std::make_shared<const ModelTrace<S>>(model_)](Index row, MatOut<S> out) {
      make_readout_rows<S>(node, *model, from.rows(row, out.rows()), out);
    };
    const auto values = std::make_shared<const RowsLater<S>>(n, cols, std::move(compute));
    if (pool_)
      values->make_rows(n - 1, 1, [&](Index row, MatOut<S> out) { make_now(node, from.rows(row, out.rows()), out); });
    return {values, stamp};
  }
  // Of the last token, whose next words are what is looked at first: by all threads, as the tables are read through
  // once.
  void make_now(const ProgramNode& node, MatIn<S> rows, MatOut<S> out) const {
    constexpr Index kWords = 1024;
    const bool cut = node.operation != Operation::softmax;
    const Index parts = cut ? (out.cols() + kWords - 1) / kWords : 1;
    parallel_for(cut ? pool_ : nullptr, parts, [&](Index k) {
      const Index first = k * kWords, count = cut ? std::min(kWords, out.cols() - first) : out.cols();
      make_readout_rows<S>(node, model_, rows, out.middleCols(first, count), first);
    });
  }

  Stamp stamp_of(const ProgramNode& node) const {
    Key key("read out");
    key << node.operation;
    if (node.operation == Operation::norm) key << model_.settings.final_norm_kind << model_.settings.final_norm_epsilon;
    if (node.operation == Operation::activate) key << model_.settings.transform_activation;
    if (node.result == Quantity::logits) key << model_.settings.logit_cap;
    if (node.operation == Operation::softmax) key << model_.next_words.parts();
    for (std::size_t k = 0; k < node.reads().size(); ++k) key << operand(node, k).stamp();
    return key.stamp();
  }

  const Array<S>& operand(const ProgramNode& node, std::size_t k) const {
    static const Array<S> none;
    if (k >= node.reads().size()) return none;
    const Quantity quantity = node.reads()[k];
    if (quantity == Quantity::stream) return stream_;
    if (const Array<S>* parameter = field_of(model_.weights, quantity)) return *parameter;
    return *model_.stage(quantity);
  }

  const Array<S>& stream_;
  ModelTrace<S>& model_;
  const ModelTrace<S>* previous_;
  ThreadPool* pool_;
  ReadOut rows_;
};

}  // namespace

template <class S>
Array<S>* ModelTrace<S>::stage(Quantity quantity) {
  if (quantity == Quantity::transformed) return &transformed;
  if (quantity == Quantity::activated) return &activated;
  if (quantity == Quantity::final) return &final;
  if (quantity == Quantity::logits) return &logits;
  return quantity == Quantity::probabilities ? &probabilities : nullptr;
}

template <class S>
void read_out(const Array<S>& stream, ModelTrace<S>& model, const ModelTrace<S>* previous, ThreadPool* pool,
              ReadOut rows) {
  ReadoutStages<S> out(stream, model, previous, pool, rows);
  for (const ProgramNode& node : model.program().out) out.make(node);
}

template <class S>
Mat<S> normed_words(MatIn<S> sum, const ModelSettings& settings, const ModelWeights<S>& weights) {
  static const Mat<S> none;
  Mat<S> X(sum.rows(), sum.cols());
  const MatView<S> shift = weights.shift_E ? MatView<S>(*weights.shift_E) : MatView<S>(none);
  norm::forward<S>(sum, *weights.gain_E, shift, settings.embedding_norm_kind, settings.embedding_norm_epsilon, X);
  return X;
}

std::vector<Index> likeliest(const Array<float>& probabilities, Index token, Index most) {
  const auto shares = probabilities.row(token);
  std::vector<Index> words(static_cast<std::size_t>(probabilities.cols()));
  std::iota(words.begin(), words.end(), Index{0});
  const auto end = words.begin() + std::min(most, probabilities.cols());
  const auto share = [&](Index word) {  // what is no number is the least likely
    const float p = shares(0, word);
    return std::isnan(p) ? -1.0f : p;
  };
  std::partial_sort(words.begin(), end, words.end(), [&](Index a, Index b) {
    const float p = share(a), q = share(b);
    return p != q ? p > q : a < b;
  });
  words.erase(end, words.end());
  return words;
}

template struct ModelTrace<float>;
template struct ModelTrace<double>;
template Mat<float> normed_words(MatIn<float>, const ModelSettings&, const ModelWeights<float>&);
template Mat<double> normed_words(MatIn<double>, const ModelSettings&, const ModelWeights<double>&);
template void read_out(const Array<float>&, ModelTrace<float>&, const ModelTrace<float>*, ThreadPool*, ReadOut);
template void read_out(const Array<double>&, ModelTrace<double>&, const ModelTrace<double>*, ThreadPool*, ReadOut);

}  // namespace hydra
