// A step, opened: it is the run's own step, to the bit; a number's update is the sum that the inspector shows; what
// enters a head changes with the others; softmax lets less through without its factor.
#include "core/learn/opened/opened_step.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/learn/opened/head_coupling.h"
#include "core/learn/opened/update_arithmetic.h"
#include "core/learn/start.h"

using namespace hydra;
using learn::Facet;
using learn::OpenedStep;

namespace {

struct Made {
  std::shared_ptr<const learn::Task> task;
  learn::Recipe recipe;
  learn::StepStart start;
  learn::RunState after;  // by the run itself
};

template <class Change>
Made made_of(const std::string& key, int steps, const Change& change) {
  Made made;
  made.task = learn::make_task(key);
  made.recipe = made.task->info().recipe;
  made.recipe.batch = 20;  // no whole number of registers
  Document document = learn::starting_document(*made.task, made.recipe, 3);
  change(made.recipe, document);
  learn::Run run(made.task, document, made.recipe, 3);
  for (int k = 0; k < steps; ++k) run.take_step(nullptr);
  made.start = {made.task, std::make_shared<const Document>(document), made.recipe, 3, run.gates(), run.state()};
  REQUIRE(run.take_step(nullptr).is_finite());
  made.after = run.state();
  return made;
}
Made made_of(const std::string& key, int steps) {
  return made_of(key, steps, [](learn::Recipe&, Document&) {});
}

Index random_index(Random& random, Index count) {
  return static_cast<Index>(random.uniform() * static_cast<double>(count)) % count;
}

// Of every parameter some numbers: the last step of the arithmetic is what the run made of it.
int check_updates(const OpenedStep& opened, Random& random) {
  int with_sums = 0;
  std::vector<OpenedStep::Use> uses;
  for (const lanes::ParameterPlace& place : opened.compiled().parameters()) {
    if (!place.learns || place.gate_logits) continue;
    for (int k = 0; k < 4; ++k) {
      const Cell cell{place.site, random_index(random, place.rows), random_index(random, place.cols)};
      const Index sequence = random_index(random, opened.sequences());
      CAPTURE(spelled(cell), sequence);
      const Explanation e = learn::explain_update(opened, cell, sequence);
      const double before = static_cast<double>(opened.number(cell, Facet::before)),
                   change = static_cast<double>(opened.number(cell, Facet::change));
      CHECK(e.value == Approx(before + change));
      // Adam divides by the size of the gradient: where that is rounding alone, its sign is, too.
      const double gradient = static_cast<double>(opened.number(cell, Facet::gradient));
      if (std::abs(gradient) > 1e-6)
        CHECK(e.steps.back().terms.back().value == Approx(change).epsilon(2e-3).margin(2e-7));
      if (!opened.uses(cell, sequence, uses)) continue;
      ++with_sums;
      double sum = 0, largest = 0;
      for (Index s = 0; s < opened.sequences(); ++s) {
        REQUIRE(opened.uses(cell, s, uses));
        for (const OpenedStep::Use& use : uses)
          sum += use.left * use.right, largest = std::max(largest, std::abs(use.left * use.right));
      }
      CHECK(std::abs(sum - gradient) <= 2e-5 * (largest + std::abs(gradient)) + 1e-9);
    }
  }
  return with_sums;
}

}  // namespace

TEST_CASE("opened step: it is the run's own step, to the bit, at any number of threads", "[learn]") {
  const std::string key = GENERATE("induction", "collapse", "grammar", "markov");
  const auto controls = GENERATE(false, true);
  const Made made = made_of(key, 3, [&](learn::Recipe& recipe, Document&) {
    if (!controls) return;
    recipe.controls.drop = 0.2, recipe.controls.noise = 0.1, recipe.controls.repel = 0.1, recipe.controls.gates = 0.01;
  });
  ThreadPool pool(3);
  for (ThreadPool* threads : {static_cast<ThreadPool*>(nullptr), &pool}) {
    const OpenedStep opened(made.start, threads);
    CHECK(opened.step() == 3);
    CHECK(opened.is_taken());
    CHECK(opened.after().parameters == made.after.parameters);
    CHECK(opened.after().moments.first == made.after.moments.first);
    CHECK(opened.after().moments.second == made.after.moments.second);
  }
}

TEST_CASE("opened step: a number's update is its sum over tokens and sequences, and what the optimizer makes of it",
          "[learn]") {
  const int kind = GENERATE(0, 1, 2);
  const Made made = made_of("grammar", 5, [&](learn::Recipe& recipe, Document&) {
    recipe.optimizer.kind = static_cast<learn::Optimizer>(kind);
    recipe.optimizer.decay = 0.1;
    recipe.optimizer.clip = kind == 0 ? 0.1 : 0;
  });
  const OpenedStep opened(made.start, nullptr);
  CHECK((opened.clip() < 1) == (kind == 0));
  Random random(7);
  CHECK(check_updates(opened, random) > 20);
}

TEST_CASE("opened step: so are those of layers with norms, feed-forward parts, gates and readouts that share the table",
          "[learn]") {
  const Made made = made_of("induction", 2, [&](learn::Recipe&, Document& document) {
    for (Layer& layer : document.layers) {
      layer.settings.norm = true;
      layer.settings.norm_kind = &layer == &document.layers.front() ? NormKind::layer : NormKind::rms;
      layer.settings.feed_forward = true;
      layer.settings.feed_forward_width = 20;
      layer.settings.gated = true;
      layer.settings.output_gate = OutputGate::head;
      layer.settings.qk_norm = true;
      fit_parameters(layer, document.d_model);
    }
  });
  const OpenedStep opened(made.start, nullptr);
  Random random(8);
  CHECK(check_updates(opened, random) > 60);
}

TEST_CASE("opened step: the derivatives of a sequence's patterns are what softmax makes of them", "[learn]") {
  const Made made = made_of("induction", 30);
  const OpenedStep opened(made.start, nullptr);
  for (const Index sequence : {Index{0}, Index{17}})
    for (const int layer : {0, 1})
      for (const int head : {0, 1}) {
        const auto of = [&](Quantity quantity, bool derivative) {
          return Mat<double>(opened.of_sequence(sequence, {quantity, layer, head}, derivative).cast<double>());
        };
        const Mat<double> A = of(Quantity::attention, false), S = of(Quantity::scores, false),
                          dA = of(Quantity::attention, true), dS = of(Quantity::scores, true);
        REQUIRE(A.rows() == opened.length(sequence));
        for (Index i = 0; i < A.rows(); ++i) {
          double sum = 0, weighted = 0, scores = 0;
          for (Index j = 0; j <= i; ++j) sum += A(i, j), weighted += A(i, j) * dA(i, j), scores += std::exp(S(i, j));
          CHECK(sum == Approx(1).epsilon(1e-5));
          for (Index j = 0; j < A.cols(); ++j) {
            if (j > i) {
              CHECK(std::isinf(A(i, j)));
              continue;
            }
            CHECK(A(i, j) == Approx(std::exp(S(i, j)) / scores).epsilon(1e-4).margin(1e-7));
            CHECK(dS(i, j) == Approx(A(i, j) * (dA(i, j) - weighted)).epsilon(1e-3).margin(1e-9));
          }
        }
        // dL/dA = dL/dO V^T.
        const Mat<double> by = of(Quantity::output, true) * of(Quantity::V, false).transpose();
        for (Index i = 0; i < A.rows(); ++i)
          for (Index j = 0; j <= i; ++j) CHECK(dA(i, j) == Approx(by(i, j)).epsilon(1e-3).margin(1e-8));
      }
}

TEST_CASE(
    "head coupling: what enters a head is the loss's derivative through its rows of W_O, and changes when another is "
    "silent",
    "[learn]") {
  const Made made = made_of("collapse", 100);
  const OpenedStep opened(made.start, nullptr);
  const learn::HeadCoupling coupling = learn::head_coupling(opened, nullptr);
  REQUIRE(coupling.heads.size() == 8);
  CHECK(coupling.loss == opened.scores().loss);
  for (Index s = 0; s < 8; ++s) {
    CHECK(coupling.losses[static_cast<std::size_t>(s)] != coupling.loss);
    CHECK(coupling.answers[static_cast<std::size_t>(s)] > 0);
    for (Index i = 0; i < 8; ++i) CHECK(coupling.change(s, i) > 0);
  }
  // A head that is silent already has nothing to change.
  Made silent = made;
  silent.start.gates = std::vector<double>(8, 1);
  silent.start.gates[2] = 0;
  const learn::HeadCoupling less = learn::head_coupling(OpenedStep(silent.start, nullptr), nullptr);
  for (Index i = 0; i < 8; ++i) CHECK(less.change(2, i) == 0);
  CHECK(less.losses[2] == less.loss);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(learn::head_coupling(opened, nullptr, {stop.get_token(), nullptr}), Stopped);
}

TEST_CASE(
    "softmax slopes: without 1 / sqrt(d_k) scores of random heads are that much larger and softmax lets less "
    "through, over 20 seeds",
    "[learn]") {
  const auto task = learn::make_task("students");
  learn::Recipe recipe = task->info().recipe;
  recipe.heads = 1;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto document = std::make_shared<const Document>(learn::starting_document(*task, recipe, seed));
    learn::Run run(task, *document, recipe, seed);
    const OpenedStep opened({task, document, recipe, seed, {}, run.state()}, nullptr);
    const learn::SoftmaxSlopes slopes = learn::softmax_slopes(opened, 0, nullptr);
    CHECK(slopes.is_scaled);
    CHECK(slopes.factor == Approx(1 / std::sqrt(32)));
    REQUIRE(slopes.scaled.size() == 1);
    CHECK(slopes.unscaled[0].spread == Approx(slopes.scaled[0].spread * std::sqrt(32)).epsilon(1e-4));
    CHECK(slopes.unscaled[0].slope < slopes.scaled[0].slope);
    CHECK(slopes.unscaled[0].largest > slopes.scaled[0].largest);
  }
}
