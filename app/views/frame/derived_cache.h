// The Derived of a running program: computes on first use, keeps what is asked for under the stamp of what it is of.
#pragma once
#include <map>
#include <tuple>

#include "app/views/frame/context.h"
#include "app/views/frame/layout_cache.h"

namespace hydra {

// Scores, attention, attention by value, contribution: n x n or n x d_model for every head.
bool is_of_one_head(Quantity quantity);

class DerivedCache final : public Derived {
 public:
  void set_trace(std::shared_ptr<const Trace> trace);
  void begin_frame();
  bool pending() const { return pending_; }  // a picture of the last frame waits for another frame

  Array<float> value_weighted(int layer, int head) override;
  Array<float> mean_attention(int layer, const std::vector<bool>& heads) override;
  Array<float> form(const Site& ref) override;
  const Explained& explained(const Cell& cell, const std::vector<bool>& mean_heads) override;
  Array<float> transposed(const Array<float>& matrix) override;
  Array<float> unread_hatched(const Array<float>& matrix, Index d_k) override;
  Array<float> head_sight(const AttentionWeights<float>& weights, Index heads, int head, Split split) override;
  Array<float> strongest(const Site& ref, int level) override;
  Array<float> strongest_of(const Array<float>& matrix, int level) override;
  const Mat<float>& contributions_to(int layer, Index token) override;
  const MaskShown& mask(int layer) override;
  const MaskShown& mask_of(const Site& site) override;
  const KnownShown& known() override;
  Index usual_token() override;
  Index rarest_question() override;
  const std::vector<Index>& asked_tokens(Index question) override;
  const std::string& weights_in_use(const Document& document, int layer, int head) override;
  float max_abs(const Array<float>& matrix) override;
  Reach reach(std::span<const Array<float>> matrices) override;
  Reach shared_reach(const Site& ref) override;
  Array<float> small_pattern(int layer, int head, float side) override;
  Array<float> composed(const CircuitLine& line) override;
  Array<float> head_picture(const HeadPicture& picture, int layer, int head) override;
  double score_spread(int layer) override;
  double score_spread(int layer, int head) override;

 private:
  struct Strongest {
    Stamp of;
    int level = 0;
    Array<float> result;
  };
  struct Masked {
    Stamp of;
    MaskShown result;
  };

  Array<float> once(const Site& ref) const;  // kept nowhere
  const MaskShown& shown(std::pair<int, int> place, const Mask& mask);
  const Sizes& sizes(const Array<float>& matrix);
  void drop_before(unsigned layout);
  // Makes what costs a frame something, as long as the frame has time for it; else in a later one.
  template <class Make>
  void in_budget(const Make& make);
  template <class Make>
  Array<float> picture(Stamp stamp, const Make& make) {
    return picture(stamp, make, pictures_);
  }
  template <class Make>
  Array<float> picture(Stamp stamp, const Make& make, LayoutCache<Stamp, Array<float>>& pictures);

  std::shared_ptr<const Trace> trace_;
  unsigned layout_ = 0;        // so far
  unsigned trace_layout_ = 0;  // the last before the present trace
  double spent_ = 0;           // of this frame, in seconds, on what may wait
  bool pending_ = false;
  std::optional<std::pair<int, Index>> token_;
  Mat<float> contributions_;  // to that layer's token
  // What the first layout of the present trace did not ask for goes, and with a new trace what the one before did not:
  // it may hold what nothing else does.
  LayoutCache<Stamp, Array<float>> pictures_;                         // each under its own stamp
  LayoutCache<Stamp, Array<float>> weighted_;                         // the same of large traces, of which few are kept
  LayoutCache<std::tuple<int, Quantity, int>, Strongest> strongest_;  // by layer, quantity and head
  LayoutCache<Stamp, Array<float>> small_;                            // patterns in the strip of layers
  LayoutCache<Stamp, Sizes> sizes_;
  LayoutCache<Stamp, Reach> reaches_;
  struct InUse {
    std::optional<WeightSource> source;
    Stamp weights;
    AttentionWeights<float> from;
    bool slot = false;
    const LayerProgram* program = nullptr;  // whose parameters they are
    std::vector<std::string> words;         // by head
  };
  std::map<std::pair<int, int>, Masked> masks_;  // by layer and head; -1: of heads that have none, -2: of all together
  std::map<int, InUse> in_use_;
  // Of the present trace.
  std::map<std::pair<int, Quantity>, Reach> shared_reaches_;
  std::map<int, double> score_spreads_;
  std::map<int, std::vector<double>> head_spreads_;  // by layer
  std::optional<Explained> explained_;
  std::optional<KnownShown> known_;
  std::optional<Index> usual_token_, rarest_question_;
  std::optional<std::pair<Index, std::vector<Index>>> asked_tokens_;  // of that question
  std::vector<bool> explained_heads_;
};

}  // namespace hydra
