#include "core/tokenizers/text/characters.h"

#include <utf8proc.h>

#include <array>

#include "core/error.h"
#include "core/files/utf8.h"

namespace hydra::characters {

namespace {

utf8proc_category_t category(char32_t code) { return utf8proc_category(static_cast<utf8proc_int32_t>(code)); }

bool within(char32_t code, char32_t first, char32_t last) { return code >= first && code <= last; }

}  // namespace

bool is_white(char32_t c) {
  return within(c, 9, 13) || c == ' ' || c == 0x85 || c == 0xA0 || c == 0x1680 || within(c, 0x2000, 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_punctuation(char32_t c) {
  if (c < 0x80) return within(c, 33, 47) || within(c, 58, 64) || within(c, 91, 96) || within(c, 123, 126);
  const utf8proc_category_t kind = category(c);
  return kind >= UTF8PROC_CATEGORY_PC && kind <= UTF8PROC_CATEGORY_PO;
}

bool is_number(char32_t c) {
  const utf8proc_category_t kind = category(c);
  return kind >= UTF8PROC_CATEGORY_ND && kind <= UTF8PROC_CATEGORY_NO;
}

bool is_mark(char32_t c) {
  const utf8proc_category_t kind = category(c);
  return kind >= UTF8PROC_CATEGORY_MN && kind <= UTF8PROC_CATEGORY_ME;
}

bool is_nonspacing_mark(char32_t c) { return c >= 0x300 && category(c) == UTF8PROC_CATEGORY_MN; }

bool is_control(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return false;
  const utf8proc_category_t kind = category(c);
  return kind >= UTF8PROC_CATEGORY_CC && kind <= UTF8PROC_CATEGORY_CO;
}

bool is_ideograph(char32_t c) {
  return within(c, 0x4E00, 0x9FFF) || within(c, 0x3400, 0x4DBF) || within(c, 0x20000, 0x2A6DF) ||
         within(c, 0x2A700, 0x2B73F) || within(c, 0x2B740, 0x2B81F) || within(c, 0x2B920, 0x2CEAF) ||
         within(c, 0xF900, 0xFAFF) || within(c, 0x2F800, 0x2FA1F);
}

bool is_word(char32_t c) {
  if (c < 0x80) return within(c, 'a', 'z') || within(c, 'A', 'Z') || within(c, '0', '9') || c == '_';
  const utf8proc_category_t kind = category(c);
  const bool circled = within(c, 0x24B6, 0x24E9) || within(c, 0x1F130, 0x1F149) || within(c, 0x1F150, 0x1F169) ||
                       within(c, 0x1F170, 0x1F189);
  return (kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_NL) || kind == UTF8PROC_CATEGORY_PC || circled ||
         c == 0x200C || c == 0x200D;
}

std::string lower(char32_t c) {
  if (c == 0x130) return "i\xCC\x87";  // the one that becomes two
  return encode(static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))));
}

namespace {

// Whether no normal form brings it together with a character before it. Vowels and endings of Hangul are joined.
bool begins_anew(char32_t c) {
  if (c < 0x300) return true;
  const utf8proc_property_t* const property = utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
  return property->combining_class == 0 && !is_mark(c) && !within(c, 0x1160, 0x11FF);
}

constexpr std::size_t kMostTogether = 256;

utf8proc_option_t options_of(Form form) {
  const bool composed = form == Form::nfc || form == Form::nfkc, compatible = form == Form::nfkc || form == Form::nfkd;
  int options = UTF8PROC_STABLE | (composed ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE);
  if (compatible) options |= UTF8PROC_COMPAT;
  return static_cast<utf8proc_option_t>(options);
}

std::string normal_form(std::string_view text, utf8proc_option_t options) {
  // The longest decomposition is of 18 characters.
  std::array<utf8proc_int32_t, 18 * kMostTogether + 1> codes{};
  const auto size = static_cast<utf8proc_ssize_t>(text.size());
  const auto* const bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const utf8proc_ssize_t count =
      utf8proc_decompose(bytes, size, codes.data(), static_cast<utf8proc_ssize_t>(codes.size() - 1), options);
  if (count < 0 || count >= static_cast<utf8proc_ssize_t>(codes.size()))
    throw InputError("the text cannot be normalised at \"" + std::string(text.substr(0, 40)) + "\"");
  const utf8proc_ssize_t length = utf8proc_normalize_utf32(codes.data(), count, options);
  std::string normal;
  for (utf8proc_ssize_t k = 0; k < length; ++k)
    normal += encode(static_cast<char32_t>(codes[static_cast<std::size_t>(k)]));
  return normal;
}

}  // namespace

void append_normal_form(AlignedText& out, const AlignedText& aligned, Form form) {
  const std::string_view text = aligned.text();
  const utf8proc_option_t options = options_of(form);
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    bool plain = true;
    std::size_t count = 0;
    do {
      const Character c = decode(text, end);
      plain = plain && c.code < 0x80;
      end = c.end;
      ++count;
    } while (end < text.size() && count < kMostTogether && !begins_anew(decode(text, end).code));
    const std::string_view together = text.substr(begin, end - begin);
    const std::string normal = plain ? std::string() : normal_form(together, options);
    if (plain || normal == together)
      out.append(aligned, begin, end);
    else
      out.append(normal, aligned.span(begin, end));
    begin = end;
  }
}

}  // namespace hydra::characters
