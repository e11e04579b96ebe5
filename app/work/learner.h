// Training in the background (background_job.h): steps of a run, one after the other, at a pace. What they give is
// fetched by whoever draws, as it comes.
#pragma once
#include <array>
#include <mutex>
#include <optional>
#include <vector>

#include "app/work/background_job.h"
#include "core/learn/timeline.h"

namespace hydra {

// When training ends by itself.
struct StopAt {
  int step = 0;
  std::optional<double> loss, accuracy;  // in the mean of kRecent steps: at most, at least
  static constexpr int kRecent = 10;
  bool operator==(const StopAt&) const = default;
};

// Which run a step is of: told apart, and not held, as it may be large.
class OfRun {
 public:
  OfRun() = default;
  OfRun(const std::shared_ptr<const learn::Timeline>& run) : run_(run) {}
  bool operator==(const OfRun& other) const { return !run_.owner_before(other.run_) && !other.run_.owner_before(run_); }

 private:
  std::weak_ptr<const learn::Timeline> run_;
};

// A stretch of training: from a checkpoint, by steps that are taken again, to where a branch goes on.
struct Stretch {
  std::shared_ptr<const learn::Task> task;
  std::shared_ptr<const Document> document;  // of which everything but the parameters is
  int branch = 0;                            // for whoever fetches
  struct Settings {
    learn::Recipe recipe;
    std::uint64_t seed = 0;
    std::vector<double> gates;
    bool operator==(const Settings&) const = default;
  };
  Settings settings, replayed;                 // of the branch; of the one whose steps are taken again
  std::vector<learn::DrawnSteps> drawn;        // of the branch and those it came from: not to be among what is held out
  learn::Timeline::Kept begin;                 // moments null: zeros
  int step = 0;                                // from which on they are the branch's
  std::optional<learn::Parameters> own_start;  // in the place of those that were reached
  bool first = false;                          // the branch's: its moments are given as well
  StopAt stop_at;
};

// A run that has come to stretch.step, with the branch's settings and start, ready to go on. Each step that is taken
// again is progress. Throws Stopped.
std::unique_ptr<learn::Run> reach(const Stretch& stretch, ThreadPool* pool, const Progress& progress);
// Its next step, and the row of what it showed, where its loss is a number. What is measured every kMeasuredApart-th
// step is NaN in the others' rows.
const learn::Scores& take_step(learn::Run& run, const learn::Tracks& tracks, const Document& document, ThreadPool* pool,
                               std::vector<float>& row);

class Learner {
 public:
  struct Taken {
    int branch = 0;
    int step = 0;            // so many are taken
    std::vector<float> row;  // what the step showed; empty: no step, the moments that the branch begins with
    learn::Parameters parameters;
    std::shared_ptr<const learn::Moments> moments;  // of every kMomentsApart-th step
  };
  enum class Ended { stopped, step, loss, accuracy, diverged };

  // From 1 on steps a second; 0: as fast as it goes.
  void set_pace(double steps_per_second) { pace_->store(steps_per_second); }
  // Trains in the place of what it is at. The stretch goes on where the last one of the same branch ended, if it can.
  void train(Stretch stretch);
  void pause() { job_.stop(); }  // within a step
  bool training() const { return job_.computing(); }
  // What was taken since the last call, in order.
  std::vector<Taken> fetch();
  // Once, when a stretch is over and all of it was fetched.
  std::optional<Ended> take_ended();
  // Lets go of the run that is kept to go on with.
  void let_go() { job_.let_go(); }

  BackgroundWork& background() { return job_; }
  const std::string& failure() const { return job_.failure(); }

 private:
  // What the worker has ready; it waits when nobody fetches.
  struct Feed {
    static constexpr std::size_t kMost = 1024, kMostBytes = std::size_t{32} << 20;
    std::mutex mutex;
    std::vector<Taken> taken;
  };
  struct Result {
    std::uint64_t stretch = 0;
    Ended ended = Ended::stopped;
  };
  // The mean of the last few values.
  class Recent {
   public:
    void add(double value) { values_[count_++ % values_.size()] = value; }
    std::optional<double> mean() const;

   private:
    std::array<double, StopAt::kRecent> values_{};
    std::size_t count_ = 0;
  };
  struct Kept {
    ThreadPool pool{half_of_the_machine()};
    std::unique_ptr<learn::Run> run;
    std::shared_ptr<const Document> document;
    int branch = -1;
    Stretch::Settings settings;
    std::uint64_t stretch = 0;  // that it was left in the middle of (Unfinished), with what it had seen
    Recent losses, accuracies;
    std::chrono::steady_clock::time_point last;
  };
  using Training = BackgroundJob<std::uint64_t, Result, Kept>;
  static Ended run(const Stretch& stretch, std::uint64_t number, const Training::Turn& turn, Feed& feed,
                   const std::atomic<double>& pace);
  static void make_ready(const Stretch& stretch, const Training::Turn& turn, Feed& feed);
  // Waits, for the time of the next step and for whoever fetches; throws Unfinished when the turn is over.
  static void wait(const Training::Turn& turn, Feed& feed, const std::atomic<double>& pace);

  std::shared_ptr<Feed> feed_ = std::make_shared<Feed>();
  std::shared_ptr<std::atomic<double>> pace_ = std::make_shared<std::atomic<double>>(0);
  std::uint64_t stretches_ = 0;
  std::optional<Ended> ended_;
  Training job_;
};

}  // namespace hydra
