#include "core/json/fault.h"

#include <algorithm>
#include <vector>

#include "core/files/utf8.h"
#include "core/json/json.h"

namespace hydra {

namespace {

constexpr const char* kValues = "a number, a \"string\", true, false, null, [ or {";

// Walks through the text as the grammar goes (RFC 8259) and stops at the first fault.
class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}

  std::string fault() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (fault_.empty() && step()) {
    }
    if (fault_.empty()) fail("this is no JSON");
    return line_and_column(text_, at_) + ": " + fault_;
  }

 private:
  enum class Needed { value, value_or_end, key, key_or_end, colon, comma, end };

  bool fail(std::string what) {
    fault_ = std::move(what);
    return false;
  }
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool in_object() const { return !open_.empty() && open_.back() == '{'; }

  // What stands here, up to the next mark: "NaN", "“a”", "'heads'", a whole string.
  std::string_view word() const {
    const bool quoted = here() == '"';
    std::size_t end = text_.find_first_of(quoted ? "\"\n" : " \t\r\n,:[]{}\"", at_ + 1);
    if (quoted && end < text_.size() && text_[end] == '"') ++end;
    const std::size_t first = decode(text_, at_).end;
    return text_.substr(at_, std::max(first, std::min(end, text_.size())) - at_);
  }
  std::string standing() const { return "here stands " + printable(word(), 40); }

  bool ended() {
    const std::string open = open_.empty() ? "" : std::string(", and its last ") + open_.back() + " is not closed";
    return fail("the text ends in the middle of the document" + open + "; it may have been cut off when it was copied");
  }

  bool step() {
    const std::size_t before = at_;
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    if (needed_ == Needed::end && at_ == text_.size()) return false;
    if (at_ == text_.size()) return ended();
    if (here() == '/' || here() == '#') return fail("here stands a comment, and JSON has none; leave it out");
    switch (needed_) {
      case Needed::value:
      case Needed::value_or_end:
        return value(before);
      case Needed::key:
      case Needed::key_or_end:
        return key(before);
      case Needed::colon:
        if (here() != ':') return fail(standing() + " where a colon is needed between the key and its value");
        return pass(Needed::value);
      case Needed::comma:
        return comma();
      default:
        return fail(standing() + " after the end of the document; nothing may follow it");
    }
  }

  bool pass(Needed next) {
    ++at_;
    needed_ = next;
    return true;
  }

  bool close() {
    open_.pop_back();
    return pass(open_.empty() ? Needed::end : Needed::comma);
  }

  // before: the end of the token before this one.
  bool trailing_comma(std::size_t before) {
    at_ = before - 1;
    return fail("a comma stands before the closing " + std::string(in_object() ? "}" : "]") +
                " where nothing follows; leave it out");
  }

  bool value(std::size_t before) {
    const char c = here();
    if (c == ']' && needed_ == Needed::value_or_end) return close();
    if (c == ']' && !open_.empty() && !in_object()) return trailing_comma(before);
    if (c == '{' || c == '[') {
      open_.push_back(c);
      return pass(c == '{' ? Needed::key_or_end : Needed::value_or_end);
    }
    const bool read = c == '"' ? string() : c == '-' || (c >= '0' && c <= '9') ? number() : name();
    if (read) needed_ = open_.empty() ? Needed::end : Needed::comma;
    return read;
  }

  bool key(std::size_t before) {
    if (here() == '}' && needed_ == Needed::key_or_end) return close();
    if (here() == '}') return trailing_comma(before);
    if (here() != '"') return fail(standing() + " where a key in double quotes is needed, such as \"heads\"");
    if (!string()) return false;
    needed_ = Needed::colon;
    return true;
  }

  bool comma() {
    if (here() == ',') return pass(in_object() ? Needed::key : Needed::value);
    if (here() == (in_object() ? '}' : ']')) return close();
    const char* wrong = in_object() ? " where a comma or the closing } is needed" : " where a comma or ] is needed";
    return fail(standing() + wrong);
  }

  bool string() {
    for (std::size_t k = at_ + 1; k < text_.size(); ++k) {
      const auto byte = static_cast<unsigned char>(text_[k]);
      if (byte == '"') {
        at_ = k + 1;
        return true;
      }
      if (byte == '\n' || byte == '\r')
        return fail(
            "the string that begins here is not closed on its line; end it with a double quote (\\n is a new "
            "line within it)");
      if (byte < 0x20) {
        at_ = k;
        return fail("a control character stands within a string; write it as \\t, \\n or \\u and four hex digits");
      }
      if (byte == '\\' && !escape(k)) return false;
    }
    at_ = text_.size();
    return ended();
  }

  static bool is_hex(std::string_view digits) {
    return digits.size() == 4 && digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  }

  // Four hex digits of a surrogate, D800 to DFFF; the second half of a pair from DC00 on.
  static bool is_half(std::string_view digits) { return (digits[0] | 0x20) == 'd' && digits[1] >= '8'; }
  static bool is_second_half(std::string_view digits) { return (digits[1] | 0x20) >= 'c'; }

  // At text_[k] stands a backslash; k moves to the last character of the escape.
  bool escape(std::size_t& k) {
    if (k + 1 >= text_.size()) {
      at_ = text_.size();
      return ended();
    }
    const char c = text_[k + 1];
    const std::string_view digits = text_.substr(std::min(k + 2, text_.size()), 4);
    const bool whole = c == 'u' ? is_hex(digits) : std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos;
    const bool half = whole && c == 'u' && is_half(digits);
    const std::string_view next = text_.substr(std::min(k + 8, text_.size()), 4);
    const bool paired = half && !is_second_half(digits) && text_.substr(std::min(k + 6, text_.size()), 2) == "\\u" &&
                        is_hex(next) && is_half(next) && is_second_half(next);
    if (!whole || (half && !paired)) {
      at_ = k;
      return fail(half ? "half of a character stands within a string: such \\u come in pairs"
                       : "a backslash stands within a string; write \\\\ for the backslash itself");
    }
    k += c != 'u' ? 1 : half ? 11 : 5;
    return true;
  }

  bool number() {
    std::size_t k = at_ + (here() == '-' ? 1 : 0);
    const auto digits = [&] {
      const std::size_t begin = k;
      while (k < text_.size() && text_[k] >= '0' && text_[k] <= '9') ++k;
      return k - begin;
    };
    const bool zero = k < text_.size() && text_[k] == '0';
    const std::size_t whole = digits();
    bool good = whole > 0 && (!zero || whole == 1);
    if (good && k < text_.size() && text_[k] == '.') ++k, good = digits() > 0;
    if (good && k < text_.size() && (text_[k] == 'e' || text_[k] == 'E')) {
      ++k;
      if (k < text_.size() && (text_[k] == '+' || text_[k] == '-')) ++k;
      good = digits() > 0;
    }
    if (at_ + word().size() == text_.size() && !good) return at_ = text_.size(), ended();
    if (!good || word().size() != k - at_)
      return fail(standing() + ", which is no number as JSON writes them: 12, -0.5, 1e-3");
    at_ = k;
    return true;
  }

  bool name() {
    const std::string_view found = word();
    for (const std::string_view known : {"true", "false", "null"}) {
      if (found == known) return at_ += known.size(), true;
      if (at_ + found.size() == text_.size() && known.starts_with(found)) return at_ = text_.size(), ended();
    }
    return fail(standing() + " where a value is needed: " + kValues);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Needed needed_ = Needed::value;
  std::vector<char> open_;  // brackets not yet closed
  std::string fault_;
};

}  // namespace

std::string line_and_column(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, std::min(at, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::string_view last = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0: the whole text
  const auto column = 1 + std::count_if(last.begin(), last.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

std::string json_fault(std::string_view text) { return Walk(text).fault(); }

}  // namespace hydra
