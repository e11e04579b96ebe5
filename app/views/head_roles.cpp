#include "app/views/head_roles.h"

namespace hydra {

namespace {

// What is said of a head whose name must wait, or cannot be had.
void add_unnamed(const RoleTable& table, HeadLabel& label) {
  label.name = label.brief = label.wider = table.bounds ? "unnamed" : "measuring";
  label.full = table.bounds ? "unnamed: random layers of this size take too long to compare it with"
                            : "being measured beside random heads";
}

HeadLabel label_of_head(const RoleTable& table, int head, const HeadName& name) {
  const RoleTable& named = table.naming();
  HeadLabel label;
  label.removal = removal_sentence(nth(table.heads, head)[head_number::removal]);
  label.removal_brief = removal_brief(nth(table.heads, head)[head_number::removal]);
  if (!label.removal.empty() && !table.sentences.empty()) label.removal += " over " + pooled_text(table);
  label.bold = bold_sentence(table, head);
  label.rest = rest_sentence(name.rest);
  if (named.jobs.empty() && (!named.bounds || named.bounds->layers == 0)) {
    add_unnamed(named, label);
    return label;
  }
  label.role = name.role;
  label.also = also_sentence(name);
  label.name = role_brief(label.role);
  const bool here = named.jobs.empty() && named.sentences.empty() && label.role.kind != Role::Kind::mixed;
  label.brief = short_label(label.role) + (here ? " here" : "");  // of this sentence alone
  label.full = label_with_interval(label.role, table, head);
  label.wider = scored_name_with_interval(label.role, table, head);
  label.evidence = evidence_for_name(name, table, head);
  if (label.role.kind == Role::Kind::mixed && named.jobs.empty() && named.sentences.empty()) {
    const RoleMeasures& measures = nth(named.heads, head);
    if (const int nearest = nearest_claim(measures, *named.bounds); nearest >= 0)
      label.full = label.wider += ": " + short_label(nth(claims_of(measures), nearest));
  }
  return label;
}

}  // namespace

std::vector<HeadLabel> labels_of(const RoleTable& table, double threshold) {
  std::vector<HeadLabel> labels;
  const std::vector<HeadName> names = names_of(table, threshold);
  for (int h = 0; h < int_size(table.heads); ++h) labels.push_back(label_of_head(table, h, nth(names, h)));
  return labels;
}

}  // namespace hydra
