// One answer as a user meets it: which heads do it, in this sentence and over others, against gates that are closed.
#include <catch2/catch.hpp>

#include "app/views/stream/answer/answer_table.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "tests/support/examples.h"
#include "tests/support/session.h"

using namespace hydra;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

struct AnswerSession : Session {
  explicit AnswerSession(const std::string& name, ImVec2 size = {1600, 1000}) : Session(test::example(name), size) {
    set(view().view, ViewId::stream);
    set(view().stream.page, StreamPage::answer);
    settle();
  }
};

// The answer's probability with the head's gate closed.
double probability_without(const Document& document, const HeadAnswer& head, const AskedAnswer& asked) {
  const auto trace = evaluate(hydra::apply(document, {SetGate{static_cast<int>(head.head), 0}, head.layer}));
  return read_of(trace->model, asked).probability;
}

}  // namespace

TEST_CASE("answer page: its sentence names the head without which least is left, with gates' own numbers",
          "[app][answer_page]") {
  for (const char* name : {"trained_grammar", "trained_students_4"}) {
    CAPTURE(name);
    const Document document = test::example(name);
    const auto trace = evaluate(document);
    for (Index token = 0; token < std::ssize(trace->tokens); ++token) {
      AnswerMeasure::Result result;
      result.asked = asked_of(trace->model, token, 0);
      result.answer = head_answers(*trace, result.asked);
      double least = 1, second = 1;
      std::size_t without = 0;
      for (std::size_t k = 0; k < result.answer.heads.size(); ++k) {
        const double left = probability_without(document, result.answer.heads[k], result.asked);
        if (left < least)
          second = least, least = left, without = k;
        else
          second = std::min(second, left);
      }
      const std::string sentence = answer_sentence(result, *trace, AnswerBy::probability);
      CAPTURE(token, sentence, least);
      const double before = result.answer.read.probability;
      if (before - least >= 0.05) {
        CHECK_THAT(sentence, StartsWith("Silencing head " + std::to_string(without + 1) + " takes"));
        CHECK_THAT(sentence, Contains("to " + ui::number(least, As::share)));
        CHECK_THAT(sentence, Contains("at least " + ui::number(second, As::share)));
      } else {
        CHECK_THAT(sentence, StartsWith("No single head takes"));
        CHECK_THAT(sentence, Contains("at least " + ui::number(least, As::share)));
      }
      CHECK_THAT(sentence, Contains("By chance one of " + std::to_string(trace->model.next_words.words.size())));
    }
  }
}

TEST_CASE("answer page: rows by what is lost, or by any column, or in the heads' order", "[app][answer_page]") {
  const auto trace = evaluate(test::example("trained_grammar"));
  AnswerMeasure::Result result;
  result.asked = asked_of(trace->model, 10, 0);
  result.answer = head_answers(*trace, result.asked);
  const auto columns = answer_columns(result);
  REQUIRE(columns.size() == 2);  // without a text there are no means
  for (const AnswerBy by : {AnswerBy::difference, AnswerBy::logit, AnswerBy::probability}) {
    const std::vector<Index> direct = answer_rows(result, 0, by), zero = answer_rows(result, 1, by);
    for (std::size_t k = 1; k < direct.size(); ++k) {
      const auto of = [&](const std::vector<Index>& rows, std::size_t at, AnswerColumn column) {
        return change_of(result, static_cast<std::size_t>(rows[at]), column, by);
      };
      CHECK(of(direct, k - 1, AnswerColumn::direct) >= of(direct, k, AnswerColumn::direct));
      CHECK(of(zero, k - 1, AnswerColumn::zero) <= of(zero, k, AnswerColumn::zero));
    }
  }
  CHECK(answer_rows(result, -1, AnswerBy::logit) == std::vector<Index>{0, 1, 2, 3});
}

TEST_CASE("answer page: the whole of it in the window: answer, rival, counterfactual sentence, copy",
          "[app][answer_page]") {
  AnswerSession s("trained_grammar");
  REQUIRE(s.ui.exists("stream/answer/title"));
  s.wait_until([&] { return s.ui.exists("stream/answer/column/lost"); });
  for (int h = 1; h <= 4; ++h) CHECK(s.ui.exists("stream/answer/row/1/" + std::to_string(h)));
  for (const char* column : {"direct", "zero", "mean", "resampled"})
    CHECK(s.ui.exists(std::string("stream/answer/column/") + column));
  CHECK_FALSE(s.ui.exists("stream/answer/column/patched"));

  s.ui.click("stream/answer/row/1/3");
  CHECK(s.view().focused_head == 2);
  s.ui.click("stream/answer/column/direct");
  CHECK(s.view().stream.answer.sorted == 1);
  s.ui.click("stream/answer/column/direct");
  CHECK(s.view().stream.answer.sorted == 0);
  s.ui.click("stream/answer/by/probability");
  CHECK(s.view().stream.answer.by == AnswerBy::probability);

  s.set(s.view().stream.answer.counterfactual, "he is tired");
  s.wait_until([&] { return s.ui.exists("stream/answer/counterfactual/fault"); });
  s.set(s.view().stream.answer.counterfactual, "the old king near the cats chases the girl because he is tired .");
  s.wait_until([&] { return s.ui.exists("stream/answer/column/patched"); });
  CHECK_FALSE(s.ui.exists("stream/answer/counterfactual/fault"));
  // Where the head in focus looks in both, and what changes when just that is patched.
  for (const char* key : {"now", "other", "difference"}) CHECK(s.ui.exists(std::string("stream/answer/") + key));
  s.ui.click("stream/answer/difference");
  s.ui.frames(2);
  REQUIRE(s.view().made);
  CHECK(s.view().made->name == "answer.difference");
  for (const auto& [key, part] : {std::pair{"queries", PatchedPart::queries},
                                  {"keys", PatchedPart::keys},
                                  {"values", PatchedPart::values},
                                  {"pattern", PatchedPart::pattern}}) {
    s.ui.click(std::string("stream/answer/patch/") + key);
    s.settle();
    CHECK(s.view().stream.answer.part == part);
    // What is patched is what the pictures show, here, there and the difference.
    const auto of_head = [&](const Trace& trace) -> const Array<float>& {
      const HeadTrace<float>& head = trace.layers[0].heads[2];
      return part == PatchedPart::queries  ? head.asking()
             : part == PatchedPart::keys   ? head.asked()
             : part == PatchedPart::values ? head.V
                                           : head.attention;
    };
    Document other = s.document();
    other.sentence = s.view().stream.answer.counterfactual, other.tokens.reset();
    const auto there = evaluate(other);
    const Array<float>&now = of_head(s.app.trace()), &then = of_head(*there);
    s.wait_until([&] {
      return s.ui.exists("stream/answer/now") && s.picture("stream/answer/now").matrix->cols() == now.cols();
    });
    for (const auto& [row, col] : {std::pair<Index, Index>{10, 2}, {3, 1}, {0, 0}}) {
      CHECK((*s.picture("stream/answer/now").matrix)(row, col) == (*now)(row, col));
      CHECK((*s.picture("stream/answer/other").matrix)(row, col) == (*then)(row, col));
      CHECK((*s.picture("stream/answer/difference").matrix)(row, col) == (*then)(row, col) - (*now)(row, col));
    }
  }
  CHECK_FALSE(s.ui.exists("stream/answer/counterfactual/unknown"));

  s.ui.click("stream/answer/rival");
  CHECK(s.ui.exists("stream/answer/rival/students"));
  s.ui.click("stream/answer/rival/students");
  s.settle();
  CHECK(s.view().stream.answer.rival == "students");

  s.wait_until([&] {
    s.ui.click("stream/answer/copy/tabs");
    return std::string(ImGui::GetClipboardText()).find("\tdirect_text_mean\t") != std::string::npos;
  });
  for (const auto& [key, between] : {std::pair{"tabs", "\t"}, {"csv", ","}, {"markdown", " | "}}) {
    s.ui.click(std::string("stream/answer/copy/") + key);
    const std::string copied = ImGui::GetClipboardText();
    CAPTURE(copied);
    CHECK_THAT(copied, Contains("layer" + std::string(between) + "head" + between + "name" + between + "direct"));
    CHECK(std::ranges::count(copied, '\n') >= 6);
  }
  CHECK(s.app.failure().empty());
}

TEST_CASE("answer page: of a counterfactual sentence it says what is answered there, and what patching does here",
          "[app][answer_page]") {
  AnswerSession s("trained_grammar");
  s.set(s.view().stream.answer.counterfactual, "the old king near the cats chases the girl because he is tired .");
  s.wait_until([&] { return s.ui.exists("stream/answer/column/patched"); });
  const Document& document = s.document();
  const auto trace = evaluate(document);
  Document other = document;
  other.sentence = s.view().stream.answer.counterfactual, other.tokens.reset();
  AnswerMeasure::Result result;
  const auto there = evaluate(other);
  int falls = 0, stays = 0;
  for (Index token = 0; token < std::ssize(trace->tokens); ++token)
    for (Index question = 0; question < 4; ++question) {
      result.asked = asked_of(trace->model, token, question);
      result.counterfactual = there;
      result.answer = head_answers(*trace, result.asked, {{}, there.get()});
      double least = 1;
      for (const HeadAnswer& head : result.answer.heads) least = std::min(least, head.patched->probability);
      const std::string sentence = answer_sentence(result, *trace, AnswerBy::probability);
      const Vocabulary& words = trace->model.next_words.words;
      CHECK_THAT(sentence, Contains("In the other sentence it is “" +
                                    words.word(asked_of(there->model, token, question).answer) + "”"));
      const bool fell = result.answer.read.probability - least >= 0.05;
      CHECK((sentence.find("adds there") != std::string::npos) == fell);
      CHECK_THAT(sentence, Contains(ui::number(least, As::share)));
      ++(fell ? falls : stays);
    }
  CHECK(falls > 2);
  CHECK(stays > 2);
}

TEST_CASE("answer page: it says which heads the answer needs together, as closing their gates does",
          "[app][answer_page]") {
  int alone = 0, together = 0;
  for (const char* name : {"trained_grammar", "trained_students_4", "trained_induction"}) {
    const Document document = test::example(name);
    const auto trace = evaluate(document);
    for (Index token = 0; token < std::ssize(trace->tokens); ++token) {
      AnswerMeasure::Result result;
      result.asked = asked_of(trace->model, token, 0);
      result.answer = head_answers(*trace, result.asked);
      result.sets = head_sets(*trace, result.asked);
      REQUIRE(result.sets);
      const std::string sentence = answer_sentence(result, *trace, AnswerBy::probability);
      CAPTURE(name, token, sentence);
      if (!result.sets->needed) {
        CHECK_THAT(sentence, Contains("With every head silent the answer is the same"));
        continue;
      }
      Document silent = document;
      for (const std::size_t head : result.sets->needed->heads)
        silent = hydra::apply(silent, {SetGate{result.answer.heads[head].head, 0}, result.answer.heads[head].layer});
      const auto without = evaluate(silent);
      const std::string other = trace->model.next_words.words.word(asked_of(without->model, token, 0).answer);
      CHECK_THAT(sentence, Contains("it is “" + other + "”"));
      const bool several = result.sets->needed->heads.size() > 1;
      CHECK((sentence.find("Any single head can go") != std::string::npos) == several);
      ++(several ? together : alone);
    }
  }
  CHECK(alone > 3);
  CHECK(together > 0);
}

TEST_CASE("answer page: it says of how many words of the counterfactual sentence the model has no vector",
          "[app][answer_page]") {
  AnswerSession s("trained_grammar");
  s.set(s.view().stream.answer.counterfactual, "the old zebra near the cats chases the girl because he is tired .");
  s.wait_until([&] { return s.ui.exists("stream/answer/counterfactual/unknown"); });
}

TEST_CASE("answer page: beside each number the text's mean and what heads of random weights come to",
          "[app][answer_page]") {
  const Document document = test::example("trained_grammar");
  const auto trace = evaluate(document);
  learn::AnswerTexts texts;
  const learn::AnswerText text = texts.of(document, shipped_sentences());
  const HeadMeans means = means_over(text.traces);
  AnswerMeasure::Result result;
  result.asked = asked_of(trace->model, 10, 0);
  result.answer = head_answers(*trace, result.asked, {text.traces, nullptr, PatchedPart::head, means});
  result.random = random_heads(*trace, result.asked);
  result.over = over_text(learn::answers_of(text, 0), means);
  for (const AnswerBy by : {AnswerBy::difference, AnswerBy::logit, AnswerBy::probability})
    for (std::size_t k = 0; k < 4; ++k)
      for (const AnswerColumn column : {AnswerColumn::direct, AnswerColumn::zero, AnswerColumn::mean}) {
        const MeanInterval over = mean_change(result, k, column, by);
        CHECK(over.low <= over.mean);
        CHECK(over.mean <= over.high);
        CHECK_THAT(said_over_text(result, k, column, by), Contains("answers of the text"));
        CHECK((chance_of(result, k, column, by) > 0) == (column != AnswerColumn::mean));
      }
  CHECK(std::isnan(mean_change(result, 0, AnswerColumn::resampled, AnswerBy::logit).mean));
  CHECK(said_of_chance(result, 0, AnswerColumn::lost, AnswerBy::logit).empty());
  const std::string table = answer_table(result, *trace, {"a", "b", "c", "d"}, AnswerBy::difference, TableText::tabs);
  CHECK_THAT(table, Contains("\tdirect_text_mean\tdirect_text_low\tdirect_text_high\tdirect_random\t"));
  CHECK_THAT(table, Contains("of heads of random weights, as large, put into its layer, 19 in 20 change it by"));
}

TEST_CASE("answer page: it says whether silencing the strongest head is beyond what one of random weights does",
          "[app][answer_page]") {
  int beyond = 0, within = 0;
  for (const char* name : {"trained_grammar", "trained_students_4", "trained_induction", "grammar_one_head"}) {
    const auto trace = evaluate(test::example(name));
    for (Index token = 0; token < std::ssize(trace->tokens); token += 3) {
      AnswerMeasure::Result result;
      result.asked = asked_of(trace->model, token, 0);
      result.answer = head_answers(*trace, result.asked);
      result.random = random_heads(*trace, result.asked);
      const HeadAnswer& strongest =
          *std::ranges::min_element(result.answer.heads, {}, [](const auto& h) { return h.zero.probability; });
      const double taken = result.answer.read.probability - strongest.zero.probability;
      const RandomHeads& chance = result.random[static_cast<std::size_t>(strongest.layer)];
      const std::string sentence = answer_sentence(result, *trace, AnswerBy::probability);
      CAPTURE(name, token, sentence, taken, chance.zero.probability);
      CHECK_THAT(sentence, Contains(ui::number(chance.zero.probability, As::share)));
      CHECK((sentence.find("is beyond chance") != std::string::npos) ==
            (taken >= 0.05 && taken > chance.zero.probability));
      CHECK((sentence.find("is within chance") != std::string::npos) ==
            (taken >= 0.05 && taken <= chance.zero.probability));
      ++(taken > chance.zero.probability ? beyond : within);
      // By logits the same question, of the head that takes most of them.
      for (const AnswerBy by : {AnswerBy::difference, AnswerBy::logit}) {
        double most = -1e30, all = told_of(result.answer.read, by);
        std::size_t which = 0;
        for (std::size_t k = 0; k < result.answer.heads.size(); ++k)
          if (const double of_head = all - told_of(result.answer.heads[k].zero, by); of_head > most)
            most = of_head, which = k;
        const std::string told = answer_sentence(result, *trace, by);
        CAPTURE(told, most, which);
        if (most <= 0.0005) {
          CHECK_THAT(told, Contains("In logits, too, no head takes anything"));
          continue;
        }
        CHECK_THAT(told, Contains(" takes " + ui::number(most, As::share) + " of "));
        CHECK((told.find("That is beyond chance") != std::string::npos) ==
              (most > chance_of(result, which, AnswerColumn::zero, by)));
        CHECK((told.find("That is within chance") != std::string::npos) ==
              (most <= chance_of(result, which, AnswerColumn::zero, by)));
      }
    }
  }
  CHECK(beyond > 5);
  CHECK(within > 3);
}

TEST_CASE("answer page: what each head is worth over the task is measured in Learn, without a run of its own",
          "[app][answer_page]") {
  AnswerSession s("trained_grammar");
  const Document before = s.document();
  s.wait_until([&] { return s.ui.exists("stream/answer/learn"); });
  s.ui.click("stream/answer/learn");
  s.settle();
  CHECK(s.view().view == ViewId::learn);
  CHECK(s.view().learn.page == LearnPage::pruning);
  REQUIRE(s.ui.exists("learn/use"));
  s.ui.click("learn/use");
  s.wait_until([&] { return s.ui.exists("learn/headline"); });
  CHECK(same_document(s.document(), before));
}

TEST_CASE("answer page: at first a model that says the next word is asked at the last token, then at any",
          "[app][answer_page]") {
  AnswerSession s("trained_induction");
  const Index last = std::ssize(s.app.trace().tokens);
  s.wait_until([&] { return s.ui.exists("stream/answer/column/zero"); });
  const auto asked_at = [&](Index token) {
    s.ui.click("stream/answer/copy/csv");
    const AskedAnswer asked = asked_of(s.app.trace().model, token - 1, 0);
    const Vocabulary& words = s.app.trace().model.next_words.words;
    const std::string said =
        "“" + words.word(asked.answer) + "” after “" + s.app.trace().tokens[static_cast<std::size_t>(token - 1)] + "”";
    return std::string(ImGui::GetClipboardText()).find(said) != std::string::npos;
  };
  CHECK(asked_at(last));
  s.ui.click("stream/answer/token");
  s.ui.click("stream/answer/token/3");
  s.settle();
  CHECK(s.view().token == 2);
  CHECK(asked_at(3));
}

TEST_CASE("answer page: of a document that reads out no word it says so", "[app][answer_page]") {
  AnswerSession s("slices");
  CHECK(s.ui.exists("stream/answer/no_readout"));
  CHECK_FALSE(s.ui.exists("stream/answer/title"));
}
