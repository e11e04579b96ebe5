// Workers without threads: their tasks are done in turns, between frames, and at once for whoever waits for them.
#include "core/work/worker.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/failure.h"
#include "core/work/turns.h"
#include "core/work/turns/stacks.h"

namespace hydra {

namespace {

using Clock = Worker::Clock;
using Time = Worker::Time;

// Work that cannot be left: longer than this nobody is to sit before a window that stands still.
constexpr std::chrono::milliseconds kMost{1000};

}  // namespace

struct Worker::State {
  std::multimap<Time, std::function<std::optional<Time>()>> tasks;  // by when they are due
  bool under_way = false;                                           // a task is, perhaps at rest
  bool own_stack = false;                                           // on which it is done
  Time begun{};                                                     // of the present task, or of its present turn
  Time rests_until{};
  Clock::duration took{};  // the last task
  bool ending = false;

  bool has_due(Time now) const { return !tasks.empty() && (ending || tasks.begin()->first <= now); }
  void do_task();
};

namespace {

struct Schedule {
  std::vector<Worker::State*> workers;  // all of them, by when they last had a turn
  Worker::State* now = nullptr;         // whose task it is that calls
  Time turn_ends{};
  Stacks* stacks = nullptr;
};

Schedule& schedule() {
  static Schedule all;
  return all;
}

// On whatever stack it is called: all tasks that are due.
void work(void* worker) {
  auto& state = *static_cast<Worker::State*>(worker);
  Worker::State* const before = std::exchange(schedule().now, &state);
  state.under_way = true;
  do {
    state.do_task();
  } while (state.has_due(Clock::now()) && (state.own_stack || Clock::now() < schedule().turn_ends));
  state.under_way = false;
  schedule().now = before;
}

void begin(Worker::State& state, Time turn_ends) {
  Schedule& all = schedule();
  state.own_stack = all.stacks != nullptr;
  all.turn_ends = turn_ends;
  if (state.own_stack)
    all.stacks->begin(&state, work);
  else
    work(&state);
}

// What is at rest, and then what is due.
void resume(Worker::State& state, Time turn_ends) {
  Schedule& all = schedule();
  all.turn_ends = turn_ends;
  state.rests_until = Time::max();  // until it rests again
  all.stacks->resume(&state);
}

// On the caller's stack, to the end.
void work_here(Worker::State& state) {
  state.own_stack = false;
  schedule().turn_ends = Time::max();
  work(&state);
}

void rest(Worker::State& state, Time until) {
  Schedule& all = schedule();
  state.rests_until = until;
  all.now = nullptr;
  all.stacks->rest(&state);
  all.now = &state;
}

}  // namespace

void Worker::State::do_task() {
  auto task = tasks.extract(tasks.begin());
  const Time start = begun = Clock::now();
  const std::optional<Time> again = task.mapped()();
  took = Clock::now() - start;
  if (!again || ending) return;
  task.key() = *again;
  tasks.insert(std::move(task));
}

void use_stacks(Stacks* stacks) { schedule().stacks = stacks; }

Worker::Worker() : state_(std::make_unique<State>()) { schedule().workers.push_back(state_.get()); }

Worker::~Worker() {
  state_->ending = true;
  while (state_->under_way) {  // at rest
    schedule().turn_ends = Time::max();
    schedule().stacks->resume(state_.get());
  }
  while (!state_->tasks.empty()) work_here(*state_);
  std::erase(schedule().workers, state_.get());
}

void Worker::post(std::function<void()> task) {
  post_again([task = std::move(task)] {
    task();
    return std::optional<Time>();
  });
}

void Worker::post_again(std::function<std::optional<Time>()> task) {
  state_->tasks.emplace(Time::min(), std::move(task));
}

// What took long the last time is left to the turns between frames.
void Worker::wait(std::unique_lock<std::mutex>& lock, std::condition_variable&, std::chrono::milliseconds patience,
                  const std::function<bool()>& holds, bool ends) {
  constexpr int kPatience = 4;
  if (holds() || (state_->under_way && !ends) || patience.count() <= 0) return;
  if (!schedule().stacks && state_->took > kPatience * patience) return;
  lock.unlock();
  if (state_->under_way)
    resume(*state_, Clock::now() + patience);
  else if (state_->has_due(Clock::now()))
    begin(*state_, Clock::now() + patience);
  lock.lock();
}

void Worker::wait(std::unique_lock<std::mutex>& lock, std::condition_variable&, const std::function<bool()>& holds) {
  lock.unlock();
  while (!state_->under_way && !holds() && state_->has_due(Clock::now())) work_here(*state_);
  lock.lock();
}

void Worker::finish() {
  while (!state_->under_way && state_->has_due(Clock::now())) work_here(*state_);
}

// --- turns.h

void give_way() {
  Worker::State* const state = schedule().now;
  if (state == nullptr) return;  // the frame's own
  const Time now = Clock::now();
  if (!state->own_stack) {
    if (now - state->begun > kMost && !state->ending) throw TooLong();
  } else if (now >= schedule().turn_ends) {
    rest(*state, now);
  }
}

bool is_over() {
  const Worker::State* const state = schedule().now;
  return state != nullptr && !state->own_stack && Clock::now() >= schedule().turn_ends;
}

void rest_for(std::chrono::milliseconds time) {
  Worker::State* const state = schedule().now;
  if (state != nullptr && state->own_stack) rest(*state, Clock::now() + time);
}

std::optional<Time> next_turn() {
  std::optional<Time> next;
  for (const Worker::State* state : schedule().workers) {
    if (!state->under_way && state->tasks.empty()) continue;
    const Time due = state->under_way ? state->rests_until : state->tasks.begin()->first;
    next = std::min(next.value_or(due), due);
  }
  return next;
}

void take_turn(std::chrono::milliseconds slice) {
  Schedule& all = schedule();
  const Time now = Clock::now();
  const auto waits = [&](const Worker::State* state) {
    return state->under_way ? state->rests_until <= now : state->has_due(now);
  };
  const auto found = std::find_if(all.workers.begin(), all.workers.end(), waits);
  if (found == all.workers.end()) return;
  Worker::State& state = **found;
  std::rotate(found, found + 1, all.workers.end());
  if (!state.under_way) return begin(state, now + slice);
  resume(state, now + slice);
}

}  // namespace hydra
