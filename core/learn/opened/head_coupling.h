// What heads have to do with each other's gradients: the derivative that enters a head comes from the loss through W_O,
// and the loss sees all heads' sum, so it changes when another head is silenced.
#pragma once
#include <vector>

#include "core/learn/opened/opened_step.h"
#include "core/work/progress.h"

namespace hydra::learn {

struct HeadCoupling {
  Index most = 1;               // heads of the layer with the most
  std::vector<int> heads;       // all, layer after layer: layer * most + head
  double loss = 0;              // of the step's batch, as it is
  std::vector<double> losses;   // with that head silent
  std::vector<double> answers;  // ||dL/dlogits without it - dL/dlogits|| / ||dL/dlogits||
  // [silent x head] ||G without it - G|| / ||G||, G = dL/dC_i of the whole batch: what enters head i. NaN where nothing
  // does. On the diagonal what would enter the silent head.
  Mat<double> change;
};
// Of the step that is opened, a run for each head. What was silent before stays so. Throws Stopped.
HeadCoupling head_coupling(const OpenedStep& opened, ThreadPool* pool, const Progress& progress = {});

// How much of the gradient softmax lets through in a layer, with the factor 1 / sqrt(d_k) and without: the derivative
// of a row's weights by its scores is diag(a) - a a^T, whose trace is 1 - sum a^2, which is 0 when one weight is 1.
struct SoftmaxSlopes {
  struct Head {
    double spread = 0;     // of a row's scores: their standard deviation, mean over rows
    double largest = 0;    // of a row's weights, mean over rows
    double slope = 0;      // 1 - sum a^2, mean over rows
    double by_scores = 0;  // ||dL/dS|| over the batch
    double by_W_Q = 0;     // ||dL/dW_Q||
  };
  Index layer = 0;
  bool is_scaled = true;  // as the document has it
  double factor = 1;      // 1 / sqrt(d_k)
  double loss_scaled = 0, loss_unscaled = 0;
  std::vector<Head> scaled, unscaled;
};
SoftmaxSlopes softmax_slopes(const OpenedStep& opened, Index layer, ThreadPool* pool);

}  // namespace hydra::learn
