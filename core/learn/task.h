// A task: sequences of words that are drawn anew for every step, with what is asked at each place, and where a head
// would have to look to know the answer.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/learn/recipe.h"
#include "core/linalg/random.h"
#include "core/text/vocabulary.h"

namespace hydra::learn {

inline constexpr std::int32_t kNone = -1;  // no word, no question
inline constexpr Index kMostPlaces = 64;   // of a sequence, so that a set of places is a number

struct TaskShape {
  Index length = 1;     // places of the longest sequence, up to kMostPlaces
  Index slots = 1;      // words that stand at a place together: rows of E that are summed
  Index questions = 1;  // that may be asked at a place, each with a readout of its own
  Index relations = 0;  // of which it is known where a head would look
};

// Where one sequence is written to; whoever draws it writes all of it.
struct SequenceOut {
  std::span<std::int32_t> words;    // [length x slots] rows of E, or kNone: all of them from the sequence's end on
  std::span<std::int32_t> targets;  // [length x questions] the answer's place in the vocabulary of answers, or kNone
  std::span<std::uint64_t> gold;    // [length x relations] bit k: place k is where to look; 0: nowhere
  std::int32_t* length;             // its places that have words
};

// So many sequences, one after the other. Made once; drawing allocates nothing.
class Batch {
 public:
  Batch(const TaskShape& shape, Index count);
  const TaskShape& shape() const { return shape_; }
  Index count() const { return count_; }
  SequenceOut sequence(Index k);
  std::span<const std::int32_t> words(Index k) const {
    return {words_.data() + k * word_stride(), size(word_stride())};
  }
  std::span<const std::int32_t> targets(Index k) const {
    return {targets_.data() + k * target_stride(), size(target_stride())};
  }
  std::span<const std::uint64_t> gold(Index k) const { return {gold_.data() + k * gold_stride(), size(gold_stride())}; }
  std::int32_t length(Index k) const { return lengths_[size(k)]; }

 private:
  static std::size_t size(Index count) { return static_cast<std::size_t>(count); }
  Index word_stride() const { return shape_.length * shape_.slots; }
  Index target_stride() const { return shape_.length * shape_.questions; }
  Index gold_stride() const { return shape_.length * shape_.relations; }

  TaskShape shape_;
  Index count_;
  std::vector<std::int32_t> words_, targets_, lengths_;
  std::vector<std::uint64_t> gold_;
};

// What can be reached without having understood: an accuracy or a loss, to be drawn as a line with its name.
struct Baseline {
  std::string name;     // "guessing", "best without looking", "single frequencies": by which it is found
  std::string label;    // on the screen
  double accuracy = 0;  // share of answers, 0 to 1; below 0: none is known
  double loss = 0;      // cross-entropy in nats; below 0: none is known
  std::string how;      // one sentence: how one gets it
  // Of which answers it tells: of those to a question, the loss their mean; or, kNone, of all: every answer counts
  // alike in the accuracy, and the loss is the recipe's. At the places where a relation has gold, or, kNone, at all.
  Index question = kNone, relation = kNone;
};

inline constexpr Index kLastLayer = -1;

// Answers that are told apart: those to the question at places where the relation has gold.
struct AnswerSplit {
  std::string title;                         // "antecedent, where the adjective decides"
  Index question = kNone, relation = kNone;  // kNone: there are none
};

struct TaskInfo {
  std::string key, title;         // "induction"; "Induction: what followed last time"
  std::vector<std::string> page;  // for the class; a paragraph that begins with "# " is a heading
  std::string page_about;         // the sentence that it speaks of; empty: of none
  TaskShape shape;
  Vocabulary words, answers;                 // rows of E; what every question chooses from
  std::vector<double> word_scale;            // how large each row of E is when it begins, times normal ones; empty: 1
  double readout_scale = 1;                  // how large W_U is when it begins; 0: every answer is as likely
  std::vector<std::string> questions;        // their names, as many as the shape has
  std::vector<std::string> relations;        // "previous token", "induction": their names, in files
  std::vector<std::string> relation_titles;  // the same on the screen, in two or three words
  std::vector<std::string> relation_how;     // a sentence each
  std::vector<Index> relation_layers;        // whose heads would look there: 0, the first, or kLastLayer
  std::vector<Baseline> baselines;           // chance first, then what a cheat can reach
  AnswerSplit split;
  double least_loss = 0;  // that can be reached at all, in the mean over many sequences
  bool causal = false;
  bool some_are_shorter = false;  // sequences have different lengths
  Index opens_with = kNone;       // a relation that the sequence shown at first has; kNone: any will do
  Recipe recipe;
  std::uint64_t seed = 0;  // with which the window begins: one whose run does what the page says that most do
};

// What random numbers are for. A text keeps its last tenth for evaluation; other tasks draw both alike.
enum class Stream : std::uint64_t { training = 1, evaluation = 2, noise = 3, start = 4 };

class Task {
 public:
  virtual ~Task() = default;
  virtual const TaskInfo& info() const = 0;
  // The same, but baselines and least_loss may be missing: where they are counted over thousands of sequences, the
  // first call of info() does that.
  virtual const TaskInfo& outline() const { return info(); }
  virtual void draw(Random& random, Stream stream, const SequenceOut& out) const = 0;
};

// Random numbers of one sequence: the same whatever else is drawn, and unrelated to its neighbours'.
Random random_of(std::uint64_t seed, Stream stream, std::uint64_t step, std::uint64_t sequence);
// Writes that sequence of the batch, whose shape is the task's.
void draw(const Task& task, std::uint64_t seed, Stream stream, std::uint64_t step, Index sequence, Batch& batch);

// The sequence as tokens of a document: words that stand at a place together are joined by '+'.
std::vector<std::string> tokens_of(const TaskInfo& info, std::span<const std::int32_t> words);

// The tasks that ship, in the order of the menu: induction, students, crowd, collapse, grammar, pronoun, animal,
// markov.
std::span<const std::string_view> task_keys();
// Throws InputError, naming the keys, when there is no such task.
std::shared_ptr<const Task> make_task(std::string_view key);

// Students and fruit in other sizes: so many sit in a row, have names out of so many, and ask so many questions each.
// "students" is (4, 20, 12), "crowd" (4, 20, 16), "collapse" (2, 16, 12). Throws InputError, with a sentence, unless
// 1 <= questions <= 8, students <= names <= 32 and questions <= students.
std::shared_ptr<const Task> students_task(Index questions, Index names, Index students);
// Markov chains of so many states (2 to 8) and so many places (2 to kMostPlaces); "markov" is (3, 64).
std::shared_ptr<const Task> markov_task(Index states, Index places);

// Next word or next character of a text of one's own. The 255 most frequent words (or characters) have a row of E each,
// all others share the word "…", which is never asked for. The last tenth of the text is kept for evaluation.
// Throws InputError, with a sentence, when the text is no UTF-8, larger than 1 MB, shorter than 100 words (characters),
// all one word, or when less than half of it are words with a row.
enum class Unit { word, character };
inline constexpr std::size_t kMostTextBytes = 1u << 20;
std::shared_ptr<const Task> make_text_task(std::string_view text, Unit unit);

}  // namespace hydra::learn
