// The same sentence and the same combined matrices cut into other numbers of heads, or with other numbers of heads that
// have keys and values of their own: what is won, what is lost.
#pragma once
#include <compare>
#include <functional>
#include <map>
#include <stop_token>

#include "core/analysis/cost/cost.h"
#include "core/analysis/likeness/diversity.h"
#include "core/analysis/likeness/independent.h"
#include "core/analysis/likeness/likeness.h"
#include "core/analysis/mixing.h"
#include "core/analysis/roles/roles.h"
#include "core/attention/trace.h"
#include "core/document/document.h"
#include "core/files/whole_file.h"

namespace hydra {

enum class Swept {
  heads,    // SetHeads
  kv_heads  // SetKvHeads: groups of heads share the means of their keys and values (Ainslie et al. 2023)
};

// The spectra of several heads: their ranks, and by place their singular values divided by each head's largest.
struct RanksOverHeads {
  Spread rank, effective_rank;
  std::vector<double> least, median, most;
};

// Whether some W_Q and W_K make every pattern of positive weights where the mask allows them. unknown: not proved.
enum class AnyPattern { no, yes, unknown };
// Of a head of that layer, of n tokens. rank: of what it reads; asked where d_k >= n - 1. Bhojanapalli et al. 2020,
// theorem 1, has d_k >= n and rank n; but softmax ignores a constant in each row, and with the scores of one key taken
// from all others n - 1 dimensions hold the rest. What is added to scores (ALiBi) or rotates q and k (rotary) takes
// nothing away. A soft cap and QK norm bound the ratio of two weights, a sink takes its part of each row: no. Below n -
// 1, without a mask or with a causal one, n - 1 rows of logarithms less those of one key are of too high a rank: no.
AnyPattern any_pattern(const LayerInput<float>& input, Index head, Index n, Index rank);

struct SweepEntry {
  Index heads = 1, kv_heads = 1, d_k = 0;
  bool rescaled = false;  // over kv_heads: the means of W_K are as large as what they are of (with_kv_heads, keep_norm)
  std::shared_ptr<const Trace> trace;  // of the document with so many
  int at = 0;                          // the layer that is swept
  const LayerTrace<float>& layer() const { return trace->layer(at); }
  double entropy_bits = 0, entropy_fraction = 0, confidence = 0;  // means over heads (roles.h)
  double effective_heads = 0, mean_cosine = 0, mean_js_bits = 0;  // of the patterns; NaN for one head
  IndependentHeads independent;                                   // what these are of heads that share nothing
  std::vector<double> shares;                                     // ||Z_i||^2 / sum ||Z_g||^2, by head
  // ||Y - Y_0||_F / ||Y_0||_F; Y_0 of the document as it stands. Over kv_heads it is 0 for multiples of its number,
  // which only repeat.
  double output_change = 0;
  // Of the answers to its task's questions, over held-out sequences; NaN where it has none, and until
  // learn::add_accuracy (core/learn/tasks/known_text.h) has tried it.
  double accuracy = kUndefined;
  // Of the measured head, -1 for none: of Q_i K_i^T before softmax, of A_i after it.
  Index head = -1;
  Spectrum scores, pattern;
  // The same over the heads: all of them, or, where their patterns are so large that it would take minutes, some.
  RanksOverHeads scores_over_heads, pattern_over_heads;
  AnyPattern any_pattern = AnyPattern::unknown;  // of the measured head
  Index input_rank = -1;  // of X, of slices the head's, when a head is measured and d_k >= n - 1; else -1
  LayerSizes sizes;
  MultiplyAdds multiply_adds;
};

// Head counts for which a document is swept when none are asked for: 1, 2, 4, ... and d_model itself where allowed.
std::vector<Index> usual_head_counts(Index width);
// Throws InputError unless every count divides the width of the heads side by side; sorted, each once.
std::vector<Index> checked_head_counts(std::vector<Index> counts, Index width, Index d_model);

// Numbers in all patterns that are kept side by side unless more are asked for: 120 MB, and the scores as much again.
inline constexpr Index kMostSweptCells = 30'000'000;
// With how many keys and values a document of so many tokens is compared, descending: the divisors of its head count.
// All heads' own, 1 and the document's number always, the others as far as their patterns are not too many to keep.
// None for slices, which cannot share.
std::vector<Index> usual_kv_head_counts(const Layer& layer, Index tokens);

// Makes sweeps of one layer after the other; after an edit only what changed is computed again.
class Sweeps {
 public:
  // independent: whether independent heads are drawn with each entry.
  explicit Sweeps(ThreadPool* pool = nullptr, Swept swept = Swept::heads, bool independent = true)
      : pool_(pool), swept_(swept), independent_(independent) {}
  // After this each trace is freed once it was measured; look is called first. Entries keep only its tokens and X.
  void let_traces_go(std::function<void(const SweepEntry&)> look) { measured_ = std::move(look); }

  // One entry per count, and over kv_heads, behind each that takes means, the same with their norm kept. head: the one
  // whose singular values are wanted, or the last where there are fewer; -1: none. finished is told how many counts are
  // done, after each; may be empty. Throws InputError for a count that cannot be, and Stopped between two entries after
  // a stop is requested.
  std::vector<SweepEntry> of(const Document& document, int layer, const std::vector<Index>& counts, Index head,
                             const std::function<void(int)>& finished = {}, const std::stop_token& stop = {});

 private:
  struct Kept {
    std::shared_ptr<const Trace> trace;
    LikenessMatrices likeness;
    IndependentMeasures independent;
    struct Head {
      Stamp QK, attention;  // what the spectra were computed from
      Spectrum scores, pattern;
    };
    std::map<Index, Head> heads;
    Stamp read;  // of X, whose rank this is
    Index input_rank = -1;
  };
  struct Cut {
    Index count = 1;
    bool rescaled = false;
    auto operator<=>(const Cut&) const = default;
  };
  std::vector<Cut> cuts_of(const Layer& layer, const std::vector<Index>& counts) const;
  Kept& evaluated(const Document& document, int layer, const Cut& cut, double most);
  void let_go(SweepEntry& entry);
  void measure_ranks(Kept& kept, Index head, SweepEntry& entry) const;
  SweepEntry entry(Kept& kept, int layer, Index head, MatIn<float> reference) const;

  ThreadPool* pool_;
  Swept swept_;
  bool independent_;
  std::function<void(const SweepEntry&)> measured_;
  std::map<Cut, Kept> kept_;
};

}  // namespace hydra
