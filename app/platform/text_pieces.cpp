#include "app/platform/text_pieces.h"

#include <algorithm>

#include "core/files/utf8.h"
#include "core/text/clusters.h"
#include "core/text/code_range.h"

namespace hydra {

namespace {

constexpr int kLongest = 24;             // clusters of a piece
constexpr std::size_t kMostBytes = 400;  // where they are long ones

// Greek, Cyrillic, Armenian, Georgian, punctuation, symbols, Chinese, Japanese, Korean. Marks lie between and are asked
// for apart.
constexpr CodeRange kAlone[] = {
    {0x370, 0x58F},   {0x10A0, 0x10FF}, {0x1D00, 0x1DBF}, {0x1E00, 0x1FFF}, {0x2010, 0x2027},
    {0x2030, 0x205E}, {0x2070, 0x20CF}, {0x2100, 0x2BFF}, {0x2C60, 0x2C7F}, {0x2E00, 0x9FFF},
    {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFF01, 0xFFEF}, {0xFFFD, 0xFFFD},
};
constexpr CodeRange kRightToLeft[] = {
    {0x590, 0x65F},   {0x66D, 0x6EF},     {0x6FA, 0x8FF},     {0xFB1D, 0xFDFF},
    {0xFE70, 0xFEFE}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF},
};

bool is_digit(char32_t c) { return within(c, '0', '9') || within(c, 0x660, 0x669) || within(c, 0x6F0, 0x6F9); }
// What may stand inside a word from right to left, as the tokenizer joins it: digits, hyphens, apostrophes, points.
bool joins(char32_t c) {
  return is_digit(c) || c == '\'' || c == '"' || c == '-' || c == '.' || c == ',' || c == 0x2019 || c == 0x66B ||
         c == 0x66C;
}

class Cutter {
 public:
  Cutter(std::string_view text, const std::function<bool(std::string_view)>& has) : text_(text), has_(has) {}

  std::vector<TextPiece> cut() {
    while (at_ < text_.size()) {
      const Character first = decode(text_, at_);
      const std::size_t end = end_of_cluster(text_, at_);
      if (first.end == end && stands_alone(first.code)) {
        pieces_.push_back({text_.substr(at_, end - at_), true});
        at_ = end;
      } else if (is_right_to_left(first.code)) {
        right_to_left_word();
      } else {
        word(end_of_word(end));
      }
    }
    return std::move(pieces_);
  }

 private:
  bool shaped(std::size_t at, std::size_t end) const {
    const Character first = decode(text_, at);
    return !(first.end == end && stands_alone(first.code)) && !is_right_to_left(first.code);
  }
  // Emoji stand each for itself, so that a new one is one new picture.
  bool is_pictograph(std::size_t at) const { return decode(text_, at).code >= 0x1F000; }

  std::size_t end_of_word(std::size_t end) const {
    if (is_pictograph(at_)) return end;
    while (end < text_.size()) {
      const std::size_t next = end_of_cluster(text_, end);
      // A Latin letter with its marks is a word of its own, as its neighbours are drawn by themselves.
      if (!shaped(end, next) || is_pictograph(end) || decode(text_, at_).code < 0x590) break;
      end = next;
    }
    return end;
  }

  // The word's clusters and what joins them; digits behind it belong to it, and so do the dots it was cut off with.
  void right_to_left_word() {
    std::size_t end = at_;
    for (std::size_t next = at_; next < text_.size();) {
      const char32_t code = decode(text_, next).code;
      const bool letter = is_right_to_left(code);
      if (!letter && !joins(code)) break;
      next = end_of_cluster(text_, next);
      if (letter || is_digit(code)) end = next;
    }
    if (end < text_.size() && decode(text_, end).code == 0x2026) end = end_of_cluster(text_, end);
    const std::size_t first = pieces_.size();
    word(end);
    std::reverse(pieces_.begin() + static_cast<std::ptrdiff_t>(first), pieces_.end());
  }

  // The text up to end in logical order, without what no font has and cut where it is long.
  void word(std::size_t end) {
    std::size_t begin = at_;
    int clusters = 0;
    const auto put = [&](std::size_t until) {
      if (until > begin) pieces_.push_back({text_.substr(begin, until - begin), false});
      begin = until;
      clusters = 0;
    };
    while (at_ < end) {
      const std::size_t next = end_of_cluster(text_, at_);
      if (!has_(text_.substr(at_, next - at_))) {
        put(at_);
        for (; at_ < next; begin = at_) code_point();
      } else if (++clusters == kLongest || next - begin >= kMostBytes) {
        put(next);
      }
      at_ = next;
    }
    put(end);
  }

  void code_point() {
    const Character c = decode(text_, at_);
    const std::string_view text = text_.substr(at_, c.end - at_);
    pieces_.push_back({text, stands_alone(c.code)});
    at_ = c.end;
  }

  std::string_view text_;
  const std::function<bool(std::string_view)>& has_;
  std::size_t at_ = 0;
  std::vector<TextPiece> pieces_;
};

}  // namespace

bool stands_alone(char32_t c) { return c < 0x300 || (contains(kAlone, c) && !extends_cluster(c)); }
bool is_right_to_left(char32_t c) { return c >= 0x590 && contains(kRightToLeft, c); }

// Letters are as large as Inter's, whose em is 0.82 of its line; characters that fill their em, as ideographs do, may
// fill the line.
float em_share(char32_t code) {
  constexpr float kOfLetters = 0.84f, kOfIdeographs = 0.96f;
  const bool fills = within(code, 0x2E80, 0xD7FF) || within(code, 0xF900, 0xFAFF) || code >= 0xFF00;
  return fills ? kOfIdeographs : kOfLetters;
}

std::vector<TextPiece> pieces_of(std::string_view text, const std::function<bool(std::string_view)>& has) {
  return Cutter(text, has).cut();
}

}  // namespace hydra
