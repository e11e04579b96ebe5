#include "core/attention/readout.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "core/attention/stages.h"
#include "core/linalg/arena.h"
#include "core/linalg/matmul.h"
#include "core/ops/norm.h"

namespace hydra {

namespace {

template <class S>
class ReadoutStages {
 public:
  ReadoutStages(const Array<S>& stream, ModelTrace<S>& model, const ModelTrace<S>* previous, ThreadPool* pool)
      : stream_(stream), model_(model), previous_(previous), pool_(pool) {}

  void make(const ProgramNode& node) {
    Array<S>& stage = *model_.stage(node.result);
    if (node.operation == Operation::add) {  // of the stream alone
      stage = stream_;
      return;
    }
    const Stamp stamp = stamp_of(node);
    if (const Array<S>* old = previous_ ? previous_->stage(node.result) : nullptr;
        old && *old && old->stamp() == stamp) {
      stage = *old;
      return;
    }
    const Array<S>& first = operand(node, 0);
    const bool product = node.operation == Operation::linear || node.operation == Operation::outer;
    const Index n = first.rows(), cols = product ? model_.next_words.size() : first.cols();
    Arena<S> arena;
    const Fresh<S> fresh = arena.make(stage, stamp, n, cols);
    const Index work = n * cols * (product ? first.cols() : 1);
    parallel_for(work < kTooLittleToCut ? nullptr : pool_, block_count(n), [&](Index index) {
      const RowBlock rows = block_of(n, index);
      compute(node, first->middleRows(rows.row, rows.rows), fresh.rows(rows.row, rows.rows));
    });
  }

 private:
  Stamp stamp_of(const ProgramNode& node) const {
    Key key("read out");
    key << node.operation;
    if (node.operation == Operation::norm) key << model_.settings.final_norm_kind << model_.settings.final_norm_epsilon;
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

  void compute(const ProgramNode& node, MatIn<S> rows, MatOut<S> out) const {
    static const Mat<S> none;
    const auto whole = [&](std::size_t k) -> MatView<S> {
      const Array<S>& values = operand(node, k);
      if (!values) return none;
      return *values;
    };
    switch (node.operation) {
      case Operation::norm:
        return norm::forward<S>(rows, whole(1), whole(2), model_.settings.final_norm_kind,
                                model_.settings.final_norm_epsilon, out);
      case Operation::linear:
        return linear::forward<S>(rows, whole(1), whole(2), out);
      case Operation::outer:
        multiply_transposed<S>(rows, whole(1), 1, out);
        if (operand(node, 2)) out.rowwise() += operand(node, 2)->row(0);
        return;
      case Operation::softmax:
        return softmax::forward<S>(rows, out, std::nullopt, model_.next_words.parts());
      default:
        assert(false);
    }
  }

  const Array<S>& stream_;
  ModelTrace<S>& model_;
  const ModelTrace<S>* previous_;
  ThreadPool* pool_;
};

}  // namespace

template <class S>
Array<S>* ModelTrace<S>::stage(Quantity quantity) {
  if (quantity == Quantity::final) return &final;
  if (quantity == Quantity::logits) return &logits;
  return quantity == Quantity::probabilities ? &probabilities : nullptr;
}

template <class S>
void read_out(const Array<S>& stream, ModelTrace<S>& model, const ModelTrace<S>* previous, ThreadPool* pool) {
  ReadoutStages<S> out(stream, model, previous, pool);
  for (const ProgramNode& node : model.program().out) out.make(node);
}

std::vector<Index> likeliest(MatIn<float> probabilities, Index token, Index most) {
  std::vector<Index> words(static_cast<std::size_t>(probabilities.cols()));
  std::iota(words.begin(), words.end(), Index{0});
  const auto end = words.begin() + std::min(most, probabilities.cols());
  const auto share = [&](Index word) {  // what is no number is the least likely
    const float p = probabilities(token, word);
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
template void read_out(const Array<float>&, ModelTrace<float>&, const ModelTrace<float>*, ThreadPool*);
template void read_out(const Array<double>&, ModelTrace<double>&, const ModelTrace<double>*, ThreadPool*);

}  // namespace hydra
