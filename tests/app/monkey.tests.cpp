// Random input: thousands of events from a printed seed. No crash, no assert, and always a document that reads back the
// same.
#include "tests/support/monkey.h"

#include <catch2/catch.hpp>

#include "app/app.h"
#include "core/document/evaluate.h"
#include "core/io/file.h"
#include "core/linalg/same_bits.h"
#include "tests/support/sanitized.h"

using namespace hydra;
using namespace hydra::test;

TEST_CASE("monkey: random events break nothing", "[app][slow]") {
  constexpr int kEvents = kSanitized ? 6000 : 20'000;
  const std::uint64_t seed = monkey_seed(20261120);
  WARN("monkey seed " << seed << " (set HYDRA_MONKEY_SEED for another)");
  const OwnFolder folder;
  UiDriver ui({1280, 800});
  App app(default_document(), "", ui.sink);
  ui.program = [&](ImVec2 size, float dt, InputQueue& input) { app.frame(size, dt, input); };
  ui.frames(2);
  Monkey monkey(ui, seed);
  for (int event = 0; event < kEvents; ++event) {
    monkey.act();
    if (event % 3 == 0) ui.frames(1);
    if (event % 2000 == 1999) {
      ui.settle();
      app.finish_evaluation();
      const Document& document = app.history().current();
      const Document read = parse_document(document_text(document), "monkey");
      INFO("event " << event << ", seed " << seed);
      CHECK(same_document(read, document));
      CHECK(same_bits<float>(evaluate(document)->layers.front().output, app.trace().layers.front().output));
    }
  }
}
