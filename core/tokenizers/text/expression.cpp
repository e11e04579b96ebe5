#define PCRE2_CODE_UNIT_WIDTH 8
#include "core/tokenizers/text/expression.h"

#include <pcre2.h>

#include <algorithm>
#include <bitset>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/files/utf8.h"

namespace hydra {

namespace {

constexpr std::size_t kMostPatternBytes = 10'000;
// A match is first looked for in so many bytes, and in twice as many whenever it would read on.
constexpr std::size_t kFirstWindow = 64;

using Code = std::unique_ptr<pcre2_code, void (*)(pcre2_code*)>;

Code compile(std::string_view pattern, std::uint32_t options) {
  int fault = 0;
  PCRE2_SIZE place = 0;
  // Without auto-possession what an expression tries again is counted.
  options |= PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_NO_AUTO_POSSESS | PCRE2_MULTILINE;
  Code code(
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), options, &fault, &place, nullptr),
      pcre2_code_free);
  if (code) return code;
  std::array<PCRE2_UCHAR, 200> message{};
  pcre2_get_error_message(fault, message.data(), message.size());
  throw InputError("the expression " + in_quotes(pattern) + " is not understood at its byte " + std::to_string(place) +
                   ": " + reinterpret_cast<const char*>(message.data()));
}

}  // namespace

struct Expression::Compiled {
  std::unique_ptr<pcre2_code, void (*)(pcre2_code*)> code{nullptr, pcre2_code_free};
  std::bitset<256> first;  // bytes that a match can begin with; all where that is not known
};

Expression Expression::of_text(std::string_view text) {
  Expression expression;
  expression.pattern_ = text;
  return expression;
}

Expression Expression::of_pattern(std::string_view pattern) {
  if (pattern.size() > kMostPatternBytes)
    throw InputError("an expression has " + std::to_string(pattern.size()) + " bytes; at most " +
                     std::to_string(kMostPatternBytes) + " are possible");
  // What the expressions of published tokenizers (Oniguruma's) mean otherwise than PCRE2's.
  for (const char* const other : {"&&", "\\h", "\\H"})
    if (pattern.find(other) != std::string_view::npos)
      throw InputError("the expression " + in_quotes(pattern) + " has " + other + ", which is not known here");
  auto compiled = std::make_shared<Compiled>();
  // A code that may begin anywhere knows what it begins with.
  const Code anywhere = compile(pattern, 0);
  const std::uint8_t* first = nullptr;
  std::uint32_t least = 0;
  pcre2_pattern_info(anywhere.get(), PCRE2_INFO_FIRSTBITMAP, &first);
  pcre2_pattern_info(anywhere.get(), PCRE2_INFO_MINLENGTH, &least);
  for (std::size_t byte = 0; byte < 256; ++byte)
    compiled->first[byte] = first == nullptr || least == 0 || (first[byte / 8] >> (byte % 8) & 1) != 0;
  compiled->code = compile(pattern, PCRE2_ANCHORED);
  // Where there is no compiler for this machine, matches are found without one.
  pcre2_jit_compile(compiled->code.get(), PCRE2_JIT_COMPLETE | PCRE2_JIT_PARTIAL_HARD);
  Expression expression;
  expression.pattern_ = pattern;
  expression.compiled_ = std::move(compiled);
  return expression;
}

struct Expression::Run::Tools {
  struct FreeData {
    void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
  };
  struct FreeContext {
    void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
  };
  std::unique_ptr<pcre2_match_data, FreeData> data;
  std::unique_ptr<pcre2_match_context, FreeContext> context;
};

Expression::Run::Run(const Expression& expression, std::size_t bytes)
    : expression_(expression), tools_(std::make_unique<Tools>()), left_(64 * std::uint64_t{bytes} + (1u << 16)) {
  if (!expression.compiled_) return;
  tools_->data.reset(pcre2_match_data_create_from_pattern(expression.compiled_->code.get(), nullptr));
  tools_->context.reset(pcre2_match_context_create(nullptr));
  if (!tools_->data || !tools_->context) throw std::bad_alloc();
  pcre2_set_heap_limit(tools_->context.get(), 64u << 10);  // KiB
}

Expression::Run::~Run() = default;

bool Expression::Run::match(std::string_view text, std::size_t begin, std::size_t& match_begin, std::size_t& end) {
  pcre2_code* const code = expression_.compiled_->code.get();
  for (std::size_t window = kFirstWindow;; window *= 2) {
    std::size_t size = std::min(window, text.size() - begin) + begin;
    // Not within a character.
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) ++size;
    const bool whole = size == text.size();
    const std::uint32_t options = PCRE2_NO_UTF_CHECK | (whole ? 0u : PCRE2_PARTIAL_HARD);
    pcre2_set_match_limit(
        tools_->context.get(),
        static_cast<std::uint32_t>(200 + 32 * std::min<std::size_t>(size - begin, std::size_t{1} << 26)));
    const auto* const subject = reinterpret_cast<PCRE2_SPTR>(text.data());
    int count = pcre2_match(code, subject, size, begin, options, tools_->data.get(), tools_->context.get());
    if (count == PCRE2_ERROR_JIT_STACKLIMIT)
      count =
          pcre2_match(code, subject, size, begin, options | PCRE2_NO_JIT, tools_->data.get(), tools_->context.get());
    if (count >= 0) {
      const PCRE2_SIZE* const ends = pcre2_get_ovector_pointer(tools_->data.get());
      if (ends[0] > ends[1] || ends[0] < begin)
        throw InputError("the expression " + in_quotes(expression_.pattern_) + " finds what begins behind its end");
      match_begin = ends[0];
      end = ends[1];
      return true;
    }
    if (count == PCRE2_ERROR_NOMATCH && size - begin <= kFirstWindow + 3) return false;
    const std::size_t looked_at = size - begin;
    if ((count != PCRE2_ERROR_NOMATCH && count != PCRE2_ERROR_PARTIAL) || looked_at > left_)
      throw InputError("the expression " + in_quotes(expression_.pattern_) + " takes too long on this text");
    left_ -= looked_at;
    if (count == PCRE2_ERROR_NOMATCH) return false;
  }
}

void Expression::Run::for_each(std::string_view text, const std::function<void(std::size_t, std::size_t)>& found) {
  std::size_t at = 0;
  const auto next = [&] { at = decode(text, at).end; };
  if (!expression_.compiled_) {
    const std::string& sought = expression_.pattern_;
    if (sought.empty()) {  // between all characters
      for (; at < text.size(); next()) found(at, at);
      return found(at, at);
    }
    while ((at = text.find(sought, at)) != std::string_view::npos) {
      found(at, at + sought.size());
      at += sought.size();
    }
    return;
  }
  const std::bitset<256>& first = expression_.compiled_->first;
  std::size_t last_end = text.size() + 1;  // a match that ended here is not followed by an empty one
  while (at <= text.size()) {
    std::size_t begin = 0, end = 0;
    const bool possible = at == text.size() ? first.all() : first[static_cast<unsigned char>(text[at])];
    if (possible && match(text, at, begin, end) && (begin != end || begin != last_end)) {
      found(begin, end);
      last_end = end;
      if (end > at) {
        at = end;
        continue;
      }
    }
    if (at == text.size()) break;
    next();
  }
}

}  // namespace hydra
