#include "core/text/vocabulary.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/error.h"
#include "core/files/utf8.h"
#include "core/text/lexicon.h"
#include "core/text/wording.h"

namespace hydra {

struct Vocabulary::Content {
  std::vector<std::string> words;
  std::unordered_map<std::string_view, Index> places;  // into the words
  std::unordered_map<std::string, Index> folded;       // by small letters; kNone where several words have the same
  Stamp stamp;
  std::size_t bytes = 0;
};

Vocabulary::Vocabulary(std::vector<std::string> words) {
  auto content = std::make_shared<Content>();
  content->words = std::move(words);
  for (const std::string& word : content->words) {
    const Index place = std::ssize(content->places);
    content->places.emplace(word, place);
    if (const auto [same, added] = content->folded.emplace(lower_case(word), place); !added) same->second = kNone;
  }
  Key key("words");
  for (const std::string& word : content->words) {
    key << std::string_view(word);
    content->bytes +=
        2 * (sizeof word + word.capacity() + 2 * sizeof(void*)) + sizeof(std::string_view) + 2 * sizeof(Index);
  }
  content->stamp = key.stamp();
  content_ = std::move(content);
}

Stamp Vocabulary::stamp() const { return content_ ? content_->stamp : Stamp{}; }

Vocabulary Vocabulary::with(Case letter_case) const {
  Vocabulary changed = *this;
  changed.case_ = letter_case;
  return changed;
}

Index Vocabulary::row_of(std::string_view word) const {
  if (const Index place = find(word); place != kNone || !content_ || case_ == Case::exact) return place;
  const auto found = content_->folded.find(lower_case(word));
  return found == content_->folded.end() ? kNone : found->second;
}

Index Vocabulary::find(std::string_view word) const {
  if (!content_) return kNone;
  const auto found = content_->places.find(word);
  return found == content_->places.end() ? kNone : found->second;
}

std::vector<std::string_view> Vocabulary::words_of(std::string_view token) const {
  if (row_of(token) != kNone || token.find('+') == std::string_view::npos) return {token};
  std::vector<std::string_view> parts;
  bool has_one = false;
  for (std::size_t first = 0; first <= token.size(); first += parts.back().size() + 1) {
    parts.push_back(token.substr(first, token.find('+', first) - first));
    if (parts.back().empty()) return {token};
    has_one = has_one || row_of(parts.back()) != kNone;
  }
  return has_one ? parts : std::vector{token};
}

bool Vocabulary::knows(std::string_view token) const {
  return std::ranges::all_of(words_of(token), [&](std::string_view word) { return row_of(word) != kNone; });
}

IndexLists Vocabulary::find_all(const std::vector<std::string>& tokens) const {
  IndexLists places;
  std::vector<Index> of_token;
  for (const std::string& token : tokens) {
    of_token.clear();
    for (const std::string_view word : words_of(token)) of_token.push_back(row_of(word));
    if (std::ranges::count(of_token, kNone) > 0) of_token.clear();
    places.add(of_token);
  }
  return places;
}

const std::vector<std::string>& Vocabulary::words() const {
  static const std::vector<std::string> none;
  return content_ ? content_->words : none;
}

bool Vocabulary::operator==(const Vocabulary& other) const {
  return case_ == other.case_ && (content_ == other.content_ || words() == other.words());
}

std::size_t Vocabulary::bytes() const { return content_ ? content_->bytes : 0; }

void check_names(const std::vector<std::string>& names, const std::string& what, const std::string& of) {
  if (names.empty() || std::ssize(names) > kMaxVocabulary)
    throw InputError((of == "the vocabulary" ? "a vocabulary" : of) + " has 1 to " + std::to_string(kMaxVocabulary) +
                     " " + what + "s, not " + std::to_string(names.size()));
  std::unordered_map<std::string_view, std::size_t> places;
  std::size_t bytes = 0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string& name = names[k];
    const auto place = what + " " + std::to_string(k) + " of " + of + " ";
    if (name.empty()) throw InputError(place + "is empty");
    if (!is_plain_text(name)) throw InputError(place + "must be UTF-8 text without control characters");
    if (const auto [before, added] = places.emplace(name, k); !added)
      throw InputError(place + "is the same as " + what + " " + std::to_string(before->second) + "; each stands once");
    bytes += name.size();
  }
  if (bytes > kMaxVocabularyBytes)
    throw InputError("the " + what + "s of " + of + " have " + std::to_string(bytes) + " bytes; at most " +
                     std::to_string(kMaxVocabularyBytes) + " are possible");
}

void check_vocabulary(const std::vector<std::string>& words) { check_names(words, "word", "the vocabulary"); }

std::vector<std::string> distinct(const std::vector<std::string>& tokens) {
  std::vector<std::string> words;
  std::unordered_set<std::string_view> seen;
  for (const std::string& token : tokens)
    if (is_plain_text(token) && seen.insert(token).second) words.push_back(token);
  return words;
}

std::vector<std::string> words_in(const Vocabulary& vocabulary, const std::vector<std::string>& tokens) {
  std::vector<std::string> words;
  for (const std::string& token : tokens)
    for (const std::string_view word : vocabulary.words_of(token)) {
      const Index row = vocabulary.row_of(word);
      words.emplace_back(row == Vocabulary::kNone ? word : vocabulary.word(row));
    }
  return distinct(words);
}

std::vector<std::string> missing_in(const Vocabulary& vocabulary, const std::vector<std::string>& tokens) {
  std::vector<std::string> words = words_in(vocabulary, tokens);
  std::erase_if(words, [&](const std::string& word) { return vocabulary.row_of(word) != Vocabulary::kNone; });
  return words;
}

std::string listed(const std::vector<std::string>& words, std::size_t most) {
  std::string list;
  for (std::size_t k = 0; k < std::min(most, words.size()); ++k) list += (k > 0 ? ", “" : "“") + words[k] + "”";
  return words.size() > most ? wording("words:and_more", {{"words", list}, {"n", words.size() - most}}) : list;
}

}  // namespace hydra
