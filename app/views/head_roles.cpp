#include "app/views/head_roles.h"

namespace hydra {

namespace {

// What is said of a head whose name must wait, or cannot be had.
void add_unnamed(const RoleTable& table, HeadLabel& label) {
  label.name = label.brief = label.wider = table.bounds ? "unnamed" : "measuring";
  label.full = table.bounds ? "unnamed: random layers of this size take too long to compare it with"
                            : "being measured beside random heads";
}

HeadLabel label_of_head(const RoleTable& table, int head, double threshold) {
  const RoleMeasures& measures = table.heads[static_cast<std::size_t>(head)];
  HeadLabel label;
  label.removal = removal_sentence(measures.removal);
  label.removal_brief = removal_brief(measures.removal);
  label.bold = bold_sentence(table, head);
  if (!table.bounds || table.bounds->layers == 0) {
    add_unnamed(table, label);
    return label;
  }
  label.role = role_of(measures, *table.bounds, threshold);
  label.name = role_brief(label.role);
  label.brief = short_label(label.role);
  label.full = label_with_interval(label.role, table, head);
  label.wider = scored_name_with_interval(label.role, table, head);
  label.evidence = evidence_sentence(measures, *table.bounds, label.role);
  const int nearest = nearest_claim(measures, *table.bounds);
  if (label.role.kind == Role::Kind::mixed && table.sentences.empty() && nearest >= 0)
    label.full = label.wider += ": " + short_label(claims_of(measures)[static_cast<std::size_t>(nearest)]);
  return label;
}

}  // namespace

std::vector<HeadLabel> labels_of(const RoleTable& table, double threshold) {
  std::vector<HeadLabel> labels;
  for (int h = 0; h < int_size(table.heads); ++h) labels.push_back(label_of_head(table, h, threshold));
  return labels;
}

}  // namespace hydra
