// Three tasks of one grammar (sentence.h). Four questions about each word, each answered with a word of the sentence.
#include <array>
#include <bit>
#include <cmath>
#include <mutex>

#include "core/learn/results.h"
#include "core/learn/tasks/frequencies.h"
#include "core/learn/tasks/sentence.h"
#include "core/text/wording.h"

namespace hydra::learn {

namespace {

constexpr Index kSampled = 20000;  // sentences that baselines are counted over, and as many that they are tried on
constexpr std::uint64_t kBaselineSeed = 108;  // theirs, always the same

constexpr const char* kGrammarPage = R"(
In the example of four heads that learned this press H, then Q, which hides the heads' names. In which one does “girl”
stand out in the row of “she”? What does “she” look at in the other three, and what is each for?

# Try

1. Press Q again for the names. Click that cell: the exponentials of its row, their sum, the share. Click the score in
it to go on to the products of q · k, then to one entry of q, then to x and W_Q; the breadcrumb leads back.

2. Press W. The heads have the names of the jobs, though training told them right answers only: each was silenced, and
answers that hang on its job were lost. Point at a name: how many were lost? Press U for untrained heads: what are they
called?

# What they learned

Sentences of a small grammar: “the old king near the cats chases the girl because she is tired .” About each word up to
four things are asked: the word before it, the mark that ends the sentence, its subject (of verbs and pronouns), and
whom it stands for (of pronouns and “that”). The answer is a word, never a place: nobody tells the heads where to look.

? In the example head 1 gives “she” the girl, and heads 2, 3 and 4 the end mark, the word before and the subject, the
king. The end mark and the subject have a head of their own most reliably. Noise is added to what heads give while they
learn, which makes patterns sharp: a head that spreads itself drowns in it.

# Why four heads

A pronoun is asked all four at once, and its answers stand at four places. One head has one pattern for each word: it
looks at one place, or at several, and then the readout has to tell words from a mixture. Four heads can share the work.

A verb agrees with its subject and not with the nearer noun: “the keys behind the robot are rusty .” A pronoun means the
subject or the object, each half of the time, and which one is told by its class alone: he, she, it or they.

# Honest remarks

? In {runs} runs, seeds 0 to {last}, at least {least} of the answers to every question were right. In {tidy} of them each
question had a head of its own that looked for it, with .8 of its attention on the right word in the mean of the four; in
{tidier} each of the four had .75 or more. Elsewhere two heads share a question, or one has two. The seed decides. A
model needs answers; tidy heads are what we wish for.

? Specialisation depends on what is asked. Without the question for the subject at pronouns, one head did both subject and
antecedent in both runs that were tried.
)";

constexpr const char* kPronounPage = R"(
In the example of two layers that learned this press H, then Page Down for layer 2, and read the row of “he” in each
head. Exchange “weak” for “heavy” (S): which heads switch from one noun to the other, and which do not?

# Try

1. Press Q, which hides the heads' names, then Page Up. Which head of layer 1 gives “he” the adjective with “weak”? What
does “he” read there with “heavy”? Guess first.

2. Press Q again, then W, and choose “All layers”: every head of both layers is a row. Sort by “stream”, what a head
adds against what enters its layer: in which layer do heads still move the words? [ and ] go from row to row. Type a
job, or 2.3 for head 3 of layer 2, and these rows alone are left. Then press L and choose “All layers”: which two heads are most alike? “By tree” puts
alike heads together.

# What they learned

Who was too weak? The king. Too heavy: the uncle. Both nouns are of the same class, so “he” fits both, and one adjective
decides. Besides, the model has the questions and the sentences of the grammar task, in which class is enough.

? In the example heads 2 and 3 of layer 2 switch, which are also the most alike; head 4 stays with the king, the subject.
In layer 1 head 4 gives “weak” .995 from “he”. With “heavy” no head of that layer gives it more than .02 from there:
head 4 goes to “uncle” (.47), and the answer is right all the same (.999).

? With seeds 0 to 9 the line of the antecedent is below .9 until step 150, and comes to .95 between steps 220 and 360:
that the adjective decides is learned last.

# Why one layer finds it hard

How a head scores a word is decided by the pronoun, that word and their places alone: in every head whose pattern is one
softmax of its own scores, as here, the weights on king and on uncle keep their ratio, whichever adjective stands there.
Adding votes does not help: the adjective can vote for “one who lifts”, but king and uncle are the same kind of word,
and only their places tell who lifts.

One narrow way is left. An adjective that takes most of a head's weight leaves little for the nouns. So one head can
carry the king unless “weak” takes its weight, another the uncle unless “heavy” does, and the readout sees what is left.

# Honest remarks

? Two layers solved it with each of {two runs} seeds, the worst with {two}. One layer with the same recipe reached from
{one}, {good} of {one runs} seeds more than .85, later and by the narrow way: look at its patterns, none of them
switches. So what needs two layers is a pattern that switches, not the answer.

? In layer 1 the weight from the pronoun on the adjective is spread over heads in some runs: the message need not come by
one of them. The other questions are answered too, but by mixed heads: look at the pronoun's row. Noise on the heads,
which helps the grammar task, hurts here.

There are only 3960 such sentences. Training keeps none of them back, and of those that a run is evaluated on it has
drawn about nine in ten: being right there shows what was learned, not that it holds for sentences never seen.
)";

constexpr const char* kAnimalPage = R"(
Press Space. When the line of the antecedent is near 1, press H and exchange the adjective of the sentence (S), “tired”
for “wide”: does the attention of “it” move to the other noun, as the answer does?

“The animal did not cross the street because it was too tired.” What was tired? The animal. “... too wide”: the
street. It looks like the pronoun task, in which two layers are needed. Here one layer answers everything.

# How one layer does it

? By adding votes. Heads can bring to “it” that an animal is there, that a street is, and which adjective is: “tired”
votes for all animals, “wide” for all places one can cross. The readout adds them up, and the animal that is in the
sentence wins. Nobody has to look at the right noun.

# What its pattern cannot show

? In one layer the weight from “it” to “animal” comes from these two words and their places, and the adjective enters
only through the sum that the row is divided by. Exchange “tired” for “wide”: the weights on “animal” and on “street”
keep their ratio exactly, while the answer changes from one to the other.

? So a pattern that lies on the right noun is no proof that the pronoun was resolved by looking, and one that lies on
the wrong noun is no mistake.

# Honest remarks

? The sentence is famous for a picture of a head that looks from “it” to the animal. That picture was of a deep layer,
where “it” has read the adjective already. The votes work because animals and places are different words; with two
nouns of the same kind they do not (the pronoun task).

? There are only 450 such sentences, and training draws all of them: those that a run is evaluated on are no others. That
the answers come by votes is seen in the patterns, not in the accuracy.
)";

class Grammar final : public Task {
 public:
  explicit Grammar(Sentences kind);
  const TaskInfo& info() const override {
    std::call_once(counted_, [this] { add_baselines(); });
    return info_;
  }
  const TaskInfo& outline() const override { return info_; }

  void draw(Random& random, Stream, const SequenceOut& out) const override {
    clear(out);
    const bool first = random.uniform() < first_share_;
    const Form form = first ? forms_.front() : forms_[static_cast<std::size_t>(choose(random, std::ssize(forms_)))];
    write_sentence(random, form, info_.shape.relations, out);
  }

 private:
  void tell_grammar();
  void tell_pronoun();
  void tell_animal();
  void add_baselines() const;

  std::vector<Form> forms_;
  double first_share_ = 0;  // of sentences that have the first form whatever is drawn; of the others any form alike
  mutable std::once_flag counted_;
  mutable TaskInfo info_;  // its baselines when somebody asks for them
};

Grammar::Grammar(Sentences kind) {
  info_.shape = {.length = kSentenceLength, .slots = 1, .questions = asked::kQuestions, .relations = asked::kQuestions};
  info_.words = info_.answers = Vocabulary(sentence_words());
  info_.questions = {"previous word", "end mark", "subject", "antecedent"};
  info_.relations = info_.questions;
  info_.relation_titles = {wording("training:relation.previous_word"), wording("training:relation.end_mark"),
                           wording("training:relation.subject"), wording("training:relation.antecedent")};
  info_.relation_how = {wording("training:grammar.previous"), wording("training:grammar.end_mark"),
                        wording("training:grammar.subject"), wording("training:grammar.antecedent")};
  info_.recipe = {.layers = 1, .heads = 4, .d_model = 64, .batch = 32, .steps = 1000};
  info_.recipe.question_weights = {2, 1, 1, 1};
  info_.recipe.by_question = true;
  if (kind == Sentences::grammar) {
    tell_grammar();
  } else {
    info_.shape.relations += 1;
    info_.relations.emplace_back("deciding word");
    info_.relation_titles.push_back(wording("training:relation.deciding"));
    info_.relation_how.push_back(wording("training:grammar.deciding"));
    info_.recipe.positions = {.kind = PositionRecipe::Kind::sinusoid, .base = 30, .scale = 1};
    info_.recipe.optimizer.kind = Optimizer::adamw;
    info_.recipe.optimizer.decay = 0.1;
    info_.recipe.optimizer.decay_query_key_only = true;
    info_.recipe.optimizer.rate = 0.005;
    info_.split = {wording("training:split.antecedent"), asked::kAntecedent, asked::kDeciding};
    kind == Sentences::pronoun ? tell_pronoun() : tell_animal();
  }
  info_.relation_layers.assign(info_.relations.size(), kLastLayer);
  if (kind == Sentences::pronoun) info_.relation_layers.back() = 0;
}

void Grammar::tell_grammar() {
  forms_ = {Form::sees, Form::gave, Form::that, Form::are};
  first_share_ = 0.9;
  info_.some_are_shorter = true;
  info_.key = "grammar";
  info_.title = "Grammar: four questions about each word";
  info_.recipe.positions.kind = PositionRecipe::Kind::learned;
  info_.recipe.controls.noise = 1;
  const Result& of = result("grammar");
  const Measured& least = of.measured("4 heads", "least answered question");
  const auto at_least = [&](const char* number, double bound) {
    const Measured& measured = of.measured("4 heads", number);
    return count_words(measured.runs() - measured.below(bound));
  };
  info_.page_about = "the old king near the cats chases the girl because she is tired .";
  info_.page = paragraphs(kGrammarPage, {{"{runs}", count_words(least.runs())},
                                         {"{last}", std::to_string(least.runs() - 1)},
                                         {"{least}", share_words(std::floor(100 * least.least()) / 100)},
                                         {"{tidy}", at_least("on its word, mean", 0.8)},
                                         {"{tidier}", at_least("on its word, least", 0.75)}});
}

void Grammar::tell_pronoun() {
  forms_ = {Form::sees, Form::lifted};
  first_share_ = 0.4;
  info_.some_are_shorter = true;
  info_.key = "pronoun";
  info_.title = "The king and the uncle: a pronoun that an adjective decides";
  info_.recipe.layers = 2;
  const Result& of = result("pronoun");
  const Measured &two = of.measured("two layers", "where the adjective decides"),
                 &one = of.measured("one layer", "where the adjective decides");
  info_.page_about = "the king could not lift the uncle because he was too weak .";
  info_.page = paragraphs(kPronounPage, {{"{two runs}", count_words(two.runs())},
                                         {"{two}", share_words(two.least())},
                                         {"{one}", range_words(one)},
                                         {"{good}", count_words(one.runs() - one.below(0.85))},
                                         {"{one runs}", count_words(one.runs())}});
}

void Grammar::tell_animal() {
  forms_ = {Form::sees, Form::crossed};
  first_share_ = 0.4;
  info_.some_are_shorter = true;
  info_.key = "animal";
  info_.title = "The animal and the street: one layer is enough";
  info_.opens_with = asked::kDeciding;
  info_.page = paragraphs(kAnimalPage);
}

// The chance that a noun drawn from those before the place, of the pronoun's class (“that” fits any), is the answer.
double class_alone(std::span<const std::int32_t> words, Index place, Index answer) {
  const Class c = class_of(words[static_cast<std::size_t>(place)]);
  double nouns = 0, right = 0;
  for (const std::int32_t word : words.first(static_cast<std::size_t>(place))) {
    if (class_of(word) == Class::none || (c != Class::none && class_of(word) != c)) continue;
    nouns += 1;
    right += word == answer;
  }
  return right / nouns;
}

void Grammar::add_baselines() const {
  const Index answers = info_.answers.size(), length = info_.shape.length;
  std::vector<Frequencies> known(asked::kQuestions, Frequencies(answers * length, answers));
  std::array<Score, asked::kQuestions> unseen;
  Score all, by_class;
  Batch batch(info_.shape, 1);
  // Calls f(question, place, its word, answer) for each question of so many sentences.
  const auto each = [&](Stream stream, const auto& f) {
    for (std::uint64_t k = 0; k < kSampled; ++k) {
      learn::draw(*this, kBaselineSeed, stream, k, 0, batch);
      for (Index i = 0; i < batch.length(0); ++i)
        for (Index q = 0; q < asked::kQuestions; ++q)
          if (const Index answer = batch.targets(0)[static_cast<std::size_t>(i * asked::kQuestions + q)];
              answer != kNone)
            f(q, i, batch.words(0)[static_cast<std::size_t>(i)], answer);
    }
  };
  each(Stream::training, [&](Index q, Index i, Index word, Index answer) {
    known[static_cast<std::size_t>(q)].add(word * length + i, answer);
  });
  std::array<std::vector<Index>, asked::kQuestions> best;  // by context
  for (std::size_t q = 0; q < best.size(); ++q) best[q] = known[q].most_frequent_after();
  each(Stream::evaluation, [&](Index q, Index i, Index word, Index answer) {
    const auto question = static_cast<std::size_t>(q);
    const Index context = word * length + i;
    const double right = best[question][static_cast<std::size_t>(context)] == answer;
    const double loss = -std::log(known[question].pair(context, answer));
    unseen[question].add(right, loss);
    all.add(right, loss);
    if (q != asked::kAntecedent) return;
    const double chance = class_alone(batch.words(0), i, answer);
    by_class.add(chance, -std::log(chance));
  });

  double weights = 0, loss = 0;
  std::string factors;
  for (std::size_t q = 0; q < unseen.size(); ++q) {
    const double factor = info_.recipe.question_weights[q], weight = factor / static_cast<double>(asked::kQuestions);
    weights += weight;
    loss += weight * unseen[q].loss();
    factors += (q == 0 ? "" : ", ") + figures(factor, 1);
  }
  const std::string weighted =
      " " + wording("training:grammar.weighted", {{"factors", factors}, {"questions", asked::kQuestions}});
  const auto sampled = [](const Score& score) {
    return " " + wording("training:grammar.sampled", {{"sentences", kSampled}, {"error", figures(score.error(), 1)}});
  };
  const std::string& without_looking = wording("training:grammar.without_looking");
  const auto n = static_cast<double>(answers);
  info_.baselines = {{.name = "guessing",
                      .label = wording("training:baseline.guessing"),
                      .accuracy = 1 / n,
                      .loss = weights * std::log(n),
                      .how = wording("training:grammar.guessing", {{"words", answers}}) + weighted},
                     {.name = "best without looking",
                      .label = wording("training:baseline.without_looking"),
                      .accuracy = all.accuracy(),
                      .loss = loss,
                      .how = without_looking + sampled(all) + weighted}};
  for (Index q = 0; q < asked::kQuestions; ++q) {
    const Score& score = unseen[static_cast<std::size_t>(q)];
    info_.baselines.push_back({.name = "best without looking",
                               .label = wording("training:baseline.without_looking"),
                               .accuracy = score.accuracy(),
                               .loss = score.loss(),
                               .how = without_looking + sampled(score),
                               .question = q});
  }
  info_.baselines.push_back({.name = "class alone",
                             .label = wording("training:baseline.class_alone"),
                             .accuracy = by_class.accuracy(),
                             .loss = by_class.loss(),
                             .how = wording("training:grammar.class_alone") + sampled(by_class),
                             .question = asked::kAntecedent});
  if (info_.shape.relations > asked::kDeciding)
    info_.baselines.push_back({.name = "without the adjective",
                               .label = wording("training:baseline.without_adjective"),
                               .accuracy = 0.5,
                               .loss = std::log(2),
                               .how = wording("training:grammar.without_adjective"),
                               .question = asked::kAntecedent,
                               .relation = asked::kDeciding});
}

}  // namespace

std::shared_ptr<const Task> sentences_task(Sentences kind) { return std::make_shared<Grammar>(kind); }

}  // namespace hydra::learn
