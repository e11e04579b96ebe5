// `hydrascope answer`: which heads do it, for one answer, as JSON.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace hydra {

struct AnswerOptions {
  std::string file;                           // empty: the opening document; "-": standard input
  std::vector<std::string> sets;              // --set /layers/0/heads=4
  std::optional<int> token;                   // counted from 1; none: the last
  std::optional<std::string> question;        // by its name; none: the first
  std::optional<std::string> answer, rival;   // words; none: the likeliest, and the likeliest other
  std::optional<std::string> counterfactual;  // a sentence of as many tokens
  std::vector<std::string> text;              // "all", files of marked sentences; empty: text that the model knows
  std::string out = "-";                      // "-": standard output
};

// Exit code 0. Throws InputError with the sentence for a bad document, file, token, question, word or sentence.
int run_answer(const AnswerOptions& options);

}  // namespace hydra
