// What a head has of its own where its layer's other heads have something else: its mask, the mask's window and its
// temperature. Local and global heads side by side (Beltagy et al. 2020, section 3.1, have other widths by layer),
// sharp and soft ones.
#pragma once
#include <optional>
#include <vector>

#include "core/model/mask.h"
#include "core/model/settings.h"

namespace hydra {

// What is absent is the layer's. A mask of its own has the window beside it, or none: that of the layer is not its.
struct HeadRule {
  Index head = 0;
  std::optional<Mask::Kind> mask;     // none or causal: only a layer's is drawn by hand
  std::optional<Index> window;        // of a causal mask, as Mask::window, from 1
  std::optional<double> temperature;  // in documents a float
  bool says_nothing() const { return !mask && !window && !temperature; }
  bool operator==(const HeadRule&) const = default;
};
// Sorted by head, each head once.
using HeadRules = std::vector<HeadRule>;

const HeadRule* rule_of(const HeadRules& rules, Index head);  // null: all is the layer's
// With this one in the place of the head's; one that says nothing goes.
HeadRules with_rule(HeadRules rules, const HeadRule& rule);

// What a head attends by, all told.
struct HeadTerms {
  Mask mask;  // with its window
  double temperature = 1;
  bool operator==(const HeadTerms&) const = default;
};
// mask: the layer's, with its window.
HeadTerms terms_of(const HeadRules& rules, Index head, const Mask& mask, double temperature);
// By head; empty where no head has a rule.
std::vector<HeadTerms> all_terms(const HeadRules& rules, Index heads, const Mask& mask, double temperature);

// Each throws InputError with one sentence that names no place. One alone, under a layer's mask and settings; then
// that they are sorted, and each of another head.
void check_rule(const HeadRule& rule, Index heads, Mask::Kind mask, const LayerSettings& settings);
void check_rules(const HeadRules& rules, Index heads, Mask::Kind mask, const LayerSettings& settings);
// Of heads that are no more, and windows of masks that are not causal any more, nothing stays.
void fit_rules(HeadRules& rules, Index heads, Mask::Kind mask);

}  // namespace hydra
