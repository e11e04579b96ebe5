// Heads that talk: switched on in the panel, shown in the Flow view, opened and changed.
#include "app/platform/input.h"
#include "app/views/shell/views.h"
#include "core/explain/explain.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

// The first picture on the screen of a head's stage, or of the layer's.
const Heatmap& picture_of(const Session& s, const Array<float>& matrix) {
  const auto& all = s.ui.sink.heatmaps;
  const auto found = std::ranges::find_if(all, [&](const Heatmap& heatmap) { return heatmap.matrix == matrix; });
  REQUIRE(found != all.end());
  return *found;
}

}  // namespace

TEST_CASE("flow talking: a choice of the panel brings what heads have alone and what they take, and undo takes it away",
          "[app][flow]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}, ImVec2{1920, 1080}}) {
    Session s(default_document(), size);
    const auto shown = [&] {
      std::vector<std::string> names;
      for (const char* name : {"flow/own_scores", "flow/P_L", "flow/own_attention", "flow/P_W"})
        if (s.ui.exists(name)) names.emplace_back(name);
      return names;
    };
    using Names = std::vector<std::string>;
    CHECK(shown().empty());
    s.ui.click("model/talking_heads/before");
    s.ui.settle();
    CHECK(shown() == Names{"flow/own_scores", "flow/P_L"});
    s.ui.click("model/talking_heads/after");
    s.ui.settle();
    CHECK(shown() == Names{"flow/own_attention", "flow/P_W"});
    s.ui.click("model/talking_heads/both");
    s.ui.settle();
    CHECK(shown().size() == 4);
    CHECK(s.ui.exists("flow/heads/8"));
    check_as_scratch(s);
    for (int k = 0; k < 3; ++k) s.ui.key(key::letter('z'), true);
    s.ui.settle();
    CHECK(shown().empty());
    CHECK(same_document(s.document(), default_document()));
  }
}

TEST_CASE(
    "flow talking: a number of a head's weights opens into what all heads have, and its matrix into numbers that "
    "can be changed",
    "[app][flow]") {
  Session s(default_document(), {1280, 800});
  s.ui.click("model/talking_heads/both");
  s.ui.settle();
  s.ui.click(s.ui.rect("flow/own_attention").center());
  s.ui.settle();
  CHECK(s.selection().site == Site{Quantity::own_attention, 0, 0});
  s.ui.click(s.ui.rect("flow/attention").center());
  s.ui.settle();
  CHECK(s.selection().site == Site{Quantity::attention, 0, 0});
  const Explanation e = explain(s.app.trace(), s.selection());
  CHECK(e.steps.back().terms.size() == 8);
  s.ui.click("flow/P_W");
  s.ui.settle();
  CHECK(s.view().inspected == Site{Quantity::P_W, 0, kNoHead});
  CHECK(s.ui.exists("inspector/matrix"));
  const Mat<float> before = *s.head(0).attention, other = *s.head(1).attention;
  s.app.edit({set_cell(Quantity::P_W, 0, 3, 2), 0});
  s.ui.settle();
  CHECK((*s.head(0).attention - before).norm() > 0);
  CHECK(*s.head(1).attention == other);
  s.ui.key(key::letter('z'), true);
  s.ui.settle();
  CHECK(*s.head(0).attention == before);
}

TEST_CASE("flow talking: weights that may be negative have colours of both signs, those of softmax of one",
          "[app][flow]") {
  Session s(default_document(), {1600, 1000});
  CHECK(picture_of(s, s.head(0).attention).scale.low == 0);
  s.ui.click("model/talking_heads/before");
  s.ui.settle();
  CHECK(picture_of(s, s.head(0).attention).scale.low == 0);
  CHECK(picture_of(s, s.head(0).attention).scale.high == 1);
  s.ui.click("model/talking_heads/after");
  s.ui.settle();
  REQUIRE(s.head(0).attention->minCoeff() < 0);
  const ValueScale scale = picture_of(s, s.head(0).attention).scale;
  CHECK(scale.low == -scale.high);
  for (int h = 0; h < 8; ++h) CHECK(s.head(h).attention->cwiseAbs().maxCoeff() <= scale.high);
  CHECK(picture_of(s, s.head(0).own_attention).scale.low == 0);
}

TEST_CASE("flow talking: every view shows heads that talk", "[app][layers]") {
  Session s(default_document(), {1600, 1000});
  s.ui.click("model/talking_heads/both");
  s.ui.settle();
  for (const ViewEntry& view : all_views()) {
    CAPTURE(view.label);
    s.set(s.view().view, view.id);
    s.ui.settle();
    s.app.finish_evaluation();
    s.ui.settle();
    CHECK(s.app.failure().empty());
    CHECK_FALSE(s.notice().is_error);
  }
}
