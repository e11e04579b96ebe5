// Which tokens a part of a layer can move numbers between: for each pair the largest derivative of what the part gives
// for one by what enters the layer's stream for the other. Computed by going back through the part (attention/walk.h),
// not by what is known of it. A feed-forward part works on each token alone, so its matrix is diagonal; attention's is
// as full as its patterns.
#pragma once
#include <stop_token>

#include "core/attention/trace.h"

namespace hydra {

struct Routing {
  // [n x n] |d part(x)[i, c] / d x[j, k]|, the largest over k and over the columns c that were gone back from. x is the
  // stream that the part reads, before its norm. feed_forward is empty where there is none.
  Mat<double> attention, feed_forward;
  Index columns = 0;  // so many of the d_model, evenly apart
};

// Goes back n columns times through the layer; each time is about two forward passes. Throws Stopped.
Routing routing(const LayerTrace<float>& layer, const BlockTrace<float>& block, Index columns,
                ThreadPool* pool = nullptr, const std::stop_token& stop = {});

// What going back from one column takes, in multiply-adds; and as many columns as so many pay for, at least 1 and at
// most d_model.
double cost_of_column(const LayerTrace<float>& layer);
Index affordable_columns(const LayerTrace<float>& layer, double multiply_adds);

}  // namespace hydra
