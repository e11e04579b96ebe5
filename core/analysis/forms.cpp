#include "core/analysis/forms.h"

#include <cassert>

#include "core/linalg/matmul.h"

namespace hydra {

Mat<float> form_of(const Trace& trace, const Site& ref) {
  assert(is_form(ref.quantity));
  const LayerInput<float>& input = trace.layer(ref.layer).input;
  const AttentionWeights<float>& w = input.weights;
  const Index d_model = input.d_model(), d_k = input.d_k(), first = ref.head * d_k;
  const Index kv_first = input.kv_head(ref.head) * d_k;
  Mat<float> form(d_model, d_model);
  if (ref.quantity == Quantity::query_key)
    multiply_transposed<float>(w.W_Q->middleCols(first, d_k), Factor<float>(w.W_K).columns(kv_first, d_k), 1.0f, form);
  else
    multiply<float>(w.W_V->middleCols(kv_first, d_k), Factor<float>(w.W_O).row_block(first, d_k), form);
  return form;
}

}  // namespace hydra
