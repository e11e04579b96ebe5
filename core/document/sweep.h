// The same sentence and the same combined matrices cut into other numbers of heads: what is won, what is lost.
#pragma once
#include <functional>
#include <map>

#include "core/analysis/cost.h"
#include "core/analysis/diversity.h"
#include "core/analysis/likeness.h"
#include "core/analysis/mixing.h"
#include "core/attention/trace.h"
#include "core/document/document.h"
#include "core/files/whole_file.h"

namespace hydra {

struct SweepEntry {
  Index heads = 1, d_k = 0;
  std::shared_ptr<const Trace> trace;                             // of the document cut into so many heads
  double entropy_bits = 0, entropy_fraction = 0, confidence = 0;  // means over heads (roles.h)
  double effective_heads = 0, mean_cosine = 0, mean_js_bits = 0;  // of the patterns; NaN for one head
  std::vector<double> shares;                                     // ||Z_i||^2 / sum ||Z_g||^2, by head
  double output_change = 0;  // ||Y - Y_1||_F / ||Y_1||_F, Y_1 of the same weights as one head
  // Of the measured head: of Q_i K_i^T before softmax, of A_i after it.
  Index head = 0;
  Spectrum scores, pattern;
  bool any_pattern = false;  // d_k >= n: a head can make any pattern (Bhojanapalli et al. 2020, theorem 1)
  LayerSizes sizes;
  MultiplyAdds multiply_adds;
};

// Head counts for which a document is swept when none are asked for: 1, 2, 4, ... and d_model itself where allowed.
std::vector<Index> usual_head_counts(Index d_model);
// Throws InputError unless every count divides d_model; sorted, each once.
std::vector<Index> checked_head_counts(std::vector<Index> counts, Index d_model);

// Makes sweeps one after the other; after an edit only what changed is computed again.
class Sweeps {
 public:
  explicit Sweeps(ThreadPool* pool = nullptr) : pool_(pool) {}

  // One entry per count. head: the one whose singular values are wanted, or the last where there are fewer. finished is
  // told how many entries are, after each; may be empty.
  std::vector<SweepEntry> of(const Document& document, const std::vector<Index>& counts, Index head,
                             const std::function<void(int)>& finished = {});

 private:
  struct Kept {
    std::shared_ptr<const Trace> trace;
    LikenessMatrices likeness;
    MatPtr<float> Q, K, attention;  // what the spectra were computed from
    Spectrum scores, pattern;
  };
  Kept& evaluated(const Document& document, Index heads);
  SweepEntry entry(Kept& kept, Index head, const Mat<float>& one_head_output);

  ThreadPool* pool_;
  std::map<Index, Kept> kept_;  // by head count
};

// The sweep command's JSON (docs/document.md).
void write_sweep(const std::vector<SweepEntry>& entries, const Sink& sink);

}  // namespace hydra
