#include "core/model/settings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "core/error.h"
#include "core/short_number.h"

namespace hydra {

namespace {

using L = LayerSetting;
using S = LayerSettings;

constexpr auto kMostSeen = static_cast<double>(kMaxWindow);
constexpr auto kMostReached = static_cast<double>(kMaxReach);
constexpr auto kMostHidden = static_cast<double>(kMaxHidden);
constexpr double kMostDragged = 4096;     // hidden numbers: four times the widest model that is made here
constexpr double kMostTrained = 1 << 24;  // words, or seeds, as a float knows them
constexpr const char* kNormKinds[] = {"layer", "rms"};
constexpr const char* kNormKindLabels[] = {"model:norm_kind.layer", "model:norm_kind.rms"};
constexpr const char* kNormPlaces[] = {"before", "after", "both", "output"};
constexpr const char* kNormPlaceLabels[] = {"model:norm_place.before", "model:norm_place.after",
                                            "model:norm_place.both", "model:norm_place.output"};
constexpr const char* kSinks[] = {"none", "zero", "learned"};
constexpr const char* kSinkLabels[] = {"model:sink.none", "model:sink.zero", "model:sink.learned"};
constexpr const char* kOutputGates[] = {"none", "head", "element"};
constexpr const char* kOutputGateLabels[] = {"model:output_gate.none", "model:output_gate.head",
                                             "model:output_gate.element"};
constexpr const char* kTalkingHeads[] = {"none", "before", "after", "both"};
constexpr const char* kTalkingHeadLabels[] = {"model:talking_heads.none", "model:talking_heads.before",
                                              "model:talking_heads.after", "model:talking_heads.both"};
constexpr const char* kRotaryPairs[] = {"halves", "neighbours"};
constexpr const char* kRotaryPairLabels[] = {"model:rotary_pairs.halves", "model:rotary_pairs.neighbours"};
constexpr const char* kRotaryScalings[] = {"none", "linear", "llama3", "yarn"};
constexpr const char* kRotaryScalingLabels[] = {"model:rotary_scaling.none", "model:rotary_scaling.linear",
                                                "model:rotary_scaling.llama3", "model:rotary_scaling.yarn"};
constexpr const char* kNormOvers[] = {"head", "all_heads"};
constexpr const char* kNormOverLabels[] = {"model:qk_norm_over.head", "model:qk_norm_over.all_heads"};
constexpr const char* kAlibiSlopes[] = {"geometric", "interleaved"};
constexpr const char* kAlibiSlopeLabels[] = {"model:alibi_slopes.geometric", "model:alibi_slopes.interleaved"};
constexpr const char* kActivations[] = {"relu", "gelu", "gelu_tanh", "silu", "relu_squared"};
constexpr const char* kActivationLabels[] = {"model:activation.relu", "model:activation.gelu",
                                             "model:activation.gelu_tanh", "model:activation.silu",
                                             "model:activation.relu_squared"};

// In the order of the enum, which is that of files and of controls.
constexpr std::array kRows{
    LayerSettingRow{L::scale, "scale", &S::scale, {}, true, "model:scale", "model:scale.tip"},
    LayerSettingRow{L::temperature,
                    "temperature",
                    &S::temperature,
                    {},
                    false,
                    "model:temperature",
                    "model:temperature.tip",
                    0.01,
                    100,
                    0.1,
                    10},
    LayerSettingRow{L::residual, "residual", &S::residual, {}, false, "model:residual", "model:residual.tip"},
    LayerSettingRow{L::norm, "norm", &S::norm, {}, false, "model:norm", "model:norm.tip"},
    LayerSettingRow{L::norm_kind, "kind", &S::norm_kind, L::norm, true, "model:norm_kind", "model:norm_kind.tip", 0, 1,
                    0, 1, kNormKinds, kNormKindLabels},
    LayerSettingRow{L::norm_place, "place", &S::norm_place, L::norm, true, "model:norm_place", "model:norm_place.tip",
                    0, 1, 0, 1, kNormPlaces, kNormPlaceLabels},
    LayerSettingRow{L::norm_epsilon, "epsilon", &S::norm_epsilon, L::norm, false, "model:norm_epsilon",
                    "model:norm_epsilon.tip", 1e-12, 1, 1e-8, 1e-1},
    LayerSettingRow{
        L::feed_forward, "feed_forward", &S::feed_forward, {}, false, "model:feed_forward", "model:feed_forward.tip"},
    LayerSettingRow{L::feed_forward_width, "width", &S::feed_forward_width, L::feed_forward, true,
                    "model:feed_forward_width", "model:feed_forward_width.tip", 1, kMostHidden, 8, kMostDragged},
    LayerSettingRow{L::activation, "activation", &S::activation, L::feed_forward, true, "model:activation",
                    "model:activation.tip", 0, 1, 0, 1, kActivations, kActivationLabels},
    LayerSettingRow{L::gated, "gated", &S::gated, L::feed_forward, false, "model:gated", "model:gated.tip"},
    LayerSettingRow{L::parallel, "parallel", &S::parallel, {}, false, "model:parallel", "model:parallel.tip"},
    LayerSettingRow{L::norm_shared, "shared", &S::norm_shared, L::norm, false, "model:norm_shared",
                    "model:norm_shared.tip"},
    LayerSettingRow{
        L::sink, "sink", &S::sink, {}, false, "model:sink", "model:sink.tip", 0, 2, 0, 1, kSinks, kSinkLabels},
    LayerSettingRow{L::output_gate,
                    "output_gate",
                    &S::output_gate,
                    {},
                    false,
                    "model:output_gate",
                    "model:output_gate.tip",
                    0,
                    2,
                    0,
                    1,
                    kOutputGates,
                    kOutputGateLabels},
    LayerSettingRow{L::talking_heads,
                    "talking_heads",
                    &S::talking_heads,
                    {},
                    false,
                    "model:talking_heads",
                    "model:talking_heads.tip",
                    0,
                    3,
                    0,
                    1,
                    kTalkingHeads,
                    kTalkingHeadLabels},
    LayerSettingRow{
        L::differential, "differential", &S::differential, {}, false, "model:differential", "model:differential.tip"},
    LayerSettingRow{L::lambda_0, "lambda_0", &S::lambda_0, L::differential, true, "model:lambda_0",
                    "model:lambda_0.tip"},
    LayerSettingRow{
        L::window, "window", &S::window, {}, false, "model:window", "model:window.tip", 0, kMostSeen, 0, kMostSeen},
    LayerSettingRow{
        L::soft_cap, "soft_cap", &S::soft_cap, {}, false, "model:soft_cap", "model:soft_cap.tip", 0, 1000, 0, 100},
    LayerSettingRow{L::alibi, "alibi", &S::alibi, {}, false, "model:alibi", "model:alibi.tip"},
    LayerSettingRow{L::alibi_slopes, "slopes", &S::alibi_slopes, L::alibi, false, "model:alibi_slopes",
                    "model:alibi_slopes.tip", 0, 1, 0, 1, kAlibiSlopes, kAlibiSlopeLabels},
    LayerSettingRow{
        L::offset_bias, "offset_bias", &S::offset_bias, {}, false, "model:offset_bias", "model:offset_bias.tip"},
    LayerSettingRow{L::offset_reach, "reach", &S::offset_reach, L::offset_bias, true, "model:offset_reach",
                    "model:offset_reach.tip", 1, kMostReached, 1, 64},
    LayerSettingRow{
        L::dropout, "dropout", &S::dropout, {}, false, "model:dropout", "model:dropout.tip", 0, 0.99, 0, 0.9},
    LayerSettingRow{L::dropout_seed,
                    "dropout_seed",
                    &S::dropout_seed,
                    {},
                    false,
                    "model:dropout_seed",
                    "model:dropout_seed.tip",
                    0,
                    kMostTrained,
                    1,
                    100},
    LayerSettingRow{L::qk_norm, "qk_norm", &S::qk_norm, {}, false, "model:qk_norm", "model:qk_norm.tip"},
    LayerSettingRow{L::qk_norm_over, "over", &S::qk_norm_over, L::qk_norm, false, "model:qk_norm_over",
                    "model:qk_norm_over.tip", 0, 1, 0, 1, kNormOvers, kNormOverLabels},
    LayerSettingRow{L::rotary, "rotary", &S::rotary, {}, false, "model:rotary", "model:rotary.tip"},
    LayerSettingRow{L::rotary_base, "base", &S::rotary_base, L::rotary, true, "model:rotary_base",
                    "model:rotary_base.tip", 1, 1e8, 10, 1e6},
    LayerSettingRow{L::rotary_width, "width", &S::rotary_width, L::rotary, false, "model:rotary_width",
                    "model:rotary_width.tip", 0, kMostHidden, 2, kMostDragged},
    LayerSettingRow{L::rotary_pairs, "pairs", &S::rotary_pairs, L::rotary, true, "model:rotary_pairs",
                    "model:rotary_pairs.tip", 0, 1, 0, 1, kRotaryPairs, kRotaryPairLabels},
    LayerSettingRow{L::rotary_scaling, "scaling", &S::rotary_scaling, L::rotary, false, "model:rotary_scaling",
                    "model:rotary_scaling.tip", 0, 3, 0, 1, kRotaryScalings, kRotaryScalingLabels},
    LayerSettingRow{L::rotary_factor, "factor", &S::rotary_factor, L::rotary, false, "model:rotary_factor",
                    "model:rotary_factor.tip", 1, 1e4, 1, 64},
    LayerSettingRow{L::rotary_length, "original_length", &S::rotary_length, L::rotary, false, "model:rotary_length",
                    "model:rotary_length.tip", 1, kMostTrained, 4, 1e5},
    LayerSettingRow{L::rotary_slow_turns, "slow_turns", &S::rotary_slow_turns, L::rotary, false,
                    "model:rotary_slow_turns", "model:rotary_slow_turns.tip", 1e-3, 1e4, 0.1, 100},
    LayerSettingRow{L::rotary_fast_turns, "fast_turns", &S::rotary_fast_turns, L::rotary, false,
                    "model:rotary_fast_turns", "model:rotary_fast_turns.tip", 1e-3, 1e4, 0.1, 100},
    LayerSettingRow{L::rotary_magnitude, "magnitude", &S::rotary_magnitude, L::rotary, false, "model:rotary_magnitude",
                    "model:rotary_magnitude.tip", 0, 100, 0, 4},
};

// Does not compile for a field without a row.
static_assert([] {
  const auto [scale, temperature, residual, norm, kind, place, epsilon, feed_forward, width, activation, gated,
              parallel, shared, sink, output_gate, talking, differential, lambda_0, window, soft_cap, alibi, slopes,
              offset_bias, reach, dropout, dropout_seed, qk_norm, over, rotary, rotary_base, rotary_width, pairs,
              scaling, factor, length, slow, fast, magnitude] = LayerSettings{};
  return kRows.size() == 38 && scale && temperature == 1 && !residual && !norm && kind == NormKind::layer &&
         place == NormPlace::before && epsilon > 0 && !feed_forward && width == 0 && activation == Activation::relu &&
         !gated && !parallel && !shared && sink == SinkKind::none && output_gate == OutputGate::none &&
         talking == TalkingHeads::none && !differential && lambda_0 > 0 && window == 0 && soft_cap == 0 && !alibi &&
         slopes == AlibiSlopes::geometric && !offset_bias && reach > 0 && dropout == 0 && dropout_seed > 0 &&
         !qk_norm && over == NormOver::head && !rotary && rotary_base > 1 && rotary_width == 0 &&
         pairs == RotaryPairs::halves && scaling == RotaryScaling::none && factor > 1 && length > 0 && slow < fast &&
         magnitude == 0;
}());

std::string spaced(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

// "temperature", "norm kind".
std::string name_of(const LayerSettingRow& row) {
  return (row.within ? spaced(entry_of(*row.within).key) + " " : "") + spaced(row.key);
}

// Of a rotation that is scaled, by which rules.
bool is_of_other_scaling(const LayerSettings& settings, const LayerSettingRow& row) {
  const RotaryScaling scaling = settings.rotary_scaling;
  if (row.setting == L::rotary_magnitude) return scaling != RotaryScaling::yarn;
  if (row.setting >= L::rotary_length && row.setting <= L::rotary_fast_turns)
    return scaling != RotaryScaling::llama3 && scaling != RotaryScaling::yarn;
  return row.setting == L::rotary_factor && scaling == RotaryScaling::none;
}

bool is_off(const LayerSettings& settings, const LayerSettingRow& row) {
  return (row.within && value_of(settings, entry_of(*row.within)) == 0) || is_of_other_scaling(settings, row) ||
         (row.setting == L::dropout_seed && settings.dropout == 0);
}

}  // namespace

std::span<const LayerSettingRow> layer_settings() { return kRows; }

const LayerSettingRow& entry_of(LayerSetting setting) {
  const LayerSettingRow& row = kRows[static_cast<std::size_t>(setting)];
  assert(row.setting == setting);
  return row;
}

bool is_of_heads(const LayerSettingRow& row) {
  return row.setting <= LayerSetting::temperature || row.setting >= LayerSetting::sink;
}
bool is_switch(const LayerSettingRow& row) { return std::holds_alternative<bool S::*>(row.field); }
bool is_choice(const LayerSettingRow& row) { return !row.names.empty(); }
bool is_whole(const LayerSettingRow& row) { return std::holds_alternative<Index S::*>(row.field); }
bool has_parts(const LayerSettingRow& row) {
  return std::ranges::any_of(kRows, [&](const LayerSettingRow& part) { return part.within == row.setting; });
}

bool may_be_flag(const LayerSettingRow& row) {
  return has_parts(row) && std::ranges::none_of(kRows, [&](const LayerSettingRow& part) {
           return part.within == row.setting && part.always_written;
         });
}

double value_of(const LayerSettings& settings, const LayerSettingRow& row) {
  return std::visit([&](auto field) { return static_cast<double>(settings.*field); }, row.field);
}

void set_value(LayerSettings& settings, const LayerSettingRow& row, double value) {
  const auto single = static_cast<float>(value);
  const bool number = !is_switch(row) && !is_choice(row);
  if (number && !(single >= static_cast<float>(row.least) && single <= static_cast<float>(row.most)))
    throw InputError("the " + name_of(row) + " must be a number from " + short_number(row.least) + " to " +
                     short_number(row.most));
  if (is_whole(row) && value != std::floor(value))
    throw InputError("the " + name_of(row) + " must be a whole number, not " + short_number(value));
  assert(!is_choice(row) || (value >= 0 && value < static_cast<double>(row.names.size())));
  const auto set = [&](auto field) {
    using Value = std::remove_reference_t<decltype(settings.*field)>;
    settings.*field = std::is_same_v<Value, bool> ? static_cast<Value>(value != 0) : static_cast<Value>(value);
  };
  std::visit(set, row.field);
}

void drop_dependents(LayerSettings& settings) {
  if (!settings.feed_forward) settings.parallel = false;
  if (!settings.parallel || !norms_before(settings)) settings.norm_shared = false;
}

void settle(LayerSettings& settings, Index d_model) {
  for (const LayerSettingRow& row : kRows)
    if (is_off(settings, row)) std::visit([&](auto field) { settings.*field = S{}.*field; }, row.field);
  if (settings.feed_forward && settings.feed_forward_width == 0)
    settings.feed_forward_width = std::min(4 * d_model, kMaxHidden);
}

LayerSettings only_of_heads(const LayerSettings& settings) {
  LayerSettings only;
  for (const LayerSettingRow& row : kRows)
    if (is_of_heads(row)) std::visit([&](auto field) { only.*field = settings.*field; }, row.field);
  if (settings.qk_norm) only.norm_epsilon = settings.norm_epsilon;
  return only;
}

double paper_lambda_0(Index layer) { return 0.8 - 0.6 * std::exp(-0.3 * static_cast<double>(layer)); }

void fit_rotary(LayerSettings& settings, Index d_k) {
  const Index most = d_k / query_parts(settings);
  if (settings.rotary_width > most) settings.rotary_width = most - most % 2;
}

void fit_settings(LayerSettings& settings, const LayerShape& shape) {
  if (!shape.causal) settings.alibi = false, settings.alibi_slopes = S{}.alibi_slopes, settings.window = 0;
  if (shape.d_k % 2 != 0) settings.differential = false, settings.lambda_0 = S{}.lambda_0;
  fit_rotary(settings, shape.d_k);
}

namespace {
// Both are of what heads attend with; what is on stays.
bool is_excluded(const LayerSettings& settings, const LayerSettingRow& row) {
  return (row.setting == L::differential && settings.talking_heads != TalkingHeads::none) ||
         (row.setting == L::talking_heads && settings.differential);
}
}  // namespace

bool is_possible(const LayerSettings& settings, const LayerSettingRow& row, const LayerShape& shape) {
  if (is_off(settings, row) || is_excluded(settings, row)) return false;
  LayerSettings on = settings;
  set_value(on, row, is_switch(row) ? 1 : is_choice(row) ? static_cast<double>(row.names.size() - 1) : row.most);
  drop_dependents(on);
  fit_settings(on, shape);
  return value_of(on, row) != 0;
}

bool makes_difference(const LayerSettingRow& row, const LayerShape& shape) {
  if (row.setting == L::qk_norm_over) return shape.heads > 1;
  return row.setting != L::alibi_slopes || !std::has_single_bit(static_cast<std::uint64_t>(shape.heads));
}

void check_settings(const LayerSettings& settings, const LayerShape& shape) {
  LayerSettings checked;
  for (const LayerSettingRow& row : kRows)
    if (!is_off(settings, row)) set_value(checked, row, value_of(settings, row));
  if (settings.parallel && !settings.feed_forward)
    throw InputError(
        "a parallel block has a feed-forward part parallel to its heads; add one, or let it not be parallel");
  if (settings.parallel && norms_after(settings))
    throw InputError("the parts of a parallel block have no sum of their own to be normed; the norm must be before");
  if (settings.norm_shared && !settings.parallel)
    throw InputError("one norm for both parts is of a parallel block; here each part reads what it reads alone");
  if (settings.norm_shared && !norms_before(settings))
    throw InputError("one norm for both parts is of what they read; here only what they give is normed");
  if (settings.window != 0 && !shape.causal)
    throw InputError("a window is of a causal mask: how many words back a word sees");
  if (settings.alibi && !shape.causal)
    throw InputError("ALiBi takes away what lies between a word and those before it, so it needs a causal mask");
  if (settings.rotary && !is_off(settings, entry_of(L::rotary_fast_turns)) &&
      !(settings.rotary_slow_turns < settings.rotary_fast_turns))
    throw InputError("the slow turns of a scaled rotation must be fewer than the fast ones, not " +
                     short_number(settings.rotary_slow_turns) + " and " + short_number(settings.rotary_fast_turns));
  if (settings.rotary_width % 2 != 0)
    throw InputError("the rotary width must be even, for numbers are rotated in pairs, not " +
                     std::to_string(settings.rotary_width));
  if (settings.differential && settings.talking_heads != TalkingHeads::none)
    throw InputError(
        "differential attention takes the difference of two patterns of a head, and heads that talk take those of "
        "others; one of the two must be off");
  if (settings.differential && shape.d_k % 2 != 0)
    throw InputError("differential attention cuts each head's queries and keys into halves, so d_k must be even, not " +
                     std::to_string(shape.d_k));
  if (const Index most = shape.d_k / query_parts(settings); settings.rotary_width > most)
    throw InputError("the rotary width must be at most the " + std::to_string(most) + " numbers of " +
                     (settings.differential ? "half a head" : "a head") + ", not " +
                     std::to_string(settings.rotary_width));
}

}  // namespace hydra
