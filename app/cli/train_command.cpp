#include "app/cli/train_command.h"

#include <cstdio>
#include <map>
#include <sstream>
#include <thread>

#include "app/platform/process.h"
#include "core/document/file.h"
#include "core/error.h"
#include "core/learn/merge.h"
#include "core/learn/run_json.h"
#include "core/learn/start.h"

namespace hydra {

namespace {

constexpr int kMostRuns = 1000;

std::shared_ptr<const learn::Task> task_of(const TrainOptions& options) {
  if (options.task != "text") {
    if (options.text) throw InputError("--text goes with --task text");
    return learn::make_task(options.task);
  }
  if (!options.text) throw InputError("--task text needs a file to read: --text FILE");
  const std::string text = read_whole(*options.text);
  try {
    return learn::make_text_task(text, options.characters ? learn::Unit::character : learn::Unit::word);
  } catch (const InputError& fault) {
    throw InputError(*options.text + ": " + fault.what());
  }
}

learn::Optimizer optimizer_of(const std::string& name) {
  static const std::map<std::string, learn::Optimizer> kinds = {
      {"adam", learn::Optimizer::adam}, {"adamw", learn::Optimizer::adamw}, {"sgd", learn::Optimizer::sgd}};
  const auto found = kinds.find(name);
  if (found == kinds.end()) throw InputError("--optimizer: \"" + name + "\" is none; there are adam, adamw and sgd");
  return found->second;
}

template <class T, class U>
void set(T& to, const std::optional<U>& from) {
  if (from) to = *from;
}

learn::Recipe recipe_of(const TrainOptions& options, const learn::TaskInfo& info) {
  learn::Recipe recipe = info.recipe;
  set(recipe.heads, options.heads);
  set(recipe.d_model, options.d_model);
  set(recipe.layers, options.layers);
  set(recipe.batch, options.batch);
  set(recipe.steps, options.steps);
  set(recipe.optimizer.rate, options.rate);
  if (options.optimizer) recipe.optimizer.kind = optimizer_of(*options.optimizer);
  set(recipe.controls.drop, options.drop);
  set(recipe.controls.noise, options.noise);
  set(recipe.controls.repel, options.repel);
  set(recipe.controls.gates, options.gates);
  set(recipe.controls.apart, options.apart);
  recipe.controls.identical |= options.identical;
  learn::check_recipe(recipe);
  return recipe;
}

void show_progress(std::uint64_t seed, int step, int steps, const learn::Scores& scores) {
  std::fprintf(stderr, "\rseed %llu: step %d of %d, loss %.3f, accuracy %.3f ", static_cast<unsigned long long>(seed),
               step, steps, scores.loss, scores.accuracy);
  std::fflush(stderr);
}

Document with_sentence(Document document, const TrainOptions& options) {
  if (!options.sentence) return document;
  std::vector<std::string> tokens;
  std::istringstream words(*options.sentence);
  for (std::string word; words >> word;) tokens.push_back(word);
  document.tokens = std::move(tokens);
  document.sentence = *options.sentence;
  check_document(document);
  return document;
}

// Before an hour of training goes by.
void check_sentence_of(const TrainOptions& options, const learn::TaskInfo& info) {
  if (!options.sentence) return;
  if (!options.save) throw InputError("--sentence is of the document that --save writes; give that as well");
  std::istringstream words(*options.sentence);
  Index count = 0;
  for (std::string word; words >> word; ++count)
    if (!info.words.knows(word)) throw InputError("--sentence: \"" + word + "\" is no word of the task " + info.key);
  if (count < 1 || count > info.shape.length)
    throw InputError("--sentence: it has " + std::to_string(count) + " words; the task has sequences of 1 to " +
                     std::to_string(info.shape.length));
}

learn::RunResult trained(const std::shared_ptr<const learn::Task>& task, const learn::Recipe& recipe,
                         std::uint64_t seed, const TrainOptions& options, ThreadPool& pool, bool save) {
  learn::Run run(task, learn::starting_document(*task, recipe, seed), recipe, seed);
  const learn::HeldOut& held = run.held_out(&pool);
  learn::RunResult result{&task->info(), recipe, seed, {}, held.shares, held.as_drawn, held.drawn_again, false};
  while (true) {
    if (run.step() % options.every == 0 || run.step() >= recipe.steps) {
      result.curve.push_back({run.step(), run.evaluate(&pool)});
      if (is_watched()) show_progress(seed, run.step(), recipe.steps, result.curve.back().scores);
    }
    if (run.step() >= recipe.steps) break;
    if (!run.take_step(&pool).is_finite()) {
      result.diverged = true;
      result.curve.push_back({run.step(), run.evaluate(&pool)});
      break;
    }
  }
  if (is_watched()) std::fputc('\n', stderr);
  if (result.diverged)
    std::fprintf(stderr, "seed %llu: after step %d the loss is no number; a smaller --rate may help\n",
                 static_cast<unsigned long long>(seed), run.step());
  if (save) write_document(with_sentence(run.document(), options), *options.save);
  return result;
}

}  // namespace

int run_train(const TrainOptions& options) {
  if (options.seeds < 1 || options.seeds > kMostRuns)
    throw InputError("--seeds: from 1 to " + std::to_string(kMostRuns) + "; train merge joins what several runs write");
  if (options.every < 1) throw InputError("--every: at least 1 step");
  const std::shared_ptr<const learn::Task> task = task_of(options);
  const learn::Recipe recipe = recipe_of(options, task->info());
  check_sentence_of(options, task->info());
  ThreadPool pool(threads_of_the_machine());
  std::string text;
  for (int k = 0; k < options.seeds; ++k) {
    const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(k);
    const learn::RunResult result = trained(task, recipe, seed, options, pool, options.save && k == 0);
    text += (k == 0 ? "" : ",\n") + learn::run_text(result);
  }
  if (options.seeds > 1) text = "{\"runs\": [\n" + text + "\n]}";
  write_whole(options.out, [&](const Sink& sink) { sink(text + "\n"); });
  return 0;
}

int run_merge(const MergeOptions& options) {
  std::vector<learn::NamedText> results;
  for (const std::string& file : options.files) results.push_back({file, read_whole(file)});
  write_whole(options.out, learn::merged(results) + "\n");
  return 0;
}

}  // namespace hydra
