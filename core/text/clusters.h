// Clusters: what a reader takes for one character, whatever number of code points it has. Where text may be cut, and
// what its code points are.
#pragma once
#include <string>
#include <string_view>

namespace hydra {

// Where the cluster that begins at text[begin] ends: a code point with its marks, vowel signs, joiners and modifiers, a
// conjunct of Indic consonants, a syllable of Korean letters, two regional letters, a sequence of joined emoji. Bytes
// that are not UTF-8 are clusters of one byte. begin < text.size(). No script has longer ones than kLongestCluster (a
// letter with 30 marks is what Unicode asks programs to bear, UAX #15): what goes on is cut there, or one cluster could
// be a whole text, whose shaping takes time by the square of its length.
inline constexpr int kLongestCluster = 32;  // code points
std::size_t end_of_cluster(std::string_view text, std::size_t begin);

// Marks, joiners, variation selectors, modifiers and direction marks: what belongs to the code point before it.
bool extends_cluster(char32_t code);

bool is_combining_mark(char32_t code);  // general categories M*
bool is_regional(char32_t code);        // a letter two of which make a flag
constexpr char32_t kJoiner = 0x200D;    // makes one emoji of two

// Whether the text has characters of other scripts than Latin, or symbols such as emoji: anything beyond Latin letters,
// digits and general punctuation.
bool is_beyond_latin(std::string_view text);

// The characters in their logical order, each with its code points: "ש U+05E9, ל U+05DC". Long texts are cut after some
// characters.
std::string spelled_out(std::string_view text);

}  // namespace hydra
