// The fields of a recipe, named once: what writes, reads and compares recipes walks this list.
#pragma once
#include <utility>

#include "core/learn/recipe.h"

namespace hydra::learn {

inline constexpr const char* kOptimizerNames[] = {"adam", "adamw", "sgd"};
inline constexpr const char* kScheduleNames[] = {"constant", "cosine"};
inline constexpr const char* kPositionNames[] = {"none", "sinusoid", "learned"};

// of: a Recipe, or a const one. fields gets whole(name, value), number(name, value, least, most), flag(name, value),
// choice(name, value, names) and numbers(name, values), each value a reference. What check_recipe bounds has no bounds
// of its own here.
template <class R, class Fields>
void visit_fields(R& of, Fields&& fields) {
  fields.whole("layers", of.layers);
  fields.whole("heads", of.heads);
  fields.whole("d_model", of.d_model);
  fields.whole("d_k", of.d_k);
  fields.whole("kv_heads", of.kv_heads);
  fields.whole("batch", of.batch);
  fields.whole("steps", of.steps);
  fields.choice("positions", of.positions.kind, kPositionNames);
  fields.number("positions_base", of.positions.base);
  fields.number("positions_scale", of.positions.scale);
  auto& o = of.optimizer;
  fields.choice("optimizer", o.kind, kOptimizerNames);
  fields.number("rate", o.rate);
  fields.number("beta_1", o.beta_1);
  fields.number("beta_2", o.beta_2);
  fields.number("epsilon", o.epsilon);
  fields.number("momentum", o.momentum);
  fields.number("decay", o.decay);
  fields.flag("decay_query_key_only", o.decay_query_key_only);
  fields.choice("schedule", o.schedule, kScheduleNames);
  fields.whole("warm_up", o.warm_up);
  fields.number("least", o.least);
  fields.number("clip", o.clip);
  auto& c = of.controls;
  fields.number("drophead", c.drop);
  fields.number("noise", c.noise);
  fields.number("repel", c.repel);
  fields.number("l0", c.gates);
  fields.flag("identical", c.identical);
  fields.number("apart", c.apart);
  fields.numbers("question_weights", of.question_weights);
  fields.flag("by_question", of.by_question);
}

}  // namespace hydra::learn
