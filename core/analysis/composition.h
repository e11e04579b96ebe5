// How far a head reads what a head of an earlier layer writes, from the weights alone (Elhage et al. 2021, section
// "Virtual weights and composition"): with OV_1 = W_V W_O of the earlier head,
//   ||OV_1 M||_F / (||OV_1||_F ||M||_F),   M = W_Q W_K^T (into the query), its transpose (into the key), or W_V W_O
//   (into the value) of the later one.
// 0 to 1: 0 where the later head reads nothing of what the earlier can write; 1 for forms of rank one of which the
// second reads what the first writes. What stands between, norms and other parts, does not count; nor do gates. It says
// what could be read, of a stream that carries it there: no sentence goes into it.
#pragma once
#include "core/analysis/head_forms.h"
#include "core/attention/forward.h"

namespace hydra {

struct Composition {
  Mat<double> query, key, value;  // [heads of the earlier layer x heads of the later one]; NaN where a form is 0
};

// A layer's forms, so that they are made once for all layers that it is compared with.
struct LayerForms {
  std::vector<HeadForm> query_key, value_output;  // by head
};
LayerForms forms_of(const LayerInput<float>& layer);
Composition composition(const LayerForms& earlier, const LayerForms& later, ThreadPool* pool = nullptr);

// The root of the mean square of the score of heads whose forms have nothing to do with one another.
double random_composition(Index d_model);

}  // namespace hydra
