// The trained models among the examples (scripts/make_trained): they open, they know what they are said to know, and
// the command that made one makes it again.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "core/document/evaluate.h"
#include "core/io/file.h"
#include "core/learn/run.h"
#include "core/learn/start.h"
#include "tests/support/data.h"
#include "tests/support/sanitized.h"

using namespace hydra;

namespace {

Document shipped(const std::string& name) {
  return read_document(test::data("../../assets/documents/trained_" + name + ".json"), {});
}

learn::Scores scores_of(const std::string& name, const std::string& task_key) {
  const auto task = learn::make_task(task_key);
  const Document document = shipped(name);
  learn::Recipe recipe = task->info().recipe;
  recipe.heads = document.layers.front().heads;
  return learn::Run(task, document, recipe, 99).evaluate(nullptr);
}

// The same words with another in the place of one.
Document with_word(Document document, const std::string& word, const std::string& other) {
  for (std::string& token : *document.tokens)
    if (token == word) token = other;
  return document;
}

}  // namespace

TEST_CASE("trained examples: each knows what it is said to know, on sequences of another seed", "[learn]") {
  const learn::Scores one = scores_of("students_1", "students"), four = scores_of("students_4", "students"),
                      many = scores_of("students_32", "students");
  CHECK(std::ranges::count_if(one.by_question, [](double a) { return a > 0.9; }) == 1);
  CHECK(std::ranges::count_if(four.by_question, [](double a) { return a > 0.99; }) == 4);
  CHECK(std::ranges::count_if(many.by_question, [](double a) { return a > 0.5; }) == 0);
  const learn::Scores induction = scores_of("induction", "induction");
  CHECK(induction.accuracy > 0.98);
  CHECK(std::max(induction.masses[0], induction.masses[2]) > 0.5);   // a previous-token head in layer 1
  CHECK(std::max(induction.masses[5], induction.masses[7]) > 0.95);  // an induction head in layer 2
  const learn::Scores grammar = scores_of("grammar", "grammar");
  CHECK(grammar.accuracy > 0.98);
  for (std::size_t relation = 0; relation < 4; ++relation) {  // a head of its own for each question
    int heads = 0;
    for (std::size_t h = 0; h < 4; ++h) heads += grammar.masses[h * 4 + relation] > 0.85;
    CHECK(heads == 1);
  }
  CHECK(scores_of("king", "pronoun").accuracy > 0.99);
}

TEST_CASE("trained examples: the king, or the uncle, as the adjective says", "[learn]") {
  const Document weak = shipped("king"), heavy = with_word(weak, "weak", "heavy");
  const auto antecedent = [](const Document& document) {
    const auto trace = evaluate(document);
    const Index he = std::ranges::find(trace->tokens, "he") - trace->tokens.begin();
    const Index words = trace->model.next_words.words.size();
    Index best = 0;
    trace->model.logits->row(he).segment(3 * words, words).maxCoeff(&best);  // the fourth question
    return trace->model.next_words.words.word(best);
  };
  CHECK(antecedent(weak) == "king");
  CHECK(antecedent(heavy) == "uncle");
  // A head of the last layer switches; in the first none can keep anything but the ratio of the two.
  const auto a = evaluate(weak), b = evaluate(heavy);
  const Index he = 8, king = 1, uncle = 6;
  double switched = 0;
  for (std::size_t h = 0; h < 4; ++h) {
    const auto &before = *a->layer(1).heads[h].attention, &after = *b->layer(1).heads[h].attention;
    switched = std::max(switched, static_cast<double>(std::min(before(he, king) - before(he, uncle),
                                                               after(he, uncle) - after(he, king))));
    const auto &first = *a->layer(0).heads[h].attention, &second = *b->layer(0).heads[h].attention;
    CHECK(first(he, king) * second(he, uncle) == Approx(second(he, king) * first(he, uncle)).epsilon(1e-4));
  }
  CHECK(switched > 0.5);
}

TEST_CASE("trained examples: the command that made one makes it again", "[learn][slow]") {
  if (test::kSanitized || std::strcmp(lanes::chosen().name, "avx512") != 0) return;  // other kernels have other bits
  const auto task = learn::make_task("students");
  learn::Recipe recipe = task->info().recipe;
  recipe.heads = 1;
  ThreadPool pool(2);
  learn::Run run(task, learn::starting_document(*task, recipe, 0), recipe, 0);
  while (run.step() < recipe.steps) run.take_step(&pool);
  CHECK(document_text(run.document()) == document_text(shipped("students_1")));
}
