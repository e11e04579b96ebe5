// What can be set about a layer besides its sizes and weights: switches, choices and numbers, a row of the table each.
// Reading, writing, checking, edits with their words, and the controls follow from the row; what a setting does stands
// in the operation that it is of.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "core/linalg/types.h"

namespace hydra {

// LayerNorm: Ba et al. 2016; RMSNorm: Zhang and Sennrich 2019 (ops/norm.h).
enum class NormKind { layer, rms };
// Before what reads the stream, or after the sum with it: Xiong et al. 2020, figure 1. both: before, and of what each
// part gives before it is added (Gemma Team 2024, section 2); output: of what each part gives alone (OLMo Team 2025,
// section 2.1).
enum class NormPlace { before, after, both, output };
// Of a head's numbers, which are rotated together: the first half with the second, or each with the next
// (ops/rotate.h).
enum class RotaryPairs { halves, neighbours };
// How the angles are made smaller, for more words than a model was trained on (ops/rotate.h).
enum class RotaryScaling { none, linear, llama3, yarn };
// ALiBi's slopes of any number of heads: by the paper's formula, or by the published code (ops/scores.h). Of a power of
// two heads they are the same.
enum class AlibiSlopes { geometric, interleaved };
// What a norm of queries and keys takes together: each head's numbers (Dehghani et al. 2023, section 2), or those of
// all heads side by side (OLMo Team 2025, section 2.1).
enum class NormOver { head, all_heads };
// What softmax sees besides the scores of a head and gives nothing to: nothing, a 0, or a number that is learned.
enum class SinkKind { none, zero, learned };
// What a head's output is multiplied by before it is mixed: nothing, a number of its own for each token, or one for
// each number of it (ops/gate.h).
enum class OutputGate { none, head, element };
// Whether heads hear one another: before softmax each takes the scores of all heads, after it their weights
// (ops/talk.h).
enum class TalkingHeads { none, before, after, both };
enum class Activation { relu, gelu, gelu_tanh, silu, relu_squared };  // ops/activate.h

inline constexpr Index kMaxWindow = 1024;  // words of the longest sentence
inline constexpr Index kMaxReach = 1024;   // as far as a sentence's last word is from its first
inline constexpr Index kMaxHidden = 32768;  // four times the widest model of a file

struct LayerSettings {
  bool scale = true;       // divide the scores by sqrt(d_k)
  double temperature = 1;  // and by this; numbers are, in documents, floats
  bool residual = false;   // what the heads give is added to the stream, and so is what the feed-forward part gives
  bool norm = false;
  NormKind norm_kind = NormKind::layer;
  NormPlace norm_place = NormPlace::before;
  double norm_epsilon = static_cast<double>(1e-5f);
  bool feed_forward = false;
  Index feed_forward_width = 0;  // the feed-forward part's hidden numbers for each token; 0 while there is none
  Activation activation = Activation::relu;
  bool gated = false;        // the hidden numbers times a second projection
  bool parallel = false;     // the feed-forward part reads what the heads read, in parallel (Wang and Komatsuzaki 2021)
  bool norm_shared = false;  // one norm for both of a parallel block's parts
  SinkKind sink = SinkKind::none;
  OutputGate output_gate = OutputGate::none;
  TalkingHeads talking_heads = TalkingHeads::none;
  bool differential = false;                    // each head attends with the difference of two patterns (ops/differ.h)
  double lambda_0 = static_cast<double>(0.2f);  // of the second so much, and what is learned besides
  Index window = 0;     // of a causal mask: a query sees itself and so many words less one before it; 0: all
  double soft_cap = 0;  // no score is larger, or smaller than its opposite; 0: any may be
  bool alibi = false;   // each head's scores fall with the distance, by a slope of its own
  AlibiSlopes alibi_slopes = AlibiSlopes::geometric;
  bool offset_bias = false;  // to each head's scores a learned number is added by the key's offset (ops/scores.h)
  Index offset_reach = 8;    // offsets beyond it, either way, count as it
  double dropout = 0;        // of the weights such a share is 0 (ops/dropout.h); 0: none
  Index dropout_seed = 1;    // which ones
  bool qk_norm = false;  // queries and keys are normalised before they are rotated
  NormOver qk_norm_over = NormOver::head;
  bool rotary = false;  // queries and keys are rotated by their positions
  double rotary_base = 10000;
  Index rotary_width = 0;  // of each head's numbers so many; 0: all
  RotaryPairs rotary_pairs = RotaryPairs::halves;
  RotaryScaling rotary_scaling = RotaryScaling::none;
  double rotary_factor = 4;      // of what is scaled whole, the angles are divided by it
  Index rotary_length = 2048;    // words that the model was trained on first: by its turns over them a pair is scaled
  double rotary_slow_turns = 1;  // a pair that turns no more often is scaled whole,
  double rotary_fast_turns = 4;  // and one that turns at least so often is not
  double rotary_magnitude = 0;   // of YaRN, what rotated numbers are multiplied by; 0: by its factor
  bool operator==(const LayerSettings&) const = default;
};

enum class LayerSetting {
  scale,
  temperature,
  residual,
  norm,
  norm_kind,
  norm_place,
  norm_epsilon,
  feed_forward,
  feed_forward_width,
  activation,
  gated,
  parallel,
  norm_shared,
  sink,
  output_gate,
  talking_heads,
  differential,
  lambda_0,
  window,
  soft_cap,
  alibi,
  alibi_slopes,
  offset_bias,
  offset_reach,
  dropout,
  dropout_seed,
  qk_norm,
  qk_norm_over,
  rotary,
  rotary_base,
  rotary_width,
  rotary_pairs,
  rotary_scaling,
  rotary_factor,
  rotary_length,
  rotary_slow_turns,
  rotary_fast_turns,
  rotary_magnitude
};

struct LayerSettingRow {
  using Field =
      std::variant<bool LayerSettings::*, double LayerSettings::*, Index LayerSettings::*, NormKind LayerSettings::*,
                   NormPlace LayerSettings::*, Activation LayerSettings::*, RotaryPairs LayerSettings::*,
                   RotaryScaling LayerSettings::*, SinkKind LayerSettings::*, OutputGate LayerSettings::*,
                   TalkingHeads LayerSettings::*, AlibiSlopes LayerSettings::*, NormOver LayerSettings::*>;
  LayerSetting setting;
  const char* key;  // in files; in sentences and the history with spaces
  Field field;
  // The switch that it belongs to, which in files is an object that has it, and is on where the object is there.
  std::optional<LayerSetting> within;
  bool always_written;                       // else only where it is not what it is from the beginning
  const char* label;                         // key of the text of its control: "T", which is shown as "T = 1.00"
  const char* tip;                           // key of a sentence
  double least = 0, most = 1;                // that a number may be
  double low = 0, high = 1;                  // the range of its slider, logarithmic
  std::span<const char* const> names = {};   // of a choice, in the order of its enumeration: in files
  std::span<const char* const> labels = {};  // keys of the same on the screen
};
std::span<const LayerSettingRow> layer_settings();
const LayerSettingRow& entry_of(LayerSetting setting);
bool is_of_heads(const LayerSettingRow& row);  // not of what stands around them
bool is_switch(const LayerSettingRow& row);
bool is_choice(const LayerSettingRow& row);
bool is_whole(const LayerSettingRow& row);   // a whole number
bool has_parts(const LayerSettingRow& row);  // a switch that others belong to
// A switch all of whose parts may be left out: in files it may be true or false as well, and is where they are.
bool may_be_flag(const LayerSettingRow& row);

// Where the norms of a layer stand.
inline bool norms_before(const LayerSettings& settings) {
  return settings.norm && (settings.norm_place == NormPlace::before || settings.norm_place == NormPlace::both);
}
inline bool norms_after(const LayerSettings& settings) {
  return settings.norm && settings.norm_place == NormPlace::after;
}
inline bool norms_outputs(const LayerSettings& settings) {
  return settings.norm && (settings.norm_place == NormPlace::both || settings.norm_place == NormPlace::output);
}
// Queries and keys of all heads are normalised as one row.
inline bool norms_all_heads(const LayerSettings& settings) {
  return settings.qk_norm && settings.qk_norm_over == NormOver::all_heads;
}
// So many numbers a head has of a bias by offset.
inline Index offset_count(const LayerSettings& settings) { return 2 * settings.offset_reach + 1; }
inline bool talk_before(const LayerSettings& settings) {
  return settings.talking_heads == TalkingHeads::before || settings.talking_heads == TalkingHeads::both;
}
inline bool talk_after(const LayerSettings& settings) {
  return settings.talking_heads == TalkingHeads::after || settings.talking_heads == TalkingHeads::both;
}
// So many parts of a head's queries and keys, side by side, meet apart from one another, each normalised and rotated by
// itself.
inline Index query_parts(const LayerSettings& settings) { return settings.differential ? 2 : 1; }
// What a head attends with is no more a softmax: its weights may be negative, and a row of them may have any sum.
inline bool is_signed(const LayerSettings& settings) { return talk_after(settings) || settings.differential; }
// No head attends by one softmax of its own: what computes heads takes a trace of them.
inline bool is_made_of_several(const LayerSettings& settings) {
  return settings.talking_heads != TalkingHeads::none || settings.differential;
}
// What the paper gives a layer, counted from 0: 0.8 - 0.6 exp(-0.3 layer) (Ye et al. 2024, section 2.1).
double paper_lambda_0(Index layer);

// A switch is 0 or 1, a choice its place among the names.
double value_of(const LayerSettings& settings, const LayerSettingRow& row);
// Throws InputError, with one sentence that names no place, when it cannot be that.
void set_value(LayerSettings& settings, const LayerSettingRow& row, double value);
// What cannot be without something that is off, is off.
void drop_dependents(LayerSettings& settings);
// What settings must go with.
struct LayerShape {
  Index d_k = 0;  // numbers of each head
  bool causal = false;
  Index heads = 1;
};
// Whether the setting can be, with the others and in such a layer: neither it nor its switch is of something that is
// off.
bool is_possible(const LayerSettings& settings, const LayerSettingRow& row, const LayerShape& shape);
// Whether it matters, in such a layer, which of its values it has: of a power of two heads ALiBi's slopes are the same
// by either rule.
bool makes_difference(const LayerSettingRow& row, const LayerShape& shape);
// What belongs to a switch that is off is as from the beginning; a feed-forward part without a width has 4 d_model.
void settle(LayerSettings& settings, Index d_model);
// For a layer of another shape, or heads in halves: what does not go with it is as near as it can be.
void fit_rotary(LayerSettings& settings, Index d_k);
void fit_settings(LayerSettings& settings, const LayerShape& shape);
// What of them is of the heads, the rest as at first.
LayerSettings only_of_heads(const LayerSettings& settings);
// Each alone, and that they go together, and with the layer.
void check_settings(const LayerSettings& settings, const LayerShape& shape);

}  // namespace hydra
