// Optimizers, by steps worked by hand and against their formulas in double.
#include "core/learn/optimizer.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/learn/model.h"
#include "core/learn/start.h"
#include "core/learn/task.h"

using namespace hydra;
using learn::OptimizerSettings;

namespace {

// A model with gradients of a batch.
struct Small {
  std::shared_ptr<const learn::Task> task = learn::make_task("collapse");
  learn::Recipe recipe = task->info().recipe;
  Document document = learn::starting_document(*task, recipe, 1);
  lanes::Compiled compiled{learn::shape_of(document, running())};
  lanes::Executor<float> executor{compiled, 8, lanes::chosen()};
  learn::Moments moments;

  Small() {
    learn::read_parameters(document, executor);
    learn::Batch batch(task->info().shape, 8);
    for (Index k = 0; k < 8; ++k) {
      learn::draw(*task, 3, learn::Stream::training, 0, k, batch);
      executor.load(k, {batch.words(k), batch.targets(k), {}, batch.length(k), 0});
    }
    const auto count = static_cast<std::size_t>(compiled.plan().parameters);
    moments = {std::vector<float>(count), std::vector<float>(count)};
  }
  double go_back() {
    lanes::Executor<float>::Request request;
    request.sequences = 8;
    request.back = true;
    executor.run(request, nullptr);
    return executor.gather();
  }
  learn::Running running() const {
    learn::Running running;
    running.length = task->info().shape.length, running.slots = task->info().shape.slots;
    return running;
  }
};

}  // namespace

TEST_CASE("optimizer: the rate warms up, and then falls as a cosine to its least", "[learn]") {
  OptimizerSettings settings;
  settings.rate = 2;
  settings.warm_up = 4;
  settings.least = 0.1;
  settings.schedule = learn::Schedule::constant;
  CHECK(learn::rate_at(settings, 0, 100) == 0.5);
  CHECK(learn::rate_at(settings, 3, 100) == 2);
  CHECK(learn::rate_at(settings, 99, 100) == 2);
  settings.schedule = learn::Schedule::cosine;
  CHECK(learn::rate_at(settings, 50, 100) == Approx(1));
  CHECK(learn::rate_at(settings, 100, 100) == Approx(0.2));
  settings.warm_up = 0;
  CHECK(learn::rate_at(settings, 0, 100) == 2);
}

TEST_CASE("optimizer: a gradient that is too long is cut to its greatest length", "[learn]") {
  OptimizerSettings settings;
  settings.clip = 2;
  CHECK(learn::clip_factor(settings, 4) == 1);
  CHECK(learn::clip_factor(settings, 16) == Approx(0.5).epsilon(1e-5));
  settings.clip = 0;
  CHECK(learn::clip_factor(settings, 1e6) == 1);
}

TEST_CASE("optimizer: two steps of each kind are those of its formula, number by number", "[learn]") {
  const auto kind = GENERATE(learn::Optimizer::adam, learn::Optimizer::adamw, learn::Optimizer::sgd);
  Small model;
  OptimizerSettings s;
  s.kind = kind;
  s.rate = 0.05, s.warm_up = 2, s.decay = 0.1, s.momentum = 0.8, s.clip = 0.5;
  s.decay_query_key_only = GENERATE(false, true);
  const auto count = static_cast<std::size_t>(model.compiled.plan().parameters);
  std::vector<double> p(model.executor.parameters().begin(), model.executor.parameters().end()), m(count), v(count);
  for (int step = 0; step < 2; ++step) {
    const double squares = model.go_back();
    const std::vector<double> g(model.executor.gradient().begin(), model.executor.gradient().end());
    double exact = 0;
    for (const double d : g) exact += d * d;
    CHECK(squares == Approx(exact).epsilon(1e-5));
    const double clip = std::min(1.0, s.clip / std::sqrt(exact)), rate = learn::rate_at(s, step, 10);
    for (const lanes::ParameterPlace& place : model.compiled.parameters())
      for (auto k = static_cast<std::size_t>(place.at); k < static_cast<std::size_t>(place.at + place.count()); ++k) {
        const double d = clip * g[k];
        if (kind == learn::Optimizer::sgd) {
          m[k] = s.momentum * m[k] + d;
          p[k] -= rate * m[k];
          continue;
        }
        m[k] = s.beta_1 * m[k] + (1 - s.beta_1) * d;
        v[k] = s.beta_2 * v[k] + (1 - s.beta_2) * d * d;
        const double first = m[k] / (1 - std::pow(s.beta_1, step + 1)),
                     second = v[k] / (1 - std::pow(s.beta_2, step + 1));
        if (learn::decays(s, place)) p[k] -= rate * s.decay * p[k];
        p[k] -= rate * first / (std::sqrt(second) + s.epsilon);
      }
    learn::take_step(s, step, 10, squares, model.executor, model.moments);
    double worst = 0;
    for (const lanes::ParameterPlace& place : model.compiled.parameters())
      for (auto k = static_cast<std::size_t>(place.at); k < static_cast<std::size_t>(place.at + place.count()); ++k)
        worst = std::max(worst, std::abs(p[k] - static_cast<double>(model.executor.parameters()[k])));
    CHECK(worst < 1e-4);  // a gradient next to nothing has an uncertain sign in floats
  }
}

TEST_CASE("optimizer: the decay is of matrices, or of W_Q and W_K alone, and of AdamW", "[learn]") {
  Small model;
  OptimizerSettings s;
  s.kind = learn::Optimizer::adamw;
  s.decay = 0.1;
  const auto decays = [&](Quantity quantity) { return learn::decays(s, *model.compiled.find({quantity, 0})); };
  CHECK(decays(Quantity::W_V));
  CHECK(decays(Quantity::W_U));
  CHECK_FALSE(decays(Quantity::b_U));
  CHECK_FALSE(decays(Quantity::E));
  s.decay_query_key_only = true;
  CHECK(decays(Quantity::W_Q));
  CHECK_FALSE(decays(Quantity::W_V));
  s.kind = learn::Optimizer::adam;
  CHECK_FALSE(decays(Quantity::W_Q));
}
