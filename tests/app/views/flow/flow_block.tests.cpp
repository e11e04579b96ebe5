// What a block has around its heads, switched on in the panel and shown in the Flow view.
#include "core/explain/explain.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

void switch_on_all(Session& s) {
  for (const char* name : {"model/residual", "model/norm", "model/feed_forward"}) {
    s.ui.click(name);
    s.ui.settle();
  }
}

}  // namespace

TEST_CASE("flow block: switches of the panel bring its stages, and undo takes them away", "[app][flow]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}, ImVec2{1920, 1080}}) {
    Session s(default_document(), size);
    s.set(s.view().flow.around, true);
    CHECK_FALSE(s.ui.exists("flow/block/X"));
    switch_on_all(s);
    for (const char* stage : {"X", "norm_1", "output", "stream_1", "norm_2", "hidden", "feed_forward", "stream"}) {
      INFO(stage);
      REQUIRE(s.ui.exists(std::string("flow/block/") + stage));
    }
    CHECK(s.layer().settings.feed_forward_width == 256);
    check_as_scratch(s);
    s.ui.click("model/norm/place/after");
    s.ui.settle();
    CHECK(s.ui.exists("flow/block/sum_1"));
    CHECK_FALSE(s.ui.exists("flow/block/norm_1"));
    for (int k = 0; k < 4; ++k) s.ui.key(key::letter('z'), true);
    s.ui.settle();
    CHECK_FALSE(s.ui.exists("flow/block/X"));
    CHECK(same_document(s.document(), default_document()));
  }
}

TEST_CASE("flow block: its weights are opened by a click, and an edit of one is seen", "[app][flow]") {
  Session s(default_document(), {1600, 1000});
  switch_on_all(s);
  s.ui.click("flow/block/W_1");
  s.ui.settle();
  CHECK(s.view().inspected == Site{Quantity::W_1, 0, kNoHead});
  CHECK(s.ui.exists("inspector/matrix"));
  const Mat<float> hidden = *s.app.trace().block(0).of(Quantity::hidden);
  s.app.edit({set_cell(Quantity::W_1, 2, 3, 4), 0});
  s.ui.settle();
  const Mat<float> after = *s.app.trace().block(0).of(Quantity::hidden);
  CHECK((after.col(3) - hidden.col(3)).norm() > 0);
  CHECK(after.leftCols(3) == hidden.leftCols(3));
}

TEST_CASE("flow block: a number of the stream opens into the sum that made it", "[app][flow]") {
  Session s(default_document(), {1280, 800});
  s.set(s.view().flow.around, true);
  switch_on_all(s);
  s.ui.click(s.ui.rect("flow/block/stream").center());
  s.ui.settle();
  CHECK(s.selection().site == Site{Quantity::stream, 0, kNoHead});
  const Explanation e = explain(s.app.trace(), s.selection());
  REQUIRE(e.steps.size() == 1);
  CHECK(e.steps[0].terms.size() == 2);
  CHECK(e.steps[0].result == Approx(e.value));
}

TEST_CASE("flow block: every kind of stage opens into its arithmetic in the inspector", "[app][flow]") {
  Session s(default_document(), {1280, 800});
  switch_on_all(s);
  const auto open_all = [&] {
    for (const auto& [quantity, stage] : s.app.trace().block(0).stages) {
      INFO(entry_of(quantity).key);
      s.open({{quantity, 0, kNoHead}, 2, 3});
      CHECK(s.view().inspected == Site{quantity, 0, kNoHead});
      CHECK(s.ui.exists("inspector/value"));
    }
  };
  for (const char* activation : {"relu", "gelu", "gelu_tanh", "silu"}) {
    s.ui.click(std::string("model/feed_forward/activation/") + activation);
    s.ui.settle();
    open_all();
  }
  for (const char* setting :
       {"model/feed_forward/gated", "model/norm/kind/rms", "model/parallel", "model/norm/shared"}) {
    s.ui.click(setting);
    s.ui.settle();
    open_all();
  }
}

TEST_CASE("flow block: where the heads would be cramped the stages have a page of their own", "[app][flow]") {
  const bool presentation = GENERATE(false, true);
  Session s(default_document(), {1280, 800});
  switch_on_all(s);
  s.set(s.view().presentation, presentation);
  s.ui.settle();
  CAPTURE(presentation);
  for (const char* name : {"flow/concat", "flow/W_O", "flow/Y"}) CHECK(s.ui.exists(name));
  CHECK_FALSE(s.ui.exists("flow/block/stream"));
  s.ui.click("flow/page/around");
  s.ui.settle();
  REQUIRE(s.ui.exists("flow/block/stream"));
  CHECK(s.ui.rect("flow/block/stream").max.y <= 800);
  CHECK_FALSE(s.ui.exists("flow/W_O"));
  s.ui.click("flow/page/heads");
  s.ui.settle();
  CHECK(s.ui.exists("flow/W_O"));
}
