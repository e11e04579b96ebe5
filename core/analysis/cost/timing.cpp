#include "core/analysis/cost/timing.h"

#include <algorithm>
#include <chrono>

#include "core/attention/decoding.h"
#include "core/linalg/random.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kStepShare = 0.3;  // of decoding in the work of a length, that of the three ways being 1
constexpr Index kMostSteps = 15;    // of decoding, whose median stands for the last

// All tokens anew: in tiles where that is possible.
Way anew_in(const LayerSettings& settings) { return *why_not(Way::tiled, settings) == 0 ? Way::tiled : Way::combined; }

template <class Work>
double milliseconds_of(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

class Measuring {
 public:
  Measuring(const LayerInput<float>& layer, const std::vector<Index>& lengths, const TimingLimits& limits,
            const TimingWatch& watch, const std::stop_token& stop, ThreadPool* pool)
      : layer_(layer), lengths_(lengths), limits_(limits), watch_(watch), stop_(stop), pool_(pool) {
    for (const Index n : lengths) all_ += (1 + kStepShare) * work_of(n);
  }

  Timings run() {
    try {
      for (const Index n : lengths_) at_length(n);
      decode();
    } catch (const Stopped&) {  // what was found stays
    }
    return std::move(timings_);
  }

 private:
  // About in proportion to the time of a length: products, and an exponential for as much as eight multiply-adds.
  double work_of(Index n) const {
    const auto t = static_cast<double>(n), d = static_cast<double>(layer_.d_model()),
               concat = static_cast<double>(layer_.concat_width());
    return 4 * t * d * concat + t * t * (2 * concat + 8 * static_cast<double>(layer_.heads));
  }
  void say(Index n, const std::string& what, double part) const {
    if (watch_.now) watch_.now("n = " + std::to_string(n) + ", " + what, (done_ + part * work_of(n)) / all_);
  }
  void found(Index n, double share) {
    done_ += share * work_of(n);
    if (watch_.found) watch_.found(timings_);
  }

  // One way at one length, under way.
  struct Turn {
    WayTiming timing;
    std::vector<double> times;
    Mat<float> output;
  };

  // The first run of each, which nobody times: it fetches memory.
  void first_runs(const LayerInput<float>& input, std::vector<Turn>& turns) {
    for (const WayEntry& entry : ways()) {
      if (*why_not(entry.way, input.settings) != 0) continue;
      const std::size_t bytes = bytes_needed(input, input.n(), entry.way);
      if (bytes > limits_.most_bytes) {
        timings_.left_out.push_back({entry.way, input.n(), bytes});
        continue;
      }
      say(input.n(), wording(entry.under_way), 0.3 * static_cast<double>(turns.size()) / 3);
      WayResult<float> result = compute(input, entry.way, pool_, stop_);
      turns.push_back({{entry.way, input.n(), 0, result.peak_bytes, 0}, {}, std::move(result.output)});
    }
  }

  void compare(const std::vector<Turn>& turns) {
    for (const Turn& turn : turns) {
      const float size = turns.front().output.cwiseAbs().maxCoeff();
      if (!(size > 0)) return;
      const float apart = (turn.output - turns.front().output).cwiseAbs().maxCoeff();
      timings_.largest_difference = std::max(timings_.largest_difference, static_cast<double>(apart / size));
    }
  }

  bool again(int round, double milliseconds) const {
    const double most = round < limits_.least_runs ? limits_.patience : limits_.seconds;
    return round == 0 || milliseconds < 1000 * most;
  }

  void at_length(Index n) {
    const LayerInput<float> input = stretched(layer_, n);
    std::vector<Turn> turns;
    first_runs(input, turns);
    compare(turns);
    double spent = 0;
    for (int round = 0; round < limits_.most_runs && again(round, spent); ++round)
      for (std::size_t k = 0; k < turns.size(); ++k) {
        Turn& turn = turns[k];
        if (round == 0) say(n, wording(entry_of(turn.timing.way).under_way), 0.3 + 0.3 * static_cast<double>(k) / 3);
        turn.times.push_back(
            milliseconds_of([&] { turn.output = compute(input, turn.timing.way, pool_, stop_).output; }));
        spent += turn.times.back();
      }
    for (Turn& turn : turns) {
      turn.timing.milliseconds = median(turn.times);
      turn.timing.runs = static_cast<int>(turn.times.size());
      timings_.ways.push_back(turn.timing);
    }
    found(n, 1);
  }

  void decode() {
    if (lengths_.empty()) return;
    LayerInput<float> input = stretched(layer_, lengths_.back());
    const auto causal = [](Mask& mask) { mask = {Mask::Kind::causal, nullptr, mask.window}; };
    causal(input.mask);
    for (HeadTerms& terms : input.own) causal(terms.mask);
    Decoder<float> decoder(input, lengths_.back());
    for (const Index n : lengths_) decoding_at(n, input, decoder);
  }

  void decoding_at(Index n, const LayerInput<float>& whole, Decoder<float>& decoder) {
    say(n, wording("core:timing.one_more"), 0);
    StepTiming step;
    step.n = n;
    // The last steps up to n stand for that of n; the tokens before them are taken at once.
    const Index steps = std::min(kMostSteps, n - decoder.tokens());
    const Index before = n - steps - decoder.tokens();
    if (before > 0) decoder.take(whole.X->middleRows(decoder.tokens(), before));
    std::vector<double> kept, anew;
    while (decoder.tokens() < n) {
      const RowVec<float> x = whole.X->row(decoder.tokens());
      kept.push_back(milliseconds_of([&] { decoder.step(x); }));
    }
    step.kept_milliseconds = median(kept);
    step.kept_bytes = decoder.cache_bytes();
    LayerInput<float> input = whole;
    input.X = share(Mat<float>(whole.X->topRows(n)));
    double spent = 0;
    for (int run = 0; run < limits_.most_runs && (run < 2 || again(run - 1, spent)); ++run) {
      say(n, wording("core:timing.anew"), 0.5 * kStepShare);
      WayResult<float> result;
      const double milliseconds =
          milliseconds_of([&] { result = compute(input, anew_in(input.settings), pool_, stop_); });
      step.anew_bytes = result.peak_bytes;
      if (run > 0) anew.push_back(milliseconds);  // the first fetches memory
      spent += milliseconds;
    }
    step.anew_milliseconds = median(anew);
    timings_.steps.push_back(step);
    found(n, kStepShare);
  }

  const LayerInput<float>& layer_;
  const std::vector<Index>& lengths_;
  const TimingLimits& limits_;
  const TimingWatch& watch_;
  const std::stop_token& stop_;
  ThreadPool* pool_;
  double all_ = 0, done_ = 0;  // of the work, in work_of
  Timings timings_;
};

}  // namespace

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

const WayTiming* timing_of(const Timings& timings, Way way, Index n) {
  for (const WayTiming& timing : timings.ways)
    if (timing.way == way && timing.n == n) return &timing;
  return nullptr;
}

LayerInput<float> stretched(const LayerInput<float>& layer, Index n) {
  Random random(kSeed);
  Mat<float> X(n, layer.d_model());
  for (Index k = 0; k < X.size(); ++k) X.data()[k] = static_cast<float>(random.normal());
  LayerInput<float> input = layer;
  input.X = share(std::move(X));
  input.mask = resized(layer.mask, n);
  for (HeadTerms& terms : input.own) terms.mask = resized(terms.mask, n);
  input.painted.clear();
  return input;
}

Timings measure_ways(const LayerInput<float>& layer, const std::vector<Index>& lengths, const TimingLimits& limits,
                     const TimingWatch& watch, const std::stop_token& stop, ThreadPool* pool) {
  return Measuring(layer, lengths, limits, watch, stop, pool).run();
}

}  // namespace hydra
