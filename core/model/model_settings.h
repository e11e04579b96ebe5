// What can be set about a model as a whole, besides its sizes, words and weights: a row of the table each, as for a
// layer (settings.h). Reading, writing, checking, edits with their words, and the controls follow from the row.
#pragma once
#include "core/model/settings.h"

namespace hydra {

// Where the logits of the next words come from: nowhere; the input embedding (tied weights); an unembedding matrix of
// their own.
enum class ReadoutKind { none, tied, own };

inline constexpr Index kMaxTypes = 16;  // of tokens

struct ModelSettings {
  Index types = 0;              // of tokens, each with a row of a table that is added; 0: there are none
  bool embedding_norm = false;  // of the sum of words, positions and types
  NormKind embedding_norm_kind = NormKind::layer;
  double embedding_norm_epsilon = static_cast<double>(1e-5f);
  bool transform = false;  // of what leaves the last layer: a linear map, and an activation
  Activation transform_activation = Activation::gelu;
  bool final_norm = false;  // of what that gives, or of what leaves the last layer
  NormKind final_norm_kind = NormKind::layer;
  double final_norm_epsilon = static_cast<double>(1e-5f);
  ReadoutKind readout = ReadoutKind::none;
  double logit_cap = 0;  // no logit is larger, or smaller than its opposite; 0: any may be
  bool operator==(const ModelSettings&) const = default;
};

enum class ModelSetting {
  types,
  embedding_norm,
  embedding_norm_kind,
  embedding_norm_epsilon,
  transform,
  transform_activation,
  final_norm,
  final_norm_kind,
  final_norm_epsilon,
  readout,
  logit_cap
};

struct ModelSettingRow {
  using Field = std::variant<bool ModelSettings::*, double ModelSettings::*, Index ModelSettings::*,
                             NormKind ModelSettings::*, Activation ModelSettings::*, ReadoutKind ModelSettings::*>;
  ModelSetting setting;
  const char* object;  // that it stands in, in files; in sentences and the history with spaces
  const char* key;     // in the object; of a switch nothing: it is on where the object is there
  Field field;
  std::optional<ModelSetting> within;  // the switch, or the choice that is none at first, that it belongs to
  bool always_written;                 // where its object is; else only where it is not what it is from the beginning
  const char* label;                   // key of the text of its control
  const char* tip;                     // key of a sentence
  double least = 0, most = 1;
  double low = 0, high = 1;
  std::span<const char* const> names = {};   // of a choice: in files
  std::span<const char* const> labels = {};  // keys of the same on the screen
};
std::span<const ModelSettingRow> model_settings();
const ModelSettingRow& entry_of(ModelSetting setting);
bool is_switch(const ModelSettingRow& row);
bool is_choice(const ModelSettingRow& row);
bool is_whole(const ModelSettingRow& row);  // a whole number

// A switch is 0 or 1, a choice its place among the names.
double value_of(const ModelSettings& settings, const ModelSettingRow& row);
// Throws InputError, with one sentence that names no place, when it cannot be that.
void set_value(ModelSettings& settings, const ModelSettingRow& row, double value);
bool is_possible(const ModelSettings& settings, const ModelSettingRow& row);
// What belongs to a switch that is off is as from the beginning.
void settle(ModelSettings& settings);
// learned_words: words are read in by a table, which a tied readout needs, and which one of types stands beside.
void check_settings(const ModelSettings& settings, bool learned_words);

}  // namespace hydra
