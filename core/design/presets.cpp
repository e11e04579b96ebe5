// The designed heads that ship. Strengths were chosen so that each finds its target over the marked sentences
// (tests/core/design/presets.tests.cpp), as round as that allows.
#include <cassert>

#include "core/design/head_design.h"

namespace hydra {

namespace {

constexpr int kSlow = 1;  // the wave of 0.32 radians per token, 20 tokens long: before or behind rather than how far

// "plural - singular" matched with itself: +1 when query and key agree, -1 when they differ.
Ask agree(const char* one, const char* other, float strength) {
  const std::vector<FeatureWeight> side = {{one, 1}, {other, -1}};
  return {side, side, strength};
}

HeadDesign at_offset(HeadPreset preset, float offset) {
  HeadDesign design;
  design.preset = preset;
  design.kernels = {{offset, 1, 0, 4}};
  return design;
}

HeadDesign same_word() {
  HeadDesign design;
  design.preset = HeadPreset::same_word;
  design.same_word = 1;
  design.kernels = {{0, -0.15f, kSlow, 1}};
  design.sharpness = 60;
  return design;
}

HeadDesign pronoun_antecedent() {
  HeadDesign design;
  design.preset = HeadPreset::pronoun_antecedent;
  design.asks = {{{{"pronoun", 1}}, {{"noun", 1}}, 2.5f},
                 agree("plural", "singular", 1),
                 {{{"human", 1}}, {{"human", 1}}, 1.5f},
                 agree("male", "female", 1),
                 {{{"pronoun", 1}, {"human", -1}, {"plural", -1}}, {{"object", 1}, {"place", -0.6f}}, 0.7f}};
  design.kernels = {{-5, 1, kSlow, 1}};
  design.sharpness = 15;
  design.carries = Carries::features;
  return design;
}

HeadDesign verb_subject() {
  HeadDesign design;
  design.preset = HeadPreset::verb_subject;
  design.asks = {{{{"verb", 1}, {"auxiliary", 1}}, {{"noun", 1}, {"pronoun", 1}, {"determiner", -1}}, 4},
                 agree("plural", "singular", 3),
                 {{{"verb", 1}}, {{"animate", 1}, {"pronoun", 0.5f}}, 1}};
  design.kernels = {{-2.5f, 0.9f, kSlow, 1}, {-1, 0.4f, 0, 1}};
  design.sharpness = 15;
  design.carries = Carries::features;
  return design;
}

HeadDesign adjective_noun() {
  HeadDesign design;
  design.preset = HeadPreset::adjective_noun;
  design.asks = {{{{"adjective", 1}}, {{"noun", 1}}, 4},
                 agree("can-be-tired", "can-be-wide", 4),
                 agree("soft", "can-be-hot", 4),
                 agree("can-be-heavy", "can-be-kind", 4)};
  design.kernels = {{1, 1, kSlow, 1}, {1, 0.5f, 0, 1}};
  design.sharpness = 12;
  design.carries = Carries::features;
  return design;
}

HeadDesign determiner_noun() {
  HeadDesign design;
  design.preset = HeadPreset::determiner_noun;
  design.asks = {{{{"determiner", 1}}, {{"noun", 1}}, 2}};
  design.kernels = {{1.3f, 1, 0, 2}};
  design.sharpness = 15;
  design.carries = Carries::features;
  return design;
}

HeadDesign similar_meaning() {
  HeadDesign design;
  design.preset = HeadPreset::similar_meaning;
  const std::vector<FeatureWeight> person = {{"human", 1}, {"pronoun", -1}, {"relative", -1}};
  const std::vector<FeatureWeight> animal = {{"animate", 1}, {"human", -1}};
  design.asks = {
      {person, person, 2}, {animal, animal, 2}, agree("vehicle", "food", 2), agree("place", "furnishing", 2)};
  design.kernels = {{0, -0.2f, kSlow, 1}, {0, -0.1f, 0, 1}};
  design.carries = Carries::features;
  return design;
}

}  // namespace

const std::vector<PresetEntry>& presets() {
  static const std::vector<PresetEntry> entries = {
      {HeadPreset::previous, "previous", "designs:previous", "designs:previous.tip"},
      {HeadPreset::next, "next", "designs:next", "designs:next.tip"},
      {HeadPreset::self, "self", "designs:self", "designs:self.tip"},
      {HeadPreset::first, "first", "designs:first", "designs:first.tip"},
      {HeadPreset::uniform, "uniform", "designs:uniform", "designs:uniform.tip"},
      {HeadPreset::same_word, "same-word", "designs:same_word", "designs:same_word.tip"},
      {HeadPreset::punctuation, "punctuation", "designs:punctuation", "designs:punctuation.tip"},
      {HeadPreset::pronoun_antecedent, "pronoun-antecedent", "designs:pronoun_antecedent",
       "designs:pronoun_antecedent.tip"},
      {HeadPreset::verb_subject, "verb-subject", "designs:verb_subject", "designs:verb_subject.tip"},
      {HeadPreset::adjective_noun, "adjective-noun", "designs:adjective_noun", "designs:adjective_noun.tip"},
      {HeadPreset::determiner_noun, "determiner-noun", "designs:determiner_noun", "designs:determiner_noun.tip"},
      {HeadPreset::similar_meaning, "similar-meaning", "designs:similar_meaning", "designs:similar_meaning.tip"},
  };
  return entries;
}

HeadDesign preset_design(HeadPreset preset) {
  HeadDesign design;
  design.preset = preset;
  switch (preset) {
    case HeadPreset::none:
      break;
    case HeadPreset::previous:
      return at_offset(preset, -1);
    case HeadPreset::next:
      return at_offset(preset, 1);
    case HeadPreset::self:
      return at_offset(preset, 0);
    case HeadPreset::first:
      design.place = 0;
      break;
    case HeadPreset::uniform:
      design.carries = Carries::everything;
      break;
    case HeadPreset::same_word:
      return same_word();
    case HeadPreset::punctuation:
      design.asks = {{{{"any", 1}}, {{"punctuation", 1}}, 1}};
      break;
    case HeadPreset::pronoun_antecedent:
      return pronoun_antecedent();
    case HeadPreset::verb_subject:
      return verb_subject();
    case HeadPreset::adjective_noun:
      return adjective_noun();
    case HeadPreset::determiner_noun:
      return determiner_noun();
    case HeadPreset::similar_meaning:
      return similar_meaning();
  }
  return design;
}

}  // namespace hydra
