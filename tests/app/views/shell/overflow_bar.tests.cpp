#include <catch2/catch.hpp>

#include "app/views/shell/views.h"
#include "core/explain/overflow.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

// Scores of head 2 beyond the largest float.
void overflow(Document& document) {
  document = apply(document, SetWeightSource{Init::identity, 7});
  document = apply(document, set_cell(Quantity::W_Q, 9, 9, 1e25f));
  document = apply(document, set_cell(Quantity::W_K, 9, 9, 1e25f));
}

}  // namespace

TEST_CASE("overflow: said in words in every view and in presentation, gone when the numbers are finite", "[app]") {
  Document document = default_document();
  overflow(document);
  const ImVec2 size = GENERATE(ImVec2{1280, 800}, ImVec2{1920, 1080});
  Session s(document, size);
  REQUIRE(s.app.trace().overflow);
  for (const bool presentation : {false, true}) {
    s.set(s.view().presentation, presentation);
    for (const ViewEntry& entry : all_views()) {
      CAPTURE(entry.key, presentation);
      s.set(s.view().view, entry.id);
      s.ui.frames(3);
      CHECK(s.ui.exists("overflow"));
    }
  }
  s.set(s.view().presentation, false);
  s.set(s.view().view, ViewId::flow);
  s.ui.frames(2);
  s.ui.click("overflow");
  CHECK(s.selection() == Cell{{Quantity::scores, 0, 1}, 0, 0});
  CHECK(s.view().focused_head == 1);
}

TEST_CASE("overflow: no bar where every number is finite, and none any more when an edit makes them so", "[app]") {
  Session s;
  CHECK_FALSE(s.app.trace().overflow);
  CHECK_FALSE(s.ui.exists("overflow"));
  Document document = default_document();
  overflow(document);
  Session t(document);
  REQUIRE(t.ui.exists("overflow"));
  t.ui.click("model/init/zero");
  t.ui.frames(2);
  CHECK_FALSE(t.app.trace().overflow);
  CHECK_FALSE(t.ui.exists("overflow"));
}
