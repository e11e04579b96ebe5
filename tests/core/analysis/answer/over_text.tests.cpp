// What heads do for the answers of a text, against each answer by itself.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "core/analysis/answer/over_text.h"
#include "core/document/evaluate.h"
#include "core/learn/opened/answer_text.h"
#include "tests/support/examples.h"

using namespace hydra;

TEST_CASE("over text: means and intervals are of the answers one by one", "[core][answer]") {
  int answers = 0;
  for (const char* name : {"trained_grammar", "trained_students_4", "trained_induction"}) {
    CAPTURE(name);
    const Document document = test::example(name);
    learn::AnswerTexts texts;
    learn::AnswerText text = texts.of(document, shipped_sentences());
    text.traces.resize(12);
    const HeadMeans means = means_over(text.traces);
    const std::vector<TextAnswer> asked = learn::answers_of(text, 0);
    REQUIRE(asked.size() > 3);
    const OverText over = over_text(asked, means);
    CHECK(over.answers == std::ssize(asked));
    for (std::size_t h = 0; h < over.heads.size(); ++h) {
      std::vector<double> direct, logit, difference, probability, at_mean;
      for (const TextAnswer& one : asked) {
        const AnswerHeads alone = head_answers(*one.trace, one.asked, {text.traces, nullptr, PatchedPart::head, means});
        const HeadAnswer& head = alone.heads[h];
        direct.push_back(head.direct);
        logit.push_back(head.zero.logit - alone.read.logit);
        difference.push_back(head.zero.logit - head.zero.rival_logit - alone.read.logit + alone.read.rival_logit);
        probability.push_back(head.zero.probability - alone.read.probability);
        at_mean.push_back(head.mean->probability - alone.read.probability);
        ++answers;
      }
      const auto same = [](const MeanInterval& a, const std::vector<double>& values) {
        const MeanInterval b = mean_interval(values);
        CHECK(a.mean == Approx(b.mean).margin(1e-9));
        CHECK(a.low == Approx(b.low).margin(1e-9));
        CHECK(a.high == Approx(b.high).margin(1e-9));
      };
      same(over.heads[h].direct, direct);
      same(over.heads[h].zero.logit, logit);
      same(over.heads[h].zero.difference, difference);
      same(over.heads[h].zero.probability, probability);
      same(over.heads[h].mean->probability, at_mean);
      if (h >= 3) break;
    }
  }
  CHECK(answers > 100);
}

TEST_CASE("over text: what is asked of a task's sequences is what the task asks, and its right answers",
          "[core][answer]") {
  const Document document = test::example("trained_grammar");
  learn::AnswerTexts texts;
  const learn::AnswerText text = texts.of(document, shipped_sentences());
  REQUIRE(text.task);
  int right = 0, all = 0;
  for (Index question = 0; question < 4; ++question) {
    const std::vector<TextAnswer> asked = learn::answers_of(text, question);
    CHECK(asked.size() > 20);
    std::set<Index> places;
    for (const TextAnswer& one : asked) {
      REQUIRE(one.asked.question == question);
      CHECK(one.asked.rival != one.asked.answer);
      places.insert(one.asked.token);
      right += asked_of(one.trace->model, one.asked.token, question).answer == one.asked.answer;
      ++all;
    }
    CHECK(places.size() > 1);
  }
  CHECK(right > 0.97 * all);  // the model has learned them; a wrong place or word would be chance
}

TEST_CASE("over text: without a task the likeliest word at each last token", "[core][answer]") {
  const Document document = test::example("trained_grammar");
  learn::AnswerTexts texts;
  learn::AnswerText text = texts.of(document, shipped_sentences());
  text.task = nullptr;
  for (const TextAnswer& one : learn::answers_of(text, 1)) {
    CHECK(one.asked.token == one.trace->X.rows() - 1);
    CHECK(one.asked == asked_of(one.trace->model, one.asked.token, 1));
  }
  text.traces.clear();
  CHECK(learn::answers_of(text, 1).empty());
}
