// A row of different words is repeated: what follows a word is what followed it last time. Elhage et al. 2021; Olsson
// et al. 2022.
#include <array>
#include <cmath>
#include <numeric>

#include "core/learn/results.h"
#include "core/learn/tasks/parts.h"
#include "core/text/wording.h"

namespace hydra::learn {

namespace {

constexpr const char* kInductionPage = R"(
In the example of two layers that learned this press H, then Q, which hides the heads' names, and Page Down for layer 2.
Read the last row, that of “tree”: which word do both heads find, and why?

# Try

1. Press Q again, then J, choose “Induction” and press Space; where a trained model is open press “Reset” first. Which
line rises first, and what does the loss do then?

2. Drag the bar at the bottom back to where the loss falls: every view is at that step (H, then J again). Press 1, then
Z: head 1 of layer 1 is silent. Press Space: training goes on from there as a branch. What grows back, and where?
Silence that head after training instead: does the induction head still find its place?

3. What pulls at a head? Drag the bar back to where the loss falls and open “Gradients”: which weights on words should
be larger (blue), and how little of that does softmax hand on to the scores? Under “Weights” click a number and read its
update: token by token, sequence by sequence, then what Adam makes of it. Press “Step”: is the number what was foretold?
“Between heads”: silence whom you like (Z), and see what reaches the others. “Scaling”: what is left of the slope
without 1/√d_k?

# What they learned

A row of 9 to 15 different words is said, then said again from its beginning, until 32 words stand there. From the
second round on the model is asked for the next word. The words are drawn anew each time.

? All that helps is to look back to what followed this word last time. In the example that is “star”: head 1 finds it where it stood last (.998), head 2
where it stood first (.98).

# Why one head is not enough

? A place knows only which word stands on it, not which stood before it. A head of layer 1 writes that down: each word
looks at the word before it and carries it along. Then a head of layer 2 asks “who was preceded by the word I am?” The
first changes the keys of the second.

# When they learn it

? With seed 0 the loss is at {50} after fifty steps and still at {120} after 120. The line of the previous-token head rises,
soon after it the induction head appears, and by step 170 the loss is at {170}. Neither is of much use without the other,
which is why it happens at once. With head 1 of layer 1 silenced at step 140, head 2 of that layer looks at the previous
word by step 200, and the loss falls there.

# Honest remarks

? In {found} of {runs} runs, seeds 0 to {last}, a head of layer 1 had {before} of its weight on the word before, the rest on
words close to it, and one of layer 2 at least {followed} on what followed last time. In {alone} one head of layer 1 did this
work alone, in {both} both of layer 2 did theirs. Seed 2 reached {seed 2} by neither: see what its heads do.

? One layer is better than guessing. It can count: a word said less often than others is due. In {few} runs of one layer
{one} of the answers were right, {one mean} in the mean. In principle the word that was not said for the longest time is
always the answer, and positions tell a little about that.
)";

// What each run's heads look at, by what the better and the other one of a layer have.
std::vector<std::string> induction_page() {
  constexpr double kFinds = 0.9, kAlone = 0.25, kBoth = 0.7;
  const Result& of = result("induction");
  const auto two = [&](const char* number) { return of.measured("two layers", number).values(); };
  const std::vector<double> accuracy = two("accuracy"), before = two("previous word, one head"),
                            before_other = two("previous word, the other"), followed = two("what followed, one head"),
                            followed_other = two("what followed, the other");
  std::vector<double> found_before, found_followed;
  Index alone = 0, both = 0;
  for (std::size_t k = 0; k < followed.size(); ++k) {
    if (followed[k] < kFinds) continue;
    found_before.push_back(before[k]), found_followed.push_back(followed[k]);
    alone += before_other[k]<kAlone, both += followed_other[k]> kBoth;
  }
  const auto loss = [&](const char* number, int decimals) {
    return share_words(of.measured("two layers, on the way", number).mean(), decimals);
  };
  const Measured& one = of.measured("one layer", "accuracy");
  return paragraphs(kInductionPage, {{"{50}", loss("loss after 50 steps", 1)},
                                     {"{120}", loss("loss after 120 steps", 1)},
                                     {"{170}", loss("loss after 170 steps", 1)},
                                     {"{found}", count_words(std::ssize(found_followed))},
                                     {"{runs}", count_words(std::ssize(followed))},
                                     {"{last}", std::to_string(std::ssize(followed) - 1)},
                                     {"{before}", range_words(found_before)},
                                     {"{followed}", share_words(Measured(found_followed).least())},
                                     {"{alone}", count_words(alone)},
                                     {"{both}", count_words(both)},
                                     {"{seed 2}", share_words(accuracy.size() > 2 ? accuracy[2] : Measured({}).mean())},
                                     {"{few}", count_words(one.runs())},
                                     {"{one}", range_words(one)},
                                     {"{one mean}", share_words(one.mean())}});
}

class Induction final : public Task {
 public:
  Induction() {
    info_.key = "induction";
    info_.title = "Induction: what followed last time";
    info_.page = induction_page();
    info_.page_about =
        "sun tree star cake lamp cup book frog map bus sun tree star cake lamp cup book frog map bus "
        "sun tree star cake lamp cup book frog map bus sun tree";
    info_.shape = {.length = kLength, .slots = 1, .questions = 1};
    info_.words =
        Vocabulary({"cat",  "dog",  "sun",  "map",  "red",  "box",  "cup",  "hat",  "pen",  "key",  "bus",  "tree",
                    "fish", "milk", "book", "door", "lamp", "shoe", "rain", "star", "leaf", "bell", "frog", "cake"});
    info_.answers = info_.words;
    info_.questions = {"next word"};
    describe_copies(info_);
    info_.causal = true;
    add_baselines();
    info_.recipe = {.layers = 2, .heads = 2, .d_model = 48, .batch = 32, .steps = 600};
    info_.recipe.positions = {.kind = PositionRecipe::Kind::sinusoid, .base = 10, .scale = 3};
    info_.recipe.optimizer.rate = 0.006;
    info_.recipe.optimizer.schedule = Schedule::constant;
  }

  const TaskInfo& info() const override { return info_; }

  void draw(Random& random, Stream, const SequenceOut& out) const override {
    clear(out);
    std::array<std::int32_t, kWords> segment;
    std::iota(segment.begin(), segment.end(), 0);
    const Index period = kLeast + choose(random, kMost - kLeast + 1);
    shuffle_first<std::int32_t>(random, segment, period);
    const auto word = [&](Index place) { return segment[static_cast<std::size_t>(place % period)]; };
    for (Index i = 0; i < kLength; ++i) {
      out.words[static_cast<std::size_t>(i)] = word(i);
      if (i >= period) out.targets[static_cast<std::size_t>(i)] = word(i + 1);
    }
    *out.length = kLength;
    mark_copies(out);
  }

 private:
  static constexpr Index kLength = 32, kWords = 24, kLeast = 9, kMost = 15;

  // Of each cheat: among how many words it guesses, at each place that is asked.
  void add_baselines() {
    double asked = 0, any = 0, any_loss = 0, due = 0, due_loss = 0;
    for (Index period = kLeast; period <= kMost; ++period)
      for (Index i = period; i < kLength; ++i) {
        const auto others = static_cast<double>(period - 1);  // of the row, without the present word
        const Index behind = period - (i + 1) % period;       // words that were said once less than the rest
        const double candidates = behind == period ? others : static_cast<double>(behind);
        asked += 1;
        any += 1 / others, any_loss += std::log(others);
        due += 1 / candidates, due_loss += std::log(candidates);
      }
    info_.baselines = {
        {.name = "guessing",
         .label = wording("training:baseline.guessing"),
         .accuracy = 1.0 / kWords,
         .loss = std::log(static_cast<double>(kWords)),
         .how = wording("training:induction.guessing")},
        {.name = "any earlier word",
         .label = wording("training:baseline.earlier_word"),
         .accuracy = any / asked,
         .loss = any_loss / asked,
         .how = wording("training:induction.earlier_word")},
        {.name = "counting",
         .label = wording("training:baseline.counting"),
         .accuracy = due / asked,
         .loss = due_loss / asked,
         .how = wording("training:induction.counting")},
    };
  }

  TaskInfo info_;
};

}  // namespace

std::shared_ptr<const Task> induction_task() { return std::make_shared<Induction>(); }

}  // namespace hydra::learn
