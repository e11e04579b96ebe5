#include "app/tools/learn_tasks.h"

#include <algorithm>

#include "core/document/model.h"

namespace hydra {

std::shared_ptr<const learn::Task> LearnTasks::of(const LearnSetup& setup) {
  const bool own = setup.task == "text";
  const std::string key = own ? (setup.characters ? "characters\n" : "words\n") + setup.text : setup.task;
  std::shared_ptr<const learn::Task>& task = made_[key];
  if (!task && own)
    task = learn::make_text_task(setup.text, setup.characters ? learn::Unit::character : learn::Unit::word);
  if (!task) task = learn::make_task(setup.task);
  return task;
}

std::shared_ptr<const learn::Task> LearnTasks::of(const Document& document) {
  if (document.embedding.kind != Embedding::Kind::learned || document.settings.readout != ReadoutKind::own)
    return nullptr;
  std::shared_ptr<const learn::Task> found;
  for (const std::string_view key : learn::task_keys()) {
    LearnSetup setup;
    setup.task = key;
    const auto task = of(setup);
    const learn::TaskInfo& info = task->outline();
    const bool is_of = document.embedding.vocabulary.words() == info.words.words() &&
                       document.readout.vocabulary.words() == info.answers.words() &&
                       std::max<Index>(document.readout.questions.size(), 1) == info.shape.questions;
    // Of several with the same words that whose page it brings.
    if (is_of && (!found || document.notes.title == info.title)) found = task;
  }
  return found;
}

learn::Recipe recipe_for(const learn::TaskInfo& info, const Document& document) {
  learn::Recipe recipe = info.recipe;
  recipe.layers = static_cast<Index>(document.layers.size());
  recipe.heads = 1;
  for (const Layer& layer : document.layers) recipe.heads = std::max(recipe.heads, layer.heads);
  recipe.d_model = document.d_model;
  for (const Layer& layer : document.layers) {
    if (layer.heads != recipe.heads) continue;
    recipe.d_k = layer.own_width / layer.heads;
    recipe.kv_heads = !layer.key_groups().shares() ? 0 : layer.kv_heads();
  }
  return recipe;
}

bool has_sizes(const learn::TaskInfo& info, const Document& document, const learn::Recipe& recipe) {
  return recipe_for(info, document).has_sizes_of(recipe);
}

}  // namespace hydra
