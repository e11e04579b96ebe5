// hydrascope answer as a process: the JSON it writes, what it refuses.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "core/analysis/answer/head_answers.h"
#include "core/document/evaluate.h"
#include "core/io/opening.h"
#include "tests/support/faults.h"
#include "tests/support/program.h"

using namespace hydra;
using hydra::test::Program;
using hydra::test::Result;
using nlohmann::json;
using test::fault_at;

namespace {

const std::string kOther = "the dog chases the boy because he is scared .";

// Of the document that opens without a name, which was trained on the task Grammar.
std::string asking(const std::string& options) { return "answer " + options; }

}  // namespace

TEST_CASE("answer command: direct effects add up, and every change of every head has its source", "[app][cli]") {
  const Program program;
  const Result result = program.run(asking("--token 7 --question subject --counterfactual '" + kOther + "'"));
  REQUIRE(result.code == 0);
  CHECK(result.error.empty());
  const json out = json::parse(result.out);
  const auto trace = evaluate(opening_document());
  const Index question = trace->model.next_words.questions.find("subject");
  const AskedAnswer asked = asked_of(trace->model, 6, question);
  CHECK(out.at("tokens") == json(trace->tokens));
  CHECK(out.at("token") == 7);
  CHECK(out.at("question") == "subject");
  CHECK(out.at("answer") == trace->model.next_words.words.word(asked.answer));
  CHECK(out.at("rival") == trace->model.next_words.words.word(*asked.rival));
  const AnswerRead read = read_of(trace->model, asked);
  CHECK(out.at("logit").get<double>() == Approx(read.logit));
  CHECK(out.at("rival_logit").get<double>() == Approx(read.rival_logit));
  CHECK(out.at("probability").get<double>() == Approx(read.probability));
  double direct = out.at("rest").at("direct"), against = out.at("rest").at("against_rival");
  REQUIRE(std::ssize(out.at("heads")) == trace->layer(0).input.heads);
  for (std::size_t h = 0; h < out.at("heads").size(); ++h) {
    const json& head = out.at("heads").at(h);
    CHECK(head.at("layer") == 0);
    CHECK(head.at("head") == h);
    direct += head.at("direct").get<double>();
    against += head.at("against_rival").get<double>();
    for (const char* change : {"zero", "mean", "resampled", "patched"}) {
      CAPTURE(h, change);
      const double probability = head.at(change).at("probability");
      CHECK(probability >= 0);
      CHECK(probability <= 1);
      CHECK(head.at(change).at("logit").is_number());
      CHECK(head.at(change).at("rival_logit").is_number());
      CHECK(head.at(change).contains("text") == (change != std::string("zero")));
    }
    CHECK(head.at("patched").at("text") == kOther);
    const json& over = head.at("over_text");
    CHECK(over.at("answers") > 20);
    for (const json& interval :
         {over.at("direct"), over.at("zero_change").at("logit"), over.at("mean_change").at("probability")}) {
      CHECK(interval.at("low") <= interval.at("mean"));
      CHECK(interval.at("mean") <= interval.at("high"));
    }
  }
  const json& random = out.at("random_heads");
  REQUIRE(random.size() == trace->layers.size());
  CHECK(random.at(0).at("drawn") == 100);
  CHECK(random.at(0).at("zero_change").at("difference") > 0);
  CHECK(direct == Approx(read.logit).epsilon(1e-4));
  CHECK(against == Approx(read.logit - read.rival_logit).epsilon(1e-4));
}

TEST_CASE("answer command: sets of heads, and which part of a head is patched", "[app][cli]") {
  const Program program;
  std::set<double> logits;
  for (const char* part : {"head", "pattern", "queries", "keys", "values"}) {
    const Result result = program.run(
        asking("--token 7 --question antecedent --patch " + std::string(part) + " --counterfactual '" + kOther + "'"));
    REQUIRE(result.code == 0);
    const json out = json::parse(result.out);
    CHECK(out.at("heads").at(0).at("patched").at("part") == part);
    logits.insert(out.at("heads").at(0).at("patched").at("logit").get<double>());
    const json& sets = out.at("sets");
    CHECK(sets.at("exact") == true);
    CHECK(sets.at("needed").at("heads") == json::parse(R"([{"layer": 0, "head": 0}])"));
    CHECK(sets.at("enough").at("likeliest") == out.at("answer"));
  }
  CHECK(logits.size() == 5);
}

TEST_CASE("answer command: what cannot be asked is told in one sentence", "[app][cli]") {
  const Program program;
  const auto refused = [&](const std::string& options) { return program.refusal(asking(options)); };
  CHECK_THAT(refused("--token 99"), fault_at("--token", "99"));
  CHECK_THAT(refused("--question which"), fault_at("--question", "subject"));
  CHECK_THAT(refused("--answer giraffe"), fault_at("--answer", "giraffe"));
  CHECK_THAT(refused("--answer king --rival king"), fault_at("--rival", "the answer itself"));
  CHECK_THAT(refused("--counterfactual 'the queen sleeps .'"), fault_at("--counterfactual", "4 tokens"));
  CHECK_THAT(refused("--patch pattern"), fault_at("--patch", "nothing is patched"));
  CHECK_THAT(refused("--patch nonsense"), fault_at("--patch", "no part"));
  CHECK_THAT(program.refusal("answer -", R"({"hydrascope": 1})"), fault_at("this document", "readout"));
}
