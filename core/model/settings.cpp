#include "core/model/settings.h"

#include <array>
#include <cassert>
#include <cstdio>

#include "core/error.h"

namespace hydra {

namespace {

// In the order of the enum, which is that of files and of controls.
constexpr std::array kRows{
    LayerSettingRow{LayerSetting::scale, "scale", &LayerSettings::scale, true, "scores / √d_k",
                    "Dividing by the square root of d_k keeps the spread of the scores the same for wide and narrow "
                    "heads."},
    LayerSettingRow{LayerSetting::temperature, "temperature", &LayerSettings::temperature, false, "T",
                    "The scores are divided by it: below 1 attention gets sharper, above 1 flatter.", 0.01, 100, 0.1,
                    10},
};

// Does not compile for a field without a row.
static_assert([] {
  const auto [scale, temperature] = LayerSettings{};
  return kRows.size() == 2 && scale && temperature == 1;
}());

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

bool is_switch(const LayerSettingRow& row) { return row.field.index() == 0; }

}  // namespace

std::span<const LayerSettingRow> layer_settings() { return kRows; }

const LayerSettingRow& entry_of(LayerSetting setting) {
  const LayerSettingRow& row = kRows[static_cast<std::size_t>(setting)];
  assert(row.setting == setting);
  return row;
}

double value_of(const LayerSettings& settings, const LayerSettingRow& row) {
  return std::visit([&](auto field) { return static_cast<double>(settings.*field); }, row.field);
}

void set_value(LayerSettings& settings, const LayerSettingRow& row, double value) {
  if (is_switch(row)) {
    settings.*std::get<bool LayerSettings::*>(row.field) = value != 0;
    return;
  }
  if (!(static_cast<float>(value) >= static_cast<float>(row.least) &&
        static_cast<float>(value) <= static_cast<float>(row.most)))
    throw InputError(std::string("the ") + row.key + " must be a number from " + short_number(row.least) + " to " +
                     short_number(row.most));
  settings.*std::get<double LayerSettings::*>(row.field) = value;
}

void check_settings(const LayerSettings& settings) {
  LayerSettings checked;
  for (const LayerSettingRow& row : kRows) set_value(checked, row, value_of(settings, row));
}

std::string in_words(const LayerSettingRow& row, double value) {
  return std::string(row.key) + (is_switch(row) ? (value != 0 ? " on" : " off") : " " + short_number(value));
}

}  // namespace hydra
