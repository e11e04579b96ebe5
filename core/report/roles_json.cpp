// RoleTable -> JSON.
#include <algorithm>

#include "core/json/writer.h"
#include "core/measures/role_table.h"

namespace hydra {

namespace {

class RolesWriter : public JsonWriter {
 public:
  // A target's mass, accuracy and rows, and their intervals where there are some; the object stays open.
  void target(std::string_view name, const TargetScore& score, const TargetScore* low, const TargetScore* high) {
    key(name).text += '{';
    number("mass", score.mass);
    number("accuracy", score.accuracy);
    whole("rows", score.rows);
    if (!low) return;
    numbers("mass_interval", {low->mass, high->mass});
    numbers("accuracy_interval", {low->accuracy, high->accuracy});
  }

  // Those of rows, or all others.
  void numbers_of(const RoleMeasures& m, bool of_rows) {
    for (const HeadMeasure* measure : kHeadMeasures)
      if ((measure->add_row != nullptr) == of_rows) number(measure->key, m[*measure]);
  }

  // The attention on a task's jobs, and where the head looks when it is asked for nothing.
  void jobs_and_rest(const RoleMeasures& m, const RoleIntervals* intervals, const HeadJobs& jobs) {
    if (!jobs.empty()) {
      key("jobs").text += '{';
      for (std::size_t j = 0; j < m.jobs.size(); ++j) {
        if (j > 0) line();
        target(jobs[j]->key, m.jobs[j], intervals ? &intervals->low.jobs[j] : nullptr,
               intervals ? &intervals->high.jobs[j] : nullptr);
        number("best_offset", m.jobs[j].best_offset ? *m.jobs[j].best_offset : kUndefined);
        number("offset_accuracy", m.jobs[j].offset_accuracy);
        text += '}';
      }
      text += '}';
      line();
    }
    key("at_rest").text += '{';
    number("first_token", m.rest.first);
    number("self", m.rest.self);
    number("punctuation", m.rest.marks);
    whole("rows", m.rest.rows);
    text += '}';
  }

  // is_head: not of random ones, whose offset differs from head to head. intervals may be null.
  void measures(const RoleMeasures& m, bool is_head, const RoleIntervals* intervals = nullptr) {
    whole("rows", m.rows);
    numbers_of(m, true);
    line();
    key("offset_profile").text += '{';
    for (Index k = 1 - m.tokens(); k < m.tokens(); ++k)
      number(std::to_string(k), m.offset(static_cast<int>(k)).attention);
    text += '}';
    line();
    key("positional").text += '{';
    number("offset", is_head && m.positional_rows > 0 ? m.positional_offset : kUndefined);
    number("share", m.positional_share);
    whole("rows", m.positional_rows);
    text += '}';
    for (const TokenPatternEntry& p : token_patterns()) {
      line();
      target(p.key, m.pattern(p.pattern), intervals ? &intervals->low.pattern(p.pattern) : nullptr,
             intervals ? &intervals->high.pattern(p.pattern) : nullptr);
      text += '}';
    }
    line();
    key("relations").text += '{';
    for (const RelationEntry& r : relations()) {
      const RelationScore& score = m.relation(r.relation);
      target(r.key, score, intervals ? &intervals->low.relation(r.relation) : nullptr,
             intervals ? &intervals->high.relation(r.relation) : nullptr);
      number("best_offset", score.best_offset ? *score.best_offset : kUndefined);
      number("offset_accuracy", score.offset_accuracy);
      text += '}';
      if (r.relation != relations().back().relation) line();
    }
    text += '}';
    line();
    numbers_of(m, false);
  }

  // Those of the numbers that stand alone.
  void intervals(const RoleIntervals& of) {
    key("intervals").text += '{';
    const auto of_rows = [&](bool rows) {
      for (const HeadMeasure* measure : kHeadMeasures)
        if ((measure->add_row != nullptr) == rows) numbers(measure->key, {of.low[*measure], of.high[*measure]});
    };
    of_rows(true);
    numbers("positional", {of.low.positional_share, of.high.positional_share});
    of_rows(false);
    text += '}';
    line();
  }

  void label(const RoleTable& table, int h, const HeadName& name) {
    const RoleTable& named = table.naming();
    const Role& role = name.role;
    key("label").text += '{';
    string("role", role_key(role));
    number("score", role.score);
    whole("rows", role.rows);
    const Interval interval = interval_of(role, named, h);
    if (!named.intervals.empty()) numbers("interval", {interval.low, interval.high});
    string("text", label_with_interval(role, named, h));
    string("evidence", evidence_for_name(name, named, h));
    std::vector<std::string> also;
    for (const Role& other : name.also) also.push_back(role_key(other));
    strings("also", also);
    string("rests_on", rest_key(name.rest));
    text += '}';
    line();
    if (!named.answers) return;
    const AnswersLost& answers = *named.answers;
    key("silenced").text += '{';
    whole("sequences", answers.sequences);
    numbers("accuracy", answers.accuracy);
    numbers("lost", answers.lost[static_cast<std::size_t>(h)]);
    numbers("job_accuracy", answers.job_accuracy);
    numbers("job_lost", answers.job_lost[static_cast<std::size_t>(h)]);
    text += '}';
    line();
  }

  void head(const RoleTable& table, int h, const HeadName& name) {
    const auto k = static_cast<std::size_t>(h);
    const RoleIntervals* of_head = table.intervals.empty() ? nullptr : &table.intervals[k];
    text += "{\n";
    measures(table.heads[k], true, of_head);
    line();
    jobs_and_rest(table.heads[k], of_head, table.measured_jobs());
    line();
    if (!table.intervals.empty()) intervals(table.intervals[k]);
    if (k < table.unasked.size()) {
      key("unasked").text += '{';
      whole("rows", table.unasked[k].rows);
      whole("bold", table.unasked[k].bold);
      number("strongest", table.unasked[k].bold > 0 ? table.unasked[k].strongest : kUndefined);
      text += '}';
      line();
    }
    label(table, h, name);
    key("baseline").text += "{\n";
    measures(table.chance, false);
    line();
    jobs_and_rest(table.chance, nullptr, table.measured_jobs());
    text += "}\n}";
  }

  // What random layers reach.
  void bounds(const RoleTable& table) {
    const NameBounds bounds = table.bounds.value_or(NameBounds{});
    key("random_layers").text += '{';
    whole("layers", bounds.layers);
    whole("heads", bounds.heads);
    for (int k = 0; bounds.layers > 0 && k < kClaims; ++k) {
      line();
      key(claim_key(k)).text += '{';
      number("best", bounds.median[static_cast<std::size_t>(k)]);
      number("needed", bounds.needed[static_cast<std::size_t>(k)]);
      text += '}';
    }
    text += '}';
  }
};

}  // namespace

void write_roles(const std::vector<WrittenRoles>& written, const std::vector<std::string>& tokens, double threshold,
                 const Sink& sink, const std::function<void(JsonWriter&)>& rest) {
  const RoleTable& first = written.front().table;
  RolesWriter out;
  out.text = "{\n";
  if (first.sentences.empty())
    out.strings("tokens", tokens);
  else
    out.strings("sentences", first.sentences);
  out.line();
  out.number("threshold", threshold);
  out.whole("random_heads", first.random_heads);
  const RoleTable& named = first.naming();
  out.whole("named_on_sentences", static_cast<Index>(std::max<std::size_t>(1, named.sentences.size())));
  out.string("named_on", named.source.empty() ? named.sentences.empty() ? "the sentence" : "marked sentences"
                                              : named.unit + "s: " + named.source);
  out.number("known_words", named.known_words);
  out.line();
  out.key("layers").text += '[';
  for (const WrittenRoles& layer : written) {
    out.entry().text += "{\n";
    out.whole("layer", layer.layer);
    out.line();
    out.bounds(layer.table);
    out.line();
    out.key("heads").text += '[';
    const std::vector<HeadName> names = names_of(layer.table, threshold);
    for (std::size_t h = 0; h < layer.table.heads.size(); ++h) {
      if (h > 0) out.text += ", ";
      out.head(layer.table, static_cast<int>(h), names[h]);
      sink(out.text);
      out.text = "\n";
    }
    out.text += ']';
    if (layer.rest) {
      out.line();
      layer.rest(out);
    }
    out.text += '}';
  }
  out.text += ']';
  if (rest) {
    out.line();
    rest(out);
  }
  out.text += "\n}\n";
  sink(out.text);
}

}  // namespace hydra
