// Evaluation in the background: the newest document's trace arrives, equal to one from scratch, in whatever order.
#include "app/work/evaluator.h"

#include <atomic>
#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"

using namespace hydra;
using namespace std::chrono_literals;

namespace {

bool is_of(const Trace& trace, const Document& document) {
  const auto scratch = evaluate(document);
  return trace.tokens == scratch->tokens && *trace.layers.front().output == *scratch->layers.front().output;
}

// Some hundred milliseconds of work.
Document large() {
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{128}), SetHeads{128});
  document.tokens.emplace();
  for (int k = 0; k < 1024; ++k) document.tokens->push_back("w" + std::to_string(k));
  return document;
}

}  // namespace

TEST_CASE("evaluator: a small document has its trace from the start", "[app][evaluator]") {
  const Evaluator evaluator(default_document());
  CHECK(evaluator.ready());
  CHECK(evaluator.failure().empty());
  CHECK_FALSE(evaluator.computing());
  CHECK(is_of(*evaluator.trace(), default_document()));
}

TEST_CASE("evaluator: a large one comes in the background, and something stands in meanwhile", "[app][evaluator]") {
  Evaluator evaluator(large());
  REQUIRE(evaluator.trace());
  CHECK_FALSE(evaluator.trace()->layers.front().heads.empty());
  evaluator.finish();
  CHECK(evaluator.ready());
  CHECK(evaluator.trace()->tokens.size() == 1024);
  CHECK(evaluator.trace()->layers.front().heads.size() == 128);
}

TEST_CASE("evaluator: of a deep one the first layer comes first, then all", "[app][evaluator]") {
  Document document = large();
  document.layers.assign(3, document.layers.front());
  Evaluator evaluator(document);
  bool began = evaluator.ready() && evaluator.trace()->is_beginning();
  while (!evaluator.ready() || evaluator.computing()) {
    evaluator.poll();
    began |= evaluator.ready() && evaluator.trace()->is_beginning();
  }
  CHECK(began);
  CHECK(evaluator.trace()->layers.size() == 3);
  CHECK_FALSE(evaluator.trace()->older_from);
}

TEST_CASE("evaluator: of many edits the last one's trace is there in the end", "[app][evaluator]") {
  Document document = default_document();
  Evaluator evaluator(document);
  std::atomic<int> woken = 0;
  evaluator.on_finished([&] { ++woken; });
  for (int k = 0; k < 200; ++k) {
    document = hydra::apply(document, set_cell(Quantity::W_Q, k % 64, k % 61, 0.01f * static_cast<float>(k)));
    if (k % 50 == 49) document = hydra::apply(document, SetHeads{k % 100 == 99 ? 8 : 4});
    evaluator.submit(document, 0, 0ms);
    evaluator.poll();
    REQUIRE(evaluator.trace());
    CHECK_FALSE(evaluator.trace()->layers.front().heads.empty());
  }
  evaluator.finish();
  CHECK_FALSE(evaluator.computing());
  CHECK(is_of(*evaluator.trace(), document));
  CHECK(woken > 0);
}

namespace {

// Some milliseconds for each layer, so that those after the one in focus are left for a second step.
Document deep() {
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{256}), SetHeads{8});
  document.tokens.emplace();
  for (int k = 0; k < 160; ++k) document.tokens->push_back("w" + std::to_string(k));
  document.layers.assign(8, document.layers.front());
  return document;
}

Document edited(const Document& document, int layer, int k) {
  return hydra::apply(document, {set_cell(Quantity::W_V, k % 256, k % 61, 0.01f * static_cast<float>(k)), layer});
}

void check_is(const Trace& trace, const Document& document) {
  const auto scratch = evaluate(document);
  CHECK_FALSE(trace.older_from);
  for (std::size_t k = 0; k < scratch->layers.size(); ++k) {
    INFO("layer " << k + 1);
    CHECK(*trace.layers[k].output == *scratch->layers[k].output);
  }
}

}  // namespace

TEST_CASE("evaluator: of a deep stack the layer in focus comes first, the later ones follow", "[app][evaluator]") {
  Document document = deep();
  Evaluator evaluator(document);
  evaluator.finish();
  check_is(*evaluator.trace(), document);
  const auto before = evaluator.trace();
  document = edited(document, 2, 7);
  while (evaluator.trace() == before) evaluator.submit(document, 2, 1000ms);
  const auto scratch = evaluate(document);
  CHECK(*evaluator.trace()->layers[2].output == *scratch->layers[2].output);
  if (evaluator.trace()->older_from) {  // else the rest was there at once
    CHECK(evaluator.trace()->older_from == 3);
    CHECK(evaluator.computing());
    CHECK(evaluator.trace()->layers[3].output == before->layers[3].output);
  }
  evaluator.finish();
  CHECK_FALSE(evaluator.computing());
  check_is(*evaluator.trace(), document);
}

TEST_CASE("evaluator: many edits of a deep stack, whatever layer is in focus", "[app][evaluator]") {
  Document document = deep();
  Evaluator evaluator(document);
  for (int k = 0; k < 120; ++k) {
    document = edited(document, k / 10 % 8, k);
    if (k % 37 == 36) document = hydra::apply(document, {SetHeads{k % 2 == 0 ? 4 : 8}, k % 8});
    evaluator.submit(document, k / 20 % 8, k % 3 == 0 ? 20ms : 0ms);
    if (k % 7 == 0) evaluator.poll();
    REQUIRE(evaluator.trace()->layers.size() == evaluator.trace()->blocks.size());
    if (k % 30 != 29) continue;
    evaluator.finish();
    CHECK_FALSE(evaluator.computing());
    check_is(*evaluator.trace(), document);
  }
}
