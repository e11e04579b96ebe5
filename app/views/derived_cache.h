// The Derived of a running program: computes on first use, keeps results while their inputs are the same matrices.
#pragma once
#include <map>
#include <tuple>
#include <unordered_map>

#include "app/views/context.h"

namespace hydra {

class DerivedCache final : public Derived {
 public:
  void set_trace(std::shared_ptr<const Trace> trace);

  MatPtr<float> value_weighted(int layer, int head) override;
  MatPtr<float> mean_attention(int layer, const std::vector<bool>& heads) override;
  MatPtr<float> form(const MatrixRef& ref) override;
  MatPtr<float> bias(const MatrixRef& ref) override;
  const Explained& explained(const CellRef& cell, const std::vector<bool>& mean_heads) override;
  MatPtr<float> transposed(const MatPtr<float>& matrix) override;
  MatPtr<float> unread_hatched(const MatPtr<float>& matrix, Index d_k) override;
  MatPtr<float> head_reach(const AttentionWeights<float>& weights, Index heads, int head, Split split) override;
  float max_abs(const MatPtr<float>& matrix) override;
  float shared_range(const MatrixRef& ref) override;

 private:
  struct Weighted {
    MatPtr<float> attention, V, contribution, result;  // the contribution is new when W_O^i or the gate is
  };
  struct Form {
    MatPtr<float> left, right, result;
  };
  struct Mean {
    std::vector<MatPtr<float>> patterns;  // of the heads that took part
    MatPtr<float> result;
  };
  struct Turned {
    std::weak_ptr<const Mat<float>> matrix;
    MatPtr<float> result;
  };
  struct Hatched {
    std::weak_ptr<const Mat<float>> matrix;
    Index d_k = 0;
    MatPtr<float> result;
  };
  struct Reach {
    std::vector<MatPtr<float>> weights;
    Index heads = 0;
    int head = 0;
    MatPtr<float> result;
  };
  struct Largest {
    std::weak_ptr<const Mat<float>> matrix;
    float value;
  };

  std::shared_ptr<const Trace> trace_;
  std::map<std::pair<int, int>, Weighted> weighted_;
  std::map<std::tuple<int, Quantity, int>, Form> forms_;
  Mean mean_;
  std::unordered_map<const void*, Turned> turned_;
  std::unordered_map<const void*, Hatched> hatched_;
  std::unordered_map<const void*, Largest> largest_;
  std::map<Split, Reach> reach_;
  // Of the present trace.
  std::map<std::pair<int, Quantity>, float> ranges_;
  std::map<std::tuple<int, Quantity, int>, MatPtr<float>> biases_;
  std::optional<Explained> explained_;
  std::vector<bool> explained_heads_;
};

}  // namespace hydra
