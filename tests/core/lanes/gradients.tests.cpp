// Lanes against PyTorch's forward pass, on the random stacks of scripts/make_block_golden.py, which mix all settings;
// and every gradient against central differences.
#include "core/lanes/executor.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

#include "core/document/model.h"
#include "core/learn/model.h"
#include "core/learn/task.h"
#include "core/linalg/random.h"
#include "tests/support/models/golden_stacks.h"
#include "tests/support/sanitized.h"

using namespace hydra;

namespace {

// The document with words that are learned: of an X that is given each row is a word's.
Document with_words(Document document, Index n) {
  if (document.embedding.kind != Embedding::Kind::explicit_values) return document;
  std::vector<std::string> words;
  for (Index i = 0; i < n; ++i) words.push_back("w" + std::to_string(i));
  document.tokens = words;
  document.weights.E = document.embedding.X;
  document.embedding = Embedding();
  document.embedding.kind = Embedding::Kind::learned;
  document.embedding.positions = Embedding::Positions::none;
  document.embedding.vocabulary = Vocabulary(words);
  return document;
}

struct Loaded {
  Document document;
  Index n;
  std::vector<std::int32_t> words;
  std::vector<double> gates;
  Index slots = 1;
};
Loaded loaded(const test::GoldenStack& stack) {
  Loaded of{with_words(stack.document, stack.golden.at("n")), stack.golden.at("n"), {}, {}, 1};
  const IndexLists rows = of.document.embedding.vocabulary.find_all(tokens_of(of.document));
  for (Index i = 0; i < of.n; ++i) of.slots = std::max(of.slots, std::ssize(rows.of(i)));
  of.words.assign(static_cast<std::size_t>(of.n * of.slots), learn::kNone);
  for (Index i = 0; i < of.n; ++i)
    for (Index k = 0; k < std::ssize(rows.of(i)); ++k)
      of.words[static_cast<std::size_t>(i * of.slots + k)] =
          static_cast<std::int32_t>(rows.of(i)[static_cast<std::size_t>(k)]);
  Index most = 0;
  for (const Layer& layer : of.document.layers) most = std::max(most, layer.heads);
  for (const Layer& layer : of.document.layers)
    for (Index h = 0; h < most; ++h)
      of.gates.push_back(layer.gates.empty() || h >= layer.heads ? 1 : layer.gates[static_cast<std::size_t>(h)]);
  return of;
}

learn::Running running(const Loaded& of) {
  learn::Running running;
  running.length = of.n, running.slots = of.slots;
  running.controls = true;
  running.square = of.document.settings.readout == ReadoutKind::none;
  return running;
}

template <class S>
double deviation(const test::GoldenStack& stack, const lanes::Set<S>& set) {
  const Loaded of = loaded(stack);
  learn::Running square = running(of);
  square.square = true;
  lanes::Shape shape = learn::shape_of(of.document, square);
  shape.keeps = true;
  const lanes::Compiled compiled(shape);
  lanes::Executor<S> executor(compiled, 3, set);
  learn::read_parameters(of.document, executor);
  const std::vector<S> target(static_cast<std::size_t>(of.n * of.document.d_model));
  executor.load_targets(target);
  for (Index k = 0; k < 3; ++k) executor.load(k, {of.words, {}, {}, static_cast<std::int32_t>(of.n), 0});
  typename lanes::Executor<S>::Request request;
  request.sequences = 3;
  request.controls.gates = of.gates.data();
  executor.run(request, nullptr);
  const auto last = static_cast<int>(of.document.layers.size()) - 1;
  const lanes::Value stream = compiled.value_of(program_of(of.document.layers.back().settings).leaves, last);
  double largest = 0, worst = 0;
  for (Index i = 0; i < of.n; ++i)
    for (Index c = 0; c < of.document.d_model; ++c) {
      const double theirs = stack.golden.at("stream")[static_cast<std::size_t>(i)][static_cast<std::size_t>(c)];
      const double off = std::abs(static_cast<double>(executor.number(2, stream.value, i, c)) - theirs);
      largest = std::max(largest, std::abs(theirs));
      if (!(off <= worst)) worst = off;
    }
  return worst == 0 ? 0 : worst / largest;
}

// What PyTorch's autograd has of a loss: by parameter one number, the sum of the gradient's entries times what is drawn
// by its name. The first parameter that is off, in words; else nothing.
std::string first_gradient_that_is_off(const test::GoldenStack& stack, const std::string& kind, int& compared) {
  const std::uint64_t seed = stack.golden.at("seed");
  const Loaded of = loaded(stack);
  learn::Running as_asked = running(of);
  as_asked.square = kind == "square";
  const lanes::Compiled compiled(learn::shape_of(of.document, as_asked));
  lanes::Executor<double> executor(compiled, 1, lanes::reference());
  learn::read_parameters(of.document, executor);
  const Mat<double> target = test::drawn_by_name("target", seed, of.n, of.document.d_model, 128);
  executor.load_targets({target.data(), static_cast<std::size_t>(target.size())});
  const Index questions = compiled.shape().questions, words = compiled.shape().widths.next_words;
  std::vector<std::int32_t> answers;
  if (kind == "cross") {
    const Mat<double> drawn = test::drawn_by_name("answers", seed, of.n, questions, 4096);
    for (Index k = 0; k < drawn.size(); ++k) {
      const auto whole = static_cast<Index>(std::lround(drawn.data()[k] * 64));
      answers.push_back(static_cast<std::int32_t>((whole % words + words) % words));
    }
  }
  executor.load(0, {of.words, answers, {}, static_cast<std::int32_t>(of.n), 0});
  lanes::Executor<double>::Request request;
  request.sequences = 1;
  request.back = true;
  request.controls.gates = of.gates.data();
  executor.run(request, nullptr);
  executor.gather();
  for (const auto& pair : stack.golden.at("gradients").at(kind)) {
    const std::string name = pair[0];
    const lanes::ParameterPlace* place = compiled.find(parse_site(name == "X" ? "E" : name));
    if (place == nullptr) return name + " is not there";
    const std::span<double> ours = executor.gradient(*place);
    const Mat<double> weights = test::drawn_by_name(kind + "." + name, seed, place->rows, place->cols, 64);
    double sum = 0, sizes = 0;
    for (std::size_t k = 0; k < ours.size(); ++k) {
      sum += ours[k] * weights.data()[k];
      sizes += std::abs(ours[k] * weights.data()[k]);
    }
    const double off = std::abs(sum - pair[1].get<double>());
    if (!(off <= 1e-10 * sizes + 1e-14))
      return (std::ostringstream() << kind << " " << name << " is off by " << off << " of " << sizes).str();
    ++compared;
  }
  return "";
}

// A batch of random sequences of a document's words, with what is asked of them.
class Trial {
 public:
  Trial(Loaded of, std::uint64_t seed, Index sequences, bool keeps = false)
      : of_(std::move(of)),
        random_(seed),
        running_(with_more(of_, random_)),
        compiled_(shape_of(of_, running_, keeps)),
        executor_(compiled_, sequences, lanes::reference()) {
    learn::read_parameters(of_.document, executor_);
    for (const lanes::ParameterPlace& place : compiled_.parameters())
      if (place.gate_logits)
        for (double& logit : executor_.parameter(place)) logit = random_.uniform(-1, 1);
    draw(sequences);
    request_.sequences = sequences;
    request_.back = true;
    request_.controls.gates = of_.gates.data();
    request_.controls.drawn = true;
    if (random_.uniform() < 0.5) request_.controls.drop = 0.3;
    if (random_.uniform() < 0.5) request_.controls.noise = 0.5;
    if (running_.alike) request_.controls.repel = 0.4;
  }

  const lanes::Compiled& compiled() const { return compiled_; }
  lanes::Executor<double>& executor() { return executor_; }
  bool reads_out() const { return !running_.square; }
  // The loss, with what repels the heads in it.
  double loss(bool back) {
    request_.back = back;
    request_.alike = running_.alike;
    executor_.run(request_, nullptr);
    double loss = executor_.loss();
    for (std::size_t k = 0; k < of_.document.layers.size(); ++k) {
      const auto heads = static_cast<double>(of_.document.layers[k].heads);
      if (heads > 1 && running_.alike)
        loss +=
            request_.controls.repel * executor_.totals().alike[k] / executor_.totals().rows / (heads * (heads - 1) / 2);
    }
    return loss;
  }

 private:
  static lanes::Shape shape_of(const Loaded& of, const learn::Running& running, bool keeps) {
    lanes::Shape shape = learn::shape_of(of.document, running);
    shape.keeps = keeps;
    return shape;
  }
  static learn::Running with_more(const Loaded& of, Random& random) {
    learn::Running more = running(of);
    if (random.uniform() < 0.3) more.slots = 2;
    more.some_are_shorter = random.uniform() < 0.5;
    more.gates = random.uniform() < 0.3;
    more.alike = random.uniform() < 0.3;
    return more;
  }
  int below(Index count) { return static_cast<int>(random_.uniform() * static_cast<double>(count)); }
  void draw(Index sequences) {
    const Index rows = of_.document.embedding.vocabulary.size();
    const Index questions = compiled_.shape().questions,
                choices = running_.square ? 1 : compiled_.shape().widths.next_words;
    target_.resize(static_cast<std::size_t>(of_.n * of_.document.d_model));
    for (double& value : target_) value = random_.normal();
    executor_.load_targets(target_);
    for (Index k = 0; k < sequences; ++k) {
      const Index length = running_.some_are_shorter && !running_.square ? 1 + below(of_.n) : of_.n;
      std::vector<std::int32_t> words(static_cast<std::size_t>(of_.n * running_.slots), learn::kNone);
      std::vector<std::int32_t> targets(static_cast<std::size_t>(of_.n * questions), learn::kNone);
      for (Index i = 0; i < length * running_.slots; ++i) words[static_cast<std::size_t>(i)] = below(rows);
      for (Index i = 0; i < length * questions; ++i) {
        const bool once = questions > 1 && i % questions == questions - 1;  // in all, of the last of several
        if (once ? k == 1 && i < questions : random_.uniform() < 0.7)
          targets[static_cast<std::size_t>(i)] = below(choices);
      }
      executor_.load(k, {words, targets, {}, static_cast<std::int32_t>(length), random_.bits()});
    }
  }

  Loaded of_;
  Random random_;
  learn::Running running_;
  lanes::Compiled compiled_;
  lanes::Executor<double> executor_;
  std::vector<double> target_;
  lanes::Executor<double>::Request request_;
};

// The derivative along a random direction within a parameter, by central differences of the fourth order.
double along(Trial& trial, const lanes::ParameterPlace& place, const std::vector<double>& direction, double step) {
  const std::span<double> values = trial.executor().parameter(place);
  const std::vector<double> before(values.begin(), values.end());
  const auto at = [&](double by) {
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = before[k] + by * direction[k];
    return trial.loss(false);
  };
  const double slope = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
  std::ranges::copy(before, values.begin());
  return slope;
}

std::string name_of(const lanes::ParameterPlace& place) {
  return place.gate_logits ? "gate logits of layer " + std::to_string(place.site.layer) : spelled(place.site);
}

}  // namespace

TEST_CASE("lanes: what leaves every stack is PyTorch's, in double to 1e-12 and in floats of every kind to 2e-5",
          "[lanes][golden]") {
  for (const test::GoldenStack& stack : test::golden_stacks()) {
    CAPTURE(stack.golden.at("seed").dump(), stack.golden.at("document").dump());
    CHECK(deviation<double>(stack, lanes::reference()) <= 1e-12);
    for (int k = 0; k < kernels::supported().count; ++k)
      CHECK(deviation<float>(stack, lanes::named(kernels::supported().of[k]->name)) <= 2e-5);
  }
}

TEST_CASE("lanes: every gradient is that of PyTorch's autograd, in double to 1e-10", "[lanes][golden]") {
  int compared = 0;
  for (const test::GoldenStack& stack : test::golden_stacks()) {
    CAPTURE(stack.golden.at("seed").dump(), stack.golden.at("document").dump());
    for (const auto& [kind, of_kind] : stack.golden.at("gradients").items())
      CHECK(first_gradient_that_is_off(stack, kind, compared) == "");
  }
  CHECK(compared > 3000);
}

TEST_CASE("lanes: every gradient is that of central differences, to 1e-6", "[lanes]") {
  std::map<Quantity, int> compared;
  int cliffs = 0;
  const auto& stacks = test::golden_stacks();
  for (std::size_t k = 0; k < stacks.size(); k += test::kSanitized ? 12 : 1) {
    Loaded of = loaded(stacks[k]);
    if (of.n > 12) continue;
    CAPTURE(stacks[k].golden.at("seed").dump(), stacks[k].golden.at("document").dump());
    Trial trial(std::move(of), 1000 + k, 3);
    trial.loss(true);
    trial.executor().gather();
    const std::vector<double> gradient(trial.executor().gradient().begin(), trial.executor().gradient().end());
    double whole = 0;
    for (const double d : gradient) whole += d * d;
    Random random(k);
    for (const lanes::ParameterPlace& place : trial.compiled().parameters()) {
      if (!place.learns) continue;
      std::vector<double> direction(static_cast<std::size_t>(place.count()));
      double size = 0, by_gradient = 0;
      for (double& d : direction) d = random.normal(), size += d * d;
      for (std::size_t j = 0; j < direction.size(); ++j) {
        direction[j] /= std::sqrt(size);
        by_gradient += direction[j] * gradient[static_cast<std::size_t>(place.at) + j];
      }
      // Where an activation has a corner, or a norm is of next to nothing, a long step sees too much and a short one
      // too little. A cliff is steep over a short way only, in which the loss's own rounding is a part in a hundred:
      // two norms of next to nothing, one behind the other, make 1 out of 1e-7.
      const bool cliff = std::abs(by_gradient) > 1e4;
      const double way = cliff ? 1 / std::abs(by_gradient) : 1;
      double off = std::numeric_limits<double>::infinity(), slope = 0;
      for (const double step : {1e-3, 1e-4, 1e-5}) {
        const double by_step = along(trial, place, direction, step * way);
        if (std::abs(by_gradient - by_step) < off) off = std::abs(by_gradient - by_step), slope = by_step;
      }
      INFO(name_of(place) << ": " << by_gradient << ", differences give " << slope);
      CHECK(off <= (cliff ? 1e-2 : 1e-6) * std::max(std::abs(slope), 1e-2 * std::sqrt(whole)) + 1e-10);  // loss about 1
      cliffs += cliff;
      if (!place.gate_logits) ++compared[place.site.quantity];
    }
  }
  CHECK(cliffs <= 3);
  for (const Quantity parameter : kWeights) {
    INFO(entry_of(parameter).key);
    CHECK(compared[parameter] > 0);
  }
  for (const Quantity parameter : kModelWeights) {
    using enum Quantity;
    const bool refused = parameter == T || parameter == gain_E || parameter == shift_E || parameter == W_T ||
                         parameter == b_T;  // learn/model.cpp
    INFO(entry_of(parameter).key);
    CHECK((compared[parameter] > 0) == !refused);
  }
}

TEST_CASE("lanes: what is read out where somebody is asked, and nowhere else, has the bits of all places", "[lanes]") {
  int compared = 0;
  const auto& stacks = test::golden_stacks();
  for (std::size_t k = 0; k < stacks.size(); k += test::kSanitized ? 12 : 1) {
    CAPTURE(stacks[k].golden.at("seed").dump(), stacks[k].golden.at("document").dump());
    Trial asked(loaded(stacks[k]), 2000 + k, 5), all(loaded(stacks[k]), 2000 + k, 5, true);
    for (const bool back : {false, true}) {
      CHECK(asked.loss(back) == all.loss(back));
      CHECK(asked.executor().totals().right == all.executor().totals().right);
      CHECK(asked.executor().totals().losses == all.executor().totals().losses);
    }
    CHECK(asked.executor().gather() == all.executor().gather());
    CHECK(std::ranges::equal(asked.executor().gradient(), all.executor().gradient()));
    compared += asked.reads_out();
  }
  CHECK(compared > (test::kSanitized ? 5 : 60));
}
