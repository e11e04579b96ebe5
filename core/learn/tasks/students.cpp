// Students sit in a row, each with a fruit, and ask by name for the fruit of several classmates: as many lookups at
// once as there are questions, in one layer.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

#include "core/error.h"
#include "core/learn/results.h"
#include "core/learn/tasks/parts.h"
#include "core/text/wording.h"

namespace hydra::learn {

namespace {

constexpr std::string_view kNames[] = {"Ann", "Ben", "Cem", "Dia", "Eli", "Fay", "Gus", "Han", "Ida", "Jan", "Kim",
                                       "Leo", "Mia", "Nia", "Oli", "Pam", "Raj", "Sam", "Tom", "Uma", "Val", "Wim",
                                       "Yan", "Zoe", "Amy", "Bob", "Eva", "Ivo", "Lea", "Max", "Noa", "Tim"};
constexpr std::string_view kFruits[] = {"apple", "pear", "plum", "fig", "kiwi", "lime", "peach", "grape"};
constexpr double kSolved = 0.9;  // a question: so many of its answers are right
constexpr Index kMostNames = std::ssize(kNames), kFruitCount = std::ssize(kFruits), kMostQuestions = 8;

std::string among(Index value, const char* what, Index least, Index most) {
  return std::to_string(value) + " " + what + " are not possible in students and fruit: take " + std::to_string(least) +
         " to " + std::to_string(most);
}

// Of a room in which so many students each drew a fruit: the share of the most frequent one, and the entropy of the
// shares in nats, both in the mean.
struct Counted {
  double most = 0, entropy = 0;
};
Counted count_fruits(Index students) {
  Counted mean;
  const auto n = static_cast<double>(students), fruits = static_cast<double>(kFruitCount);
  for (Index most = 0; most <= students; ++most) {
    // Ways to deal n fruits with none more than `most` times, over n!: the coefficient of x^n in
    // (1 + x + x^2 / 2! + ... + x^most / most!)^8.
    std::vector<double> ways(static_cast<std::size_t>(students) + 1, 0);
    ways.front() = 1;
    for (Index fruit = 0; fruit < kFruitCount; ++fruit)
      for (std::size_t sum = ways.size(); sum-- > 0;) {
        double total = 0;
        for (std::size_t c = 0; c <= std::min(sum, static_cast<std::size_t>(most)); ++c)
          total += ways[sum - c] / std::tgamma(static_cast<double>(c) + 1);
        ways[sum] = total;
      }
    const double none_above = ways.back() * std::exp(std::lgamma(n + 1) - n * std::log(fruits));
    mean.most += (1 - none_above) / n;  // the mean of a count is the sum of the chances that it is more than 0, 1, ...
    if (most == 0) continue;
    const auto c = static_cast<double>(most);
    const double chance = std::exp(std::lgamma(n + 1) - std::lgamma(c + 1) - std::lgamma(n - c + 1) -
                                   c * std::log(fruits) + (n - c) * std::log1p(-1 / fruits));
    mean.entropy -= fruits * chance * c / n * std::log(c / n);
  }
  return mean;
}

constexpr const char* kStudentsPage = R"(
# Who sits there

{students} students, each with a name, different from all others, and a fruit, one of 8. Each asks by name for the fruit
of classmates, {questions} times. So a word is several words added up: “Ann+plum+1:Bob+2:Ann” is Ann, who has a plum,
and asks first for Bob's fruit and then for her own.

# Why it takes several heads

To answer one question a head asks for a name and brings that student's fruit. A single head has one pattern for all
questions: it looks at one classmate or at several. What it brings then is a mixture, from which this model's readout, a
linear one, does not learn whose fruit is whose. With as many heads as questions each can get one of its own.

Heads that are too narrow may fail as well: each of h heads has d_model / h numbers for its query, and with one or two
it may be slow to tell {names} names apart.
)";

// What to look at and to try, and what was measured, by task: the beginning and the end of its page.
constexpr const char* kStudentsFirst = R"(
In the examples of 1, 4 and 32 heads press H, then Q, which hides the heads' names. A row is a student who asks for four
classmates. Point at the cells that stand out: the status line has both words whole. Which question does each head
answer, and which questions have no head?

# Try

1. Press N, choose “Trained” and press “Train” (or J, “Head counts”): the same model with 1 to 32 heads. How many of the
four questions does each answer, and which? Under each h stand the accuracies at three learning rates: where would one
rate alone have misled you?

2. Take .1 as well, then 6000 steps, then d_model 64: what moves, what stays? What do four layers of one head do? Click
a pattern to open that model.
)";
constexpr const char* kStudentsMeasured = R"(
# Honest remarks

? In the example of four heads the four questions have heads 2, 3, 4 and 1. In that of one head it looks at the classmates
of questions 1 and 3, with .44 and .49 in the mean; of 32 heads none has more than .39 for any.

? With 4 questions, 12 students, d_model 32, 1500 steps and the rate .01, {runs} runs each gave in the mean: one head {1}
of the answers, two {2}, four {4}, eight {8}, sixteen {16}, thirty-two {32}. One head answers one question of four and
guesses the others. Of the {runs} runs of four heads {unsolved} left a question unsolved; seed 0, with {third} for the third,
is one: Trade-off shows it first, Learn begins with seed 1.

? The fall at sixteen heads goes with a higher rate or more steps: {few} runs each gave {16 of few} in the mean at .01,
{16 at .03} at .03, {16 at .1} at .1, and {16 of 6000} at .01 with 6000 steps. Thirty-two heads of one number each stayed low
at every rate from .001 to .1, with 1500 and with 6000 steps: the best run had {32 at best}, where counting fruits gives
{counting}. With d_model 64, 1500 steps and the rate .01 sixteen heads gave {16 of width 64}, thirty-two
{32 of width 64}, sixty-four {64 of width 64}.

? Depth helps as well: at d_model 32 four layers of one head each gave {deep} in {few} runs of 1500 steps at the rate .01,
with more numbers to learn; at d_model 64 that rate was too high for them. On the grammar one head gets {grammar 32} of the
answers at d_model 32 and {grammar 64} at d_model 64, medians of seeds 100 to 104, 1000 steps at the rate .01.
)";
constexpr const char* kCrowdFirst = R"(
Press Space. Which of the four questions are answered in the end, and which are left? Press H: has each
question a head of its own?
)";
constexpr const char* kCrowdMeasured = R"(
# Honest remarks

? With d_model 32, 1500 steps and the rate .01 {runs} runs each gave in the mean: one head {1} of the answers, two {2}, four
{4}, eight {8}, sixteen {16}, thirty-two {32}, each a little less than with 12 students. With four and with eight heads
about half of the runs answer everything, and the others leave some answers of a question or two. At the rate .03 {few}
runs of sixteen heads gave {16 at .03} in the mean, of thirty-two {32 at .03}.
)";
constexpr const char* kCollapseFirst = R"(
Press Space and wait for the end. Choose “Which heads are needed” and drag in the chart until the accuracy breaks: how
many of the eight heads can go? Which of the three measures keeps heads that are not needed?

Choose “Collapse” and guess before each “Try”: what do heads do that begin as copies, and what does a hundredth of noise
change? “What will happen?” has the answer.
)";
constexpr const char* kCollapseMeasured = R"(
# Honest remarks

? Two heads would do here, and eight are there (d_model 32, 600 steps, the rate .01). What {runs} runs of each
experiment came to stands on the page “Collapse”, behind “What will happen?”.

? With seed 0 six of the eight heads can go with an accuracy of {pruned} left. Gates with a price keep {kept} of these six
open.
)";

// In the mean of all its runs.
std::string students_mean(const Result& of, std::string_view setting) {
  return share_words(of.measured(setting, "accuracy").mean());
}
std::string students_runs(const Result& of, std::string_view setting) {
  return count_words(of.measured(setting, "accuracy").runs());
}

// What both pages tell of so many heads at the rate .01, and more.
Values of_head_counts(const Result& of, Values more) {
  more.emplace_back("{runs}", students_runs(of, "1 head"));
  for (const int heads : {1, 2, 4, 8, 16, 32}) {
    const std::string count = std::to_string(heads);
    more.emplace_back("{" + count + "}", students_mean(of, count + (heads == 1 ? " head" : " heads")));
  }
  return more;
}

class Students final : public Task {
 public:
  Students(Index questions, Index names, Index students) : questions_(questions), names_(names), students_(students) {
    info_.key = "students";
    info_.title = "Students and fruit: several lookups at once";
    info_.shape = {.length = students, .slots = 2 + questions, .questions = questions, .relations = questions};
    name_words();
    for (Index q = 0; q < questions; ++q) {
      const std::string number = std::to_string(q + 1);
      info_.questions.push_back("question " + number);
      info_.relations.push_back("asked " + number);
      info_.relation_titles.push_back(wording("training:relation.asked", {{"question", q + 1}}));
      info_.relation_how.push_back(wording("training:students.asked", {{"question", q + 1}}));
      info_.relation_layers.push_back(kLastLayer);
    }
    add_baselines();
    info_.recipe = {.layers = 1, .heads = 4, .d_model = 32, .batch = 48, .steps = 1500};
  }

  const TaskInfo& info() const override { return info_; }
  TaskInfo& known() { return info_; }  // for a key to say what is its own
  // What to look at and to try, who sits there and why, what was measured, with its values.
  void tell(std::string_view first, std::string_view measured, const Values& values) {
    const Values own = {{"{students}", std::to_string(students_)},
                        {"{names}", std::to_string(names_)},
                        {"{questions}", std::to_string(questions_)}};
    const auto add = [&](std::vector<std::string> page) {
      std::move(page.begin(), page.end(), std::back_inserter(info_.page));
    };
    add(paragraphs(first, own));
    add(paragraphs(kStudentsPage, own));
    add(paragraphs(measured, values));
  }

  void draw(Random& random, Stream, const SequenceOut& out) const override {
    clear(out);
    std::array<std::int32_t, kMostNames> names, asked;
    std::iota(names.begin(), names.end(), 0);
    shuffle_first<std::int32_t>(random, std::span(names).first(static_cast<std::size_t>(names_)), students_);
    std::array<std::int32_t, kMostNames> fruit;
    for (Index i = 0; i < students_; ++i) fruit[at(i)] = static_cast<std::int32_t>(choose(random, kFruitCount));
    std::iota(asked.begin(), asked.end(), 0);
    for (Index i = 0; i < students_; ++i) {
      const auto words = out.words.subspan(at(i * (2 + questions_)), at(2 + questions_));
      words[0] = names[at(i)];
      words[1] = static_cast<std::int32_t>(names_) + fruit[at(i)];
      // Any order of all students begins with questions_ of them drawn at random, whatever order it is made from.
      shuffle_first<std::int32_t>(random, std::span(asked).first(at(students_)), questions_);
      for (Index q = 0; q < questions_; ++q) {
        const std::int32_t whom = asked[at(q)];
        words[at(2 + q)] = static_cast<std::int32_t>(names_ + kFruitCount + q * names_) + names[at(whom)];
        out.targets[at(i * questions_ + q)] = fruit[at(whom)];
        out.gold[at(i * questions_ + q)] = std::uint64_t{1} << whom;
      }
    }
    *out.length = static_cast<std::int32_t>(students_);
  }

 private:
  static std::size_t at(Index k) { return static_cast<std::size_t>(k); }

  // Names, fruits, and every name once more for each question: "1:Ann".
  void name_words() {
    std::vector<std::string> words(kNames, kNames + names_);
    words.insert(words.end(), std::begin(kFruits), std::end(kFruits));
    info_.word_scale.assign(words.size(), 1);
    for (Index q = 0; q < questions_; ++q)
      for (Index k = 0; k < names_; ++k) words.push_back(std::to_string(q + 1) + ":" + std::string(kNames[k]));
    // Together the names asked for are as large as one word.
    info_.word_scale.resize(words.size(), 1 / std::sqrt(static_cast<double>(questions_)));
    info_.words = Vocabulary(std::move(words));
    info_.answers = Vocabulary(std::vector<std::string>(std::begin(kFruits), std::end(kFruits)));
  }

  void add_baselines() {
    const auto n = static_cast<double>(students_), fruits = static_cast<double>(kFruitCount);
    const double self = 1 / n;  // how often one asks for oneself
    const double own = self + (1 - self) / fruits, own_loss = (1 - self) * std::log(fruits);
    const Counted others = students_ > 1 ? count_fruits(students_ - 1) : Counted{};
    info_.baselines = {
        {.name = "guessing",
         .label = wording("training:baseline.guessing"),
         .accuracy = 1 / fruits,
         .loss = std::log(fruits),
         .how = wording("training:students.guessing")},
        {.name = "best without looking",
         .label = wording("training:baseline.without_looking"),
         .accuracy = own,
         .loss = own_loss,
         .how = wording("training:students.without_looking", {{"students", students_}})},
        {.name = "counting",
         .label = wording("training:baseline.counting"),
         .accuracy = self + (1 - self) * others.most,
         .loss = (1 - self) * others.entropy,
         .how = wording("training:students.counting")},
    };
    for (Index found = 1; found < questions_; ++found) {
      const double share = static_cast<double>(found) / static_cast<double>(questions_);
      info_.baselines.push_back(
          {.name = std::to_string(found) + " of " + std::to_string(questions_) + " questions",
           .label = wording("training:baseline.found", {{"found", found}, {"questions", questions_}}),
           .accuracy = share + (1 - share) * own,
           .loss = -1,
           .how = wording("training:students.found")});
    }
  }

  Index questions_, names_, students_;
  TaskInfo info_;
};

// Of 32 heads, at every rate and over as many steps as were tried.
double best_of_32() {
  double best = 0;
  for (const auto& [name, setting] : result("students").settings)
    if (name.starts_with("32 heads, rate ")) best = std::max(best, setting.numbers.at("accuracy").most());
  return best;
}

void tell_students(Students& task) {
  const Result &of = result("students"), &grammar = result("grammar");
  const Measured &four = of.measured("4 heads", "least answered question"),
                 &third = of.measured("4 heads", "question 3");
  const Measured few = of.measured("16 heads", "accuracy").first(of.measured("16 heads, rate .03", "accuracy").runs());
  const auto of_grammar = [&](const char* setting) {
    return share_words(grammar.measured(setting, "accuracy").median());
  };
  task.tell(kStudentsFirst, kStudentsMeasured,
            of_head_counts(of, {{"{unsolved}", count_words(four.below(kSolved))},
                                {"{third}", share_words(third.first(1).mean())},
                                {"{few}", count_words(few.runs())},
                                {"{16 of few}", share_words(few.mean())},
                                {"{16 at .03}", students_mean(of, "16 heads, rate .03")},
                                {"{16 at .1}", students_mean(of, "16 heads, rate .1")},
                                {"{16 of 6000}", students_mean(of, "16 heads, 6000 steps")},
                                {"{32 at best}", share_words(best_of_32())},
                                {"{counting}", share_words(task.info().baselines[2].accuracy)},
                                {"{16 of width 64}", students_mean(of, "16 heads, d_model 64")},
                                {"{32 of width 64}", students_mean(of, "32 heads, d_model 64")},
                                {"{64 of width 64}", students_mean(of, "64 heads, d_model 64")},
                                {"{deep}", range_words(of.measured("4 layers of 1 head", "accuracy"))},
                                {"{grammar 32}", of_grammar("1 head, d_model 32")},
                                {"{grammar 64}", of_grammar("1 head, d_model 64")}}));
}

}  // namespace

std::shared_ptr<const Task> students_task(Index questions, Index names, Index students) {
  if (questions < 1 || questions > kMostQuestions) throw InputError(among(questions, "questions", 1, kMostQuestions));
  if (names < questions || names > kMostNames) throw InputError(among(names, "names", questions, kMostNames));
  if (students < questions || students > names) throw InputError(among(students, "students", questions, names));
  auto task = std::make_shared<Students>(questions, names, students);
  task->known().seed = 1;
  tell_students(*task);
  return task;
}

std::shared_ptr<const Task> crowd_task() {
  auto task = std::make_shared<Students>(4, 20, 16);
  TaskInfo& info = task->known();
  info.key = "crowd";
  info.title = "A crowd of students: more classmates to look through";
  info.recipe.batch = 32;
  const Result& of = result("crowd");
  task->tell(kCrowdFirst, kCrowdMeasured,
             of_head_counts(of, {{"{few}", students_runs(of, "16 heads, rate .03")},
                                 {"{16 at .03}", students_mean(of, "16 heads, rate .03")},
                                 {"{32 at .03}", students_mean(of, "32 heads, rate .03")}}));
  return task;
}

std::shared_ptr<const Task> collapse_task() {
  auto task = std::make_shared<Students>(2, 16, 12);
  TaskInfo& info = task->known();
  info.key = "collapse";
  info.title = "Two questions, eight heads: what heads too many do";
  info.recipe.heads = 8;
  info.recipe.steps = 600;
  const Result& of = result("collapse");
  const double open = of.measured("pruned", "open gates").mean();
  task->tell(kCollapseFirst, kCollapseMeasured,
             {{"{runs}", students_runs(of, "normal")},
              {"{pruned}", share_words(of.measured("pruned", "accuracy without six heads").mean())},
              {"{kept}", std::isnan(open) ? share_words(open) : count_words(std::lround(open) - 2)}});
  return task;
}

}  // namespace hydra::learn
