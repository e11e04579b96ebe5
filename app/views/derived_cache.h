// The Derived of a running program: computes on first use, keeps results while their inputs are the same matrices.
#pragma once
#include <map>
#include <tuple>
#include <unordered_map>

#include "app/views/asked.h"
#include "app/views/context.h"

namespace hydra {

// Scores, attention, attention by value, contribution: n x n or n x d_model for every head.
bool is_of_one_head(Quantity quantity);

class DerivedCache final : public Derived {
 public:
  void set_trace(std::shared_ptr<const Trace> trace);
  void begin_frame();
  // By what a matrix of one head (is_of_one_head) is known to be the same in two traces.
  std::vector<std::shared_ptr<const void>> made_of(const Site& ref) const;
  bool pending() const { return pending_; }  // a picture of the last frame waits for another frame

  MatPtr<float> value_weighted(int layer, int head) override;
  MatPtr<float> mean_attention(int layer, const std::vector<bool>& heads) override;
  MatPtr<float> form(const Site& ref) override;
  MatPtr<float> bias(const Site& ref) override;
  const Explained& explained(const Cell& cell, const std::vector<bool>& mean_heads) override;
  MatPtr<float> transposed(const MatPtr<float>& matrix) override;
  MatPtr<float> unread_hatched(const MatPtr<float>& matrix, Index d_k) override;
  MatPtr<float> head_reach(const AttentionWeights<float>& weights, Index heads, int head, Split split) override;
  MatPtr<float> strongest(const Site& ref, int level) override;
  MatPtr<float> strongest_of(const MatPtr<float>& matrix, int level) override;
  const Mat<float>& contributions_to(int layer, Index token) override;
  const MaskShown& mask(int layer) override;
  const std::string& weights_in_use(const Document& document, int layer, int head) override;
  float max_abs(const MatPtr<float>& matrix) override;
  float shared_range(const Site& ref) override;
  double score_spread(int layer) override;

 private:
  using Parts = std::vector<std::shared_ptr<const void>>;
  struct Made {
    Parts from;
    MatPtr<float> result;
  };
  struct Strongest {
    Parts from;
    int level = 0;
    MatPtr<float> result;
  };
  struct Masked {
    Mask mask;
    Index n = 0;
    MaskShown result;
  };
  struct Largest {
    std::weak_ptr<const Mat<float>> matrix;
    float value;
  };

  MatPtr<float> whole(const Site& ref) const;  // not kept
  void drop_unasked();

  std::shared_ptr<const Trace> trace_;
  unsigned layout_ = 0;        // so far
  unsigned trace_layout_ = 0;  // the last before the present trace
  double spent_ = 0;           // of this frame, in seconds, on what may wait
  bool pending_ = false;
  std::optional<std::pair<int, Index>> token_;
  Mat<float> contributions_;  // to that layer's token
  // What the first layout of the present trace did not ask for goes: it may hold what nothing else does.
  Asked<std::tuple<int, Quantity, int>, Strongest> strongest_;  // by layer, quantity and head
  Asked<std::pair<const void*, int>, Made> strongest_of_;       // by matrix and level
  Asked<std::pair<int, int>, Made> weighted_;                   // by layer and head
  Asked<std::tuple<int, Quantity, int, Index>, Made> forms_;    // by layer, quantity, head and number of heads
  Asked<int, Made> means_;                                      // by layer, of the heads that took part
  Asked<const void*, Made> turned_;                             // by matrix
  Asked<std::pair<const void*, Index>, Made> hatched_;          // by matrix and d_k
  Asked<std::tuple<Split, Index, int>, Made> reach_;            // by split, number of heads and head
  std::unordered_map<const void*, Largest> largest_;
  struct InUse {
    std::optional<WeightSource> source;
    AttentionWeights<float> weights, from;
    Index kv_width = 0;
    std::vector<std::string> words;  // by head
  };
  std::map<int, Masked> masks_;  // by layer
  std::map<int, InUse> in_use_;
  // Of the present trace.
  std::map<std::pair<int, Quantity>, float> ranges_;
  std::map<std::tuple<int, Quantity, int>, MatPtr<float>> biases_;
  std::map<int, double> score_spreads_;
  std::optional<Explained> explained_;
  std::vector<bool> explained_heads_;
};

}  // namespace hydra
