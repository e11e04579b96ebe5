#include "core/learn/tasks/sentence.h"

#include <algorithm>
#include <array>
#include <bit>

namespace hydra::learn {

namespace {

constexpr auto kSentenceWords = std::to_array<std::string_view>({
    "the",      "he",     "she",      "it",       "they",     "his",   "her",     "its",    "their",
    "i",        "that",  //
    "is",       "are",    "was",      "were",     "too",      "gave",  "did",     "not",    "cross",
    "could",    "lift",                                        //
    ".",        "!",      "?",                                 //
    "king",     "boy",    "uncle",    "actor",    "prince",    // masculine
    "queen",    "girl",   "aunt",     "nurse",    "princess",  // feminine
    "animal",   "cat",    "dog",      "robot",    "horse",     // neuter, who walk
    "street",   "river",  "road",     "bridge",   "forest",    // neuter, that are crossed
    "kings",    "queens", "students", "children", "animals",  "cats",  "dogs",    "robots", "keys",
    "teachers", "sees",   "chases",   "loves",    "follows",  "helps", "carries",                   //
    "see",      "chase",  "love",     "follow",   "help",     "carry",                              //
    "sleeps",   "runs",   "waits",    "sleep",    "run",      "wait",  "adopted", "found",  "met",  //
    "red",      "small",  "old",      "happy",    "rusty",                                          //
    "tired",    "hungry", "scared",                                                                 // of who walks
    "wide",     "long",   "deep",                                                            // of what is crossed
    "weak",     "feeble", "tiny",                                                            // of who lifts
    "heavy",    "huge",   "big",                                                             // of who is lifted
    "near",     "behind", "with",     "to",       "homework", "book",  "hat",     "dinner",  //
    "because",  "while",  "when",     "but",      "so",       "and",                         //
});

consteval std::int32_t id(std::string_view word) {
  for (std::size_t k = 0; k < kSentenceWords.size(); ++k)
    if (kSentenceWords[k] == word) return static_cast<std::int32_t>(k);
  throw "no such word";
}

// Words that stand together in the vocabulary.
struct Group {
  std::int32_t first, last;
  bool has(std::int32_t word) const { return word >= first && word <= last; }
  std::int32_t one(Random& random) const { return first + static_cast<std::int32_t>(choose(random, last - first + 1)); }
};
consteval Group group(std::string_view first, std::string_view last) { return {id(first), id(last)}; }

constexpr Group kWalkers = group("animal", "horse"), kPlaces = group("street", "forest");
constexpr Group kQualities = group("red", "rusty"), kFeelings = group("red", "scared");
constexpr Group kTired = group("tired", "scared"), kWide = group("wide", "deep");
constexpr Group kWeak = group("weak", "tiny"), kHeavy = group("heavy", "big");
constexpr Group kPrepositions = group("near", "to"), kThings = group("homework", "dinner");
constexpr Group kConjunctions = group("because", "and"), kPast = group("adopted", "met"), kEnds = group(".", "?");

struct ClassWords {
  Group nouns;
  std::int32_t he, his;
};
constexpr std::array<ClassWords, 4> kClasses = {{{group("king", "prince"), id("he"), id("his")},
                                                 {group("queen", "princess"), id("she"), id("her")},
                                                 {group("animal", "forest"), id("it"), id("its")},
                                                 {group("kings", "teachers"), id("they"), id("their")}}};
const ClassWords& words_of(Class c) { return kClasses[static_cast<std::size_t>(c)]; }

// The same verb for one and for several.
std::int32_t form_of(Class subject, std::int32_t singular, std::int32_t plural) {
  return subject == Class::plural ? plural : singular;
}
std::int32_t transitive(Random& random, Class subject) {
  return (subject == Class::plural ? group("see", "carry") : group("sees", "carries")).one(random);
}
std::int32_t intransitive(Random& random, Class subject) {
  return (subject == Class::plural ? group("sleep", "wait") : group("sleeps", "waits")).one(random);
}

class Sentence {
 public:
  Sentence(Random& random, Index relations, const SequenceOut& out)
      : random_(random), relations_(relations), out_(out) {
    // Plural as often as all singular classes together, nearly: .3 more than a fourth of the rest.
    subject_class_ = random.uniform() < 0.7 ? static_cast<Class>(choose(random, 4)) : Class::plural;
    const auto other = static_cast<int>(choose(random, 3));
    object_class_ = static_cast<Class>(other + (other >= static_cast<int>(subject_class_)));
    opposite_ = subject_class_ != Class::plural ? Class::plural : static_cast<Class>(choose(random, 3));
  }

  void write(Form form) {
    switch (form) {
      case Form::sees:
        sees();
        break;
      case Form::gave:
        gave();
        break;
      case Form::that:
        that();
        break;
      case Form::are:
        are();
        break;
      case Form::crossed:
        crossed();
        break;
      case Form::lifted:
        lifted();
        break;
    }
    say(kEnds.one(random_));
    for (Index i = 0; i < length_; ++i) {
      if (i > 0) gold(asked::kPrevious, i, i - 1);
      if (i < length_ - 1) gold(asked::kEnd, i, length_ - 1);
    }
    answer();
  }

 private:
  void sees() {
    const Index subject = noun_phrase(subject_class_);
    if (coin(random_)) {
      say(kPrepositions.one(random_));
      say_noun(words_of(opposite_).nouns.one(random_));
    }
    gold(asked::kSubject, length_, subject);
    say(transitive(random_, subject_class_));
    const Index object = noun_phrase(object_class_);
    say(kConjunctions.one(random_));
    const bool of_subject = coin(random_);
    const Class meant = of_subject ? subject_class_ : object_class_;
    pronoun(words_of(meant).he, of_subject ? subject : object, subject);
    say(form_of(meant, id("is"), id("are")));
    say(kFeelings.one(random_));
  }
  void gave() {
    const Index subject = noun_phrase(subject_class_);
    gold(asked::kSubject, length_, subject);
    say(id("gave"));
    const Index receiver = noun_phrase(object_class_);
    const bool of_subject = coin(random_);
    pronoun(words_of(of_subject ? subject_class_ : object_class_).his, of_subject ? subject : receiver, subject);
    say(kThings.one(random_));
  }
  void that() {
    const Index subject = noun_phrase(subject_class_);
    pronoun(id("that"), subject, subject);
    say(id("i"));
    gold(asked::kSubject, length_, length_ - 1);
    say(kPast.one(random_));
    gold(asked::kSubject, length_, subject);
    say(intransitive(random_, subject_class_));
  }
  void are() {
    const Index subject = noun_phrase(subject_class_);
    say(kPrepositions.one(random_));
    noun_phrase(opposite_);
    gold(asked::kSubject, length_, subject);
    say(form_of(subject_class_, id("is"), id("are")));
    say(kQualities.one(random_));
  }
  void crossed() {
    const Index animal = say_noun(kWalkers.one(random_));
    verb_without_doing(id("did"), id("cross"), animal);
    const Index place = say_noun(kPlaces.one(random_));
    because(id("it"), id("was"), animal, place, kTired, kWide);
  }
  void lifted() {
    const Group& nouns = words_of(subject_class_).nouns;
    const Index lifter = say_noun(nouns.one(random_));
    verb_without_doing(id("could"), id("lift"), lifter);
    const std::int32_t first = out_.words[static_cast<std::size_t>(lifter)];
    const std::int32_t other = Group{nouns.first, nouns.last - 1}.one(random_);  // any but the first
    const Index object = say_noun(other + (other >= first));
    because(words_of(subject_class_).he, form_of(subject_class_, id("was"), id("were")), lifter, object, kWeak, kHeavy);
  }

  void verb_without_doing(std::int32_t helper, std::int32_t verb, Index subject) {  // "did not cross"
    gold(asked::kSubject, length_, subject);
    say(helper);
    say(id("not"));
    gold(asked::kSubject, length_, subject);
    say(verb);
  }
  void because(std::int32_t he, std::int32_t was, Index first, Index second, const Group& of_first,
               const Group& of_second) {
    say(id("because"));
    const bool is_first = coin(random_);
    const Index at = length_;
    pronoun(he, is_first ? first : second, first);
    say(was);
    say(id("too"));
    if (relations_ > asked::kDeciding) gold(asked::kDeciding, at, length_);
    say((is_first ? of_first : of_second).one(random_));
  }

  void say(std::int32_t word) { out_.words[static_cast<std::size_t>(length_++)] = word; }
  Index say_noun(std::int32_t noun) {
    say(id("the"));
    say(noun);
    return length_ - 1;
  }
  Index noun_phrase(Class c) {
    say(id("the"));
    if (coin(random_)) say(kQualities.one(random_));
    say(words_of(c).nouns.one(random_));
    return length_ - 1;
  }
  void pronoun(std::int32_t word, Index antecedent, Index subject) {
    gold(asked::kAntecedent, length_, antecedent);
    gold(asked::kSubject, length_, subject);
    say(word);
  }
  void gold(Index relation, Index from, Index to) {
    out_.gold[static_cast<std::size_t>(from * relations_ + relation)] = std::uint64_t{1} << to;
  }
  void answer() {
    *out_.length = static_cast<std::int32_t>(length_);
    for (Index i = 0; i < length_; ++i)
      for (Index q = 0; q < asked::kQuestions; ++q)
        if (const std::uint64_t place = out_.gold[static_cast<std::size_t>(i * relations_ + q)])
          out_.targets[static_cast<std::size_t>(i * asked::kQuestions + q)] =
              out_.words[static_cast<std::size_t>(std::countr_zero(place))];
  }

  Random& random_;
  Index relations_;
  const SequenceOut& out_;
  Class subject_class_, object_class_, opposite_;  // the last, in number, of what stands between subject and verb
  Index length_ = 0;
};

}  // namespace

std::vector<std::string> sentence_words() { return {kSentenceWords.begin(), kSentenceWords.end()}; }

Class class_of(std::int32_t word) {
  for (std::size_t k = 0; k < kClasses.size(); ++k)
    if (kClasses[k].nouns.has(word) || kClasses[k].he == word || kClasses[k].his == word) return static_cast<Class>(k);
  return Class::none;
}

void write_sentence(Random& random, Form form, Index relations, const SequenceOut& out) {
  Sentence(random, relations, out).write(form);
}

}  // namespace hydra::learn
