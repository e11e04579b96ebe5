#include "core/text/clusters.h"

#include <cstdio>

#include "core/files/utf8.h"
#include "core/text/marks.h"

namespace hydra {

namespace {

// The signs that take a consonant's vowel away, so that it joins the next: the blocks from Devanagari to Malayalam have
// it in one place. (Tamil and Telugu use it as a vowel killer that rarely joins; keeping the pair together harms
// nothing.)
bool is_virama(char32_t c) { return (within(c, 0x0900, 0x0D7F) && (c & 0x7F) == 0x4D) || c == 0x1039 || c == 0x17D2; }
bool is_indic_letter(char32_t c) {
  const char32_t place = c & 0x7F;  // the same in the blocks from Devanagari to Malayalam
  return (within(c, 0x0900, 0x0D7F) && (within(place, 0x05, 0x39) || within(place, 0x58, 0x61))) ||
         within(c, 0x1000, 0x102A) || within(c, 0x1780, 0x17B3);
}

// Korean letters that are written into one syllable: a beginning before a vowel, a vowel or an end behind it.
bool is_syllable_begin(char32_t c) { return within(c, 0x1100, 0x115F) || within(c, 0xA960, 0xA97C); }
bool is_syllable_rest(char32_t c) { return within(c, 0x1160, 0x11FF) || within(c, 0xD7B0, 0xD7FB); }
bool is_syllable(char32_t c) { return within(c, 0xAC00, 0xD7A3); }

// Whether the code point behind last, at which the cluster could end, still belongs to it.
bool goes_on(char32_t last, char32_t next) {
  if (next == Character::kNone) return false;
  if (extends_cluster(next)) return true;
  if (last == kJoiner) return next > 0x7F;
  if (is_virama(last)) return is_indic_letter(next);
  if (is_syllable_begin(last)) return is_syllable_begin(next) || is_syllable_rest(next) || is_syllable(next);
  return (is_syllable_rest(last) || is_syllable(last)) && is_syllable_rest(next);
}

}  // namespace

bool is_regional(char32_t c) { return within(c, 0x1F1E6, 0x1F1FF); }

bool is_combining_mark(char32_t c) { return c >= 0x300 && contains(kMarks, c); }

bool extends_cluster(char32_t c) {
  if (c < 0x300) return false;
  return is_combining_mark(c) || within(c, 0x200C, 0x200F) || within(c, 0x202A, 0x202E) || within(c, 0x2060, 0x2069) ||
         within(c, 0x1F3FB, 0x1F3FF) || within(c, 0xE0020, 0xE007F);
}

std::size_t end_of_cluster(std::string_view text, std::size_t begin) {
  const Character first = decode(text, begin);
  std::size_t end = first.end;
  if (first.code == Character::kNone) return end;
  char32_t last = first.code;
  bool flag = is_regional(first.code);
  for (int codes = 1; codes < kLongestCluster && end < text.size(); ++codes) {
    const Character next = decode(text, end);
    const bool completes_flag = flag && is_regional(next.code);
    if (!completes_flag && !goes_on(last, next.code)) break;
    flag = false;
    last = next.code;
    end = next.end;
  }
  return end;
}

bool is_beyond_latin(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Character c = decode(text, at);
    const bool latin = c.code < 0x300 || within(c.code, 0x1E00, 0x1EFF) || within(c.code, 0x2010, 0x205E) ||
                       within(c.code, 0x2C60, 0x2C7F);
    if (!latin) return true;
    at = c.end;
  }
  return false;
}

std::string spelled_out(std::string_view text) {
  constexpr int kMost = 24;
  std::string words;
  int clusters = 0;
  for (std::size_t at = 0; at < text.size(); ++clusters) {
    if (clusters == kMost) return words + " …";
    const std::size_t end = end_of_cluster(text, at);
    words += (at == 0 ? "" : ", ") + std::string(text.substr(at, end - at));
    while (at < end) {
      const Character c = decode(text, at);
      char name[16];
      std::snprintf(name, sizeof name, c.code == Character::kNone ? " not UTF-8" : " U+%04X",
                    static_cast<unsigned>(c.code));
      words += name;
      at = c.end;
    }
  }
  return words;
}

}  // namespace hydra
