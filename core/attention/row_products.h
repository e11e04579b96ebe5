// Products of one row with weights: of little work for each number that is read, so threads share the columns. Which
// thread computes a number does not change its bits (linalg/matmul.h).
#pragma once
#include <algorithm>
#include <span>

#include "core/ops/linear.h"
#include "core/work/parallel.h"

namespace hydra {

// Waking a thread takes longer than reading fewer weights.
inline constexpr Index kFewWeights = 500'000;

// Cuts so many columns, with so many weights in all, into a piece for each thread, since rows of weights are read best
// in few long parts: task(first, count). Allocates nothing.
template <class Task>
void for_columns(ThreadPool* pool, Index columns, Index weights, const Task& task) {
  constexpr Index kAligned = 16;
  if (!pool || pool->threads() == 1 || weights < kFewWeights) return task(Index{0}, columns);
  const Index share = (columns + pool->threads() - 1) / pool->threads();
  const Index width = (share + kAligned - 1) / kAligned * kAligned;
  struct Cut {
    const Task& task;
    Index columns, width;
  };
  const Cut cut{task, columns, width};
  pool->run((columns + width - 1) / width, [&cut](Index k) {
    const Index first = k * cut.width;
    cut.task(first, std::min(cut.width, cut.columns - first));
  });
}

template <class S>
struct RowProduct {
  MatView<S> x;
  Factor<S> W;
  MatView<S> b;  // none where it is empty
  MatOut<S> out;
};

// All of them, as if side by side.
template <class S>
void multiply_row(ThreadPool* pool, std::span<RowProduct<S>> products) {
  Index columns = 0, weights = 0;
  for (const RowProduct<S>& product : products) columns += product.W.cols(), weights += product.W.size();
  for_columns(pool, columns, weights, [&](Index first, Index count) {
    for (RowProduct<S>& product : products) {
      const Index own = product.W.cols(), begin = std::max<Index>(first, 0), end = std::min(own, first + count);
      if (begin < end) {
        const Index cols = end - begin, biases = product.b.size() > 0 ? cols : 0;
        linear::forward<S>(product.x, product.W.columns(begin, cols),
                           product.b.middleCols(biases > 0 ? begin : 0, biases), product.out.middleCols(begin, cols));
      }
      first -= own;
    }
  });
}

}  // namespace hydra
