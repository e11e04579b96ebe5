#include "core/learn/tasks/known_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>

#include "core/analysis/roles/roles.h"
#include "core/document/edits/edit.h"
#include "core/document/model_file.h"
#include "core/document/text/known_words.h"
#include "core/error.h"
#include "core/learn/model.h"
#include "core/learn/run.h"
#include "core/learn/tasks/parts.h"

namespace hydra::learn {

namespace {

constexpr std::uint64_t kNamingSeed = 7'000'000;  // far from those that are typed
constexpr Index kSequences = 64;                  // that heads are named on
constexpr std::size_t kTextsKept = 4;             // a table of 4 MB each at most
constexpr double kLooks = 0.5;                    // of the attention, for a head to be one that looks where a job is
constexpr Index kLeastRepeated = 4, kMostRepeated = 16;

// Of different words of a vocabulary, said again from the beginning.
class Repeats final : public Task {
 public:
  Repeats(const Vocabulary& words, Index places, bool causal) : places_(places) {
    info_.key = "repeats";
    info_.title = "rows of its own words, said twice";
    info_.shape = {.length = places, .slots = 1, .questions = 1};
    info_.words = info_.answers = words;
    info_.questions = {"next word"};
    describe_copies(info_);
    info_.causal = causal;
  }
  const TaskInfo& info() const override { return info_; }

  void draw(Random& random, Stream, const SequenceOut& out) const override {
    clear(out);
    std::vector<std::int32_t> words(static_cast<std::size_t>(info_.words.size()));
    std::iota(words.begin(), words.end(), 0);
    const Index half = places_ / 2;
    shuffle_first<std::int32_t>(random, words, half);
    for (Index i = 0; i < 2 * half; ++i) {
      out.words[static_cast<std::size_t>(i)] = words[static_cast<std::size_t>(i % half)];
      if (i >= half && i + 1 < 2 * half)
        out.targets[static_cast<std::size_t>(i)] = words[static_cast<std::size_t>((i + 1) % half)];
    }
    *out.length = static_cast<std::int32_t>(2 * half);
    mark_copies(out);
  }

 private:
  Index places_;
  TaskInfo info_;
};

std::vector<GoldPair> pairs_of(const Batch& batch, Index sequence, Index relation) {
  std::vector<GoldPair> pairs;
  for (Index i = 0; i < batch.length(sequence); ++i) {
    std::uint64_t gold = batch.gold(sequence)[static_cast<std::size_t>(i * batch.shape().relations + relation)];
    for (; gold != 0; gold &= gold - 1) pairs.push_back({static_cast<int>(i), std::countr_zero(gold)});
  }
  return pairs;
}

std::vector<AnnotatedSentence> sequences_of(const Task& task) {
  const TaskInfo& info = task.outline();
  Batch batch(info.shape, 1);
  std::vector<AnnotatedSentence> sequences;
  for (Index k = 0; k < kSequences; ++k) {
    draw(task, kNamingSeed, Stream::evaluation, static_cast<std::uint64_t>(k), 0, batch);
    AnnotatedSentence sequence;
    sequence.title = "sequence " + std::to_string(k + 1);
    sequence.tokens =
        tokens_of(info, batch.words(0).first(static_cast<std::size_t>(batch.length(0) * info.shape.slots)));
    for (const std::string& token : sequence.tokens)
      sequence.sentence += (sequence.sentence.empty() ? "" : " ") + token;
    for (Index r = 0; r < info.shape.relations; ++r) sequence.jobs.push_back(pairs_of(batch, 0, r));
    sequences.push_back(std::move(sequence));
  }
  return sequences;
}

// The answers of a relation are those of the question with its number; of one more than there are, of the last.
HeadJobs jobs_of(const TaskInfo& info) {
  HeadJobs jobs;
  for (std::size_t r = 0; r < info.relations.size(); ++r) {
    HeadJob job{info.relations[r], info.relation_titles[r], info.relation_titles[r], info.relation_how[r],
                std::min(static_cast<Index>(r), info.shape.questions - 1)};
    if (info.shape.questions > 1) job.asks = info.questions[static_cast<std::size_t>(job.question)];
    std::ranges::replace(job.key, ' ', '_');
    if (job.brief.size() > 10) job.brief = job.brief.substr(0, job.brief.find(' '));
    jobs.push_back(std::make_shared<const HeadJob>(std::move(job)));
  }
  return jobs;
}

MarkedSentences known_of(const Document& document, const MarkedSentences& marked) {
  auto known = std::make_shared<std::vector<AnnotatedSentence>>();
  for (const AnnotatedSentence& sentence : *marked)
    if (known_words(document, sentence.tokens).all()) known->push_back(sentence);
  return known;
}

// The model on whatever sentence: without what was set by hand for the document's own.
Document without_sentence(const Document& document, const Task& task) {
  Batch batch(task.outline().shape, 1);
  draw(task, kConfirmingSeed, Stream::evaluation, 0, 0, batch);
  return with_tokens(
      document,
      tokens_of(task.outline(), batch.words(0).first(static_cast<std::size_t>(batch.length(0) * batch.shape().slots))));
}

// How many layers and heads Run::set_gates speaks of, each 1 but what the document turns down without silencing it.
struct OpenGates {
  std::vector<double> gates;
  bool opened;  // some were silent
};
OpenGates open_gates(const Document& document) {
  Index most = 1;
  for (const Layer& layer : document.layers) most = std::max(most, layer.heads);
  std::vector<double> gates = gates_of(document);
  gates.resize(document.layers.size() * static_cast<std::size_t>(most), 1);
  const bool opened = std::ranges::count(gates, 0.0) > 0;
  std::ranges::replace(gates, 0.0, 1.0);
  return {std::move(gates), opened};
}

Recipe recipe_of(const Task& task) {
  Recipe recipe = task.outline().recipe;
  recipe.controls = {};
  recipe.batch = 1;
  return recipe;
}

// Rows of these words, said twice; places: at most so many.
std::shared_ptr<const Task> repeats_task(const Vocabulary& words, Index places, bool causal) {
  const Index most = std::min({places, 2 * words.size(), 2 * kMostRepeated});
  if (most < 2 * kLeastRepeated)
    throw InputError("the model knows " + std::to_string(words.size()) + " words at " + std::to_string(places) +
                     " places: too few to say " + std::to_string(kLeastRepeated) + " of them twice");
  return std::make_shared<Repeats>(words, most, causal);
}

}  // namespace

bool is_of(const Document& document, const TaskInfo& task) {
  return document.embedding.kind == Embedding::Kind::learned && document.settings.readout == ReadoutKind::own &&
         document.embedding.vocabulary == task.words && document.readout.vocabulary == task.answers &&
         std::max<Index>(document.readout.questions.size(), 1) == task.shape.questions;
}

double known_share(const Document& document, const std::vector<AnnotatedSentence>& sentences) {
  double tokens = 0, known = 0;
  for (const AnnotatedSentence& sentence : sentences) {
    tokens += static_cast<double>(sentence.tokens.size());
    known += static_cast<double>(known_words(document, sentence.tokens).known());
  }
  return tokens > 0 ? known / tokens : 1;
}

std::shared_ptr<const Task> KnownTexts::task_of(const Document& document) {
  if (document.embedding.kind != Embedding::Kind::learned || document.file) return nullptr;  // a file says of none
  std::vector<std::shared_ptr<const Task>> all;
  for (const std::string_view key : task_keys()) {
    std::shared_ptr<const Task>& task = tasks_[std::string(key)];
    if (!task) task = make_task(key);
    if (!is_of(document, task->outline())) continue;
    if (document.notes.title == task->outline().title) return task;
    all.push_back(task);
  }
  if (all.size() < 2) return all.empty() ? nullptr : all.front();
  double best = -1;
  std::shared_ptr<const Task> found = all.front();
  for (const auto& task : all) try {
      Run run(task, without_sentence(document, *task), recipe_of(*task), kNamingSeed);
      run.set_gates(open_gates(document).gates);
      run.set_training({DrawnSteps()});  // whatever it was trained on
      if (const double accuracy = run.evaluate(nullptr).accuracy; accuracy > best) best = accuracy, found = task;
    } catch (const InputError&) {  // what cannot be run is not answered
    }
  return found;
}

const KnownTexts::Made& KnownTexts::made_of(const std::shared_ptr<const Task>& task, const MarkedSentences& marked) {
  const auto known =
      std::ranges::find_if(made_, [&](const Made& made) { return made.task == task && made.marked == marked; });
  if (known != made_.end()) return *known;
  if (made_.size() >= kTextsKept) made_.erase(made_.begin());
  const TaskInfo& info = task->outline();
  return made_.emplace_back(Made{task, marked,
                                 std::make_shared<const std::vector<AnnotatedSentence>>(sequences_of(*task)),
                                 info.words, jobs_of(info)});
}

KnownText KnownTexts::of(const Document& document, const MarkedSentences& marked) {
  const Embedding& embedding = document.embedding;
  KnownText text;
  text.sentences = marked;
  if (embedding.kind != Embedding::Kind::learned) return text;
  std::shared_ptr<const Task> task = task_of(document);
  const Index places = embedding.positions == Embedding::Positions::learned ? document.weights.P.rows() : kMostPlaces;
  const bool is_text = tokenizer_of(document) || embedding.vocabulary.size() > kMaxVocabulary;  // measured on text
  const bool reads_out_own =
      document.settings.readout == ReadoutKind::tied ||
      (document.settings.readout == ReadoutKind::own && document.readout.vocabulary == embedding.vocabulary);
  if (!task && document.readout.questions.size() == 0 && reads_out_own && !is_text &&
      std::min(places, 2 * embedding.vocabulary.size()) >= 2 * kLeastRepeated) {
    const bool causal = std::ranges::all_of(document.layers, &Layer::all_causal);
    const std::shared_ptr<const Task> wanted = repeats_task(embedding.vocabulary, places, causal);
    const auto is_same = [&](const TaskInfo& made) {
      return made.words == embedding.vocabulary && made.causal == causal &&
             made.shape.length == wanted->info().shape.length;
    };
    if (!repeats_ || !is_same(repeats_->info())) repeats_ = wanted;
    task = repeats_;
  }
  if (task) {
    const Made& made = made_of(task, marked);
    return {made.sentences, made.jobs, task, "sequence", task->outline().title};
  }
  const auto known = std::ranges::find_if(made_, [&](const Made& made) {
    return !made.task && made.marked == marked && made.words == embedding.vocabulary;
  });
  if (known == made_.end()) {
    if (made_.size() >= kTextsKept) made_.erase(made_.begin());
    made_.push_back({nullptr, marked, known_of(document, marked), embedding.vocabulary, {}});
    text.sentences = made_.back().sentences;
  } else {
    text.sentences = known->sentences;
  }
  if (text.sentences->empty())
    throw InputError("the model knows no marked sentence whole, and " +
                     std::to_string(static_cast<int>(100 * known_share(document, *marked) + 0.5)) +
                     " % of their words: its heads are not named on words that it does not know");
  return text;
}

std::vector<std::vector<RightAnswer>> right_answers(const Task& task, Index question) {
  const TaskShape& shape = task.outline().shape;
  Batch batch(shape, 1);
  std::vector<std::vector<RightAnswer>> answers;
  for (Index k = 0; k < kSequences; ++k) {
    draw(task, kNamingSeed, Stream::evaluation, static_cast<std::uint64_t>(k), 0, batch);
    std::vector<RightAnswer>& here = answers.emplace_back();
    for (Index i = 0; i < batch.length(0); ++i)
      if (const std::int32_t right = batch.targets(0)[static_cast<std::size_t>(i * shape.questions + question)];
          right != kNone)
        here.push_back({i, right});
  }
  return answers;
}

namespace {

// The same sequences, of which nothing is asked but what hangs on a job.
class OfJob final : public Task {
 public:
  OfJob(std::shared_ptr<const Task> task, Index relation, Index question)
      : task_(std::move(task)), relation_(relation), question_(question) {}
  const TaskInfo& info() const override { return task_->info(); }
  const TaskInfo& outline() const override { return task_->outline(); }

  void draw(Random& random, Stream stream, const SequenceOut& out) const override {
    task_->draw(random, stream, out);
    const TaskShape& shape = outline().shape;
    for (std::size_t at = 0; at < out.targets.size(); ++at) {
      const Index place = static_cast<Index>(at) / shape.questions, question = static_cast<Index>(at) % shape.questions;
      if (question != question_ || out.gold[static_cast<std::size_t>(place * shape.relations + relation_)] == 0)
        out.targets[at] = kNone;
    }
  }

 private:
  std::shared_ptr<const Task> task_;
  Index relation_, question_;
};

// Whether every answer to the job's question stands where the job exists.
bool has_all_answers(const Batch& batch, Index relation, Index question) {
  const TaskShape& shape = batch.shape();
  for (Index k = 0; k < batch.count(); ++k)
    for (Index i = 0; i < shape.length; ++i)
      if (batch.targets(k)[static_cast<std::size_t>(i * shape.questions + question)] != kNone &&
          batch.gold(k)[static_cast<std::size_t>(i * shape.relations + relation)] == 0)
        return false;
  return true;
}

// What a model's answers are with some heads silent.
class Silencing {
 public:
  Silencing(const Document& document, const std::shared_ptr<const Task>& task, ThreadPool* pool,
            const Progress& progress, std::uint64_t seed)
      : run_(task, without_sentence(document, *task), recipe_of(*task), seed),
        open_(open_gates(document)),
        pool_(pool),
        progress_(progress) {
    run_.set_training({DrawnSteps()});  // whatever it was trained on
  }

  std::size_t places() const { return open_.gates.size(); }  // [layers x heads]
  bool opened() const { return open_.opened; }
  const Batch& batch() { return run_.held_out(pool_).batch; }
  Scores without(const std::vector<std::size_t>& heads) {
    progress_.check();
    std::vector<double> gates = open_.gates;
    for (const std::size_t head : heads) gates[head] = 0;
    run_.set_gates(std::move(gates));
    return run_.evaluate(pool_);
  }

 private:
  Run run_;
  OpenGates open_;
  ThreadPool* pool_;
  const Progress& progress_;
};

void try_cut(const Document& cut, const std::shared_ptr<const Task>& task, SweepEntry& entry, ThreadPool* pool) try {
  Run run(task, without_sentence(cut, *task), recipe_of(*task), kConfirmingSeed);
  run.set_training({DrawnSteps()});
  entry.accuracy = run.evaluate(pool).accuracy;
} catch (const InputError&) {  // what cannot be run has no answers
}

std::vector<double> difference(const std::vector<double>& a, std::vector<double> b) {
  std::ranges::transform(a, b, b.begin(), std::minus<>());
  return b;
}

}  // namespace

std::vector<std::shared_ptr<const AnswersLost>> answers_lost(const Document& document,
                                                             const std::shared_ptr<const Task>& task, ThreadPool* pool,
                                                             const Progress& progress, std::uint64_t seed) {
  const HeadJobs jobs = jobs_of(task->outline());
  Silencing silencing(document, task, pool, progress, seed);
  const Scores all = silencing.without({});
  const std::size_t most = silencing.places() / document.layers.size();
  std::vector<std::size_t> heads;  // those that are there
  for (std::size_t k = 0; k < document.layers.size(); ++k)
    for (std::size_t h = 0; h < static_cast<std::size_t>(document.layers[k].heads); ++h) heads.push_back(k * most + h);
  AnswersLost of_each;
  of_each.sequences = Run::kEvaluated;
  of_each.opened = silencing.opened();
  of_each.accuracy = all.by_question;
  std::vector<std::shared_ptr<AnswersLost>> layers(document.layers.size());
  for (std::shared_ptr<AnswersLost>& layer : layers) layer = std::make_shared<AnswersLost>(of_each);
  for (const std::size_t head : heads) {
    AnswersLost& layer = *layers[head / most];
    layer.lost.push_back(difference(all.by_question, silencing.without({head}).by_question));
    layer.job_lost.emplace_back(jobs.size());
    layer.alone.emplace_back(jobs.size(), kUndefined);
  }
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const auto relation = static_cast<Index>(j), question = jobs[j]->question;
    std::optional<Silencing> of_job;
    if (!has_all_answers(silencing.batch(), relation, question))
      of_job.emplace(document, std::make_shared<const OfJob>(task, relation, question), pool, progress, seed);
    const auto right_without = [&](const std::vector<std::size_t>& silent) {
      return (of_job ? *of_job : silencing).without(silent).by_question[static_cast<std::size_t>(question)];
    };
    const double right = of_job ? right_without({}) : all.by_question[static_cast<std::size_t>(question)];
    for (const std::shared_ptr<AnswersLost>& layer : layers) layer->job_accuracy.push_back(right);
    std::vector<std::size_t> looking;
    for (const std::size_t head : heads) {
      AnswersLost& layer = *layers[head / most];
      layer.job_lost[head % most][j] =
          of_job ? right - right_without({head}) : layer.lost[head % most][static_cast<std::size_t>(question)];
      if (all.masses[head * jobs.size() + j] >= kLooks) looking.push_back(head);
    }
    if (looking.size() < 2) continue;
    const double none = right_without(looking);
    for (const std::size_t head : looking) {
      std::vector<std::size_t> others = looking;
      std::erase(others, head);
      layers[head / most]->alone[head % most][j] = right_without(others) - none;
    }
  }
  return {layers.begin(), layers.end()};
}

void add_accuracy(const Document& document, int layer, KnownTexts& texts, std::vector<SweepEntry>& entries,
                  ThreadPool* pool, const std::stop_token& stop) {
  const std::shared_ptr<const Task> task = texts.task_of(document);
  if (!task) return;
  for (SweepEntry& entry : entries) {
    if (stop.stop_requested()) throw Stopped();
    try_cut(apply(document, {SetHeads{entry.heads}, layer}), task, entry, pool);
  }
}

}  // namespace hydra::learn
