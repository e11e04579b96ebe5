// Which word comes next: the likeliest, or one that is drawn. By logits and a seed alone, so that the same numbers give
// the same words on every machine.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/linalg/random.h"
#include "core/linalg/types.h"

namespace hydra {

inline constexpr Index kShownWords = 10;  // the strongest, that are kept of each choice

struct Choosing {
  double temperature = 1;  // logits are divided by it; 0: the likeliest word, of several the first
  Index top_k = 0;         // drawn among so many of the likeliest; 0: among all
  double top_p = 1;        // and among the fewest of them that the model gives this much to
};
void check_choosing(const Choosing& choosing);  // throws InputError with one sentence

struct LikelyWord {
  Index word = 0;         // its column
  float probability = 0;  // that the model gives it
  float drawn = 0;        // with which it was drawn: at the temperature, among those that were let in
  bool operator==(const LikelyWord&) const = default;
};

struct ChosenWord {
  LikelyWord chosen;
  std::vector<LikelyWord> strongest;  // up to kShownWords by probability, perhaps with the chosen one; of the same the
                                      // first comes first
};

class Chooser {
 public:
  // Of so many words. The choosing must have been checked.
  Chooser(const Choosing& choosing, std::uint64_t seed, Index words);

  // Logits [1 x words]. A word whose logit is no number is not chosen; nothing where there is no other, or where all
  // are -inf. into keeps its room.
  bool choose(MatIn<float> logits, ChosenWord& into);

 private:
  void find_strongest(std::vector<LikelyWord>& strongest) const;
  void let_in(Index likeliest);
  Index draw();

  Choosing choosing_;
  Random random_;
  std::vector<float> logits_, probabilities_, drawn_;  // of all words; a logit that is no number is -inf
  std::vector<Index> order_;                           // words that may be drawn, where not all may
};

}  // namespace hydra
