#include "core/text/next_words.h"

#include <algorithm>

#include "core/error.h"
#include "core/files/printable.h"

namespace hydra {

std::string NextWords::name(Index column) const {
  return parts() == 1 ? word(column) : word(column) + " (" + questions.word(question_of(column)) + ")";
}

namespace {
const std::string& name_of(const NextWords& of, Index question) {
  static const std::string none;
  return of.questions.size() == 0 ? none : of.questions.word(question);
}
Index find(const NextWords& in, const std::string& name) {
  return in.questions.size() == 0 && name.empty() ? 0 : in.questions.find(name);
}
}  // namespace

std::vector<Index> questions_before(const NextWords& before, const NextWords& now) {
  std::vector<Index> places;
  for (Index q = 0; q < now.parts(); ++q) {
    const Index same = find(before, name_of(now, q));
    const bool renamed = q < before.parts() && find(now, name_of(before, q)) == Vocabulary::kNone;
    places.push_back(same == Vocabulary::kNone && renamed ? q : same);
  }
  return places;
}

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), part.size() + 1));
    const std::size_t first = part.find_first_not_of(' '), last = part.find_last_not_of(' ');
    if (first != std::string_view::npos) names.emplace_back(part.substr(first, last + 1 - first));
  }
  return names;
}

void check_questions(const std::vector<std::string>& names) {
  if (names.empty()) return;
  check_names(names, "question", "the readout");
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names_in(names[k]) != std::vector{names[k]})
      throw InputError("question " + std::to_string(k) + " of the readout, “" + printable(names[k]) +
                       "”, has a comma or begins or ends with a space; lists of questions are cut there, so name it "
                       "without");
}

void check_columns(const NextWords& next_words) {
  if (next_words.size() > kMaxVocabulary)
    throw InputError("a readout of " + std::to_string(next_words.parts()) + " questions with " +
                     std::to_string(next_words.words.size()) + " words each has " + std::to_string(next_words.size()) +
                     " columns; at most " + std::to_string(kMaxVocabulary) + " are possible");
}

}  // namespace hydra
