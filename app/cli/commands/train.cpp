// `hydrascope train`: a task learned, with its curve, as JSON.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/platform/process.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/learn/opened/merge.h"
#include "core/learn/runs/recipe_fields.h"
#include "core/learn/runs/run_json.h"
#include "core/learn/runs/train_again.h"
#include "core/learn/start.h"
#include "core/linalg/types.h"

namespace hydra {

namespace {

struct TrainOptions {
  std::string task = "induction";
  std::optional<std::string> text;  // --task text: the file to read
  bool characters = false;          // of it, not words
  std::optional<Index> heads, d_k, kv_heads, d_model, layers, batch;
  std::uint64_t seed = 0;
  int seeds = 1;  // from that on, one after the other
  std::optional<int> steps;
  std::optional<std::string> optimizer;
  std::optional<std::string> schedule;
  std::optional<int> warm_up;
  std::optional<double> rate, beta_1, beta_2, epsilon, momentum, decay, least, clip;
  std::optional<double> drop, noise, repel, gates, apart;
  bool identical = false;
  std::optional<std::string> run;       // a file of a run (runs/run_file.h): taken again, with nothing of the above
  std::optional<std::string> branch;    // of it, by name or number; else the one that was looked at
  int every = 10;                       // so many steps from point to point of the curve
  std::optional<std::string> save;      // the trained document, of the first seed
  std::optional<std::string> sentence;  // of what is saved: words of the task between spaces
  std::string out = "-";
  bool operator==(const TrainOptions&) const = default;
};

// `hydrascope train merge`: what runs in other processes have written, as one.
struct MergeOptions {
  std::vector<std::string> files;
  std::string out = "-";
};

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

// The one of that name.
template <class Choice, std::size_t COUNT>
Choice choice_of(const char* option, const std::string& name, const char* const (&names)[COUNT]) {
  std::string list;
  for (std::size_t k = 0; k < COUNT; ++k) {
    if (names[k] == name) return static_cast<Choice>(k);
    list += (k == 0 ? "" : k + 1 < COUNT ? ", " : " and ") + std::string(names[k]);
  }
  throw InputError(std::string(option) + ": \"" + name + "\" is none; there are " + list);
}

template <class T, class U>
void set(T& to, const std::optional<U>& from) {
  if (from) to = *from;
}

learn::Recipe recipe_of(const TrainOptions& options, const learn::TaskInfo& info) {
  learn::Recipe recipe = info.recipe;
  set(recipe.heads, options.heads);
  set(recipe.d_k, options.d_k);
  set(recipe.kv_heads, options.kv_heads);
  set(recipe.d_model, options.d_model);
  set(recipe.layers, options.layers);
  set(recipe.batch, options.batch);
  set(recipe.steps, options.steps);
  learn::OptimizerSettings& optimizer = recipe.optimizer;
  if (options.optimizer)
    optimizer.kind = choice_of<learn::Optimizer>("--optimizer", *options.optimizer, learn::kOptimizerNames);
  if (options.schedule)
    optimizer.schedule = choice_of<learn::Schedule>("--schedule", *options.schedule, learn::kScheduleNames);
  set(optimizer.rate, options.rate);
  set(optimizer.beta_1, options.beta_1);
  set(optimizer.beta_2, options.beta_2);
  set(optimizer.epsilon, options.epsilon);
  set(optimizer.momentum, options.momentum);
  set(optimizer.decay, options.decay);
  set(optimizer.warm_up, options.warm_up);
  set(optimizer.least, options.least);
  set(optimizer.clip, options.clip);
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

// By its number, or its name.
int branch_of(const learn::RunFile& file, const TrainOptions& options) {
  if (!options.branch) return file.branch;
  std::string names;
  for (int k = 0; k < static_cast<int>(file.branches.size()); ++k) {
    const std::string& name = file.branches[static_cast<std::size_t>(k)].name;
    if (*options.branch == name || *options.branch == std::to_string(k)) return k;
    names += (k == 0 ? "" : ", ") + std::to_string(k) + " “" + name + "”";
  }
  throw InputError("--branch: the run has none called \"" + *options.branch + "\"; it has " + names);
}

// A run that Learn has saved, step by step to the same bits.
int take_again(const TrainOptions& options) {
  TrainOptions possible;
  possible.run = options.run, possible.branch = options.branch, possible.every = options.every;
  possible.save = options.save, possible.sentence = options.sentence, possible.out = options.out;
  if (!(options == possible))
    throw InputError(
        "--run brings its own task and recipe; with it go --branch, --every, --save, --sentence and --out");
  const learn::RunFile file = learn::parse_run_file(read_whole(*options.run), *options.run);
  const int k = branch_of(file, options);
  const learn::RunFile::Branch& branch = file.branches[static_cast<std::size_t>(k)];
  const auto task = learn::task_of(file);
  ThreadPool pool(threads_of_the_machine());
  learn::RunResult result{&task->info(), branch.recipe, branch.seed, {}, {}, {}, 0, branch.diverged};
  const auto run = learn::train_again(file, k, task, &pool, [&](learn::Run& now) {
    if (now.step() != branch.from && now.step() != branch.last && now.step() % options.every != 0) return;
    result.curve.push_back({now.step(), now.evaluate(&pool)});
    if (is_watched()) show_progress(branch.seed, now.step(), branch.last, result.curve.back().scores);
  });
  if (is_watched()) std::fputc('\n', stderr);
  const learn::HeldOut& held = run->held_out(&pool);
  result.repeats = held.shares, result.as_drawn = held.as_drawn, result.drawn_again = held.drawn_again;
  if (result.curve.empty() || result.curve.back().step != run->step())
    result.curve.push_back({run->step(), run->evaluate(&pool)});
  if (branch.parameters != 0 && learn::parameters_hash(run->state().parameters) != branch.parameters)
    std::fprintf(
        stderr,
        "%s: “%s” has come to other weights than when it was saved: the file was changed since then, or made on a "
        "processor of another kind, where sums are rounded in another order\n",
        options.run->c_str(), branch.name.c_str());
  if (options.save) write_document(with_sentence(run->document(), options), *options.save);
  write_whole(options.out, [&](const Sink& sink) { sink(learn::run_text(result) + "\n"); });
  return 0;
}

// Exit code 0. Throws InputError. Shows its progress on standard error when that is a terminal.
int run_train(const TrainOptions& options) {
  if (options.seeds < 1 || options.seeds > kMostRuns)
    throw InputError("--seeds: from 1 to " + std::to_string(kMostRuns) + "; train merge joins what several runs write");
  if (options.every < 1) throw InputError("--every: at least 1 step");
  if (options.branch && !options.run) throw InputError("--branch is of a run; give that with --run FILE");
  if (options.run) return take_again(options);
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

}  // namespace

CliCommand add_train(CLI::App& app) {
  const auto kept = std::make_shared<TrainOptions>();
  TrainOptions& options = *kept;
  const auto kept_joined = std::make_shared<MergeOptions>();
  MergeOptions& joined = *kept_joined;
  CLI::App& command = *app.add_subcommand("train", "Trains a model on a task, and writes how it went, as JSON");
  std::string keys;
  for (const std::string_view key : learn::task_keys()) keys += std::string(key) + ", ";
  command.add_option("--task", options.task, "The task: " + keys + "or text")->type_name("TASK");
  command.add_option("--text", options.text, "For --task text: the file to learn from")->type_name("FILE");
  command.add_flag("--characters", options.characters, "For --task text: the next character, not the next word");
  command.add_option("--heads", options.heads, "Heads of each layer")->type_name("NUMBER");
  command.add_option("--d-k", options.d_k, "Numbers of a head; without it d_model / heads")->type_name("NUMBER");
  command.add_option("--kv-heads", options.kv_heads, "Sets of keys and values, which heads share evenly")
      ->type_name("NUMBER");
  command.add_option("--d-model", options.d_model, "Width of the stream")->type_name("NUMBER");
  command.add_option("--layers", options.layers, "Layers")->type_name("NUMBER");
  command.add_option("--batch", options.batch, "Sequences of a step")->type_name("NUMBER");
  command.add_option("--seed", options.seed, "Seed of weights and sequences, by default 0")->type_name("NUMBER");
  command.add_option("--seeds", options.seeds, "So many runs, with seeds from that on")->type_name("NUMBER");
  command.add_option("--steps", options.steps, "Steps")->type_name("NUMBER");
  command.add_option("--optimizer", options.optimizer, "adam, adamw or sgd")->type_name("NAME");
  command.add_option("--rate", options.rate, "The learning rate")->type_name("NUMBER");
  command.add_option("--schedule", options.schedule, "constant or cosine, after the warm-up")->type_name("NAME");
  command.add_option("--warm-up", options.warm_up, "Steps in which the rate grows to its own")->type_name("NUMBER");
  command.add_option("--least", options.least, "What the cosine falls to, as a share of the rate")->type_name("SHARE");
  command.add_option("--clip", options.clip, "The most of the norm of all gradients; 0: any")->type_name("NORM");
  command.add_option("--beta-1", options.beta_1, "Of adam's first moments")->type_name("SHARE");
  command.add_option("--beta-2", options.beta_2, "Of adam's second moments")->type_name("SHARE");
  command.add_option("--epsilon", options.epsilon, "Of adam")->type_name("NUMBER");
  command.add_option("--momentum", options.momentum, "Of sgd")->type_name("SHARE");
  command.add_option("--decay", options.decay, "Of weights, by adamw")->type_name("NUMBER");
  command.add_option("--drophead", options.drop, "How likely a head is silent for a sequence")->type_name("SHARE");
  command.add_option("--noise", options.noise, "Noise in what heads give")->type_name("SIZE");
  command.add_option("--repel", options.repel, "What alike patterns cost")->type_name("WEIGHT");
  command.add_option("--l0", options.gates, "What an open gate of a head costs")->type_name("WEIGHT");
  command.add_flag("--identical", options.identical, "All heads of a layer begin alike");
  command.add_option("--apart", options.apart, "But for noise of this size")->type_name("SIZE");
  command.add_option("--run", options.run, "Instead of all that: a run that Learn has saved, its steps taken again")
      ->type_name("FILE");
  command.add_option("--branch", options.branch, "For --run: its name or number, by default the one looked at")
      ->type_name("NAME");
  command.add_option("--every", options.every, "Steps from point to point of the curve, by default 10")
      ->type_name("NUMBER");
  command
      .add_option("--sentence", options.sentence,
                  "The sentence of the saved document, words of the task between spaces")
      ->type_name("WORDS");
  command.add_option("--save", options.save, "The trained document to write, of the first seed")->type_name("FILE");
  add_out(command, options.out);
  CLI::App& merge = *command.add_subcommand("merge", "Joins what several runs have written, and sums it up by size");
  merge.add_option("FILES", joined.files, "What hydrascope train has written; - is standard input")
      ->type_name("")
      ->required();
  add_out(merge, joined.out);
  return {&command,
          [kept, kept_joined, &merge] { return merge.parsed() ? run_merge(*kept_joined) : run_train(*kept); }};
}

}  // namespace hydra
