#include "tests/bench/trained_names.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include "core/learn/opened/named_roles.h"
#include "core/learn/run.h"
#include "core/learn/start.h"

using namespace hydra;
using namespace hydra::learn;

namespace {

constexpr std::uint64_t kFirstSeed = 9300, kLookingSeed = 424'242;

struct Learned {
  std::shared_ptr<const Task> task;
  Document document;
};

Learned trained(const std::shared_ptr<const Task>& task, std::uint64_t seed, int steps) {
  Recipe recipe = task->info().recipe;
  Run run(task, starting_document(*task, recipe, seed), recipe, seed);
  while (run.step() < steps)
    if (!run.take_step(nullptr).is_finite()) break;
  return {task, run.document()};
}

std::vector<std::vector<HeadName>> names_in(const Document& document) {
  NamedRoles tables;
  const auto marked = std::make_shared<const std::vector<AnnotatedSentence>>(standard_sentences().sentences);
  std::vector<std::vector<HeadName>> names;
  for (const auto& table : tables.pooled(document, marked)) {
    RoleTable bounded = *table;
    if (!table->answers && table->jobs.empty()) bounded.bounds = bounds_of(table->random);
    names.push_back(names_of(bounded));
  }
  return names;
}

bool is_named(const HeadName& name) { return name.role.kind != Role::Kind::mixed; }

std::string shuffled_words() {
  Random random(kFirstSeed);
  std::string text;
  const auto grammar = make_task("grammar");
  const std::vector<std::string>& words = grammar->outline().words.words();
  for (int k = 0; k < 6000; ++k) text += words[static_cast<std::size_t>(random.bits() % words.size())] + " ";
  return text;
}

// Attention on gold and what silencing costs, on sequences of another seed.
struct Looked {
  std::vector<double> masses;  // [layers x heads x relations]
  std::vector<std::shared_ptr<const AnswersLost>> lost;
  Index heads = 1, relations = 0;
};
Looked look(const Learned& model) {
  Recipe recipe = model.task->info().recipe;
  recipe.controls = {};
  Looked looked;
  looked.masses = Run(model.task, model.document, recipe, kLookingSeed).evaluate(nullptr).masses;
  looked.lost = answers_lost(model.document, model.task, nullptr, {}, kLookingSeed);
  for (const Layer& layer : model.document.layers) looked.heads = std::max(looked.heads, layer.heads);
  looked.relations = model.task->info().shape.relations;
  return looked;
}

struct Tally {
  int heads = 0, named = 0, wrong = 0, do_it = 0, named_so = 0;
};

// A head does a job: .75 of its attention or more on where one would look (.5 for the previous token in causal tasks),
// and silencing it costs .1 of the answers that hang on it, and of no question more. A name is false when its
// attention is below .5, or nothing (less than .05) of its answers is lost while .1 of others is.
void count_heads(const Learned& model, Tally& tally) {
  const Looked looked = look(model);
  const TaskInfo& info = model.task->info();
  const auto names = names_in(model.document);
  for (std::size_t k = 0; k < names.size(); ++k)
    for (std::size_t h = 0; h < names[k].size(); ++h) {
      const std::size_t at = k * static_cast<std::size_t>(looked.heads) + h;
      const AnswersLost& lost = *looked.lost[k];
      const double most = *std::ranges::max_element(lost.lost[h]);
      const HeadName& name = names[k][h];
      ++tally.heads;
      bool does = false, so = false;
      for (Index r = 0; r < looked.relations; ++r) {
        const double mass =
            looked.masses[at * static_cast<std::size_t>(looked.relations) + static_cast<std::size_t>(r)];
        const double own = lost.job_lost[h][static_cast<std::size_t>(r)];
        const bool called =
            is_named(name) && name.role.job && name.role.job->title == info.relations[static_cast<std::size_t>(r)];
        const double least = info.causal && r == 0 ? 0.5 : 0.75;
        if (mass >= least && own >= 0.1 && own >= most) does = true, so = so || called;
        if (called && (mass < 0.5 || (own < 0.05 && most >= 0.1))) {
          ++tally.wrong;
          std::printf("false: %s layer %zu head %zu, %s: attention %.2f, lost %.2f, at most %.2f\n", info.key.c_str(),
                      k + 1, h + 1, name.role.job->title.c_str(), mass, own, most);
        }
      }
      tally.named += is_named(name);
      tally.do_it += does;
      tally.named_so += does && so;
      if (does && !so)
        std::printf("missed: %s layer %zu head %zu is called %s\n", info.key.c_str(), k + 1, h + 1,
                    role_key(name.role).c_str());
    }
}

void count_early(const std::string& title, const std::vector<Learned>& models) {
  int layers = 0, named = 0;
  Tally tally;
  for (const Learned& model : models) {
    for (const auto& layer : names_in(model.document)) ++layers, named += std::ranges::any_of(layer, is_named);
    count_heads(model, tally);
  }
  std::printf("| %s | %d | %.1f %% | %d of %d |\n", title.c_str(), layers, 100.0 * named / layers, tally.wrong,
              tally.named);
  std::fflush(stdout);
}

}  // namespace

void print_trained_names(int runs) {
  std::printf("\n| trained on | layers | with a name | heads whose name is false |\n| --- | --- | --- | --- |\n");
  for (const char* key : {"grammar", "induction", "animal", "students"})
    for (const int steps : {1, 10, 50}) {
      std::vector<Learned> models;
      for (int k = 0; k < 5 * runs; ++k)
        models.push_back(trained(make_task(key), kFirstSeed + static_cast<std::uint64_t>(k), steps));
      count_early(std::string(key) + ", " + std::to_string(steps) + " steps", models);
    }
  for (const int steps : {20, 200}) {
    const auto task = make_text_task(shuffled_words(), Unit::word);
    std::vector<Learned> models;
    for (int k = 0; k < 5 * runs; ++k)
      models.push_back(trained(task, kFirstSeed + static_cast<std::uint64_t>(k), steps));
    count_early("shuffled words, " + std::to_string(steps) + " steps", models);
  }
  Tally all;
  std::map<std::string, Tally> by_task;
  for (const char* key : {"grammar", "pronoun", "animal", "induction", "markov", "students", "crowd", "collapse"})
    for (int k = 0; k < runs; ++k) {
      const auto task = make_task(key);
      count_heads(trained(task, kFirstSeed + static_cast<std::uint64_t>(k), task->info().recipe.steps), by_task[key]);
    }
  std::printf(
      "\n| task | heads | with a name | false | do a job | named so |\n| --- | --- | --- | --- | --- | --- |\n");
  for (const auto& [key, t] : by_task) {
    std::printf("| %s | %d | %d | %d | %d | %d |\n", key.c_str(), t.heads, t.named, t.wrong, t.do_it, t.named_so);
    all.heads += t.heads, all.named += t.named, all.wrong += t.wrong, all.do_it += t.do_it, all.named_so += t.named_so;
  }
  std::printf("| all | %d | %d | %d | %d | %d |\n", all.heads, all.named, all.wrong, all.do_it, all.named_so);
}
