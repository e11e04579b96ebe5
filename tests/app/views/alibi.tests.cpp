// ALiBi's slopes in the panel: a choice where the number of heads lets the two rules differ, and else none.
#include "app/platform/input.h"
#include "core/io/document_text.h"
#include "core/io/file.h"
#include "tests/support/session.h"

using namespace hydra;

TEST_CASE(
    "alibi: the panel offers the slopes under its switch where heads are no power of two, and undo takes a choice "
    "back",
    "[app][variants]") {
  Session s(parse_document(
      R"({"hydrascope": 1, "sentence": "The cat sat on the mat.", "d_model": 48, "layers": [{"heads": 6, "mask": "causal"}]})",
      "file"));
  CHECK_FALSE(s.ui.exists("model/alibi/slopes/interleaved"));
  s.ui.click("model/alibi");
  s.settle();
  REQUIRE(s.ui.exists("model/alibi/slopes/geometric"));
  const std::string before = document_text(s.document());
  s.ui.click("model/alibi/slopes/interleaved");
  s.settle();
  CHECK(s.layer().settings.alibi_slopes == AlibiSlopes::interleaved);
  const Mat<float>& scores = *s.head(4).scores;  // by the published code the fifth of six has the slope 1/2
  const Mat<float> products = *s.head(4).Q * s.head(4).K->transpose() / std::sqrt(8.0f);
  CHECK(scores(5, 1) == Approx(products(5, 1) - 2).margin(1e-5));
  check_as_scratch(s);
  s.open({{Quantity::scores, 0, 4}, 5, 1});
  CHECK(s.ui.exists("inspector/value"));
  // Of eight heads both rules give the same: nothing is offered, and the choice is kept.
  s.app.edit(SetHeads{8});
  s.settle();
  CHECK_FALSE(s.ui.exists("model/alibi/slopes/interleaved"));
  CHECK(s.layer().settings.alibi_slopes == AlibiSlopes::interleaved);
  for (int k = 0; k < 2; ++k) {
    s.ui.key(key::letter('z'), true);
    s.settle();
  }
  CHECK(document_text(s.document()) == before);
  CHECK(s.layer().settings.alibi_slopes == AlibiSlopes::geometric);
}
