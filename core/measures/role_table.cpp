#include "core/measures/role_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/design/asked.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

bool same_similarity(const Similarity* a, const Similarity* b) {
  if (a == b) return true;
  return a && b && a->counted == b->counted && a->values == b->values;
}

bool same_targets(const SentenceTargets& a, const SentenceTargets& b) {
  return &a == &b || (a.n == b.n && a.seen == b.seen && a.mask == b.mask && a.patterns == b.patterns &&
                      a.relations == b.relations && std::ranges::equal(a.offsets, b.offsets) &&
                      same_similarity(a.similarity.get(), b.similarity.get()) &&
                      std::ranges::equal(a.own, b.own, [](const auto& one, const auto& other) {
                        return one && other ? same_targets(*one, *other) : !one && !other;
                      }));
}

// What the design is for: a relation by its preset; by hand what it asks first, with its score there.
// asking: the designs that table.asked are of.
Role designed_role(const RoleTable& table, std::size_t head, const std::vector<HeadDesign>& asking) {
  const HeadDesign& design = *table.designs[head];
  Role role;
  static constexpr std::array<std::pair<HeadPreset, Relation>, 5> of_presets{
      {{HeadPreset::pronoun_antecedent, Relation::coreference},
       {HeadPreset::verb_subject, Relation::subject_verb},
       {HeadPreset::adjective_noun, Relation::adjective_noun},
       {HeadPreset::determiner_noun, Relation::determiner_noun},
       {HeadPreset::similar_meaning, Relation::similar_meaning}}};
  for (const auto& [preset, relation] : of_presets)
    if (design.preset == preset) role.kind = Role::Kind::relation, role.relation = relation;
  if (table.asked.empty() || first_job(design).empty()) return role;
  const auto same = [&](const HeadDesign& other) { return same_first_ask(other, design); };
  const auto job = static_cast<std::size_t>(std::ranges::find_if(asking, same) - asking.begin());
  const RelationScore& score = table.heads[head].jobs[job];
  if (score.rows == 0) return role;
  role.kind = Role::Kind::job;
  role.job = table.asked[job];
  role.score = score.mass;
  role.rows = score.rows;
  return role;
}

}  // namespace

std::vector<BaselineSentence> RandomInput::sentences() const {
  std::vector<BaselineSentence> sentences;
  for (std::size_t k = 0; k < inputs.size(); ++k) sentences.push_back({inputs[k], targets[k].get(), streams[k]});
  return sentences;
}

bool same_random_input(const RandomInput& a, const RandomInput& b) {
  return a.layer == b.layer && a.sharpness == b.sharpness &&
         std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end()) &&
         std::equal(a.targets.begin(), a.targets.end(), b.targets.begin(), b.targets.end(),
                    [](const auto& x, const auto& y) { return same_targets(*x, *y); });
}

bool same_jobs(const RandomInput& a, const RandomInput& b) {
  return std::equal(a.targets.begin(), a.targets.end(), b.targets.begin(), b.targets.end(),
                    [](const auto& x, const auto& y) {
                      return x == y || (x->jobs == y->jobs && x->offsets.jobs == y->offsets.jobs);
                    });
}

NameBounds bounds_of(const RandomInput& random, ThreadPool* pool, const std::stop_token& stop) {
  const NameBounds drawn = name_bounds(random.sentences(), random.layer, pool, stop);
  if (random.sharpness == 1 || drawn.layers == 0) return drawn;
  HeadsLike sharp = random.layer;
  sharp.score_factor *= random.sharpness;
  return higher_of(drawn, name_bounds(random.sentences(), sharp, pool, stop));
}

std::vector<HeadName> names_of(const RoleTable& shown, double threshold) {
  const RoleTable& table = shown.naming();
  if (!table.answers && !table.jobs.empty()) return std::vector<HeadName>(table.heads.size());
  std::vector<Role> designed;
  const std::vector<HeadDesign> asking = with_first_asks(table.designs);
  for (std::size_t h = 0; h < table.designs.size(); ++h)
    designed.push_back(table.designs[h] ? designed_role(table, h, asking) : Role{});
  return name_heads(table.heads, table.bounds.value_or(NameBounds{}), threshold, table.jobs, table.answers.get(),
                    designed);
}

Interval interval_of(const Role& role, const RoleTable& shown, int head) {
  const RoleTable& table = shown.naming();
  if (role.kind == Role::Kind::mixed || table.intervals.empty()) return {};
  const RoleIntervals& intervals = table.intervals[static_cast<std::size_t>(head)];
  if (role.kind == Role::Kind::job) {
    const HeadJobs& jobs = table.measured_jobs();
    const auto job = static_cast<std::size_t>(std::ranges::find(jobs, role.job) - jobs.begin());
    if (job == jobs.size()) return {};
    return {intervals.low.jobs[job].mass, intervals.high.jobs[job].mass};
  }
  const auto claim = static_cast<std::size_t>(claim_of(role));
  return {claims_of(intervals.low)[claim].score, claims_of(intervals.high)[claim].score};
}

std::string scored_name_with_interval(const Role& role, const RoleTable& table, int head) {
  const Interval interval = interval_of(role, table, head);
  if (std::isnan(interval.low)) return scored_name(role);
  return wording("document:role.interval", {{"name", scored_name(role)},
                                            {"low", score_text(role, interval.low)},
                                            {"high", score_text(role, interval.high)}});
}

std::string label_with_interval(const Role& role, const RoleTable& shown, int head) {
  const RoleTable& table = shown.naming();
  const std::string text = with_rows(scored_name_with_interval(role, table, head), role);
  if (role.kind == Role::Kind::mixed || table.sentences.empty()) return text;
  return wording("document:role.of", {{"name", text}, {"sentences", pooled_text(table)}});
}

std::string pooled_text(const RoleTable& table) {
  const std::size_t n = table.sentences.size();
  return table.unit == "sequence" ? wording("document:role.sequences", {{"n", n}})
                                  : wording("document:role.sentences", {{"n", n}});
}

std::string evidence_for_name(const HeadName& name, const RoleTable& shown, int head) {
  const Role& role = name.role;
  const RoleTable& table = shown.naming();
  const auto h = static_cast<std::size_t>(head);
  if (table.answers) return confirmation_sentence(table.heads, h, role, table.jobs, *table.answers);
  if (!table.why_unconfirmed.empty()) return table.why_unconfirmed;
  if (role.kind == Role::Kind::job) {
    const auto job = static_cast<std::size_t>(std::ranges::find(table.asked, role.job) - table.asked.begin());
    const RelationScore &own = table.heads[h].jobs[job], &chance = table.chance.jobs[job];
    return wording("document:role.job", {{"right", score_text(role, own.accuracy)},
                                         {"right_by_chance", score_text(role, chance.accuracy)},
                                         {"chance", score_text(role, chance.mass)}});
  }
  const std::string evidence = evidence_sentence(table.heads[h], table.bounds.value_or(NameBounds{}), role);
  if (!name.taken) return evidence;
  return wording("document:role.taken",
                 {{"evidence", evidence}, {"name", scored_name(*name.taken)}, {"head", name.taken_by + 1}});
}

std::string also_sentence(const HeadName& name) {
  std::string names;
  for (const Role& role : name.also)
    if (role_brief(role) != role_brief(name.role)) names += (names.empty() ? "" : ", ") + scored_name(role);
  return names.empty() ? "" : wording("document:role.also", {{"names", names}});
}

std::string bold_sentence(const RoleTable& table, int head) {
  if (static_cast<std::size_t>(head) >= table.unasked.size()) return {};
  const Unasked& unasked = table.unasked[static_cast<std::size_t>(head)];
  if (unasked.bold == 0) return {};
  char strongest[32];
  std::snprintf(strongest, sizeof strongest, "%.2f", unasked.strongest);
  return wording("document:role.bold", {{"bold", unasked.bold}, {"rows", unasked.rows}, {"strongest", strongest}});
}

}  // namespace hydra
