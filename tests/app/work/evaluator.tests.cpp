// Evaluation beside the frame: the newest document's trace arrives, equal to one from scratch, in whatever order.
#include "app/work/evaluator.h"

#include <atomic>
#include <catch2/catch.hpp>

#include "core/document/edit.h"
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

TEST_CASE("evaluator: a large one comes beside the frame, and something stands in meanwhile", "[app][evaluator]") {
  Evaluator evaluator(large());
  REQUIRE(evaluator.trace());
  CHECK_FALSE(evaluator.trace()->layers.front().heads.empty());
  evaluator.finish();
  CHECK(evaluator.ready());
  CHECK(evaluator.trace()->tokens.size() == 1024);
  CHECK(evaluator.trace()->layers.front().heads.size() == 128);
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
