#include "core/learn/asked.h"

#include <algorithm>
#include <mutex>

#include "core/learn/task.h"

namespace hydra::learn {

namespace {

constexpr std::uint64_t kCountingSeed = 7'000'002;  // far from those that are typed
constexpr std::uint64_t kCounted = 1000;
constexpr std::size_t kCountsKept = 8;

void count(const Task& task, AskedWords& asked) {
  const TaskShape& shape = task.outline().shape;
  Batch batch(shape, 1);
  std::vector<double> askers(static_cast<std::size_t>(shape.questions));
  double places = 0;
  for (std::uint64_t k = 0; k < kCounted; ++k) {
    Random random = random_of(kCountingSeed, Stream::evaluation, 0, k);
    task.draw(random, Stream::evaluation, batch.sequence(0));
    for (Index i = 0; i < batch.length(0); ++i) {
      places += 1;
      for (Index q = 0; q < shape.questions; ++q) {
        if (batch.targets(0)[static_cast<std::size_t>(i * shape.questions + q)] == kNone) continue;
        askers[static_cast<std::size_t>(q)] += 1;
        asked.at[static_cast<std::size_t>(q)][static_cast<std::size_t>(batch.words(0)[static_cast<std::size_t>(i)])] =
            true;
      }
    }
  }
  for (std::size_t q = 0; q < askers.size(); ++q) asked.share[q] = std::max(asked.share[q], askers[q] / places);
}

std::shared_ptr<const AskedWords> counted(const Vocabulary& words, const NextWords& readout) {
  std::shared_ptr<AskedWords> asked;
  for (const std::string_view key : task_keys()) {
    const std::shared_ptr<const Task> task = make_task(key);
    const TaskInfo& info = task->outline();
    if (info.shape.slots > 1 || info.words != words || info.answers != readout.words ||
        info.questions != readout.questions.words())
      continue;
    if (!asked) {
      asked = std::make_shared<AskedWords>();
      asked->at.assign(info.questions.size(), std::vector<bool>(static_cast<std::size_t>(words.size())));
      asked->share.assign(info.questions.size(), 0);
    }
    count(*task, *asked);
  }
  return asked;
}

}  // namespace

std::shared_ptr<const AskedWords> asked_words(const Vocabulary& words, const NextWords& readout) {
  if (readout.parts() < 2 || words.size() == 0) return nullptr;
  struct Known {
    Vocabulary words;
    NextWords readout;
    std::shared_ptr<const AskedWords> asked;
  };
  static std::mutex mutex;
  static std::vector<Known> known;
  const std::lock_guard lock(mutex);
  const auto found =
      std::ranges::find_if(known, [&](const Known& k) { return k.words == words && k.readout == readout; });
  if (found != known.end()) return found->asked;
  if (known.size() >= kCountsKept) known.erase(known.begin());
  return known.emplace_back(Known{words, readout, counted(words, readout)}).asked;
}

std::vector<Index> asked_tokens(const std::vector<std::string>& tokens, const Vocabulary& words,
                                const NextWords& readout, Index question) {
  const auto asked = asked_words(words, readout);
  std::vector<Index> found;
  for (Index k = 0; k < std::ssize(tokens); ++k)
    if (!asked || asked->is_asked(question, words.row_of(tokens[static_cast<std::size_t>(k)]))) found.push_back(k);
  return found;
}

Index rarest_question(const Vocabulary& words, const NextWords& readout) {
  const auto asked = asked_words(words, readout);
  return asked ? std::ranges::min_element(asked->share) - asked->share.begin() : 0;
}

}  // namespace hydra::learn
