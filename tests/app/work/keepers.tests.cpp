// Everything in the background at once, under edits that come faster than it can follow: in the end each belongs to the
// last document. Under the thread sanitizer it also shows that nobody reads what another writes.
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "app/measures/likeness.h"
#include "app/measures/mixing.h"
#include "app/measures/roles.h"
#include "app/measures/sweep.h"
#include "app/work/evaluator.h"
#include "app/work/recovery_keeper.h"
#include "core/document/edits/edit.h"
#include "core/measures/known_bounds.h"
#include "tests/support/folder.h"
#include "tests/support/wait_until.h"

using namespace hydra;
using namespace std::chrono_literals;

namespace {

struct Everything {
  History history{default_document()};
  Evaluator evaluator{history.current()};
  MarkedSentences marked = shipped_sentences();
  std::shared_ptr<KnownBounds> bounds = std::make_shared<KnownBounds>();
  Measures measures;
  std::atomic<int> woken = 0;

  Everything() {
    const auto wake = [this] { ++woken; };
    evaluator.on_finished(wake);
    measures.on_finished(wake);
  }
  const Measured<RolesMeasure>& roles() { return measures.get<RolesMeasure>({0, {RolesOver::sentence, nullptr}}); }
  const Measured<MixingMeasure>& mixing() { return measures.get<MixingMeasure>({0, Written::all}); }
  const Measured<LikenessMeasure>& likeness() { return measures.get<LikenessMeasure>({}); }
  const Measured<SweepMeasure<Swept::heads>>& sweep() {
    return measures.get<SweepMeasure<Swept::heads>>({0, {1, 2, 8}, 0});
  }
  void update() {
    const auto& trace = evaluator.trace();
    const Document& document = history.current();
    roles(), mixing(), likeness(), sweep();
    measures.settle({trace, document, stamp_of(document), {}, marked, bounds}, 0ms);
  }
  void finish() {
    evaluator.finish();
    for (int k = 0; k < 2; ++k) {
      update();
      measures.finish();
    }
    update();
  }
};

}  // namespace

TEST_CASE("keepers: after many quick edits each of them has the last document", "[app][keepers]") {
  Everything all;
  for (int k = 0; k < 60; ++k) {
    all.history.preview(set_cell(Quantity::W_Q, k % 64, 3, 0.1f * static_cast<float>(k)));
    if (k % 5 == 0) all.history.commit();
    all.evaluator.submit(all.history.current(), 0, 0ms);
    all.update();
    if (k % 10 == 0) std::this_thread::sleep_for(5ms);
    all.evaluator.poll();
  }
  all.finish();
  const auto& trace = all.evaluator.trace();
  CHECK(trace->layers.front().input.weights.W_Q == all.history.current().layers.front().weights.W_Q);
  REQUIRE(all.roles().value);
  CHECK(all.roles().value->table->heads.size() == 8);
  CHECK(all.roles().of == trace);
  CHECK(all.mixing().of == trace);
  CHECK(all.likeness().of == trace);
  REQUIRE(all.sweep().value);
  CHECK(all.sweep().value->entries.back().trace->layers.front().input.weights.W_Q ==
        trace->layers.front().input.weights.W_Q);
  for (const std::string& failure : {all.evaluator.failure(), all.roles().failure, all.mixing().failure,
                                     all.likeness().failure, all.sweep().failure})
    CHECK(failure.empty());
  CHECK(all.woken > 0);
}

TEST_CASE("keepers: unsaved work is written while the next edits are made", "[app][keepers]") {
  const Folder folder;
  History history{default_document()};
  RecoveryKeeper keeper(folder.file("state"));
  std::atomic<int> news = 0;
  keeper.on_news([&] { ++news; });
  for (int k = 0; k < 20; ++k) {
    history.preview(set_cell(Quantity::W_K, k, k, 1));
    history.commit();
    keeper.keep(history.unsaved());
    keeper.take_found();
    if (k % 7 == 0) keeper.finish();
  }
  keeper.finish();
  CHECK_FALSE(keeper.take_fault());
  CHECK_FALSE(std::filesystem::is_empty(folder.file("state")));
  keeper.keep({});
  keeper.finish();
}

TEST_CASE("keepers: unsaved work that could not be written is written later, without another edit", "[app][keepers]") {
  const Folder folder;
  History history{default_document()};
  history.apply(set_cell(Quantity::W_K, 0, 0, 1));
  std::ofstream(folder.file("state")) << "in the way";
  RecoveryKeeper keeper(folder.file("state"), 20ms);
  keeper.keep(history.unsaved());
  keeper.finish();
  CHECK(keeper.take_fault());
  std::this_thread::sleep_for(100ms);
  CHECK_FALSE(keeper.take_fault());  // told once
  std::filesystem::remove(folder.file("state"));
  const auto written = [&] {
    return std::filesystem::is_directory(folder.file("state")) && !std::filesystem::is_empty(folder.file("state"));
  };
  test::wait_until(written);
  keeper.finish();
  CHECK_FALSE(keeper.take_fault());
}
