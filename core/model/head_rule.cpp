#include "core/model/head_rule.h"

#include <algorithm>
#include <string>

#include "core/error.h"

namespace hydra {

const HeadRule* rule_of(const HeadRules& rules, Index head) {
  const auto found = std::ranges::lower_bound(rules, head, {}, &HeadRule::head);
  return found == rules.end() || found->head != head ? nullptr : &*found;
}

HeadRules with_rule(HeadRules rules, const HeadRule& rule) {
  std::erase_if(rules, [&](const HeadRule& other) { return other.head == rule.head; });
  if (!rule.says_nothing()) rules.insert(std::ranges::lower_bound(rules, rule.head, {}, &HeadRule::head), rule);
  return rules;
}

HeadTerms terms_of(const HeadRules& rules, Index head, const Mask& mask, double temperature) {
  HeadTerms terms{mask, temperature};
  const HeadRule* rule = rule_of(rules, head);
  if (!rule) return terms;
  if (rule->mask) terms.mask = {*rule->mask, nullptr, 0, mask.first};
  if (rule->window) terms.mask.window = *rule->window;
  terms.temperature = rule->temperature.value_or(temperature);
  return terms;
}

std::vector<HeadTerms> all_terms(const HeadRules& rules, Index heads, const Mask& mask, double temperature) {
  std::vector<HeadTerms> terms;
  for (Index h = 0; h < heads && !rules.empty(); ++h) terms.push_back(terms_of(rules, h, mask, temperature));
  return terms;
}

void check_rule(const HeadRule& rule, Index heads, Mask::Kind mask, const LayerSettings& settings) {
  if (rule.head < 0 || rule.head >= heads)
    throw InputError("there is no head " + std::to_string(rule.head + 1) +
                     " that could have something of its own; the layer has " + std::to_string(heads));
  if (rule.says_nothing())
    throw InputError("a head has nothing of its own here; a mask, a window or a temperature is needed");
  if (rule.mask == Mask::Kind::custom)
    throw InputError("a head's own mask cannot be drawn by hand, as a layer's can; it is none or causal");
  const Mask::Kind kind = rule.mask.value_or(mask);
  if (rule.window && (*rule.window < 1 || *rule.window > kMaxWindow))
    throw InputError("a head's own window must be from 1 to " + std::to_string(kMaxWindow) + ", not " +
                     std::to_string(*rule.window) + "; a causal mask of its own without one shows all words before");
  if (rule.window && kind != Mask::Kind::causal)
    throw InputError("a head's own window is of a causal mask: how many words back a word sees");
  if (LayerSettings alone; rule.temperature)
    set_value(alone, entry_of(LayerSetting::temperature), *rule.temperature);  // throws
  if (settings.alibi && kind != Mask::Kind::causal)
    throw InputError(
        "ALiBi takes away what lies between a word and those before it, so a head's own mask must be causal, too");
  if (settings.talking_heads != TalkingHeads::none && (rule.mask || rule.window))
    throw InputError("heads that talk see the same words, so none has a mask or a window of its own");
}

void check_rules(const HeadRules& rules, Index heads, Mask::Kind mask, const LayerSettings& settings) {
  for (const HeadRule& rule : rules) check_rule(rule, heads, mask, settings);
  const auto is_wrong = [](const HeadRule& one, const HeadRule& next) { return one.head >= next.head; };
  if (std::ranges::adjacent_find(rules, is_wrong) != rules.end())
    throw InputError("what heads have of their own must be sorted by head, each head once");
}

void fit_rules(HeadRules& rules, Index heads, Mask::Kind mask) {
  for (HeadRule& rule : rules)
    if (rule.mask.value_or(mask) != Mask::Kind::causal) rule.window.reset();
  std::erase_if(rules, [&](const HeadRule& rule) { return rule.head >= heads || rule.says_nothing(); });
}

}  // namespace hydra
