// The same sentence and the same combined matrices cut into other numbers of heads, or with other numbers of heads that
// have keys and values of their own: what is won, what is lost.
#pragma once
#include <functional>
#include <map>
#include <stop_token>

#include "core/analysis/cost.h"
#include "core/analysis/diversity.h"
#include "core/analysis/likeness.h"
#include "core/analysis/mixing.h"
#include "core/attention/trace.h"
#include "core/document/document.h"
#include "core/files/whole_file.h"

namespace hydra {

enum class Swept {
  heads,    // SetHeads
  kv_heads  // SetKvHeads: groups of heads share the means of their keys and values (Ainslie et al. 2023)
};

struct SweepEntry {
  Index heads = 1, kv_heads = 1, d_k = 0;
  std::shared_ptr<const Trace> trace;                             // of the document with so many
  double entropy_bits = 0, entropy_fraction = 0, confidence = 0;  // means over heads (roles.h)
  double effective_heads = 0, mean_cosine = 0, mean_js_bits = 0;  // of the patterns; NaN for one head
  std::vector<double> shares;                                     // ||Z_i||^2 / sum ||Z_g||^2, by head
  // ||Y - Y_1||_F / ||Y_1||_F; Y_1 of the same weights as one head, or, over kv_heads, of the document as it stands:
  // there it is 0 for multiples of its number, which only repeat.
  double output_change = 0;
  // Of the measured head, -1 for none: of Q_i K_i^T before softmax, of A_i after it.
  Index head = -1;
  Spectrum scores, pattern;
  // Some W_Q and W_K make any pattern of positive weights where the mask allows them: d_k >= n, and X has rank n.
  // Bhojanapalli et al. 2020, theorem 1.
  bool any_pattern = false;
  Index input_rank = -1;  // of X, of slices the head's, when a head is measured and d_k >= n; else -1
  LayerSizes sizes;
  MultiplyAdds multiply_adds;
};

// Head counts for which a document is swept when none are asked for: 1, 2, 4, ... and d_model itself where allowed.
std::vector<Index> usual_head_counts(Index d_model);
// Throws InputError unless every count divides d_model; sorted, each once.
std::vector<Index> checked_head_counts(std::vector<Index> counts, Index d_model);

// Numbers in all patterns that are kept side by side unless more are asked for: 120 MB, and the scores as much again.
inline constexpr Index kMostSweptCells = 30'000'000;
// With how many keys and values a document of so many tokens is compared, descending: the divisors of its head count.
// All heads' own, 1 and the document's number always, the others as far as their patterns are not too many to keep.
// None for slices, which cannot share.
std::vector<Index> usual_kv_head_counts(const Document& document, Index tokens);

// Makes sweeps one after the other; after an edit only what changed is computed again.
class Sweeps {
 public:
  explicit Sweeps(ThreadPool* pool = nullptr, Swept swept = Swept::heads) : pool_(pool), swept_(swept) {}

  // One entry per count. head: the one whose singular values are wanted, or the last where there are fewer; -1: none.
  // finished is told how many entries are, after each; may be empty. Throws InputError for a count that cannot be, and
  // Stopped between two entries after a stop is requested.
  std::vector<SweepEntry> of(const Document& document, const std::vector<Index>& counts, Index head,
                             const std::function<void(int)>& finished = {}, const std::stop_token& stop = {});

 private:
  struct Kept {
    std::shared_ptr<const Trace> trace;
    LikenessMatrices likeness;
    MatPtr<float> Q, K, attention, read;  // what the spectra were computed from; read: of X
    Spectrum scores, pattern;
    Index input_rank = -1;
  };
  Kept& evaluated(const Document& document, Index count);
  void measure_ranks(Kept& kept, Index head, Split split, SweepEntry& entry) const;
  SweepEntry entry(Kept& kept, Index head, const Mat<float>& reference, Split split) const;

  ThreadPool* pool_;
  Swept swept_;
  std::map<Index, Kept> kept_;  // by count
};

// The sweep command's JSON (docs/document.md). sharing: over kv_heads; none where heads cannot share.
void write_sweep(const std::vector<SweepEntry>& entries, const std::vector<SweepEntry>& sharing, const Sink& sink);

}  // namespace hydra
