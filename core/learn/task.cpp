#include "core/learn/task.h"

#include <cassert>

namespace hydra::learn {

Batch::Batch(const TaskShape& shape, Index count)
    : shape_(shape),
      count_(count),
      words_(size(count * word_stride()), kNone),
      targets_(size(count * target_stride()), kNone),
      lengths_(size(count), 0),
      gold_(size(count * gold_stride()), 0) {
  assert(shape.length >= 1 && shape.length <= kMostPlaces && shape.slots >= 1 && shape.questions >= 1);
}

SequenceOut Batch::sequence(Index k) {
  assert(k >= 0 && k < count_);
  return {{words_.data() + k * word_stride(), size(word_stride())},
          {targets_.data() + k * target_stride(), size(target_stride())},
          {gold_.data() + k * gold_stride(), size(gold_stride())},
          &lengths_[size(k)]};
}

Random random_of(std::uint64_t seed, Stream stream, std::uint64_t step, std::uint64_t sequence) {
  // Each part is joined to what the parts before it were mixed to: no sum of parts is the same key.
  std::uint64_t key = Random(seed).bits();
  for (const std::uint64_t part : {static_cast<std::uint64_t>(stream), step, sequence}) key = Random(key ^ part).bits();
  return Random(key);
}

void draw(const Task& task, std::uint64_t seed, Stream stream, std::uint64_t step, Index sequence, Batch& batch) {
  Random random = random_of(seed, stream, step, static_cast<std::uint64_t>(sequence));
  task.draw(random, stream, batch.sequence(sequence));
}

std::vector<std::string> tokens_of(const TaskInfo& info, std::span<const std::int32_t> words) {
  const auto slots = static_cast<std::size_t>(info.shape.slots);
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at + slots <= words.size(); at += slots) {
    std::string token;
    for (const std::int32_t word : words.subspan(at, slots)) {
      if (word == kNone) continue;
      if (!token.empty()) token += '+';
      token += info.words.word(word);
    }
    if (token.empty()) break;  // the sequence has ended
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace hydra::learn
