// The text that heads are named on, and what silencing them costs there.
#include "core/learn/tasks/known_text.h"

#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/learn/opened/named_roles.h"
#include "core/learn/run.h"
#include "core/learn/start.h"
#include "tests/support/data.h"
#include "tests/support/examples.h"
#include "tests/support/faults.h"

using namespace hydra;
using namespace hydra::learn;
using Catch::Contains;
using test::fault_at;

namespace {

MarkedSentences standard() {
  return std::make_shared<const std::vector<AnnotatedSentence>>(standard_sentences().sentences);
}

std::vector<std::string> keys_of(const Document& document, int layer) {
  NamedRoles tables;
  std::vector<std::string> keys;
  for (const HeadName& name : names_of(tables.pooled(document, layer, standard()))) keys.push_back(role_key(name.role));
  return keys;
}

}  // namespace

TEST_CASE("known text: sequences of the task whose words the model has", "[learn][names]") {
  KnownTexts texts;
  const MarkedSentences marked = standard();
  const Document grammar = test::example("trained_grammar");
  const KnownText text = texts.of(grammar, marked);
  REQUIRE(text.task);
  CHECK(text.task->outline().key == "grammar");
  CHECK(text.unit == "sequence");
  CHECK(text.jobs.size() == 4);
  CHECK(known_share(grammar, *text.sentences) == 1);
  CHECK(known_share(grammar, *marked) < 0.7);
  CHECK(texts.of(grammar, marked).sentences == text.sentences);  // what is measured on them can be kept
  // Gold is where the task has it: each word's previous one.
  for (const AnnotatedSentence& sequence : *text.sentences)
    for (const GoldPair& pair : sequence.jobs[0]) REQUIRE(pair.to == pair.from - 1);
  // Of tasks with the same words the one that the model answers best.
  Document king = test::example("trained_king");
  king.notes = {};
  CHECK(texts.of(king, marked).task->outline().key == "pronoun");
}

TEST_CASE("known text: hashed and named features know all marked sentences", "[learn][names]") {
  const MarkedSentences marked = standard();
  const KnownText text = KnownTexts().of(default_document(), marked);
  CHECK(text.sentences == marked);
  CHECK(!text.task);
}

TEST_CASE("known text: of other tables their own words, said twice, or the sentences that they know",
          "[learn][names]") {
  Document document =
      hydra::apply(default_document(), SetSentence{"green ideas sleep furiously under seven blue lamps tonight"});
  document = hydra::apply(document, SetEmbedding{Embedding::Kind::learned, 1});
  const MarkedSentences marked = standard();
  CHECK_THROWS_WITH(KnownTexts().of(document, marked), fault_at("the model", "knows no marked sentence whole"));
  document = hydra::apply(document, SetModelSetting{ModelSetting::readout, static_cast<double>(ReadoutKind::tied)});
  const KnownText text = KnownTexts().of(document, marked);
  REQUIRE(text.task);
  CHECK(known_share(document, *text.sentences) == 1);
  const AnnotatedSentence& row = text.sentences->front();
  const std::size_t half = row.tokens.size() / 2;
  for (std::size_t k = 0; k < half; ++k) CHECK(row.tokens[k] == row.tokens[half + k]);
  CHECK(row.jobs[1].front() == GoldPair{static_cast<int>(half), 1});
}

TEST_CASE("known text: what silencing costs is what Learn's evaluation says", "[learn][names]") {
  const Document document = test::example("trained_grammar");
  const auto task = make_task("grammar");
  const auto lost = answers_lost(document, task);
  REQUIRE(lost.size() == 1);
  REQUIRE(lost[0]->lost.size() == 4);
  Document silent = document;
  silent.layers[0].gates = {1, 1, 1, 0};
  const auto of_silent = answers_lost(silent, task);  // it is tried as if it were not silent
  CHECK(of_silent[0]->lost == lost[0]->lost);
  CHECK(of_silent[0]->opened);
  CHECK(!lost[0]->opened);
  Recipe recipe = task->info().recipe;
  recipe.controls = {};
  const auto scores_of = [&](const Document& model) {
    Run run(task, model, recipe, 7'000'001);
    run.set_training({DrawnSteps()});
    return run.evaluate(nullptr);
  };
  const Scores with = scores_of(document), without = scores_of(silent);
  for (std::size_t q = 0; q < 4; ++q) CHECK(lost[0]->lost[3][q] == with.by_question[q] - without.by_question[q]);
}

TEST_CASE("known text: a trained model cut anew answers worse than it was trained to, and what has no task nothing",
          "[learn][names]") {
  const auto swept = [](const Document& document) {
    Sweeps sweeps;
    KnownTexts texts;
    std::vector<SweepEntry> entries = sweeps.of(document, 0, {1, 2, 4, 8, 16}, 0);
    add_accuracy(document, 0, texts, entries);
    return entries;
  };
  const Document document = test::example("trained_grammar");
  const auto task = make_task("grammar");
  Recipe recipe = task->info().recipe;
  recipe.controls = {};
  for (const SweepEntry& entry : swept(document)) {
    INFO("heads " << entry.heads);
    Run run(task, apply(document, {SetHeads{entry.heads}, 0}), recipe, kConfirmingSeed);
    run.set_training({DrawnSteps()});
    CHECK(entry.accuracy == run.evaluate(nullptr).accuracy);
    if (entry.heads == 4)
      CHECK(entry.accuracy > 0.98);
    else
      CHECK(entry.accuracy < 0.96);
  }
  Document silent = document;
  silent.layers[0].gates = {0, 0, 0, 0};
  CHECK(swept(silent)[2].accuracy < 0.5);
  for (const SweepEntry& entry : swept(test::example("heads_designed"))) CHECK(std::isnan(entry.accuracy));
}

TEST_CASE("known text: what a job loses is counted over the answers that hang on it", "[learn][names]") {
  const Document document = test::example("trained_king");
  const auto task = make_task("pronoun");
  const TaskInfo& info = task->outline();
  const auto lost = answers_lost(document, task);
  Recipe recipe = info.recipe;
  recipe.controls = {};
  Run run(task, document, recipe, 7'000'001);
  run.set_training({DrawnSteps()});
  const Batch& batch = run.held_out(nullptr).batch;
  // By hand: the program's own readout of each sequence, with the head silent or not.
  const auto right_of = [&](const Document& model, std::size_t question, std::size_t relation) {
    double right = 0, all = 0;
    for (Index k = 0; k < batch.count(); ++k) {
      const auto length = static_cast<std::size_t>(batch.length(k));
      const Document sentence = with_tokens(
          model, tokens_of(info, batch.words(k).first(length * static_cast<std::size_t>(info.shape.slots))));
      std::shared_ptr<const Trace> trace;  // made for sequences that have such a row
      for (std::size_t i = 0; i < length; ++i) {
        const std::int32_t target = batch.targets(k)[i * static_cast<std::size_t>(info.shape.questions) + question];
        const bool exists = batch.gold(k)[i * static_cast<std::size_t>(info.shape.relations) + relation] != 0;
        if (target == kNone || !exists) continue;
        if (!trace) trace = evaluate(sentence);
        const Array<float> logits = trace->model.of_question(trace->model.logits, static_cast<Index>(question));
        Index best = 0;
        logits->row(static_cast<Index>(i)).maxCoeff(&best);
        all += 1, right += best == target;
      }
    }
    return all > 0 ? right / all : 0;
  };
  const std::size_t deciding = info.relations.size() - 1, antecedent = deciding - 1;
  REQUIRE(info.relations[deciding] == "deciding word");
  const double with = right_of(document, antecedent, deciding);
  CHECK(lost[0]->job_accuracy[deciding] == Approx(with));
  CHECK(lost[0]->job_accuracy[antecedent] == lost[0]->accuracy[antecedent]);
  bool much = false;  // is lost without a head, which all answers to the question do not show
  for (std::size_t h = 0; h < static_cast<std::size_t>(document.layers[0].heads); ++h) {
    Document silent = document;
    silent.layers[0].gates.assign(static_cast<std::size_t>(document.layers[0].heads), 1);
    silent.layers[0].gates[h] = 0;
    const double job_lost = lost[0]->job_lost[h][deciding];
    CHECK(job_lost == Approx(with - right_of(silent, antecedent, deciding)).margin(1e-9));
    much = much || job_lost > 2 * std::max(0.1, lost[0]->lost[h][antecedent]);
  }
  CHECK(much);
}

TEST_CASE("known text: the shipped models' heads are named after what they are needed for", "[learn][names]") {
  CHECK(keys_of(test::example("trained_grammar"), 0) ==
        std::vector<std::string>{"antecedent", "end_mark", "previous_word", "subject"});
  CHECK(keys_of(test::example("trained_induction"), 0).front() == "previous_token");
  CHECK(keys_of(test::example("trained_induction"), 1) == std::vector<std::string>{"induction", "induction"});
  const std::vector<std::string> king = keys_of(test::example("trained_king"), 1);
  CHECK(std::ranges::count(king, "antecedent") == 2);
  CHECK(std::ranges::count(king, "subject") == 1);
  std::vector<std::string> students = keys_of(test::example("trained_students_4"), 0);
  std::ranges::sort(students);
  CHECK(students == std::vector<std::string>{"asked_1", "asked_2", "asked_3", "asked_4"});
}

TEST_CASE("known text: a head loses its name with what it does", "[learn][names]") {
  Document document = test::example("trained_grammar");
  // Head 4 attends alike to all: silencing it may cost answers, but it looks nowhere.
  Mat<float> W_Q = *document.layers[0].weights.W_Q;
  W_Q.rightCols(W_Q.cols() / 4).setZero();
  document.layers[0].weights.W_Q = share(std::move(W_Q));
  const std::vector<std::string> keys = keys_of(document, 0);
  CHECK(keys[3] == "mixed");
  CHECK(keys[2] == "previous_word");
}

TEST_CASE("known text: beginnings of training and untrained models have no names", "[learn][names]") {
  for (const char* key : {"grammar", "students", "induction"}) {
    const auto task = make_task(key);
    Run run(task, starting_document(*task, task->info().recipe, 5), task->info().recipe, 5);
    for (int step = 0; step < 5; ++step) run.take_step(nullptr);
    for (int layer = 0; layer < static_cast<int>(run.document().layers.size()); ++layer)
      for (const std::string& name : keys_of(run.document(), layer)) CHECK(name == "mixed");
  }
}

TEST_CASE("known text: names of this sentence are those of the task's sequences", "[learn][names]") {
  const Document document = test::example("trained_grammar");
  NamedRoles tables;
  const RoleTable table = tables.of_sentence(*evaluate(document), document, 0, standard());
  REQUIRE(table.named);
  CHECK(table.sentences.empty());
  CHECK(role_key(names_of(table)[3].role) == "subject");
}

TEST_CASE("known text: a model of one sentence alone is measured on it, and named by it", "[learn][names]") {
  Document document = test::example("trained_grammar");
  const auto n = static_cast<Index>(tokens_of(document).size());
  document.layers[0].mask = {Mask::Kind::custom, share(Mat<std::uint8_t>::Ones(n, n).eval())};
  const auto trace = evaluate(document);
  NamedRoles tables;
  const RoleTable table = tables.of_sentence(*trace, document, 0, standard());
  CHECK_FALSE(table.named);
  CHECK(table.heads.size() == 4);
  for (const auto& of_layer : tables.of_sentence(*trace, document, standard())) CHECK_FALSE(of_layer->named);
  CHECK_THROWS_WITH(tables.pooled(document, 0, standard()), Contains("for this sentence only"));
}
