#include "app/views/shared/head_roles.h"

#include <algorithm>
#include <utility>

#include "core/text/wording.h"

namespace hydra {

namespace {

// What is said of a head whose name must wait, or cannot be had.
void add_unnamed(const RoleTable& table, HeadLabel& label) {
  label.name = label.brief = label.wider = wording(table.bounds ? "panels:role.unnamed" : "panels:role.measuring");
  label.full = wording(table.bounds ? "panels:role.unnamed.full" : "panels:role.measuring.full");
}

HeadLabel label_of_head(const RoleTable& table, int head, const HeadName& name) {
  const RoleTable& named = table.naming();
  HeadLabel label;
  label.removal = removal_sentence(nth(table.heads, head)[head_number::removal]);
  label.removal_brief = removal_brief(nth(table.heads, head)[head_number::removal]);
  if (!label.removal.empty() && !table.sentences.empty())
    label.removal = wording("panels:role.removal", {{"removal", label.removal}, {"sentences", pooled_text(table)}});
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
  label.brief = short_label(label.role);
  if (here) label.brief = wording("panels:role.here", {{"role", label.brief}});  // of this sentence alone
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

void mark_older(std::vector<HeadLabel>& labels, bool older) {
  for (HeadLabel& label : labels) label.older = older;
}

}  // namespace

std::vector<std::string> role_lines(const HeadLabel& label) {
  return {label.full,
          label.also,
          label.evidence,
          label.rest,
          label.removal,
          label.bold,
          label.older ? wording("panels:role.older") : std::string()};
}

std::vector<HeadLabel> labels_of(const RoleTable& table, double threshold) {
  std::vector<HeadLabel> labels;
  const std::vector<HeadName> names = names_of(table, threshold);
  for (int h = 0; h < int_size(table.heads); ++h) labels.push_back(label_of_head(table, h, nth(names, h)));
  return labels;
}

bool renew(HeadRoles& roles, const Measured<RolesMeasure>& measured, double threshold) {
  const std::shared_ptr<const RoleTable> table = measured.value ? measured.value->table : nullptr;
  bool changed = std::exchange(roles.failure, measured.failure) != measured.failure;
  if (roles.table != table || roles.threshold != threshold) {
    roles = {table, table ? labels_of(*table, threshold) : std::vector<HeadLabel>(), measured.failure,
             measured.value ? measured.value->fault : "", threshold};
    changed = true;
  }
  if (roles.older != measured.older) mark_older(roles.labels, roles.older = measured.older), changed = true;
  return changed;
}

bool renew(StackRoles& roles, const Measured<StackRolesMeasure>& measured, double threshold) {
  static const StackRolesMeasure::Result none;
  const StackRolesMeasure::Result& result = measured.value ? *measured.value : none;
  bool changed = roles.layers.size() != result.tables.size();  // those that stay may have nothing new
  roles.layers.resize(result.tables.size());
  for (std::size_t k = 0; k < result.tables.size(); ++k) {
    StackRoles::OfLayer& layer = roles.layers[k];
    if (layer.table == result.tables[k] && roles.threshold == threshold) continue;
    layer = {result.tables[k], labels_of(*result.tables[k], threshold)};
    changed = true;
  }
  if (std::exchange(roles.older, measured.older) != measured.older || changed)
    for (StackRoles::OfLayer& layer : roles.layers) mark_older(layer.labels, measured.older);
  roles.threshold = threshold;
  static std::uint64_t versions = 0;  // of all there ever are: who keeps what was made of one may outlive it
  if (changed) roles.version = ++versions;
  roles.unnamed =
      static_cast<int>(std::ranges::count_if(result.tables, [](const auto& table) { return !table->bounds; }));
  changed |= std::exchange(roles.progress, measured.progress) != measured.progress;
  changed |= std::exchange(roles.failure, measured.failure) != measured.failure;
  changed |= std::exchange(roles.fault, result.fault) != result.fault;
  return changed;
}

}  // namespace hydra
