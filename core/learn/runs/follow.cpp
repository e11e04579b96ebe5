#include "core/learn/runs/follow.h"

#include <algorithm>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/learn/model.h"

namespace hydra::learn {

namespace {

// Gold is where to look: the one relation that there is.
TaskShape shape_to_follow(TaskShape shape) {
  shape.relations = 1;
  return shape;
}
lanes::Shape shape_to_follow(lanes::Shape shape) {
  shape.relations = 1;
  return shape;
}

void set_offset(const SequenceOut& out, int offset) {
  const int length = *out.length;
  std::ranges::fill(out.gold, 0);
  for (int query = 0; query < length; ++query)
    if (const int key = query + offset; key >= 0 && key < length)
      out.gold[static_cast<std::size_t>(query)] = std::uint64_t{1} << key;
}

void read_sentence(const TaskInfo& info, const Followed& followed, const SequenceOut& out) {
  const auto length = std::ssize(followed.tokens);
  if (length > info.shape.length)
    throw InputError("the sentence has " + std::to_string(length) + " words; the task's model reads " +
                     std::to_string(info.shape.length) + " at most");
  std::ranges::fill(out.words, kNone);
  std::ranges::fill(out.targets, kNone);
  std::ranges::fill(out.gold, 0);
  for (std::size_t k = 0; k < followed.tokens.size(); ++k) {
    const std::vector<std::string_view> words = info.words.words_of(followed.tokens[k]);
    if (std::ssize(words) > info.shape.slots || !info.words.knows(followed.tokens[k]))
      throw InputError("“" + printable(followed.tokens[k]) +
                       "” is no word of the task, so its attention cannot be followed");
    for (std::size_t slot = 0; slot < words.size(); ++slot)
      out.words[k * static_cast<std::size_t>(info.shape.slots) + slot] =
          static_cast<std::int32_t>(info.words.row_of(words[slot]));
  }
  *out.length = static_cast<std::int32_t>(length);
  out.gold[static_cast<std::size_t>(followed.row)] = std::uint64_t{1} << followed.col;
}

}  // namespace

Follower::Follower(const Task& task, const Document& document, const Recipe& recipe, std::uint64_t seed,
                   Followed followed)
    : followed_(std::move(followed)),
      compiled_(shape_to_follow(shape_of(document, task.info(), recipe))),
      batch_(shape_to_follow(task.info().shape), followed_.what == Followed::What::cell ? 1 : kSequences),
      executor_(compiled_, batch_.count(), lanes::chosen(), lanes::Purpose::looking) {
  Batch drawn(task.info().shape, 1);
  for (Index k = 0; k < batch_.count(); ++k) {
    const SequenceOut out = batch_.sequence(k), from = drawn.sequence(0);
    if (followed_.what == Followed::What::cell) {
      read_sentence(task.info(), followed_, out);
    } else {
      Random random = random_of(seed, Stream::evaluation, 0, static_cast<std::uint64_t>(k));
      task.draw(random, Stream::evaluation, from);
      std::ranges::copy(from.words, out.words.begin());
      std::ranges::copy(from.targets, out.targets.begin());
      *out.length = *from.length;
      set_offset(out, followed_.offset);
    }
    executor_.load(k, {batch_.words(k), batch_.targets(k), batch_.gold(k), batch_.length(k), 0});
  }
}

std::vector<double> Follower::measure(const std::vector<float>& parameters, const std::vector<double>& gates,
                                      ThreadPool* pool) {
  std::ranges::copy(parameters, executor_.parameters().begin());
  lanes::Executor<float>::Request request;
  request.sequences = batch_.count();
  request.masses = true;
  request.controls.gates = gates.empty() ? nullptr : gates.data();
  executor_.run(request, pool);
  const lanes::Totals& totals = executor_.totals();
  std::vector<double> masses = totals.masses;
  for (double& mass : masses) mass = totals.queries.front() > 0 ? mass / totals.queries.front() : 0;
  return masses;
}

}  // namespace hydra::learn
