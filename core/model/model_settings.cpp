#include "core/model/model_settings.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <string_view>
#include <type_traits>

#include "core/error.h"
#include "core/short_number.h"

namespace hydra {

namespace {

using M = ModelSetting;
using Of = ModelSettings;

constexpr const char* kFinalNormKinds[] = {"layer", "rms"};
constexpr const char* kFinalNormKindLabels[] = {"model:final_norm_kind.layer", "model:final_norm_kind.rms"};
// As of a feed-forward part (settings.cpp).
constexpr const char* kTransformActivations[] = {"relu", "gelu", "gelu_tanh", "silu", "relu_squared"};
constexpr const char* kTransformActivationLabels[] = {"model:activation.relu", "model:activation.gelu",
                                                      "model:activation.gelu_tanh", "model:activation.silu",
                                                      "model:activation.relu_squared"};
constexpr const char* kReadouts[] = {"none", "tied", "own"};
constexpr const char* kReadoutLabels[] = {"model:readout.none", "model:readout.tied", "model:readout.own"};

// In the order of the enum, which is that of files and of controls.
constexpr std::array kModelRows{
    ModelSettingRow{M::types,
                    "embedding",
                    "types",
                    &Of::types,
                    {},
                    false,
                    "model:types",
                    "model:types.tip",
                    0,
                    static_cast<double>(kMaxTypes),
                    0,
                    4},
    ModelSettingRow{M::embedding_norm,
                    "embedding_norm",
                    "",
                    &Of::embedding_norm,
                    {},
                    false,
                    "model:embedding_norm",
                    "model:embedding_norm.tip"},
    ModelSettingRow{M::embedding_norm_kind, "embedding_norm", "kind", &Of::embedding_norm_kind, M::embedding_norm, true,
                    "model:final_norm_kind", "model:final_norm_kind.tip", 0, 1, 0, 1, kFinalNormKinds,
                    kFinalNormKindLabels},
    ModelSettingRow{M::embedding_norm_epsilon, "embedding_norm", "epsilon", &Of::embedding_norm_epsilon,
                    M::embedding_norm, false, "model:final_norm_epsilon", "model:final_norm_epsilon.tip", 1e-12, 1,
                    1e-8, 1e-1},
    ModelSettingRow{M::transform, "transform", "", &Of::transform, {}, false, "model:transform", "model:transform.tip"},
    ModelSettingRow{M::transform_activation, "transform", "activation", &Of::transform_activation, M::transform, true,
                    "model:activation", "model:transform_activation.tip", 0, 1, 0, 1, kTransformActivations,
                    kTransformActivationLabels},
    ModelSettingRow{
        M::final_norm, "final_norm", "", &Of::final_norm, {}, false, "model:final_norm", "model:final_norm.tip"},
    ModelSettingRow{M::final_norm_kind, "final_norm", "kind", &Of::final_norm_kind, M::final_norm, true,
                    "model:final_norm_kind", "model:final_norm_kind.tip", 0, 1, 0, 1, kFinalNormKinds,
                    kFinalNormKindLabels},
    ModelSettingRow{M::final_norm_epsilon, "final_norm", "epsilon", &Of::final_norm_epsilon, M::final_norm, false,
                    "model:final_norm_epsilon", "model:final_norm_epsilon.tip", 1e-12, 1, 1e-8, 1e-1},
    ModelSettingRow{M::readout,
                    "readout",
                    "kind",
                    &Of::readout,
                    {},
                    true,
                    "model:readout",
                    "model:readout.tip",
                    0,
                    1,
                    0,
                    1,
                    kReadouts,
                    kReadoutLabels},
    ModelSettingRow{M::logit_cap, "readout", "cap", &Of::logit_cap, M::readout, false, "model:logit_cap",
                    "model:logit_cap.tip", 0, 1000, 0, 100},
};

// Does not compile for a field without a row.
static_assert([] {
  const auto [types, first_norm, first_kind, first_epsilon, transform, activation, norm, kind, epsilon, readout, cap] =
      ModelSettings{};
  return kModelRows.size() == 11 && types == 0 && !first_norm && first_kind == NormKind::layer && first_epsilon > 0 &&
         !transform && activation == Activation::gelu && !norm && kind == NormKind::layer && epsilon > 0 &&
         readout == ReadoutKind::none && cap == 0;
}());

std::string brief_number(double value) { return short_number(value, 4); }

// "final norm epsilon", "readout", "embedding types".
std::string name_of(const ModelSettingRow& row) {
  const bool itself = !row.within && !is_whole(row);
  std::string name = std::string(row.object) + (itself ? "" : " " + std::string(row.key));
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

bool is_off(const ModelSettings& settings, const ModelSettingRow& row) {
  return row.within && value_of(settings, entry_of(*row.within)) == 0;
}

}  // namespace

std::span<const ModelSettingRow> model_settings() { return kModelRows; }

const ModelSettingRow& entry_of(ModelSetting setting) {
  const ModelSettingRow& row = kModelRows[static_cast<std::size_t>(setting)];
  assert(row.setting == setting);
  return row;
}

bool is_switch(const ModelSettingRow& row) { return std::holds_alternative<bool Of::*>(row.field); }
bool is_choice(const ModelSettingRow& row) { return !row.names.empty(); }
bool is_whole(const ModelSettingRow& row) { return std::holds_alternative<Index Of::*>(row.field); }

double value_of(const ModelSettings& settings, const ModelSettingRow& row) {
  return std::visit([&](auto field) { return static_cast<double>(settings.*field); }, row.field);
}

void set_value(ModelSettings& settings, const ModelSettingRow& row, double value) {
  const auto single = static_cast<float>(value);
  const bool number = !is_switch(row) && !is_choice(row);
  if (number && !(single >= static_cast<float>(row.least) && single <= static_cast<float>(row.most)))
    throw InputError("the " + name_of(row) + " must be a number from " + brief_number(row.least) + " to " +
                     brief_number(row.most));
  if (is_whole(row) && single != std::floor(single))
    throw InputError("the " + name_of(row) + " must be a whole number");
  assert(!is_choice(row) || (value >= 0 && value < static_cast<double>(row.names.size())));
  const auto set = [&](auto field) {
    using Value = std::remove_reference_t<decltype(settings.*field)>;
    settings.*field = std::is_same_v<Value, bool> ? static_cast<Value>(value != 0) : static_cast<Value>(value);
  };
  std::visit(set, row.field);
}

bool is_possible(const ModelSettings& settings, const ModelSettingRow& row) { return !is_off(settings, row); }

void settle(ModelSettings& settings) {
  for (const ModelSettingRow& row : kModelRows)
    if (is_off(settings, row)) std::visit([&](auto field) { settings.*field = Of{}.*field; }, row.field);
}

void check_settings(const ModelSettings& settings, bool learned_words) {
  ModelSettings checked;
  for (const ModelSettingRow& row : kModelRows)
    if (!is_off(settings, row)) set_value(checked, row, value_of(settings, row));
  if (settings.readout == ReadoutKind::tied && !learned_words)
    throw InputError(
        "a tied readout reads words out by the table that they are read in by, and there is none; let the embedding be "
        "learned, or the readout have its own weights");
  if (settings.types > 0 && !learned_words)
    throw InputError("types of tokens are a table beside that of learned words; let the embedding be learned");
}

}  // namespace hydra
