#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "core/error.h"
#include "core/text/tokenizer.h"
#include "tests/support/faults.h"
#include "tests/support/models/tasks.h"

using namespace hydra;
using namespace hydra::learn;
using namespace hydra::test;
using Catch::Contains;
using test::fault_at;

namespace {
std::string repeated(const std::string& part, int times) {
  std::string text;
  for (int k = 0; k < times; ++k) text += part;
  return text;
}
// So many words, numbered: "w0 w1 ...".
std::string numbered(int words) {
  std::string text;
  for (int k = 0; k < words; ++k) text += "w" + std::to_string(k) + " ";
  return text;
}
}  // namespace

TEST_CASE("text: pieces of it, each word asked for the next, the last tenth for evaluation alone", "[core][learn]") {
  const std::string text = numbered(200);  // every word tells where it stands
  const auto task = make_text_task(text, Unit::word);
  const TaskInfo& info = task->info();
  CHECK(info.words.size() == 200);
  CHECK(info.answers.size() == 200);
  CHECK(info.shape.length == 32);
  CHECK(info.causal);
  std::set<Index> learned, kept;
  Drawn training(*task), evaluation(*task, Stream::evaluation);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    training.draw(seed);
    evaluation.draw(seed);
    REQUIRE(training.length() == 32);
    REQUIRE(evaluation.length() == 19);  // of 20 words the last is an answer only
    for (const auto& [drawn, seen] : {std::pair(&training, &learned), std::pair(&evaluation, &kept)})
      for (Index i = 0; i < drawn->length(); ++i) {
        REQUIRE(drawn->target(i) == drawn->word(0) + i + 1);
        if (i > 0) REQUIRE(drawn->word(i) == drawn->word(i - 1) + 1);
        seen->insert(drawn->word(i));
        seen->insert(drawn->target(i));
      }
  }
  CHECK(*learned.rbegin() == 179);
  CHECK(learned.size() == 180);
  CHECK(*kept.begin() == 180);
  CHECK(kept.size() == 20);
}

TEST_CASE("text: rare words share a row and are never asked for", "[core][learn]") {
  // 300 words once each, between two frequent ones.
  std::string text;
  for (int k = 0; k < 300; ++k) text += "the w" + std::to_string(k) + " is ";
  const auto task = make_text_task(text, Unit::word);
  const TaskInfo& info = task->info();
  CHECK(info.answers.size() == 255);
  CHECK(info.words.size() == 256);
  CHECK(info.words.word(255) == "…");
  CHECK(info.answers.word(0) == "the");
  CHECK(info.answers.word(1) == "is");
  CHECK(info.answers.word(2) == "w0");
  CHECK(info.answers.find("w252") == 254);
  CHECK(info.answers.find("w253") == Vocabulary::kNone);
  Drawn drawn(*task, Stream::evaluation);
  int rare = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    drawn.draw(seed);
    for (Index i = 0; i < drawn.length(); ++i) {
      if (drawn.spelled(i) == "…") ++rare;
      // Behind "the" stands one of the last words of the text, which are all rare.
      REQUIRE((drawn.target(i) == kNone) == (drawn.spelled(i) == "the"));
    }
  }
  CHECK(rare > 0);
}

TEST_CASE("text: characters are what readers see, and white space is one sign", "[core][learn]") {
  const auto task = make_text_task("\xEF\xBB\xBF" + repeated("née  \n\tk\xCC\x81k🇫🇷\r\n", 30), Unit::character);
  const TaskInfo& info = task->info();
  CHECK(info.shape.length == 48);
  CHECK(info.words.size() == 7);
  for (const Baseline& baseline : info.baselines) CHECK_THAT(baseline.how, !Contains("word"));
  for (const char* one : {"n", "é", "e", "␣", "k\xCC\x81", "k", "🇫🇷"}) {
    INFO(one);
    CHECK(info.words.find(one) != Vocabulary::kNone);
  }
  const std::vector<std::string> line = {"n", "é", "e", "␣", "k\xCC\x81", "k", "🇫🇷", "␣"};
  Drawn drawn(*task);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    drawn.draw(seed);
    std::size_t at = 0;
    while (line[at] != drawn.spelled(0) || line[(at + 1) % 8] != drawn.spelled(1)) REQUIRE(++at < 8);
    for (Index i = 0; i < drawn.length(); ++i)
      REQUIRE(drawn.spelled(i) == line[(at + static_cast<std::size_t>(i)) % 8]);
  }
}

TEST_CASE("text: baselines are those of its frequencies", "[core][learn]") {
  // By hand: a and b in turn, 200 words, 180 learned from; behind 90 a's a b, behind 89 b's an a; kept: 10 b, 9 a.
  const auto task = make_text_task(repeated("a b ", 100), Unit::word);
  const TaskInfo& info = task->info();
  const double b = 91.0 / 181, a = 90.0 / 181;
  CHECK(baseline_of(info, "guessing").loss == Approx(std::log(2)));
  CHECK(baseline_of(info, "single frequencies").accuracy == Approx(10.0 / 19));
  CHECK(baseline_of(info, "single frequencies").loss == Approx(-(10 * std::log(b) + 9 * std::log(a)) / 19));
  CHECK(baseline_of(info, "pair frequencies").accuracy == 1);
  CHECK(baseline_of(info, "pair frequencies").loss ==
        Approx(-(10 * std::log((90 + b) / 91) + 9 * std::log((89 + a) / 90)) / 19));
  CHECK(baseline_of(info, "pairs by heart").loss == Approx(0).margin(1e-12));
  CHECK(baseline_of(info, "pairs by heart").accuracy == 1);
}

TEST_CASE("text: baselines once more, from the words themselves", "[core][learn]") {
  Random random(3);
  std::string text;
  const std::vector<std::string> pool = {"the", "cat", "sat", "on", "mat", ",", "and", "then", "it", "slept"};
  for (int k = 0; k < 3000; ++k) text += pool[static_cast<std::size_t>(random.uniform() * random.uniform() * 10)] + " ";
  const auto task = make_text_task(text, Unit::word);
  const std::vector<std::string> words = tokenize(text);
  const std::size_t learned = words.size() - words.size() / 10;
  std::map<std::string, double> singles, contexts;
  std::map<std::pair<std::string, std::string>, double> pairs;
  for (std::size_t i = 0; i + 1 < learned; ++i) {
    singles[words[i + 1]] += 1, contexts[words[i]] += 1;
    pairs[{words[i], words[i + 1]}] += 1;
  }
  const auto n = static_cast<double>(learned - 1), V = static_cast<double>(task->info().answers.size());
  double single = 0, pair = 0, by_heart = 0, count = 0;
  for (const auto& [both, times] : pairs) by_heart -= times / n * std::log(times / contexts[both.first]);
  for (std::size_t i = learned; i + 1 < words.size(); ++i) {
    const double one = (singles[words[i + 1]] + 1) / (n + V);
    single -= std::log(one), count += 1;
    pair -= std::log((pairs[{words[i], words[i + 1]}] + one) / (contexts[words[i]] + 1));
  }
  CHECK(baseline_of(task->info(), "single frequencies").loss == Approx(single / count));
  CHECK(baseline_of(task->info(), "pair frequencies").loss == Approx(pair / count).epsilon(1e-6));
  CHECK(baseline_of(task->info(), "pairs by heart").loss == Approx(by_heart).epsilon(1e-6));
}

TEST_CASE("text: what cannot be learned from is refused, a sentence each", "[core][learn]") {
  CHECK_THROWS_WITH(make_text_task("", Unit::word), fault_at("the text", "0 words", "at least 100"));
  CHECK_THROWS_WITH(make_text_task(numbered(99), Unit::word), fault_at("the text", "99 words", "at least 100"));
  CHECK_NOTHROW(make_text_task(numbered(100), Unit::word));
  CHECK_THROWS_WITH(make_text_task("too short", Unit::character), fault_at("the text", "9 characters", "at least 100"));
  CHECK_THROWS_WITH(make_text_task(repeated("a ", 200), Unit::word), fault_at("the text", "repeats one of its words"));
  CHECK_THROWS_WITH(make_text_task(repeated("a", 200), Unit::character),
                    fault_at("the text", "repeats one of its characters"));
  CHECK_THROWS_WITH(make_text_task(repeated("… ", 200), Unit::word), fault_at("the text", "repeats one of its words"));
  CHECK_THROWS_WITH(make_text_task(numbered(100) + "\xFF", Unit::word), fault_at("byte 390", "UTF-8"));
  CHECK_THROWS_WITH(make_text_task(numbered(100) + "\xFF", Unit::character), fault_at("byte 390", "UTF-8"));
  CHECK_THROWS_WITH(make_text_task(std::string((1u << 20) + 1, 'a'), Unit::word),
                    fault_at("the text", "1048577 bytes"));
  CHECK_THROWS_WITH(make_text_task(numbered(600), Unit::word),
                    fault_at("the text", "600 different words", "42 %", "ask for characters"));
  CHECK_THROWS_WITH(make_text_task(repeated("a b ", 400) + numbered(400), Unit::word),
                    fault_at("the text", "last tenth"));
  CHECK_THROWS_AS(make_text_task(std::string(100000, 'x') + " " + numbered(100), Unit::word), InputError);
}
