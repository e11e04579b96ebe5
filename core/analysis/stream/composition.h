// How far a head reads what a head of an earlier layer writes, from the weights alone (Elhage et al. 2021, section
// "Virtual weights and composition"): with OV_1 = W_V W_O of the earlier head,
//   ||OV_1 M||_F / (||OV_1||_F ||M||_F),   M = W_Q W_K^T (into the query), its transpose (into the key), or W_V W_O
//   (into the value) of the later one.
// 0 to 1: 0 where the later head reads nothing of what the earlier can write; 1 for forms of rank one of which the
// second reads what the first writes. What stands between, norms and other parts, does not count; nor do gates. It says
// what could be read, of a stream that carries it there: no sentence goes into it.
#pragma once
#include <vector>

#include "core/analysis/head_forms.h"
#include "core/attention/forward.h"

namespace hydra {

enum class Into { query, key, value };
inline constexpr int kInto = 3;

struct Composition {
  Mat<double> query, key, value;  // [heads of the earlier layer x heads of the later one]; NaN where a form is 0
  const Mat<double>& into(Into into) const { return into == Into::query ? query : into == Into::key ? key : value; }
};

// What composition needs of a form A = left right^T of each head, made once for all layers that it is compared with: of
// the side that the product leaves open only lengths count, so it is reduced to the triangle R of left = Q R, and a
// head's rows are R right^T / ||A||. Products of two heads' rows are then scores: ||F_1 F_2^T||_F.
struct HeadFactors {
  Index heads = 0;
  Mat<float> rows;  // [heads min(d_k, d_model) x d_model]; NaN of a head whose form is 0
};
struct LayerReads {
  HeadFactors query, key, value;
};
HeadFactors writes_of(const std::vector<HeadForm>& value_output);
LayerReads reads_of(const std::vector<HeadForm>& query_key, const std::vector<HeadForm>& value_output);
HeadFactors writes_of(const LayerInput<float>& layer, ThreadPool* pool = nullptr);
LayerReads reads_of(const LayerInput<float>& layer, ThreadPool* pool = nullptr);
// Every head of the one with every head of the other.
Mat<double> composition_scores(const HeadFactors& writes, const HeadFactors& reads, ThreadPool* pool = nullptr);
Composition composition(const HeadFactors& writes, const LayerReads& reads, ThreadPool* pool = nullptr);

// The root of the mean square of the score of heads whose forms have nothing to do with one another.
double random_composition(Index d_model);

// OV_1 M written out: what the later head finds of what the earlier one writes. Row: a column of X of the word that the
// earlier head attends to. Column: of the key (into the query), of the query (into the key), or of what the later head
// writes (into the value).  [d_model x d_model]
struct HeadOfLayer {
  const LayerInput<float>& layer;
  Index head;
};
Mat<float> composed_form(const HeadOfLayer& earlier, const HeadOfLayer& later, Into into);

}  // namespace hydra
