// Markov chains in context (Edelman et al. 2024, arXiv 2402.11004): every sequence has transition chances of its own,
// rows drawn from a flat Dirichlet distribution, and the next state is asked. The first state is any, all alike.
#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "core/error.h"
#include "core/learn/results.h"
#include "core/learn/tasks/parts.h"
#include "core/text/wording.h"

namespace hydra::learn {

namespace {

constexpr Index kMostStates = 8;
constexpr Index kChains = 10000;              // that baselines are tried on
constexpr std::uint64_t kChainSeed = 240211;  // theirs, always the same

constexpr const char* kMarkovPage = R"(
Press Space. At which of the three lines in the chart does the loss rest, and for how long? What do the two heads look
at while it rests (H), and which of them changes when it falls?

A row of days: sun, rain, snow. In each row the weather follows rules of its own, for example “after rain comes sun in
seven of ten cases”. The rules are drawn anew for every row and nobody tells them. After each day the model is asked
for the next.

Nothing can be learned by heart. What can be learned is a way to find the rules of a row while reading it.

# Three levels

Guess: every state alike. Count: say what was frequent in this row so far, whatever it is today. Count pairs: look for
earlier days like today and say what followed them. Each is better than the one before; the three lines in the chart
are what each can reach.

The last is the best there is. When rules are drawn as they are here, (c_ij + 1) / (c_i + k) is the chance of j after
i, where c_ij counts how often j followed i so far, c_i how often i was followed, and k is the number of states.

# Why one head is not enough

? Counting states needs one head that looks at all days alike. Counting pairs needs two layers: the first tells each day
what the day before was, the second looks at all days that come after a day like today. It is the induction head once
more, with a pattern spread over many places.

# Honest remarks

? Edelman et al. (2024) saw the loss rest at the first line, then at the second, then fall to the third. So it does here.

The lines are means over whole rows. At the beginning of a row nobody can know its rules, so the loss of the first
places is near the guess for everyone.

? In {runs} runs, seeds 0 to {last}, the loss had left the first line after {left} steps, came near the second after {came}
and stayed within .02 of it for {stayed} steps. Half-way from there to the third line it was after {half}. After 1000 steps it
was {end}, not quite at the third line: a pattern of one head counts pairs a little unevenly.
)";

// The chances of the states that follow one: uniform over all that add up to 1. They are the gaps between so many less
// one uniform numbers in their order (Devroye 1986, chapter V, theorem 2.1), which needs no logarithm.
void draw_chances(Random& random, std::span<double> chances) {
  for (double& cut : chances.first(chances.size() - 1)) cut = random.uniform();
  chances.back() = 1;
  std::sort(chances.begin(), chances.end());
  for (std::size_t k = chances.size(); --k > 0;) chances[k] -= chances[k - 1];
}

// The loss of many chains, each in the mean over its places, with a standard error.
class ChainLoss {
 public:
  void add(double loss) { sum_ += loss, squares_ += loss * loss, count_ += 1; }
  double mean() const { return sum_ / count_; }
  double error() const { return std::sqrt(std::max(0.0, squares_ / count_ - mean() * mean()) / count_); }

 private:
  double sum_ = 0, squares_ = 0, count_ = 0;
};

std::vector<std::string> markov_page() {
  const auto of = [](const char* number) -> const Measured& { return result("markov").measured("two layers", number); };
  const Measured& end = of("loss at the end");
  return paragraphs(kMarkovPage, {{"{runs}", count_words(end.runs())},
                                  {"{last}", std::to_string(end.runs() - 1)},
                                  {"{left}", range_words(of("step at which the guess is left"), 0)},
                                  {"{came}", range_words(of("step at which single frequencies are reached"), 0)},
                                  {"{stayed}", range_words(of("steps near single frequencies"), 0)},
                                  {"{half}", range_words(of("step half-way to pair frequencies"), 0)},
                                  {"{end}", range_words(end)}});
}

class Markov final : public Task {
 public:
  Markov(Index states, Index places) : states_(states), places_(places) {
    const std::vector<std::string> weather = {"sun", "rain", "snow", "fog", "wind", "hail", "frost", "storm"};
    info_.key = "markov";
    info_.title = "Markov chains: what usually comes next, here";
    info_.shape = {.length = places, .slots = 1, .questions = 1};
    info_.words = info_.answers = Vocabulary({weather.begin(), weather.begin() + states});
    info_.questions = {"next state"};
    describe_copies(info_);
    info_.causal = true;
    info_.page = markov_page();
    info_.readout_scale = 0;
    info_.recipe = {.layers = 2, .heads = 1, .d_model = 48, .batch = 64, .steps = 1000};
    info_.recipe.positions = {.kind = PositionRecipe::Kind::sinusoid, .base = 10, .scale = 3};
    info_.recipe.optimizer.rate = 0.004;
    info_.recipe.optimizer.warm_up = 200;
    info_.recipe.optimizer.schedule = Schedule::constant;
  }

  const TaskInfo& info() const override {
    std::call_once(counted_, [this] { add_baselines(); });
    return info_;
  }
  const TaskInfo& outline() const override { return info_; }

  void draw(Random& random, Stream, const SequenceOut& out) const override {
    clear(out);
    std::array<double, kMostStates * kMostStates> chances;
    const auto row = [&](Index state) {
      return std::span(chances).subspan(static_cast<std::size_t>(state * states_), static_cast<std::size_t>(states_));
    };
    for (Index state = 0; state < states_; ++state) draw_chances(random, row(state));
    auto state = static_cast<std::int32_t>(choose(random, states_));
    for (std::size_t i = 0; i < static_cast<std::size_t>(places_); ++i) {
      out.words[i] = state;
      double left = random.uniform();
      const std::span<const double> next = row(state);
      for (state = 0; state < states_ - 1 && left >= next[static_cast<std::size_t>(state)]; ++state)
        left -= next[static_cast<std::size_t>(state)];
      out.targets[i] = state;
    }
    *out.length = static_cast<std::int32_t>(places_);
    mark_copies(out);
  }

 private:
  void add_baselines() const;

  Index states_, places_;
  mutable std::once_flag counted_;
  mutable TaskInfo info_;  // its baselines and least loss when somebody asks for them
};

void Markov::add_baselines() const {
  using Counts = std::array<double, kMostStates>;
  ChainLoss single, pair;
  double single_right = 0, pair_right = 0;
  Batch batch(info_.shape, 1);
  const auto k = static_cast<double>(states_), length = static_cast<double>(places_);
  // What counts give the state: how likely it is, and whether it is the first of the most frequent ones.
  const auto chance = [&](const Counts& counts, std::size_t state, double count) {
    return (counts[state] + 1) / (count + k);
  };
  const auto right = [&](const Counts& counts, std::size_t state) {
    return std::max_element(counts.begin(), counts.begin() + states_) - counts.begin() ==
           static_cast<std::ptrdiff_t>(state);
  };
  for (std::uint64_t n = 0; n < kChains; ++n) {
    learn::draw(*this, kChainSeed, Stream::evaluation, n, 0, batch);
    Counts states{}, followed{};
    std::array<Counts, kMostStates> pairs{};
    double single_loss = 0, pair_loss = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(places_); ++i) {
      const auto now = static_cast<std::size_t>(batch.words(0)[i]),
                 next = static_cast<std::size_t>(batch.targets(0)[i]);
      states[now] += 1;
      single_loss -= std::log(chance(states, next, static_cast<double>(i + 1)));
      pair_loss -= std::log(chance(pairs[now], next, followed[now]));
      single_right += right(states, next);
      pair_right += right(pairs[now], next);
      pairs[now][next] += 1;
      followed[now] += 1;
    }
    single.add(single_loss / length);
    pair.add(pair_loss / length);
  }
  const double answers = static_cast<double>(kChains) * length;
  const auto tried = [](const ChainLoss& loss) {
    return " " + wording("training:markov.tried", {{"sequences", kChains}, {"error", figures(loss.error(), 1)}});
  };
  info_.baselines = {
      {.name = "guessing",
       .label = wording("training:baseline.guessing"),
       .accuracy = 1 / k,
       .loss = std::log(k),
       .how = wording("training:markov.guessing")},
      {.name = "single frequencies",
       .label = wording("training:baseline.single"),
       .accuracy = single_right / answers,
       .loss = single.mean(),
       .how = wording("training:markov.single") + tried(single)},
      {.name = "pair frequencies",
       .label = wording("training:baseline.pair"),
       .accuracy = pair_right / answers,
       .loss = pair.mean(),
       .how = wording("training:markov.pair") + tried(pair)},
  };
  info_.least_loss = pair.mean();
}

}  // namespace

std::shared_ptr<const Task> markov_task(Index states, Index places) {
  if (states < 2 || states > kMostStates)
    throw InputError(std::to_string(states) + " states are not possible in a Markov chain: take 2 to " +
                     std::to_string(kMostStates));
  if (places < 2 || places > kMostPlaces)
    throw InputError(std::to_string(places) + " places are not possible in a Markov chain: take 2 to " +
                     std::to_string(kMostPlaces));
  return std::make_shared<Markov>(states, places);
}

}  // namespace hydra::learn
