#include "app/views/roles/roles_columns.h"
#include "app/views/ui.h"

namespace hydra {

namespace {

using Kind = RoleColumn::Kind;

std::vector<RoleColumn> make_columns() {
  std::vector<RoleColumn> columns{
      {"removal", "removal", "Removal", "How much of the output changes when this head is taken out.",
       "‖Z‖ / ‖Y‖ for the head's contribution Z to Y", "an ablation, as in Michel et al. 2019", RoleGroup::effect,
       Kind::number, &RoleMeasures::removal},
      {"share", "share", "Share of what the heads add",
       "The head's part of what the attention of its layer adds to the stream; over the heads of a layer 100 %.",
       "‖Z‖² / Σ ‖Z_g‖² over the heads g of the layer, Z what the head adds", "Mixing, Who writes it",
       RoleGroup::effect, Kind::number, &RoleMeasures::share},
      {"against_stream", "stream", "Size against the stream",
       "How large what the head adds is beside the stream that enters its layer.",
       "‖Z‖ / ‖S‖, S the stream that enters the layer", "compare Stream, size", RoleGroup::effect, Kind::number,
       &RoleMeasures::against_stream},
      {"entropy_bits", "bits", "Entropy in bits", "How widely the head looks: 0 bits is one key, log2 of n all alike.",
       "mean over rows of −Σ a log2 a", "Clark et al. 2019, section 3.3", RoleGroup::shape, Kind::number,
       &RoleMeasures::entropy_bits},
      {"entropy_fraction", "entropy", "Entropy as a fraction", "The entropy as a share of the largest possible one.",
       "mean over rows of H / log2 (keys the row may see)", "Clark et al. 2019, section 3.3", RoleGroup::shape,
       Kind::number, &RoleMeasures::entropy_fraction},
      {"confidence", "conf.", "Confidence", "The largest weight of a row, on average.", "mean over rows of max a",
       "Voita et al. 2019, section 4", RoleGroup::shape, Kind::number, &RoleMeasures::confidence},
      {"mean_distance", "dist.", "Mean distance", "How many tokens away the head looks.",
       "mean over rows of Σ a |i − j|", "compare Clark et al. 2019, section 3.1", RoleGroup::shape, Kind::number,
       &RoleMeasures::mean_distance},
      {"sink", "sink", "What the sink takes",
       "How much of a row goes to the head's sink, on average; undefined where the layer has none.",
       "mean over rows of 1 − Σ a", "compare Miller 2023", RoleGroup::shape, Kind::number, &RoleMeasures::sink},
      {"positional", "offset", "Positional",
       "The offset (key − query) where most rows have their maximum, and their share: a head is positional from 0.90.",
       "share of the rows whose maximum is at that offset", "Voita et al. 2019, section 5.1", RoleGroup::position,
       Kind::positional, &RoleMeasures::positional_share},
  };
  for (std::size_t j = 0; j < kMostJobs; ++j)
    columns.push_back({ui::words("job", j + 1), "", "", "", "mean over rows of Σ a where a head that did it would look",
                       "", RoleGroup::jobs, Kind::job, nullptr, nullptr, j});
  const auto add_rest = [&](const char* key, const char* brief, const char* title, const char* what,
                            double RestScore::*field) {
    columns.push_back(
        {key, brief, title, ui::words("How much a head gives ", what, " in the rows that are asked for nothing."),
         "mean of a over the rows without a marked target", "where heads rest: Clark et al. 2019, section 3.2",
         RoleGroup::rest, Kind::rest, nullptr, field});
  };
  add_rest("rest_first", "first", "At rest on the first token", "the first token", &RestScore::first);
  add_rest("rest_self", "self", "At rest on its own token", "its own token", &RestScore::self);
  add_rest("rest_marks", "punct", "At rest on punctuation", "punctuation", &RestScore::marks);
  const auto add_pattern = [&](TokenPattern pattern, RoleGroup group) {
    const TokenPatternEntry& p = nth(token_patterns(), pattern);
    std::string title = p.title;
    title[0] = static_cast<char>(title[0] - 'a' + 'A');
    columns.push_back({p.key, p.brief, title, p.tip, "mean over rows with a target of Σ a on the targets",
                       pattern == TokenPattern::induction ? "Olsson et al. 2022, prefix matching"
                       : pattern == TokenPattern::rarest  ? "Voita et al. 2019, section 5.3"
                                                          : "compare Clark et al. 2019, section 3",
                       group, Kind::target, nullptr, nullptr, static_cast<std::size_t>(pattern)});
  };
  for (const TokenPattern p : {TokenPattern::previous, TokenPattern::next, TokenPattern::self, TokenPattern::first})
    add_pattern(p, RoleGroup::position);
  columns.push_back({"offset_profile", "−4 … 4", "Offset profile",
                     "The attention at each offset from four tokens before the query to four after it.",
                     "a(k) = mean of a(i, i + k) over the rows with a token there", "Clark et al. 2019, section 3.1",
                     RoleGroup::position, Kind::profile});
  for (const TokenPattern p :
       {TokenPattern::punctuation, TokenPattern::same_word, TokenPattern::induction, TokenPattern::rarest})
    add_pattern(p, RoleGroup::content);
  columns.push_back({"semantic", "feat.", "Similar features",
                     "Whether the head looks at words whose features are like the query's: 1 fully, 0 not at all.",
                     "correlation of a(i, j) with the cosine of the words' features, i ≠ j", "Pearson's r",
                     RoleGroup::content, Kind::number, &RoleMeasures::semantic});
  for (const RelationEntry& r : relations())
    columns.push_back({r.key, brief_name(r.relation), r.title, r.tip, "mean over marked rows of Σ a on the marked keys",
                       "Voita et al. 2019, section 5.2", RoleGroup::relations, Kind::relation, nullptr, nullptr,
                       static_cast<std::size_t>(r.relation)});
  return columns;
}

const TargetScore* target_of(const RoleColumn& column, const RoleMeasures& measures) {
  if (column.kind == Kind::target) return &measures.patterns[column.index];
  if (column.kind == Kind::job) return column.index < measures.jobs.size() ? &measures.jobs[column.index] : nullptr;
  return column.kind == Kind::relation ? &measures.relations[column.index] : nullptr;
}

std::string number(double value) { return std::isnan(value) ? "–" : ui::fixed(value, std::abs(value) >= 10 ? 1 : 2); }

std::string percent(double share) { return std::isnan(share) ? "–" : ui::fixed(100 * share, 0) + " %"; }

// What a name after this column claims; -1 where none does.
int claim_of_column(const RoleColumn& column) {
  if (column.number == &RoleMeasures::entropy_fraction) return kUniformClaim;
  if (column.number == &RoleMeasures::semantic) return kSemanticClaim;
  if (column.kind == Kind::positional) return kOffsetClaim;
  if (column.kind == Kind::target) return kPatternClaims + static_cast<int>(column.index);
  return column.kind == Kind::relation ? kRelationClaims + static_cast<int>(column.index) : -1;
}

// "95 % interval over the sentences: 0.70 to 0.97"; empty where there is none.
std::string interval_line(const RoleColumn& column, const RoleTable& table, int head) {
  if (table.intervals.empty()) return {};
  const RoleIntervals& intervals = nth(table.intervals, head);
  const double low = value_of(column, intervals.low), high = value_of(column, intervals.high);
  return std::isnan(low) ? "" : "95 % interval over the sentences: " + number(low) + " to " + number(high);
}

std::string signed_offset(int offset) { return offset > 0 ? "+" + std::to_string(offset) : ui::fixed(offset, 0); }

}  // namespace

const char* title_of(RoleGroup group) {
  static constexpr const char* titles[kRoleGroups] = {"effect",   "shape",   "jobs",     "at rest",
                                                      "position", "content", "relations"};
  return nth(titles, group);
}

const std::vector<RoleColumn>& role_columns() {
  static const std::vector<RoleColumn> columns = make_columns();
  return columns;
}

double value_of(const RoleColumn& column, const RoleMeasures& measures) {
  if (const TargetScore* target = target_of(column, measures)) return target->mass;
  if (column.rest) return measures.rest.*column.rest;
  return column.number ? measures.*column.number : kUndefined;
}

double accuracy_of(const RoleColumn& column, const RoleMeasures& measures) {
  const TargetScore* target = target_of(column, measures);
  return target ? target->accuracy : kUndefined;
}

Index rows_of(const RoleColumn& column, const RoleMeasures& measures) {
  if (const TargetScore* target = target_of(column, measures)) return target->rows;
  if (column.kind == Kind::job) return 0;
  if (column.rest) return measures.rest.rows;
  if (column.number == &RoleMeasures::sink && std::isnan(measures.sink)) return 0;
  if (column.kind == Kind::positional) return measures.positional_rows;
  if (column.number == &RoleMeasures::entropy_fraction) return measures.choosing;
  return column.number == &RoleMeasures::semantic ? measures.semantic_rows : measures.rows;
}

RoleColumn in_words_of(const RoleColumn& column, const RoleTable& table) {
  RoleColumn own = column;
  if (column.kind != Kind::job || column.index >= table.jobs.size()) return own;
  const HeadJob& job = *table.jobs[column.index];
  own.title = job.title, own.brief = job.brief, own.tip = job.tip;
  own.source = ui::words("the task “", table.source, "”");
  return own;
}

bool is_best(const RoleColumn& column, const Role& role, const RoleTable& table) {
  if (column.kind == Kind::job) return column.index < table.jobs.size() && role.job == table.jobs[column.index];
  return role.kind != Role::Kind::mixed && role.kind != Role::Kind::job && claim_of(role) == claim_of_column(column);
}

BarRange bar_range(const RoleColumn& column, Index n) {
  if (column.number == &RoleMeasures::semantic) return {-1, 1};
  if (column.number == &RoleMeasures::entropy_bits) return {0, std::log2(static_cast<double>(std::max<Index>(n, 2)))};
  if (column.number == &RoleMeasures::mean_distance) return {0, static_cast<double>(std::max<Index>(n - 1, 1))};
  return {0, 1};
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
      lines.push_back("at " + signed_offset(k) + ": " + number(measures.offset(k).attention) + ", random heads " +
                      number(chance.offset(k).attention));
    return lines;
  }
  const Index rows = rows_of(column, measures);
  if (rows == 0) {
    lines.push_back(column.kind == Kind::relation ? "No query of it is marked here, or the mask hides every target."
                                                  : "No query here has a target that the mask lets it see.");
    return lines;
  }
  lines.push_back(number(value_of(column, measures)) + " over " + ui::counted(rows, "row") + "; random heads " +
                  number(value_of(column, chance)));
  const int claim = claim_of_column(column);
  const std::string chance_reaches =
      claim < 0 ? "" : chance_sentence(table.bounds.value_or(NameBounds{}), claim, nth(claims_of(measures), claim));
  for (const std::string& line : {interval_line(column, table, head), chance_reaches})
    if (!line.empty()) lines.push_back(line);
  if (column.kind == Kind::positional)
    lines.push_back("the maximum is at offset " + signed_offset(measures.positional_offset) + " in " +
                    percent(measures.positional_share) + " of them");
  if (const double accuracy = accuracy_of(column, measures); !std::isnan(accuracy))
    lines.push_back("the maximum is a target in " + percent(accuracy) + "; random heads " +
                    percent(accuracy_of(column, chance)));
  if (column.kind != Kind::relation && column.kind != Kind::job) return lines;
  const RelationScore& relation =
      column.kind == Kind::job ? measures.jobs[column.index] : measures.relations[column.index];
  if (relation.best_offset)
    lines.push_back("always looking at offset " + signed_offset(*relation.best_offset) + " would find it in " +
                    percent(relation.offset_accuracy));
  if (column.kind == Kind::job && table.answers) {
    const AnswersLost& answers = *table.answers;
    const double right = answers.job_accuracy[column.index], lost = nth(answers.job_lost, head)[column.index];
    lines.push_back(
        ui::words("silenced: the answers that hang on it go from ", number(right), " to ", number(right - lost)));
  }
  return lines;
}

std::vector<std::string> column_tip(const RoleColumn& shown, const RoleTable& table) {
  const RoleColumn column = in_words_of(shown, table);
  std::vector<std::string> lines{column.title, column.tip, column.formula, column.source};
  if (column.kind == Kind::relation)
    lines.push_back("It names a head only where position does not explain it: see the ring.");
  if (column.kind == Kind::job)
    lines.push_back("It names a head only where silencing the head costs answers that hang on it, and no others more.");
  if (column.kind != Kind::profile) lines.push_back("Click: sort the heads by it.");
  return lines;
}

}  // namespace hydra
