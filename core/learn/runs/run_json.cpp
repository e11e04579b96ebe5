#include "core/learn/runs/run_json.h"

#include "core/json/writer.h"
#include "core/learn/runs/recipe_fields.h"

namespace hydra::learn {

namespace {

template <std::size_t COUNT, class Choice>
const char* name_of(const char* const (&names)[COUNT], Choice choice) {
  return names[static_cast<std::size_t>(choice)];
}

void write_optimizer(JsonWriter& to, const OptimizerSettings& o) {
  to.key("optimizer").text += "{";
  to.string("kind", name_of(kOptimizerNames, o.kind));
  to.number("rate", o.rate);
  if (o.kind == Optimizer::sgd) {
    to.number("momentum", o.momentum);
  } else {
    to.number("beta_1", o.beta_1);
    to.number("beta_2", o.beta_2);
    to.number("epsilon", o.epsilon);
  }
  if (o.kind == Optimizer::adamw) {
    to.number("decay", o.decay);
    to.string("decays", o.decay_query_key_only ? "W_Q and W_K" : "matrices");
  }
  to.string("schedule", name_of(kScheduleNames, o.schedule));
  to.whole("warm_up", o.warm_up);
  to.number("clip", o.clip);
  to.text += "}";
}

void write_controls(JsonWriter& to, const HeadControls& c) {
  to.key("controls").text += "{";
  to.number("drophead", c.drop);
  to.number("noise", c.noise);
  to.number("repel", c.repel);
  to.number("l0", c.gates);
  to.key("identical").text += c.identical ? "true" : "false";
  to.number("apart", c.apart);
  to.text += "}";
}

void write_settings(JsonWriter& to, const Recipe& r) {
  to.key("settings").text += "{";
  to.whole("layers", r.layers);
  to.whole("heads", r.heads);
  to.whole("d_model", r.d_model);
  if (r.d_k != 0) to.whole("d_k", r.d_k);
  if (r.kv_heads != 0) to.whole("kv_heads", r.kv_heads);
  to.whole("batch", r.batch);
  to.whole("steps", r.steps);
  to.string("positions", name_of(kPositionNames, r.positions.kind));
  write_optimizer(to, r.optimizer);
  write_controls(to, r.controls);
  to.text += "}";
}

// By relation, layer and head.
void write_roles(JsonWriter& to, const TaskInfo& info, const Recipe& recipe, const Scores& scores) {
  to.key("roles").text += "{";
  for (std::size_t r = 0; r < info.relations.size(); ++r) {
    to.key(info.relations[r]).text += "[";
    for (Index k = 0; k < recipe.layers; ++k) {
      to.entry().text += "[";
      for (Index h = 0; h < recipe.heads; ++h)
        to.entry().number(scores.masses[static_cast<std::size_t>(k * recipe.heads + h) * info.relations.size() + r]);
      to.text += "]";
    }
    to.text += "]";
  }
  to.text += "}";
}

void write_gates(JsonWriter& to, const Recipe& recipe, const Scores& scores) {
  to.key("gates").text += "[";
  for (Index k = 0; k < recipe.layers; ++k) {
    to.entry().text += "[";
    for (Index h = 0; h < recipe.heads; ++h)
      to.entry().number(scores.gates[static_cast<std::size_t>(k * recipe.heads + h)]);
    to.text += "]";
  }
  to.text += "]";
}

void write_scores(JsonWriter& to, const RunResult& result, const CurvePoint& point) {
  to.whole("step", point.step);
  to.number("loss", point.scores.loss);
  to.number("accuracy", point.scores.accuracy);
  to.key("questions").text += "{";
  for (std::size_t q = 0; q < result.info->questions.size(); ++q)
    to.number(result.info->questions[q], point.scores.by_question[q]);
  to.text += "}";
  to.numbers("likeness", point.scores.alike);
  write_roles(to, *result.info, result.recipe, point.scores);
  if (!point.scores.gates.empty()) write_gates(to, result.recipe, point.scores);
}

// Shares: of all sequences, of those that ask each question, of those in which each relation is known.
void write_repeats(JsonWriter& to, const char* name, const TaskInfo& info, const RepeatShares& repeats) {
  to.key(name).text += "{";
  to.number("all", repeats.all);
  to.key("questions").text += "{";
  for (std::size_t q = 0; q < info.questions.size(); ++q) to.number(info.questions[q], repeats.by_question[q]);
  to.text += "}";
  to.key("relations").text += "{";
  for (std::size_t r = 0; r < info.relations.size(); ++r) to.number(info.relations[r], repeats.by_relation[r]);
  to.text += "}}";
}

}  // namespace

std::string run_text(const RunResult& result) {
  JsonWriter to;
  to.text = "{";
  to.string("task", result.info->key);
  to.whole("seed", static_cast<Index>(result.seed));
  write_settings(to, result.recipe);
  to.key("diverged").text += result.diverged ? "true" : "false";
  to.text += ",\n";
  to.text += "\"evaluation\": {";
  to.whole("sequences", Run::kEvaluated);
  to.whole("drawn_again", result.drawn_again);
  write_repeats(to, "repeats", *result.info, result.repeats);
  write_repeats(to, "repeats_as_drawn", *result.info, result.as_drawn);
  to.text += "},\n";
  to.text += "\"curve\": [";
  for (std::size_t k = 0; k < result.curve.size(); ++k) {
    to.text += k == 0 ? "\n{" : ",\n{";
    write_scores(to, result, result.curve[k]);
    to.text += "}";
  }
  to.text += "],\n\"final\": {";
  write_scores(to, result, result.curve.back());
  to.text += "}}";
  return to.text;
}

}  // namespace hydra::learn
