// What can be set about a layer beside its sizes and weights: switches and numbers, a row of the table each. Reading,
// writing, checking, edits with their words, and the controls follow from the row; what a setting does stands in the
// operation that it is of.
#pragma once
#include <span>
#include <string>
#include <variant>

namespace hydra {

struct LayerSettings {
  bool scale = true;       // divide the scores by sqrt(d_k)
  double temperature = 1;  // and by this; in documents a float
  bool operator==(const LayerSettings&) const = default;
};

enum class LayerSetting { scale, temperature };

struct LayerSettingRow {
  LayerSetting setting;
  const char* key;  // in files; in sentences and the history with spaces
  std::variant<bool LayerSettings::*, double LayerSettings::*> field;
  bool always_written;         // else only where it is not what it is from the beginning
  const char* label;           // of its control: of a number "T", which is shown as "T = 1.00"
  const char* tip;             // a sentence
  double least = 0, most = 1;  // that a number may be
  double low = 0, high = 1;    // the range of its slider, logarithmic
};
std::span<const LayerSettingRow> layer_settings();
const LayerSettingRow& entry_of(LayerSetting setting);

// A switch is 0 or 1.
double value_of(const LayerSettings& settings, const LayerSettingRow& row);
// Throws InputError, with one sentence that names no place, when it cannot be that.
void set_value(LayerSettings& settings, const LayerSettingRow& row, double value);
void check_settings(const LayerSettings& settings);
// "scale off", "temperature 0.5".
std::string in_words(const LayerSettingRow& row, double value);

}  // namespace hydra
