#include "core/text/lexicon.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/error.h"
#include "tests/support/faults.h"

using namespace hydra;
using test::fault_at;

namespace {

bool is(std::string_view token, const char* feature) {
  const Lexicon& lexicon = Lexicon::standard();
  const int k = lexicon.feature(feature);
  INFO(token << " " << feature);
  REQUIRE(k >= 0);
  return has_feature(lexicon.look_up(token).features, k);
}

// The features of a token, by name, without the constant one.
std::set<std::string> features_of(std::string_view token, const WordCorrections& corrections = {}) {
  const Lexicon& lexicon = Lexicon::standard();
  const FeatureSet set = lexicon.look_up(token, corrections).features;
  std::set<std::string> names;
  for (std::size_t k = 1; k < lexicon.features().size(); ++k)
    if (has_feature(set, static_cast<int>(k))) names.insert(lexicon.features()[k].name);
  return names;
}

std::string lexicon_fault(std::string_view json) {
  try {
    Lexicon::parse(json, "words.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

using Names = std::set<std::string>;

}  // namespace

TEST_CASE("lexicon: at least 250 words, and a gloss for every feature", "[core][lexicon]") {
  const Lexicon& lexicon = Lexicon::standard();
  CHECK(lexicon.size() >= 250);
  CHECK(lexicon.words().size() == lexicon.size());
  std::set<std::string> names;
  for (const Feature& feature : lexicon.features()) {
    INFO(feature.name);
    CHECK(feature.gloss.size() > 20);
    CHECK(feature.gloss.back() == '.');
    CHECK(names.insert(feature.name).second);
  }
  for (const char* name :
       {"determiner",  "noun",        "verb",           "auxiliary",   "pronoun", "adjective", "adverb", "preposition",
        "conjunction", "punctuation", "complementizer", "negation",    "animate", "human",     "place",  "object",
        "plural",      "past",        "can-be-tired",   "can-be-wide", "soft",    "vehicle"})
    CHECK(names.contains(name));
}

TEST_CASE("lexicon: every word has a feature, the constant one, and a frequency in halves", "[core][lexicon]") {
  const Lexicon& lexicon = Lexicon::standard();
  CHECK(lexicon.feature("any") == 0);
  FeatureSet used = 0;
  for (const std::string& word : lexicon.words()) {
    INFO(word);
    const WordFeatures entry = lexicon.look_up(word);
    CHECK(has_feature(entry.features, 0));
    CHECK(entry.features != feature_bit(0));
    CHECK(2 * entry.zipf == static_cast<float>(static_cast<int>(2 * entry.zipf)));
    CHECK(entry.zipf > lexicon.look_up("zebrafinch").zipf);
    CHECK(entry.zipf <= 7.5f);
    CHECK_FALSE(entry.guessed);
    used |= entry.features;
  }
  CHECK(used == (FeatureSet{1} << lexicon.features().size()) - 1);  // no feature without a word
}

TEST_CASE("lexicon: case and the form of the apostrophe do not matter", "[core][lexicon]") {
  const Lexicon& lexicon = Lexicon::standard();
  CHECK(lexicon.look_up("The") == lexicon.look_up("the"));
  CHECK(lexicon.look_up("Didn’t") == lexicon.look_up("didn't"));
  CHECK(lexicon.knows("ANIMAL"));
  CHECK_FALSE(lexicon.knows("quokka"));
  CHECK(is("it", "pronoun"));
  CHECK(is("keys", "plural"));
  CHECK_FALSE(is("keys", "singular"));
  CHECK(is("street", "can-be-wide"));
  CHECK_FALSE(is("street", "can-be-tired"));
}

TEST_CASE("lexicon: unknown words get features from their shape, marked as guessed", "[core][lexicon]") {
  CHECK(features_of("happily") == Names{"adverb"});
  CHECK(features_of("painted") == Names{"verb", "past", "transitive"});  // known
  CHECK(features_of("sculpted") == Names{"verb", "past"});
  CHECK(features_of("sculpting") == Names{"verb"});
  CHECK(features_of("quokkas") == Names{"noun", "plural"});
  CHECK(features_of("glass") == Names{"noun", "singular"});
  CHECK(features_of("Quokkas") == Names{"noun", "singular", "name"});
  CHECK(features_of("Äthiopien") == Names{"noun", "singular", "name"});
  CHECK(features_of("1,000") == Names{"number"});
  CHECK(features_of("shan't") == Names{"auxiliary", "negation"});
  CHECK(features_of("…") == Names{"punctuation"});
  CHECK(features_of("日") == Names{"noun", "singular"});
  CHECK(features_of("bed") == Names{"noun", "singular", "object", "furnishing", "soft"});  // known; no past tense
  CHECK(features_of("shed") == Names{"noun", "singular"});                                 // too short for an ending
  const WordFeatures guess = Lexicon::standard().look_up("quokka");
  CHECK(guess.guessed);
  CHECK_FALSE(guess.corrected);
  CHECK(has_feature(guess.features, 0));
}

TEST_CASE("lexicon: a document's corrections come first", "[core][lexicon]") {
  const Lexicon& lexicon = Lexicon::standard();
  const int verb = lexicon.feature("verb"), past = lexicon.feature("past");
  const WordCorrections corrections = {{"shed", feature_bit(verb) | feature_bit(past)}, {"cat", feature_bit(verb)}};
  CHECK(features_of("Shed", corrections) == Names{"verb", "past"});
  CHECK(features_of("cat", corrections) == Names{"verb"});
  const WordFeatures entry = lexicon.look_up("shed", corrections);
  CHECK(entry.corrected);
  CHECK_FALSE(entry.guessed);
  CHECK(has_feature(entry.features, 0));
  CHECK(lexicon.look_up("cat", corrections).zipf == lexicon.look_up("cat").zipf);
  CHECK_FALSE(lexicon.look_up("dog", corrections).corrected);
}

TEST_CASE("lexicon: a broken file is one sentence with its place", "[core][lexicon]") {
  const std::string any = R"({"features": [{"name": "any", "gloss": "Every token."}], )";
  CHECK(lexicon_fault(any + R"("words": {"cat": {"features": "", "zipf": 5}}})").empty());
  CHECK_THAT(lexicon_fault(any + R"("words": {"cat": {"features": "furry", "zipf": 5}}})"),
             fault_at("words.json: /words/cat/features", "furry"));
  CHECK_THAT(lexicon_fault(any + R"("words": {"Cat": {"features": "", "zipf": 5}}})"),
             fault_at("words.json: /words/Cat", "lower case"));
  CHECK_THAT(lexicon_fault(any + R"("words": {"cat": {"features": ""}}})"),
             fault_at("words.json: /words/cat", "features and zipf"));
  CHECK_THAT(lexicon_fault(any + R"("words": {"cat": {"features": "", "zipf": "often"}}})"),
             fault_at("words.json: /words/cat/zipf", "finite number"));
  CHECK_THAT(lexicon_fault(R"({"words": {}})"), fault_at("words.json: the lexicon", "features and words"));
  CHECK_THAT(lexicon_fault(R"({"features": [], "words": {}})"), fault_at("words.json: /features", "from 1 to 64"));
  CHECK_THAT(lexicon_fault(R"({"features": [{"name": "any"}], "words": {}})"),
             fault_at("words.json: /features/0", "a name and a gloss"));
  CHECK_THAT(lexicon_fault(R"({"features": [{"name": "a", "gloss": "x"}, {"name": "a", "gloss": "y"}], "words": {}})"),
             fault_at("words.json: /features/1/name", "an earlier feature"));
}

TEST_CASE("lexicon: lower case of Latin, Greek and Cyrillic, broken bytes stay", "[core][lexicon]") {
  CHECK(lower_case("ABC Äß×Þ") == "abc äß×þ");
  CHECK(lower_case("ΑΣΩ ΆΈΉΊΌΎΏ") == "ασω άέήίόύώ");
  CHECK(lower_case("ЖЯЁ") == "жяё");
  CHECK(lower_case("日本") == "日本");
  CHECK(lower_case("A\xFF\x80Z") == "a\xFF\x80z");
}

TEST_CASE("lexicon: a word is known by its small letters and straight apostrophes", "[core][lexicon]") {
  CHECK(word_key("Didn’t") == "didn't");
  CHECK(word_key("’tis’’") == "'tis''");
  CHECK(word_key("É") == "é");
  CHECK(word_key("").empty());
}
