#include "core/learn/run.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>

#include "core/error.h"
#include "core/learn/model.h"

namespace hydra::learn {

namespace {

// P(open) of an L0 gate is sigmoid(a - 2/3 ln(0.1 / 1.1)) (Louizos et al. 2018, equation 12).
const double kOpenShift = -2.0 / 3 * std::log(0.1 / 1.1);

// among: as many as there are, over and over.
void set_shares(std::vector<double>& shares, const std::vector<double>& of, const std::vector<double>& among) {
  shares.resize(of.size());
  for (std::size_t k = 0; k < of.size(); ++k) {
    const double all = among[k % among.size()];
    shares[k] = all > 0 ? of[k] / all : 0;
  }
}
double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

}  // namespace

lanes::Shape shape_of(const Document& document, const TaskInfo& info, const Recipe& recipe) {
  Running running;
  running.length = info.shape.length, running.slots = info.shape.slots;
  running.relations = info.shape.relations;
  running.some_are_shorter = info.some_are_shorter;
  running.controls = true;
  running.gates = recipe.controls.gates > 0;
  running.alike = true;
  running.places_stay = recipe.positions.kind == PositionRecipe::Kind::sinusoid;
  lanes::Shape shape = shape_of(document, running);
  if (shape.questions != info.shape.questions || shape.widths.next_words != info.answers.size() ||
      shape.widths.words != info.words.size())
    throw InputError("the model has not the words, questions or answers of the task “" + info.title + "”");
  return shape;
}

bool Scores::is_finite() const { return std::isfinite(loss) && std::isfinite(gradient_norm); }

namespace {

lanes::Shape keeping(lanes::Shape shape, bool keeps) {
  shape.keeps = keeps;
  return shape;
}

}  // namespace

Run::Run(std::shared_ptr<const Task> task, Document document, Recipe recipe, std::uint64_t seed, bool keeps)
    : task_(std::move(task)),
      document_(std::move(document)),
      recipe_(std::move(recipe)),
      seed_(seed),
      compiled_(keeping(shape_of(document_, task_->info(), recipe_), keeps)),
      executor_(compiled_, recipe_.batch, lanes::chosen()),
      batch_(task_->info().shape, recipe_.batch) {
  gates_ = gates_of(document_);
  read_parameters(document_, executor_);
  const auto count = static_cast<std::size_t>(compiled_.plan().parameters);
  state_.moments = {std::vector<float>(count), std::vector<float>(count)};
}
Run::~Run() = default;

void Run::load(lanes::Executor<float>& executor, const Batch& batch, Index k, int step) {
  executor.load(
      k, {batch.words(k), batch.targets(k), batch.gold(k), batch.length(k),
          random_of(seed_, Stream::noise, static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(k)).bits()});
}

// The next step's sequences.
void Run::draw(ThreadPool* pool) {
  const Index each = executor_.set().lanes;  // a group's sequences are drawn by one thread
  const auto draw_group = [&](Index group) {
    for (Index k = group * each; k < std::min(batch_.count(), (group + 1) * each); ++k) {
      learn::draw(*task_, seed_, Stream::training, static_cast<std::uint64_t>(state_.step), k, batch_);
      load(executor_, batch_, k, state_.step);
    }
  };
  parallel_for(pool, (batch_.count() + each - 1) / each, std::ref(draw_group));
}

const HeldOut& Run::held_out(ThreadPool* pool, const Progress& progress) {
  if (!held_out_) {
    if (training_.empty()) training_ = {{seed_, 0, std::max(state_.step, recipe_.steps), recipe_.batch}};
    held_out_ = std::make_unique<HeldOut>(hold_out(*task_, seed_, kEvaluated, training_, pool, progress));
  }
  return *held_out_;
}

// Into the same scores again and again nothing is allocated.
void Run::note(const lanes::Executor<float>& executor, Scores& scores) const {
  const lanes::Totals& totals = executor.totals();
  scores.loss = executor.loss();
  scores.accuracy = sum(totals.answers) > 0 ? sum(totals.right) / sum(totals.answers) : 0;
  set_shares(scores.by_question, totals.right, totals.answers);
  set_shares(scores.losses_by_question, totals.losses, totals.answers);
  set_shares(scores.masses, totals.masses, totals.queries);
}

void Run::note_alike(const lanes::Totals& totals, Scores& scores) const {
  scores.alike = totals.alike;
  for (std::size_t k = 0; k < scores.alike.size(); ++k) {
    const auto heads = static_cast<double>(document_.layers[k].heads);
    scores.alike[k] = heads > 1 ? scores.alike[k] / totals.rows / (heads * (heads - 1) / 2) : 1;
  }
}

// As they are before the next step. Without L0 gates: none.
void Run::note_gates(Scores& scores) const {
  scores.gates.clear();
  for (const lanes::ParameterPlace& place : compiled_.parameters())
    if (place.gate_logits)
      for (const float logit : executor_.parameter(place)) scores.gates.push_back(gate_of(static_cast<double>(logit)));
}

// A head's part of a matrix: a panel of columns, of W_O of rows; of W_K and W_V that of its group.
void Run::note_head_gradients() {
  using Values = Eigen::Map<const Mat<float>>;
  for (int k = 0; k < static_cast<int>(document_.layers.size()); ++k) {
    const Layer& layer = document_.layer(k);
    const Index width = layer.d_k(document_.d_model);
    for (Index h = 0; h < layer.heads; ++h)
      for (const Quantity quantity : {Quantity::W_Q, Quantity::W_K, Quantity::W_V, Quantity::W_O}) {
        const bool shared = quantity == Quantity::W_K || quantity == Quantity::W_V, rows = quantity == Quantity::W_O;
        const Index first = (shared ? layer.key_groups().set_of(h) : h) * width;
        const lanes::ParameterPlace* place = compiled_.find({quantity, k, kNoHead});
        const bool has_part = place && first + width <= (rows ? place->rows : place->cols);
        double norm = std::numeric_limits<double>::quiet_NaN();
        if (has_part) {
          const Values all(executor_.gradient(*place).data(), place->rows, place->cols);
          norm = static_cast<double>(rows ? all.middleRows(first, width).norm() : all.middleCols(first, width).norm());
        }
        last_.head_gradients.push_back(norm);
      }
  }
}

lanes::Executor<float>::Request Run::request_of(Index sequences) const {
  lanes::Executor<float>::Request request;
  request.sequences = sequences;
  request.weights = recipe_.question_weights;
  request.by_question = recipe_.by_question;
  request.masses = true;
  request.controls.gates = gates_.empty() ? nullptr : gates_.data();
  return request;
}

// What the open gates cost; returns the squares of the gradient with it.
double Run::add_gate_gradient(double squares) {
  const double price = recipe_.controls.gates * std::min(1.0, static_cast<double>(state_.step) / recipe_.steps);
  for (const lanes::ParameterPlace& place : compiled_.parameters()) {
    if (!place.gate_logits) continue;
    const std::span<float> gradient = executor_.gradient(place), logits = executor_.parameter(place);
    for (std::size_t h = 0; h < gradient.size(); ++h) {
      const double open = 1 / (1 + std::exp(-(static_cast<double>(logits[h]) + kOpenShift)));
      const double before = static_cast<double>(gradient[h]);
      gradient[h] += static_cast<float>(price * open * (1 - open));
      squares += static_cast<double>(gradient[h]) * static_cast<double>(gradient[h]) - before * before;
    }
  }
  return squares;
}

const Scores& Run::take_step(ThreadPool* pool, bool measures) {
  draw(pool);
  lanes::Executor<float>::Request request = request_of(recipe_.batch);
  request.back = true;
  request.alike = measures;
  request.controls.drop = recipe_.controls.drop;
  request.controls.noise = recipe_.controls.noise;
  request.controls.repel = recipe_.controls.repel;
  request.controls.drawn = true;
  executor_.run(request, pool);
  const double squares = add_gate_gradient(executor_.gather(pool));
  note(executor_, last_);
  last_.gradient_norm = std::sqrt(squares);
  note_gates(last_);
  last_.alike.clear(), last_.head_gradients.clear();
  if (measures) note_alike(executor_.totals(), last_), note_head_gradients();
  if (!last_.is_finite()) return last_;
  learn::take_step(recipe_.optimizer, state_.step, recipe_.steps, squares, executor_, state_.moments, pool);
  ++state_.step;
  return last_;
}

Scores Run::evaluate(ThreadPool* pool, bool importance, Index sequences) {
  assert(sequences >= 1 && sequences <= kEvaluated);
  if (!evaluation_) {
    const Batch& batch = held_out(pool).batch;
    evaluation_ =
        std::make_unique<lanes::Executor<float>>(compiled_, kEvaluated, lanes::chosen(), lanes::Purpose::looking);
    for (Index k = 0; k < kEvaluated; ++k) load(*evaluation_, batch, k, 0);
  }
  lanes::Executor<float>& executor = *evaluation_;
  std::ranges::copy(executor_.parameters(), executor.parameters().begin());
  lanes::Executor<float>::Request request = request_of(sequences);
  request.back = request.importance = importance;
  request.alike = true;
  executor.run(request, pool);
  Scores scores;
  note(executor, scores);
  note_gates(scores);
  note_alike(executor.totals(), scores);
  if (importance) scores.importance = executor.totals().importance;  // the sequences' shares of the mean loss
  return scores;
}

void Run::load_split(ThreadPool* pool) {
  const auto& [name, question, relation] = task_->outline().split;
  const Batch& batch = held_out(pool).batch;
  const auto questions = static_cast<std::size_t>(batch.shape().questions),
             relations = static_cast<std::size_t>(batch.shape().relations);
  split_ = std::make_unique<lanes::Executor<float>>(compiled_, kEvaluated, lanes::chosen(), lanes::Purpose::looking);
  for (Index k = 0; k < kEvaluated; ++k) {
    std::vector<std::int32_t> targets(batch.targets(k).size(), kNone);
    bool any = false;
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch.length(k)); ++i) {
      const std::size_t at = i * questions + static_cast<std::size_t>(question);
      if (batch.gold(k)[i * relations + static_cast<std::size_t>(relation)] == 0) continue;
      targets[at] = batch.targets(k)[at];
      any |= targets[at] != kNone;
    }
    if (any) split_->load(split_sequences_++, {batch.words(k), targets, batch.gold(k), batch.length(k), 0});
  }
}

double Run::split_accuracy(ThreadPool* pool, Index sequences) {
  if (task_->outline().split.question == kNone) return std::numeric_limits<double>::quiet_NaN();
  if (!split_) load_split(pool);
  lanes::Executor<float>::Request request = request_of(std::min(sequences, split_sequences_));
  if (request.sequences == 0) return std::numeric_limits<double>::quiet_NaN();
  std::ranges::copy(executor_.parameters(), split_->parameters().begin());
  split_->run(request, pool);
  return sum(split_->totals().right) / sum(split_->totals().answers);
}

const RunState& Run::state() const {
  state_.parameters.assign(executor_.parameters().begin(), executor_.parameters().end());
  return state_;
}

std::shared_ptr<const std::vector<float>> Run::snapshot() const {
  const std::span<const float> parameters = executor_.parameters();
  return std::make_shared<const std::vector<float>>(parameters.begin(), parameters.end());
}

void Run::go_to(RunState state) {
  std::ranges::copy(state.parameters, executor_.parameters().begin());
  state_ = std::move(state);
}

Document Run::document() const {
  Document document = with_parameters(document_, compiled_, snapshot());
  if (step() > 0) mark_layers(document, WeightSource::Kind::trained);
  return document;
}

}  // namespace hydra::learn
