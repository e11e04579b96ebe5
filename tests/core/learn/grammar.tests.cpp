#include <bit>
#include <catch2/catch.hpp>
#include <map>
#include <regex>
#include <set>

#include "tests/support/models/tasks.h"

using namespace hydra;
using namespace hydra::learn;
using namespace hydra::test;

// The forms once more, as patterns over whole sentences, and the classes of words: written down by themselves.
namespace {
constexpr Index kPrevious = 0, kEnd = 1, kSubject = 2, kAntecedent = 3, kDeciding = 4;

const std::string kMen = "(king|boy|uncle|actor|prince)", kWomen = "(queen|girl|aunt|nurse|princess)";
const std::string kThings = "(animal|cat|dog|robot|horse|street|river|road|bridge|forest)";
const std::string kMany = "(kings|queens|students|children|animals|cats|dogs|robots|keys|teachers)";
const std::string kNoun = "(?:" + kMen + "|" + kWomen + "|" + kThings + "|" + kMany + ")";
const std::string kQuality = "(red|small|old|happy|rusty)", kPreposition = "(near|behind|with|to)";
const std::string kPhrase = "the (" + kQuality + " )?" + kNoun;

const std::string kSees = kPhrase + " (" + kPreposition + " the " + kNoun +
                          " )?(sees|chases|loves|follows|helps|carries|see|chase|love|follow|help|carry) " + kPhrase +
                          " (because|while|when|but|so|and) (he is|she is|it is|they are) "
                          "(tired|hungry|scared|red|small|old|happy|rusty) [.!?]";
const std::string kGave = kPhrase + " gave " + kPhrase + " (his|her|its|their) (homework|book|hat|dinner) [.!?]";
const std::string kThat = kPhrase + " that i (adopted|found|met) (sleeps|runs|waits|sleep|run|wait) [.!?]";
const std::string kAre = kPhrase + " " + kPreposition + " " + kPhrase + " (is|are) " + kQuality + " [.!?]";
const std::string kCrossed =
    "the (animal|cat|dog|robot|horse) did not cross the (street|river|road|bridge|forest) because "
    "it was too (tired|hungry|scared|wide|long|deep) [.!?]";
const std::string kLifted = "the " + kNoun + " could not lift the " + kNoun +
                            " because (he was|she was|it was|they were) too (weak|feeble|tiny|heavy|huge|big) [.!?]";

// The words of "(a|b|c)".
std::set<std::string> words_in(const std::string& pattern) {
  std::set<std::string> words;
  std::istringstream text(pattern.substr(1, pattern.size() - 2));
  for (std::string word; std::getline(text, word, '|');) words.insert(word);
  return words;
}
bool is_one(const std::string& word, const std::string& pattern) {
  static std::map<std::string, std::set<std::string>> known;
  auto& words = known[pattern];
  if (words.empty()) words = words_in(pattern);
  return words.contains(word);
}

// m, f, n or p of a noun or a pronoun; ' ' of other words.
char class_of_word(const std::string& word) {
  if (is_one(word, kMen) || is_one(word, "(he|his)")) return 'm';
  if (is_one(word, kWomen) || is_one(word, "(she|her)")) return 'f';
  if (is_one(word, kThings) || is_one(word, "(it|its)")) return 'n';
  if (is_one(word, kMany) || is_one(word, "(they|their)")) return 'p';
  return ' ';
}
bool is_plural_verb(const std::string& word) {
  return is_one(word, "(see|chase|love|follow|help|carry|sleep|run|wait|are|were)");
}
bool is_singular_verb(const std::string& word) {
  return is_one(word, "(sees|chases|loves|follows|helps|carries|sleeps|runs|waits|is|was)");
}

std::string sentence_of(const Drawn& drawn) {
  std::string text;
  for (const std::string& token : drawn.tokens()) text += (text.empty() ? "" : " ") + token;
  return text;
}
Index place_of(std::uint64_t gold) { return std::countr_zero(gold); }

constexpr std::uint64_t kSentences = kSanitized ? 60 : 600;
}  // namespace

TEST_CASE("grammar: every sentence has one of its task's forms, which come as often as said", "[core][learn]") {
  struct Case {
    const char* key;
    std::map<std::string, double> shares;
  };
  const std::map<std::string, const std::string*> patterns = {{"sees", &kSees},       {"gave", &kGave},
                                                              {"that", &kThat},       {"are", &kAre},
                                                              {"crossed", &kCrossed}, {"lifted", &kLifted}};
  for (const Case& task_case :
       {Case{"grammar", {{"sees", 0.925}, {"gave", 0.025}, {"that", 0.025}, {"are", 0.025}}},
        Case{"pronoun", {{"sees", 0.7}, {"lifted", 0.3}}}, Case{"animal", {{"sees", 0.7}, {"crossed", 0.3}}}}) {
    INFO(task_case.key);
    const auto task = make_task(task_case.key);
    CHECK(task->info().words.size() == 107);
    std::vector<std::regex> forms;
    std::vector<double> counts, expected;
    for (const auto& [name, share] : task_case.shares) {
      forms.emplace_back(*patterns.at(name));
      counts.push_back(0);
      expected.push_back(share * static_cast<double>(kSentences));
    }
    Drawn drawn(*task);
    for (std::uint64_t seed = 0; seed < kSentences; ++seed) {
      drawn.draw(seed);
      const std::string text = sentence_of(drawn);
      INFO(text);
      int found = 0;
      for (std::size_t k = 0; k < forms.size(); ++k)
        if (std::regex_match(text, forms[k])) ++found, counts[k] += 1;
      REQUIRE(found == 1);
    }
    CHECK(surprise(counts, expected) < 5);
  }
}

TEST_CASE("grammar: each answer is the word at its place of gold, and what is asked follows from the sentence",
          "[core][learn]") {
  for (const char* key : {"grammar", "pronoun", "animal"}) {
    INFO(key);
    const auto task = make_task(key);
    Drawn drawn(*task);
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      drawn.draw(seed);
      const Index n = drawn.length();
      INFO(sentence_of(drawn));
      for (Index i = 0; i < n; ++i) {
        const std::string& word = drawn.spelled(i);
        for (Index q = 0; q < 4; ++q) {
          REQUIRE(std::popcount(drawn.gold(i, q)) == (drawn.target(i, q) == kNone ? 0 : 1));
          if (drawn.target(i, q) != kNone) REQUIRE(drawn.target(i, q) == drawn.word(place_of(drawn.gold(i, q))));
        }
        REQUIRE(drawn.gold(i, kPrevious) == (i == 0 ? 0 : std::uint64_t{1} << (i - 1)));
        REQUIRE(drawn.gold(i, kEnd) == (i == n - 1 ? 0 : std::uint64_t{1} << (n - 1)));
        const bool pronoun = is_one(word, "(he|she|it|they|his|her|its|their|that)");
        REQUIRE((drawn.gold(i, kAntecedent) != 0) == pronoun);
        if (pronoun) {
          const Index antecedent = place_of(drawn.gold(i, kAntecedent));
          REQUIRE(antecedent < i);
          if (word != "that") REQUIRE(class_of_word(drawn.spelled(antecedent)) == class_of_word(word));
          // The pronoun is asked for the subject of the sentence: its first noun.
          Index first = 0;
          while (class_of_word(drawn.spelled(first)) == ' ') ++first;
          REQUIRE(place_of(drawn.gold(i, kSubject)) == first);
        }
        // A verb agrees with its subject; only the verb behind a pronoun is not asked for one.
        if ((is_plural_verb(word) || is_singular_verb(word)) && drawn.gold(i, kSubject) != 0) {
          const char subject = class_of_word(drawn.spelled(place_of(drawn.gold(i, kSubject))));
          REQUIRE((subject == 'p') == is_plural_verb(word));
        }
        if (is_plural_verb(word) || is_singular_verb(word)) {
          const bool behind_pronoun = drawn.gold(i - 1, kAntecedent) != 0;
          REQUIRE((drawn.gold(i, kSubject) != 0) == !behind_pronoun);
          if (behind_pronoun) REQUIRE((class_of_word(drawn.spelled(i - 1)) == 'p') == is_plural_verb(word));
        }
        if (is_one(word, "(gave|did|cross|could|lift)")) REQUIRE(drawn.gold(i, kSubject) != 0);
        if (word == "i") REQUIRE(drawn.answer(i + 1, kSubject) == "i");
      }
    }
  }
}

TEST_CASE(
    "grammar: a pronoun means subject or object alike, the other noun is of another class, and what stands between "
    "is of the other number",
    "[core][learn]") {
  const auto task = make_task("grammar");
  Drawn drawn(*task);
  std::vector<double> meant(2, 0), between(2, 0), plural_subject(2, 0), ends(3, 0);
  for (Index seed = 0; seed < kManySequences; ++seed) {
    drawn.draw(static_cast<std::uint64_t>(seed));
    ends[static_cast<std::size_t>(drawn.target(0, kEnd) - task->info().words.find("."))] += 1;
    Index pronoun = 0;
    while (pronoun < drawn.length() && !(drawn.gold(pronoun, kAntecedent) != 0 && drawn.spelled(pronoun) != "that"))
      ++pronoun;
    if (pronoun == drawn.length()) continue;  // no pronoun in it
    const Index subject = place_of(drawn.gold(pronoun, kSubject)),
                antecedent = place_of(drawn.gold(pronoun, kAntecedent));
    std::vector<Index> nouns;
    for (Index i = 0; i < pronoun; ++i)
      if (class_of_word(drawn.spelled(i)) != ' ') nouns.push_back(i);
    REQUIRE(nouns.front() == subject);
    const char c1 = class_of_word(drawn.spelled(subject)), c2 = class_of_word(drawn.spelled(nouns.back()));
    REQUIRE(c1 != c2);
    REQUIRE((antecedent == subject || antecedent == nouns.back()));
    if (nouns.size() == 3) REQUIRE((class_of_word(drawn.spelled(nouns[1])) == 'p') == (c1 != 'p'));
    meant[antecedent == subject] += 1;
    plural_subject[c1 == 'p'] += 1;
    if (is_one(drawn.spelled(pronoun + 1), "(is|are)"))  // only in these sentences anything may stand between
      between[nouns.size() == 3] += 1;
  }
  CHECK(surprise_of_uniform(meant) < 5);
  CHECK(surprise_of_uniform(between) < 5);
  CHECK(surprise_of_uniform(ends) < 5);
  const double pronouns = meant[0] + meant[1];  // plural: .7 / 4 + .3
  CHECK(surprise(plural_subject, {0.525 * pronouns, 0.475 * pronouns}) < 5);
}

TEST_CASE("pronoun and animal: the adjective decides, and neither class nor place nor word tells without it",
          "[core][learn]") {
  struct Case {
    const char *key, *of_first;
  };
  for (const Case& task_case : {Case{"pronoun", "(weak|feeble|tiny)"}, Case{"animal", "(tired|hungry|scared)"}}) {
    INFO(task_case.key);
    const auto task = make_task(task_case.key);
    Drawn drawn(*task);
    std::map<std::string, std::vector<double>> by_noun;
    std::vector<double> meant(2, 0);
    for (Index seed = 0; seed < kManySequences; ++seed) {
      drawn.draw(static_cast<std::uint64_t>(seed));
      if (drawn.spelled(3) != "not") {
        for (Index i = 0; i < drawn.length(); ++i) REQUIRE(drawn.gold(i, kDeciding) == 0);
        continue;
      }
      INFO(sentence_of(drawn));
      const Index pronoun = 8, adjective = 11;
      for (Index i = 0; i < drawn.length(); ++i)
        REQUIRE(drawn.gold(i, kDeciding) == (i == pronoun ? std::uint64_t{1} << adjective : 0));
      const bool first = is_one(drawn.spelled(adjective), task_case.of_first);
      REQUIRE(place_of(drawn.gold(pronoun, kAntecedent)) == (first ? 1 : 6));
      REQUIRE(drawn.word(1) != drawn.word(6));
      REQUIRE(class_of_word(drawn.spelled(1)) == class_of_word(drawn.spelled(6)));
      meant[first] += 1;
      auto& noun = by_noun[drawn.spelled(1)];
      noun.resize(2, 0);
      noun[first] += 1;
    }
    CHECK(surprise_of_uniform(meant) < 5);
    for (const auto& [noun, counts] : by_noun) {
      INFO(noun);
      CHECK(surprise_of_uniform(counts) < 5);
    }
    const Baseline& coin = baseline_of(task->info(), "without the adjective", kAntecedent, kDeciding);
    CHECK(coin.accuracy == 0.5);
  }
}

TEST_CASE("grammar: cheats reach what is said of them on sentences that nobody counted", "[core][learn]") {
  for (const char* key : {"grammar", "pronoun", "animal"}) {
    INFO(key);
    const auto task = make_task(key);
    const TaskInfo& info = task->info();
    Drawn drawn(*task);
    // Learned here once more, from other sentences and in another way: by the word alone for the end mark, which
    // nothing tells, and by the class for the antecedent.
    double ends = 0, asked = 0, antecedents = 0, by_class = 0;
    for (Index seed = 0; seed < kManySequences; ++seed) {
      drawn.draw(static_cast<std::uint64_t>(seed));
      ends += drawn.answer(0, kEnd) == "!";
      asked += 1;
      for (Index i = 0; i < drawn.length(); ++i) {
        if (drawn.target(i, kAntecedent) == kNone) continue;
        std::vector<std::string> fitting;
        for (Index j = 0; j < i; ++j)
          if (const char c = class_of_word(drawn.spelled(j));
              c != ' ' && (drawn.spelled(i) == "that" || c == class_of_word(drawn.spelled(i))))
            fitting.push_back(drawn.spelled(j));
        antecedents += 1;
        by_class += static_cast<double>(std::ranges::count(fitting, drawn.answer(i, kAntecedent))) /
                    static_cast<double>(fitting.size());
      }
    }
    CHECK(baseline_of(info, "best without looking", kEnd).accuracy == Approx(ends / asked).margin(0.04));
    CHECK(baseline_of(info, "best without looking", kEnd).accuracy == Approx(1.0 / 3).margin(0.01));
    CHECK(baseline_of(info, "class alone", kAntecedent).accuracy == Approx(by_class / antecedents).margin(0.02));
    // A pronoun's class has five nouns or ten, of which one is meant.
    CHECK(baseline_of(info, "best without looking", kAntecedent).accuracy < 0.2);
    CHECK(baseline_of(info, "best without looking").loss < baseline_of(info, "guessing").loss);
    CHECK(baseline_of(info, "guessing").loss == Approx(1.25 * std::log(107)));
  }
}

TEST_CASE("grammar: recipes are the measured ones", "[core][learn]") {
  const Recipe grammar = make_task("grammar")->info().recipe;
  CHECK(grammar.layers == 1);
  CHECK(grammar.heads == 4);
  CHECK(grammar.d_model == 64);
  CHECK(grammar.batch == 32);
  CHECK(grammar.steps == 1000);
  CHECK(grammar.optimizer.rate == 0.01);
  CHECK(grammar.optimizer.schedule == Schedule::cosine);
  CHECK(grammar.optimizer.decay == 0);
  CHECK(grammar.positions.kind == PositionRecipe::Kind::learned);
  CHECK(grammar.controls.noise == 1);
  CHECK(grammar.question_weights == std::vector<double>{2, 1, 1, 1});
  CHECK(grammar.by_question);
  Recipe pronoun = make_task("pronoun")->info().recipe;
  CHECK(pronoun.layers == 2);
  CHECK(pronoun.optimizer.kind == Optimizer::adamw);
  CHECK(pronoun.optimizer.rate == 0.005);
  CHECK(pronoun.optimizer.decay == 0.1);
  CHECK(pronoun.optimizer.decay_query_key_only);
  CHECK(pronoun.controls.noise == 0);
  CHECK((pronoun.positions == PositionRecipe{.kind = PositionRecipe::Kind::sinusoid, .base = 30, .scale = 1}));
  // The animal is the same model but for a layer: what differs is the sentence.
  pronoun.layers = 1;
  CHECK(make_task("animal")->info().recipe == pronoun);
}
