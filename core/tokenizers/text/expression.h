// Regular expressions as tokenizers have them (PCRE2, with Unicode's classes), or texts to look for.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace hydra {

class Expression {
 public:
  struct Compiled;

  static Expression of_text(std::string_view text);  // what stands there, letter by letter
  // Throws InputError, without the name of a file, where the expression is none.
  static Expression of_pattern(std::string_view pattern);

  const std::string& pattern() const { return pattern_; }

  // One step's looks at texts, many of them one after the other. What an expression may cost in all is bounded by the
  // bytes of these texts: one that takes longer (by backtracking, or by looking far ahead again and again) is an
  // InputError.
  class Run {
   public:
    Run(const Expression& expression, std::size_t bytes);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    // found(begin, end) for the matches from left to right, which may be empty. The text is UTF-8.
    void for_each(std::string_view text, const std::function<void(std::size_t, std::size_t)>& found);

   private:
    struct Tools;
    // Where a match that begins there ends.
    bool match(std::string_view text, std::size_t begin, std::size_t& match_begin, std::size_t& end);

    const Expression& expression_;
    std::unique_ptr<Tools> tools_;
    std::uint64_t left_;  // bytes that may be looked at beyond what was matched
  };

 private:
  std::string pattern_;
  std::shared_ptr<const Compiled> compiled_;  // none: a text
};

}  // namespace hydra
