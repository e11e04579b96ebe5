#include "core/text/annotated.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/error.h"
#include "core/text/lexicon.h"
#include "core/text/tokenizer.h"
#include "tests/support/faults.h"

using namespace hydra;
using test::fault_at;

namespace {

const std::vector<GoldPair>& gold(const AnnotatedSentence& sentence, Relation relation) {
  return sentence.gold[static_cast<std::size_t>(relation)];
}

const AnnotatedSentence& titled(const std::string& title) {
  for (const AnnotatedSentence& each : standard_sentences().sentences)
    if (each.title == title) return each;
  FAIL("no sentence is titled " << title);
  throw std::logic_error("not reached");
}

std::string fault(const std::string& json) {
  try {
    parse_annotated(json, "own.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// A file for "The cat saw the dog" with these relations, and what else.
std::string file(const std::string& relations, const std::string& more = "") {
  return R"({"title": "T", "sentence": "The cat saw the dog", "relations": )" + relations + more + "}";
}

bool has(const std::vector<std::string>& tokens, const std::string& sentence) { return tokens == tokenize(sentence); }

}  // namespace

TEST_CASE("annotated: at least 24 sentences ship, without a fault", "[core][annotated]") {
  const AnnotatedSet& set = standard_sentences();
  CHECK(set.sentences.size() >= 24);
  CHECK(set.faults.empty());
  std::set<std::string> titles;
  std::array<int, kRelations> count{};
  for (const AnnotatedSentence& each : set.sentences) {
    INFO(each.title);
    CHECK(titles.insert(each.title).second);
    CHECK_FALSE(each.group.empty());
    for (std::size_t k = 0; k < kRelations; ++k) count[k] += each.gold[k].empty() ? 0 : 1;
  }
  for (std::size_t k = 0; k < kRelations; ++k) {
    INFO(relations()[k].key);
    CHECK(count[k] >= 3);  // no relation rests on one example
  }
}

TEST_CASE("annotated: the sentences of the sources are among them", "[core][annotated]") {
  for (const char* sentence :
       {"The animal didn't cross the street because it was too tired.",
        "The animal didn't cross the street because it was too wide.", "The cat sat on the mat because it was soft.",
        "The teacher gave the students their homework.", "The cat that I adopted sleeps.",
        "The horse crossed the road because it was tired.", "The cat sat on the"}) {
    INFO(sentence);
    const AnnotatedSentence* found = find_annotated(standard_sentences().sentences, tokenize(sentence));
    REQUIRE(found != nullptr);
    CHECK(found->sentence == sentence);
    CHECK(has(found->tokens, sentence));
  }
  CHECK(find_annotated(standard_sentences().sentences, {"The", "cat"}) == nullptr);
}

TEST_CASE("annotated: every word is in the lexicon", "[core][annotated]") {
  for (const AnnotatedSentence& each : standard_sentences().sentences)
    for (const std::string& token : each.tokens) {
      INFO(each.title << ": " << token);
      CHECK(Lexicon::standard().knows(token));
    }
}

TEST_CASE("annotated: marks are inside their sentence and join words of the right class", "[core][annotated]") {
  const Lexicon& lexicon = Lexicon::standard();
  const auto is = [&](const AnnotatedSentence& s, int token, const char* feature) {
    return has_feature(lexicon.look_up(s.tokens[static_cast<std::size_t>(token)]).features, lexicon.feature(feature));
  };
  for (const AnnotatedSentence& each : standard_sentences().sentences) {
    const int n = static_cast<int>(each.tokens.size());
    for (std::size_t k = 0; k < kRelations; ++k)
      for (const auto& [from, to] : each.gold[k]) {
        INFO(each.title << ", " << relations()[k].key << ": " << from << " " << to);
        REQUIRE((from >= 0 && from < n && to >= 0 && to < n && from != to));
        const bool noun = is(each, to, "noun"), pronoun = is(each, to, "pronoun");
        switch (relations()[k].relation) {
          case Relation::coreference:
            CHECK((is(each, from, "pronoun") && noun));
            break;
          case Relation::subject_verb:
            CHECK((is(each, from, "verb") || is(each, from, "auxiliary")));
            CHECK((noun || pronoun));
            break;
          case Relation::verb_object:
            CHECK((is(each, from, "verb") && (noun || pronoun)));
            break;
          case Relation::adjective_noun:
            CHECK((is(each, from, "adjective") && noun));
            break;
          case Relation::determiner_noun:
            CHECK((is(each, from, "determiner") && noun && to > from));
            break;
          case Relation::relative_clause:
            CHECK((is(each, from, "relative") || is(each, from, "verb")));
            CHECK((noun && to < from));
            break;
          case Relation::negation:
            CHECK(is(each, from, "negation"));
            break;
          case Relation::same_word:
            break;  // below
          case Relation::similar_meaning:
            CHECK((is(each, from, "noun") && noun));
            break;
        }
      }
  }
}

TEST_CASE("annotated: same-word marks are the real repetitions", "[core][annotated]") {
  const Lexicon& lexicon = Lexicon::standard();
  for (const AnnotatedSentence& each : standard_sentences().sentences) {
    INFO(each.title);
    std::vector<GoldPair> pairs;
    for (std::size_t i = 0; i < each.tokens.size(); ++i)
      for (std::size_t j = 0; j < each.tokens.size(); ++j)
        if (i != j && lower_case(each.tokens[i]) == lower_case(each.tokens[j]) &&
            !has_feature(lexicon.look_up(each.tokens[i]).features, lexicon.feature("punctuation")))
          pairs.push_back({static_cast<int>(i), static_cast<int>(j)});
    CHECK(gold(each, Relation::same_word) == pairs);
  }
}

TEST_CASE("annotated: similar meanings are marked in both directions, and wherever two nouns are of a kind",
          "[core][annotated]") {
  const Lexicon& lexicon = Lexicon::standard();
  const auto kind = [&](const std::string& token) -> std::string {
    const FeatureSet set = lexicon.look_up(token).features;
    if (!has_feature(set, lexicon.feature("noun"))) return "";
    for (const char* name : {"human", "animate", "vehicle", "place", "food", "furnishing"})
      if (has_feature(set, lexicon.feature(name))) return name;
    return "";
  };
  for (const AnnotatedSentence& each : standard_sentences().sentences) {
    INFO(each.title);
    std::vector<GoldPair> pairs;
    for (std::size_t i = 0; i < each.tokens.size(); ++i)
      for (std::size_t j = 0; j < each.tokens.size(); ++j)
        if (i != j && !kind(each.tokens[i]).empty() && kind(each.tokens[i]) == kind(each.tokens[j]))
          pairs.push_back({static_cast<int>(i), static_cast<int>(j)});
    CHECK(gold(each, Relation::similar_meaning) == pairs);
  }
}

TEST_CASE("annotated: every verb, adjective and determiner has its mark", "[core][annotated]") {
  const Lexicon& lexicon = Lexicon::standard();
  const std::pair<const char*, Relation> kept[] = {{"verb", Relation::subject_verb},
                                                   {"auxiliary", Relation::subject_verb},
                                                   {"adjective", Relation::adjective_noun},
                                                   {"determiner", Relation::determiner_noun}};
  std::set<std::string> unmarked;
  for (const AnnotatedSentence& each : standard_sentences().sentences)
    for (std::size_t i = 0; i < each.tokens.size(); ++i)
      for (const auto& [feature, relation] : kept) {
        if (!has_feature(lexicon.look_up(each.tokens[i]).features, lexicon.feature(feature))) continue;
        const std::vector<GoldPair>& pairs = gold(each, relation);
        const auto from_here = [i](const GoldPair& pair) { return pair.from == static_cast<int>(i); };
        if (std::none_of(pairs.begin(), pairs.end(), from_here)) unmarked.insert(each.title + ": " + each.tokens[i]);
      }
  CHECK(unmarked == std::set<std::string>{"The cat sat on the: the"});  // its noun is the next word
}

TEST_CASE("annotated: the twins are marked apart, with the reason why one layer cannot tell", "[core][annotated]") {
  const AnnotatedSentence &tired = titled("The animal was tired"), &wide = titled("The street was wide");
  CHECK(gold(tired, Relation::coreference) == std::vector<GoldPair>{{7, 1}});
  CHECK(gold(wide, Relation::coreference) == std::vector<GoldPair>{{7, 5}});
  for (const AnnotatedSentence* each : {&tired, &wide}) {
    CHECK(each->unresolved[0].find("same ratio") != std::string::npos);
    for (std::size_t k = 1; k < kRelations; ++k) CHECK(each->unresolved[k].empty());
  }
  CHECK(gold(tired, Relation::adjective_noun) == std::vector<GoldPair>{{10, 1}});
  CHECK(gold(wide, Relation::adjective_noun) == std::vector<GoldPair>{{10, 5}});
}

TEST_CASE("annotated: a word that occurs more than once is counted from 1, in capitals or not", "[core][annotated]") {
  const AnnotatedSentence sentence =
      parse_annotated(file(R"({"determiner-noun": [["the@2", "DOG"], ["THE@1", "cat@1"]]})"), "own.json");
  CHECK(gold(sentence, Relation::determiner_noun) == std::vector<GoldPair>{{0, 1}, {3, 4}});  // sorted
  CHECK(sentence.group == "Other");
  CHECK(sentence.note.empty());
  const AnnotatedSentence mark =
      parse_annotated(R"({"title": "T", "sentence": "a @ b", "relations": {"negation": [["@", "b"]]}})", "own.json");
  CHECK(gold(mark, Relation::negation) == std::vector<GoldPair>{{1, 2}});
}

TEST_CASE("annotated: a broken file is one sentence with file, place and remedy", "[core][annotated]") {
  const std::string place = "own.json: /relations/coreference";
  CHECK(fault(file("{}")).empty());
  CHECK_THAT(fault(file(R"({"coreference": [["the", "cat"]]})")), fault_at(place + "/0/0", "occurs 2 times"));
  CHECK_THAT(fault(file(R"({"coreference": [["cat", "dog"], ["cat", "mouse"]]})")),
             fault_at(place + "/1/1", "\"mouse\""));
  CHECK_THAT(fault(file(R"({"coreference": [["cat@2", "dog"]]})")), fault_at(place + "/0/0", "\"cat\" occurs 1 time"));
  CHECK_THAT(fault(file(R"({"coreference": [["cat", "cat"]]})")), fault_at(place + "/0", "to itself"));
  CHECK_THAT(fault(file(R"({"coreference": [["cat", "dog"], ["cat@1", "dog"]]})")), fault_at(place + "/1", "twice"));
  CHECK_THAT(fault(file(R"({"coreference": [["cat"]]})")), fault_at(place + "/0", "a pair of words"));
  CHECK_THAT(fault(file(R"({"subject-vrb": []})")), fault_at("own.json: /relations/subject-vrb", "not known"));
  CHECK_THAT(fault(file("{}", R"(, "unresolved": {"negation": "why"})")),
             fault_at("own.json: /unresolved/negation", "a relation without a mark"));
  CHECK_THAT(fault(R"({"title": "T"})"), fault_at("own.json: /sentence", "missing"));
  CHECK_THAT(fault(R"({"title": " ", "sentence": "A b"})"), fault_at("own.json: /title", "empty"));
  CHECK_THAT(fault(" "), fault_at("own.json", "empty"));
  std::string words;
  for (int k = 0; k < 1025; ++k) words += "a ";
  CHECK_THAT(fault(R"({"title": "T", "sentence": ")" + words + "\"}"), fault_at("own.json: /sentence", "1025 tokens"));
  CHECK_THAT(fault("[]"), fault_at("own.json: the file", "object"));
  CHECK_THAT(fault(R"({"title": "T",)"), fault_at("own.json: line 1, column 15", "the text ends"));
}

TEST_CASE("annotated: a folder's broken files are named and skipped, the others load in order", "[core][annotated]") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("hydrascope_annotated_" + std::to_string(std::rand()));
  fs::create_directories(folder);
  const auto put = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  put("b.json", R"({"title": "B", "sentence": "B b"})");
  put("a.json", R"({"title": "A", "sentence": "A b"})");
  put("broken.json", R"({"title": "C", "sentence": "C d", "relations": {"negation": [["x", "d"]]}})");
  put("notes.txt", "not a sentence");
  const AnnotatedSet set = read_annotated_folder(folder.string());
  fs::remove_all(folder);
  REQUIRE(set.sentences.size() == 2);
  CHECK(set.sentences[0].title == "A");
  CHECK(set.sentences[1].title == "B");
  REQUIRE(set.faults.size() == 1);
  CHECK(set.faults[0].starts_with((folder / "broken.json").string() + ": /relations/negation/0/0 names \"x\""));
  const AnnotatedSet none = read_annotated_folder((folder / "absent").string());
  CHECK((none.sentences.empty() && none.faults.empty()));
}

TEST_CASE("annotated: a teacher's own files are in the data folder", "[core][annotated]") {
  const char *data = std::getenv("XDG_DATA_HOME"), *home = std::getenv("HOME");
  const std::string old_data = data == nullptr ? "" : data, old_home = home == nullptr ? "" : home;
  setenv("XDG_DATA_HOME", "/data", 1);
  CHECK(own_sentences_folder() == "/data/hydrascope/sentences");
  setenv("XDG_DATA_HOME", "relative", 1);  // to be ignored, by the base directory specification
  setenv("HOME", "/home/someone", 1);
  CHECK(own_sentences_folder() == "/home/someone/.local/share/hydrascope/sentences");
  unsetenv("XDG_DATA_HOME");
  unsetenv("HOME");
  CHECK(own_sentences_folder().empty());
  if (data != nullptr) setenv("XDG_DATA_HOME", old_data.c_str(), 1);
  if (home != nullptr) setenv("HOME", old_home.c_str(), 1);
}
