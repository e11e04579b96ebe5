// What tasks are made of.
#pragma once
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/learn/task.h"

namespace hydra::learn {

// Tasks that make_task has and task.h declares no maker of.
std::shared_ptr<const Task> induction_task();
enum class Sentences { grammar, pronoun, animal };
std::shared_ptr<const Task> sentences_task(Sentences kind);
// The others by their keys: students_task with its page and recipe.
std::shared_ptr<const Task> crowd_task();
std::shared_ptr<const Task> collapse_task();

// One of 0 .. count - 1, all alike (to 2^-32).
inline Index choose(Random& random, Index count) {
  return static_cast<Index>((random.bits() >> 32) * static_cast<std::uint64_t>(count) >> 32);
}
inline bool coin(Random& random) { return random.bits() >> 63 != 0; }

// The first `count` of these become a sample of all of them, in random order (Fisher and Yates).
template <class T>
void shuffle_first(Random& random, std::span<T> all, Index count) {
  for (Index k = 0; k < count; ++k) {
    const Index other = k + choose(random, std::ssize(all) - k);
    std::swap(all[static_cast<std::size_t>(k)], all[static_cast<std::size_t>(other)]);
  }
}

// A sequence of no words: for a draw to begin with.
void clear(const SequenceOut& out);

// Gold of two relations, of a task with one word at a place: 0, the place before; 1, every place after an earlier copy
// of the word that stands here (where an induction head looks: Olsson et al. 2022).
void mark_copies(const SequenceOut& out);
// Their names, sentences and layers.
void describe_copies(TaskInfo& info);

// A page from its text: a paragraph ends at an empty line, its lines are joined, and each name in braces becomes its
// value.
using Values = std::vector<std::pair<std::string, std::string>>;
std::vector<std::string> paragraphs(std::string_view text, const Values& values = {});

// "0.125": so many figures at most, for sentences.
std::string figures(double value, int most = 3);

}  // namespace hydra::learn
