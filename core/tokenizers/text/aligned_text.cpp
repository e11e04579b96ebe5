#include "core/tokenizers/text/aligned_text.h"

#include "core/error.h"

namespace hydra {

void AlignedText::check(std::size_t more) const {
  if (more > most_ - text_.size())
    throw InputError("the tokenizer makes more than " + std::to_string(most_) +
                     " bytes of the text, which is too much; give it a shorter text");
}

void AlignedText::append_first(std::string_view text, std::uint32_t begin) {
  check(text.size());
  text_ += text;
  from_.reserve(text_.size());
  for (std::size_t k = 0; k < text.size(); ++k, ++begin) from_.push_back({begin, begin + 1});
}

void AlignedText::append(std::string_view text, Span from) {
  check(text.size());
  text_ += text;
  from_.resize(text_.size(), from);
}

void AlignedText::append(const AlignedText& other, std::size_t begin, std::size_t end) {
  check(end - begin);
  text_.append(other.text_, begin, end - begin);
  from_.insert(from_.end(), other.from_.begin() + static_cast<std::ptrdiff_t>(begin),
               other.from_.begin() + static_cast<std::ptrdiff_t>(end));
}

void AlignedText::cut(std::size_t size) {
  text_.resize(size);
  from_.resize(size);
}

Span AlignedText::span(std::size_t begin, std::size_t end) const {
  if (begin < end) return {from_[begin].begin, from_[end - 1].end};
  const std::uint32_t place = begin < from_.size() ? from_[begin].begin : from_.empty() ? 0 : from_.back().end;
  return {place, place};
}

}  // namespace hydra
