#include "app/views/roles/roles_columns.h"

#include "app/views/frame/ui.h"

namespace hydra {

namespace {

using Kind = RoleColumn::Kind;

// Numbers of effect and shape come first, those of other groups behind what else is in them.
std::vector<RoleColumn> make_columns() {
  std::vector<RoleColumn> columns;
  const auto add_numbers = [&](RoleGroup group) {
    for (const HeadMeasure* m : kHeadMeasures)
      if (m->group == group)
        columns.push_back({m->key, wording(m->brief), wording(m->title), wording(m->tip), wording(m->formula),
                           wording(m->source), group, Kind::number, m});
  };
  add_numbers(RoleGroup::effect);
  add_numbers(RoleGroup::shape);
  columns.push_back({"positional", wording("roles:positional.brief"), wording("roles:positional"),
                     wording("roles:positional.tip"), wording("roles:positional.formula"),
                     wording("roles:positional.source"), RoleGroup::position, Kind::positional});
  for (std::size_t j = 0; j < kMostJobs; ++j)
    columns.push_back({ui::words("job", j + 1), "", "", "", wording("roles:job.formula"), "", RoleGroup::jobs,
                       Kind::job, nullptr, nullptr, j});
  add_numbers(RoleGroup::jobs);
  const auto add_rest = [&](const char* key, const char* brief, const char* title, const char* tip,
                            double RestScore::*field) {
    columns.push_back({key, wording(brief), wording(title), wording(tip), wording("roles:rest.formula"),
                       wording("roles:rest.source"), RoleGroup::rest, Kind::rest, nullptr, field});
  };
  add_rest("rest_first", "roles:rest_first.brief", "roles:rest_first", "roles:rest_first.tip", &RestScore::first);
  add_rest("rest_self", "roles:rest_self.brief", "roles:rest_self", "roles:rest_self.tip", &RestScore::self);
  add_rest("rest_marks", "roles:rest_marks.brief", "roles:rest_marks", "roles:rest_marks.tip", &RestScore::marks);
  add_numbers(RoleGroup::rest);
  const auto add_pattern = [&](TokenPattern pattern, RoleGroup group) {
    const TokenPatternEntry& p = nth(token_patterns(), pattern);
    columns.push_back({p.key, wording(p.brief), wording(p.heading), wording(p.tip), wording("roles:target.formula"),
                       wording(pattern == TokenPattern::induction ? "roles:induction.source"
                               : pattern == TokenPattern::rarest  ? "roles:rarest.source"
                                                                  : "roles:target.source"),
                       group, Kind::target, nullptr, nullptr, static_cast<std::size_t>(pattern)});
  };
  for (const TokenPattern p : {TokenPattern::previous, TokenPattern::next, TokenPattern::self, TokenPattern::first})
    add_pattern(p, RoleGroup::position);
  columns.push_back({"offset_profile", "−4 … 4", wording("roles:profile"), wording("roles:profile.tip"),
                     wording("roles:profile.formula"), wording("roles:profile.source"), RoleGroup::position,
                     Kind::profile});
  add_numbers(RoleGroup::position);
  for (const TokenPattern p :
       {TokenPattern::punctuation, TokenPattern::same_word, TokenPattern::induction, TokenPattern::rarest})
    add_pattern(p, RoleGroup::content);
  add_numbers(RoleGroup::content);
  for (const RelationEntry& r : relations())
    columns.push_back({r.key, brief_name(r.relation), wording(r.title), wording(r.tip),
                       wording("roles:relation.formula"), wording("roles:relation.source"), RoleGroup::relations,
                       Kind::relation, nullptr, nullptr, static_cast<std::size_t>(r.relation)});
  add_numbers(RoleGroup::relations);
  return columns;
}

const TargetScore* target_of(const RoleColumn& column, const RoleMeasures& measures) {
  if (column.kind == Kind::target) return &measures.patterns[column.index];
  if (column.kind == Kind::job) return column.index < measures.jobs.size() ? &measures.jobs[column.index] : nullptr;
  return column.kind == Kind::relation ? &measures.relations[column.index] : nullptr;
}

std::string number(double value) { return ui::number(value, As::column); }

std::string percent(double share) { return ui::number(share, As::whole_percent); }

// What a name after this column claims; -1 where none does.
int claim_of_column(const RoleColumn& column) {
  if (column.number) return column.number->claim;
  if (column.kind == Kind::positional) return kOffsetClaim;
  if (column.kind == Kind::target) return kPatternClaims + static_cast<int>(column.index);
  return column.kind == Kind::relation ? kRelationClaims + static_cast<int>(column.index) : -1;
}

// "95 % interval over the sentences: 0.70 to 0.97"; empty where there is none.
std::string interval_line(const RoleColumn& column, const RoleTable& table, int head) {
  if (table.intervals.empty()) return {};
  const RoleIntervals& intervals = nth(table.intervals, head);
  const double low = value_of(column, intervals.low), high = value_of(column, intervals.high);
  return std::isnan(low) ? "" : wording("roles:interval", {{"low", number(low)}, {"high", number(high)}});
}

// What of the heads' best is reached by a head that knows only places, and on how many rows: of relations and jobs.
std::vector<std::string> reached_without_it(const RoleColumn& column, const RoleTable& table);

std::string signed_offset(int offset) {
  return offset > 0 ? "+" + std::to_string(offset) : ui::number(offset, As::whole);
}

}  // namespace

const std::string& title_of(RoleGroup group, const RoleTable& table) {
  static constexpr const char* titles[kRoleGroups] = {"roles:effect",   "roles:shape",   "roles:jobs",     "roles:rest",
                                                      "roles:position", "roles:content", "roles:relations"};
  const bool of_user = group == RoleGroup::jobs && table.jobs.empty() && !table.own.empty();
  return wording(of_user ? "roles:mine" : nth(titles, group));
}

const std::vector<RoleColumn>& role_columns() {
  static const std::vector<RoleColumn> columns = make_columns();
  return columns;
}

double value_of(const RoleColumn& column, const RoleMeasures& measures) {
  if (const TargetScore* target = target_of(column, measures)) return target->mass;
  if (column.rest) return measures.rest.*column.rest;
  if (column.kind == Kind::positional) return measures.positional_share;
  return column.number ? measures[*column.number] : kUndefined;
}

double accuracy_of(const RoleColumn& column, const RoleMeasures& measures) {
  const TargetScore* target = target_of(column, measures);
  return target ? target->accuracy : kUndefined;
}

Index rows_of(const RoleColumn& column, const RoleMeasures& measures) {
  if (const TargetScore* target = target_of(column, measures)) return target->rows;
  if (column.kind == Kind::job) return 0;
  if (column.rest) return measures.rest.rows;
  if (column.kind == Kind::positional) return measures.positional_rows;
  return column.number ? measures.rows_of(*column.number) : measures.rows;
}

RoleColumn in_words_of(const RoleColumn& column, const RoleTable& table) {
  RoleColumn own = column;
  const HeadJobs& jobs = table.measured_jobs();
  if (column.kind != Kind::job || column.index >= jobs.size()) return own;
  const HeadJob& job = *jobs[column.index];
  own.title = job.title, own.brief = job.brief, own.tip = job.tip;
  own.source = !table.jobs.empty()    ? wording("roles:job.source", {{"task", table.source}})
               : !table.asked.empty() ? wording("roles:asked.source")
                                      : wording("roles:own.source");
  return own;
}

bool is_best(const RoleColumn& column, const Role& role, const RoleTable& table) {
  const HeadJobs& jobs = table.measured_jobs();
  if (column.kind == Kind::job) return column.index < jobs.size() && role.job == jobs[column.index];
  return role.kind != Role::Kind::mixed && role.kind != Role::Kind::job && claim_of(role) == claim_of_column(column);
}

NumberRange bar_range(const RoleColumn& column, Index n) {
  return column.number ? range_of(*column.number, n) : NumberRange{};
}

std::string cell_text(const RoleColumn& column, const RoleMeasures& measures) {
  const std::string text = number(value_of(column, measures));
  if (column.kind != Kind::positional || measures.positional_rows == 0) return text;
  return signed_offset(measures.positional_offset) + "  " + text;
}

double chance_limit(const RoleColumn& column, const RoleTable& table) {
  const int claim = claim_of_column(column);
  if (claim < 0 || !table.bounds || table.bounds->layers == 0) return kUndefined;
  return nth(table.bounds->needed, claim);
}

std::vector<std::string> cell_tip(const RoleColumn& column, const RoleTable& table, int head) {
  const RoleMeasures &measures = nth(table.heads, head), &chance = table.chance;
  std::vector<std::string> lines{in_words_of(column, table).title};
  if (column.kind == Kind::profile) {
    for (int k = -4; k <= 4; ++k)
      lines.push_back(wording("roles:at_offset", {{"offset", signed_offset(k)},
                                                  {"weight", number(measures.offset(k).attention)},
                                                  {"chance", number(chance.offset(k).attention)}}));
    return lines;
  }
  const Index rows = rows_of(column, measures);
  if (rows == 0) {
    lines.push_back(wording(column.kind == Kind::relation ? "roles:no_marks" : "roles:no_targets"));
    return lines;
  }
  lines.push_back(wording(
      "roles:value",
      {{"value", number(value_of(column, measures))}, {"rows", rows}, {"chance", number(value_of(column, chance))}}));
  const int claim = claim_of_column(column);
  const std::string chance_reaches =
      claim < 0 ? "" : chance_sentence(table.bounds.value_or(NameBounds{}), claim, nth(claims_of(measures), claim));
  for (const std::string& line : {interval_line(column, table, head), chance_reaches})
    if (!line.empty()) lines.push_back(line);
  if (column.kind == Kind::positional)
    lines.push_back(wording("roles:maximum_at", {{"offset", signed_offset(measures.positional_offset)},
                                                 {"share", percent(measures.positional_share)}}));
  if (const double accuracy = accuracy_of(column, measures); !std::isnan(accuracy))
    lines.push_back(wording("roles:maximum_is_target",
                            {{"share", percent(accuracy)}, {"chance", percent(accuracy_of(column, chance))}}));
  if (column.kind != Kind::relation && column.kind != Kind::job) return lines;
  const RelationScore& relation =
      column.kind == Kind::job ? measures.jobs[column.index] : measures.relations[column.index];
  if (relation.best_offset)
    lines.push_back(wording("roles:best_offset", {{"offset", signed_offset(*relation.best_offset)},
                                                  {"share", percent(relation.offset_accuracy)}}));
  if (column.kind == Kind::job && table.answers) {
    const AnswersLost& answers = *table.answers;
    const double right = answers.job_accuracy[column.index], lost = nth(answers.job_lost, head)[column.index];
    lines.push_back(wording("roles:silenced", {{"right", number(right)}, {"without", number(right - lost)}}));
  }
  return lines;
}

namespace {
std::vector<std::string> reached_without_it(const RoleColumn& column, const RoleTable& table) {
  const TargetScore* first = target_of(column, table.heads.front());
  if ((column.kind != Kind::relation && column.kind != Kind::job) || !first || first->rows == 0) return {};
  const auto score = [&](const RoleMeasures& measures) -> const RelationScore& {
    return column.kind == Kind::job ? measures.jobs[column.index] : measures.relations[column.index];
  };
  std::vector<std::string> lines{
      wording("roles:over.rows", {{"rows", first->rows}, {"chance", number(value_of(column, table.chance))}})};
  const RelationScore& relation = score(table.heads.front());
  if (relation.best_offset)
    lines.push_back(wording("roles:best_offset", {{"offset", signed_offset(*relation.best_offset)},
                                                  {"share", percent(relation.offset_accuracy)}}));
  const auto previous = [](const RoleMeasures& head) {
    const double mass = head.pattern(TokenPattern::previous).mass;
    return std::isnan(mass) ? -1 : mass;
  };
  const auto most = std::ranges::max_element(table.heads, {}, previous);
  if (previous(*most) > 0)
    lines.push_back(wording("roles:previous_head", {{"head", most - table.heads.begin() + 1},
                                                    {"previous", number(previous(*most))},
                                                    {"value", number(score(*most).mass)}}));
  return lines;
}
}  // namespace

std::vector<std::string> column_tip(const RoleColumn& shown, const RoleTable& table) {
  const RoleColumn column = in_words_of(shown, table);
  std::vector<std::string> lines{column.title, column.tip, column.formula, column.source};
  if (column.kind == Kind::relation) lines.push_back(wording("roles:relation.names"));
  if (column.kind == Kind::job)
    lines.push_back(wording(!table.jobs.empty()    ? "roles:job.names"
                            : !table.asked.empty() ? "roles:asked.names"
                                                   : "roles:own.names"));
  for (const std::string& line : reached_without_it(column, table)) lines.push_back(line);
  if (column.kind != Kind::profile) lines.push_back(wording("roles:sorts"));
  return lines;
}

}  // namespace hydra
