// What the Mixing view writes and draws of the measures, worked out when they change and not per frame.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/measures/mixing.h"
#include "app/views/frame/context.h"

namespace hydra {

struct MixingNumbers {
  std::shared_ptr<const Mixing> of;  // what the rest was made from; null: nothing yet
  // [(1 + n) x (h + 1)] all tokens, then each; the heads' shares, then that of b_O (0 by size).
  Mat<double> by_size, along;
  double along_low = 0, along_high = 1;  // of the stacked bars
  std::vector<double> gate_change;       // [1 + n] all tokens, then each
  double largest_change = 1, largest_ablation = 1, largest_norm = 1, largest_share = 1;  // ends of the small bars
  double curve_top = 1;
  std::string removal, gates, constant;  // sentences
  Mat<double> terms;                     // [1 x (h + 1)] of the entry that is read: z_i and b_O; filled while drawing

  // Cosines of what the heads write for a token, or for all of them (kAllTokens). -inf, which pictures hatch: one of
  // the two is silent, so there is no direction.
  Array<float> cosines;  // [h x h]
  Index cosines_token = -2;
  Stamp cosines_output;  // of the trace they are of

  // Of a state that is looked at with this one, see mixing_of.
  struct Other {
    Stamp of;  // the document
    MixingMeasure::Wanted wanted;
    std::shared_ptr<const Mixing> mixing;
  };
  Other other;
};
inline constexpr Index kAllTokens = -1;

// The newest of the layer in focus, as the page wants them.
const Measured<MixingMeasure>& measured_mixing(const Frame& frame);
// The same of any state: what is known of it, and what takes no longer than a frame waits is worked out; may be null.
std::shared_ptr<const Mixing> mixing_of(const Frame& frame, const Source& source);
// The measures, where they are of a trace with as many heads, tokens and columns as the one that is drawn; else null.
const Mixing* measured(const Frame& frame);
// The numbers of the newest measures, made anew when that changed. of is null while nothing is measured.
MixingNumbers& mixing_numbers(Frame& frame);
// Of the trace that is drawn; kAllTokens needs measures. May be null.
Array<float> shown_cosines(Frame& frame, Index token);

// "4 of 8 heads can be silenced for less than 50 % change": in the greedy order, and in random ones on average. Where
// some are silent already, of the others: "1 of 2 open heads ...; 6 are silent already".
std::string removal_sentence(const Silencing& silencing, Written written = Written::all);

}  // namespace hydra
