// Words with named grammatical and semantic features, and how common they are. Made by hand: assets/lexicon.json,
//
//   {"features": [{"name": "any", "group": "grammar", "gloss": "Every token has it, ..."}, ...],
//    "words": {"keys": {"features": "noun plural object", "zipf": 4.5}, ...}}
//
// The first feature is the constant one: every word has it without being given it.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hydra {

// Feature k of the lexicon is bit k.
using FeatureSet = std::uint64_t;
constexpr FeatureSet feature_bit(int feature) { return FeatureSet{1} << feature; }
constexpr bool has_feature(FeatureSet set, int feature) { return (set >> feature & 1) != 0; }

struct Feature {
  std::string name;   // "pronoun", "can-be-tired"
  std::string gloss;  // one line: what a word with it is or does
  enum class Group { grammar, meaning } group = Group::grammar;
};

struct WordFeatures {
  FeatureSet features = 0;
  // Base-10 logarithm of uses per thousand million words, estimated by hand in halves: 7.5 "the"; guessed words 2.
  float zipf = 0;
  bool guessed = false;    // not in the lexicon: features from the word's shape, the rarest
  bool corrected = false;  // the document gives the features
  bool operator==(const WordFeatures&) const = default;
};

// What a document says of words itself: lower-case spelling -> features.
using WordCorrections = std::map<std::string, FeatureSet>;

class Lexicon {
 public:
  // Throws InputError with one sentence naming the place. At most 64 features.
  static Lexicon parse(std::string_view json, const std::string& name);
  static const Lexicon& standard();  // the one that ships

  const std::vector<Feature>& features() const { return features_; }  // most needed first: what narrow models keep
  int feature(std::string_view name) const;                           // its place, -1 when there is none
  std::size_t size() const { return words_.size(); }
  bool knows(std::string_view token) const;
  // Case does not matter. Unknown words get features from their shape: endings, digits, marks, capital letters.
  WordFeatures look_up(std::string_view token, const WordCorrections& corrections = {}) const;
  std::vector<std::string> words() const;  // sorted

 private:
  std::vector<Feature> features_;
  std::map<std::string, WordFeatures, std::less<>> words_;
};

// What a word is known by: lower case, and a straight apostrophe for the typographic one ("Didn’t" is "didn't").
std::string word_key(std::string_view token);
std::string lower_case(std::string_view word);  // A-Z and Latin-1/Greek/Cyrillic capitals; other scripts stay

}  // namespace hydra
