// A head's output and its bilinear forms W_Q W_K^T and W_V W_O as likeness compares them (likeness.h): by products of
// their factors, [d_k x d_k] a pair, in double precision. The same factors give the same bits.
#pragma once
#include <string>

#include "core/analysis/head_pattern.h"
#include "core/linalg/random.h"

namespace hydra {

struct HeadOutput {
  RowCounts counts;
  Eigen::MatrixXd centred;  // [rows that count x d_k], all sentences' tokens; the mean of every column is 0
  Eigen::VectorXd squares;  // [rows] of each row's norm
  double square = 0;        // their sum
  bool varies = false;      // by more than floats round
  double hsic = 0;          // of the output and itself; 0 where CKA is not defined
};
// The rows of the outputs (by sentence, [n x d_k]) that count.
HeadOutput head_output(const std::vector<Array<float>>& outputs, RowCounts counts);
// Linear centred kernel alignment over the rows that count in both; NaN: not defined.
double cka(const HeadOutput& a, const HeadOutput& g);
inline constexpr Index kLeastForCka = 4;            // rows
std::string why_no_hsic(const HeadOutput& output);  // where it is 0; empty where it is not
// The same with the rows of the second, its tokens, in another order: of outputs that have nothing to do with one
// another.
double unrelated_cka(const HeadOutput& a, const HeadOutput& g, Random& random);

// left right^T, both [d_model x d_k].
struct HeadForm {
  Eigen::MatrixXd left, right;
  double square = 0;  // ||left right^T||^2; 0 also where it is no more than rounding
};
HeadForm query_key_form(const AttentionWeights<float>& weights, Index head, Index d_k);     // W_Q W_K^T
HeadForm value_output_form(const AttentionWeights<float>& weights, Index head, Index d_k);  // W_V W_O
// What they are of: same stamp, same form.
Stamp query_key_stamp(const AttentionWeights<float>& weights, Index head, Index d_k);
Stamp value_output_stamp(const AttentionWeights<float>& weights, Index head, Index d_k);
double cosine(const HeadForm& a, const HeadForm& g);  // NaN where one is 0

}  // namespace hydra
