// Differential attention: switched on in the panel, shown in the Flow view, opened and changed.
#include "app/platform/input.h"
#include "app/views/shell/views.h"
#include "core/explain/explain.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

constexpr const char* kBeside[] = {"flow/scores_2",    "flow/own_attention", "flow/lambda",
                                   "flow/attention_2", "flow/difference",    "flow/normed_output"};

// The pictures on the screen of a matrix.
std::vector<Heatmap> pictures_of(const Session& s, const Array<float>& matrix) {
  std::vector<Heatmap> found;
  for (const Heatmap& heatmap : s.ui.sink.heatmaps)
    if (heatmap.matrix == matrix) found.push_back(heatmap);
  return found;
}

}  // namespace

TEST_CASE(
    "flow differential: a switch of the panel brings both patterns and their difference, and undo takes them away",
    "[app][flow]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}, ImVec2{1920, 1080}}) {
    Session s(default_document(), size);
    const auto shown = [&] {
      return std::ranges::count_if(kBeside, [&](const char* name) { return s.ui.exists(name); });
    };
    CHECK(shown() == 0);
    CHECK_FALSE(s.ui.exists("model/differential/lambda_0"));
    s.ui.click("model/differential");
    s.ui.settle();
    CHECK(shown() == std::ssize(kBeside));
    CHECK(s.ui.exists("model/differential/lambda_0"));
    CHECK_FALSE(s.ui.exists("model/talking_heads/both"));  // heads either talk or take differences
    CHECK(s.ui.exists("flow/heads/8"));
    // From left to right, in one line: what is taken away of what, and what is left.
    float x = 0;
    for (const char* name :
         {"flow/scores_2", "flow/own_attention", "flow/lambda", "flow/attention_2", "flow/difference"}) {
      CHECK(s.ui.rect(name).min.x > x);
      x = s.ui.rect(name).max.x;
    }
    CHECK(s.ui.rect("flow/own_attention").min.y == s.ui.rect("flow/attention_2").min.y);
    CHECK(s.ui.rect("flow/own_attention").min.y == s.ui.rect("flow/difference").min.y);
    check_as_scratch(s);
    s.ui.key(key::letter('z'), true);
    s.ui.settle();
    CHECK(shown() == 0);
    CHECK(same_document(s.document(), default_document()));
  }
}

TEST_CASE("flow differential: the difference opens into both patterns, λ into its exponentials and rows to change",
          "[app][flow]") {
  Session s(default_document(), {1280, 800});
  s.ui.click("model/differential");
  s.ui.settle();
  for (const auto& [name, quantity] : {std::pair{"flow/attention_2", Quantity::attention_2},
                                       {"flow/difference", Quantity::attention},
                                       {"flow/normed_output", Quantity::normed_output}}) {
    s.ui.click(s.ui.rect(name).center());
    s.ui.settle();
    CHECK(s.selection().site == Site{quantity, 0, 0});
  }
  s.ui.click(s.ui.rect("flow/lambda").center());
  s.ui.settle();
  CHECK(s.selection() == Cell{{Quantity::lambda}, 0, 0});
  const Explanation lambda = explain(s.app.trace(), s.selection());
  REQUIRE(lambda.steps.size() == 5);
  CHECK(lambda.steps[0].terms[0].factors[0].source == Cell{{Quantity::lambda_q1}, 0, 0});
  const Mat<float> before = *s.head(0).attention, own = *s.head(0).own_attention;
  s.app.edit({set_cell(Quantity::lambda_q1, 0, 0, 3), 0});
  s.ui.settle();
  CHECK((*s.head(0).attention - before).norm() > 0);
  CHECK(*s.head(0).own_attention == own);
  s.ui.key(key::letter('z'), true);
  s.ui.settle();
  CHECK(*s.head(0).attention == before);
}

TEST_CASE("flow differential: weights that may be negative have colours of both signs, the two patterns of one",
          "[app][flow]") {
  Session s(default_document(), {1600, 1000});
  s.ui.click("model/differential");
  s.ui.settle();
  REQUIRE(s.head(0).attention->minCoeff() < 0);
  const std::vector<Heatmap> shown = pictures_of(s, s.head(0).attention);
  CHECK(shown.size() >= 3);  // large, among all heads, and beside them
  for (const Heatmap& heatmap : shown) CHECK(heatmap.scale.low == -heatmap.scale.high);
  for (const Array<float>& pattern : {s.head(0).own_attention, s.head(0).attention_2}) {
    REQUIRE(pictures_of(s, pattern).size() == 1);
    CHECK(pictures_of(s, pattern)[0].scale.low == 0);
    CHECK(pictures_of(s, pattern)[0].scale.high == 1);
  }
}

TEST_CASE("flow differential: every view shows it", "[app][layers]") {
  Session s(default_document(), {1600, 1000});
  s.ui.click("model/differential");
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
