// "Width" and "Heads needed", as a user meets them: patterns chosen, fits cancelled and asked for again, what is shown.
#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/linalg/random.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

Document small_document() {
  Document document = default_document();
  document.sentence = "the cat sat on it";
  return document;
}

struct FitSession : Session {
  explicit FitSession(TradeoffPage page, Document document = small_document(), ImVec2 size = {1600, 1000})
      : Session(std::move(document), size) {
    set(view().view, ViewId::tradeoff);
    set(view().tradeoff.page, page);
    if (page == TradeoffPage::needed) set(view().tradeoff.fit.problem, {6, 8, 2});
    rest();
  }
  void rest() {
    ui.frames(2);
    app.finish_evaluation();
    ui.frames(2);
  }
};

}  // namespace

TEST_CASE("fit pages: a pattern is chosen, fitted and shown beside its target", "[app][tradeoff][fit]") {
  FitSession s(TradeoffPage::width);
  REQUIRE(s.ui.exists("tradeoff/fit/width"));
  CHECK(s.ui.exists("tradeoff/fit/words"));
  const Heatmap any = s.picture("tradeoff/fit/target");
  CHECK(any.matrix->minCoeff() > 0);
  CHECK(any.matrix->rows() == 5);
  s.ui.click("tradeoff/fit/identity");
  s.rest();
  CHECK(*s.picture("tradeoff/fit/target").matrix == Mat<float>(Mat<float>::Identity(5, 5)));
  // By itself the widest head that misses, which is the narrowest there is.
  CHECK(s.picture("tradeoff/fit/made").matrix->diagonal().mean() < 0.9f);
  s.set(s.view().tradeoff.fit.width, 4);
  s.ui.frames(2);
  CHECK(s.picture("tradeoff/fit/made").matrix->diagonal().minCoeff() > 0.99f);
  s.ui.click("tradeoff/fit/head");
  s.rest();
  CHECK((*s.picture("tradeoff/fit/target").matrix - *s.head(0).attention).cwiseAbs().maxCoeff() < 1e-6f);
  CHECK_FALSE(s.ui.exists("tradeoff/fit/painted"));
}

TEST_CASE("fit pages: painted rows are asked for alone", "[app][tradeoff][fit]") {
  Document document = small_document();
  RowVec<float> row(5);
  row << 0.5f, 0, 0, 0.5f, 0;
  document = hydra::apply(document, PaintAttention{0, 2, share(RowVec<float>(row))});
  FitSession s(TradeoffPage::width, document);
  s.ui.click("tradeoff/fit/painted");
  s.rest();
  const Mat<float> target = *s.picture("tradeoff/fit/target").matrix;
  CHECK(target.row(2) == row);
  CHECK(target.sum() == Approx(1));
}

TEST_CASE("fit pages: the layer's mask is kept to until it is switched off", "[app][tradeoff][fit]") {
  FitSession open(TradeoffPage::width);
  CHECK_FALSE(open.ui.exists("tradeoff/fit/mask"));
  Document document = small_document();
  document.layers.front().mask.kind = Mask::Kind::causal;
  FitSession s(TradeoffPage::width, document);
  CHECK((*s.picture("tradeoff/fit/target").matrix)(0, 4) == 0);
  CHECK((*s.picture("tradeoff/fit/made").matrix)(0, 4) == 0);
  s.ui.click("tradeoff/fit/mask");
  s.rest();
  CHECK((*s.picture("tradeoff/fit/target").matrix)(0, 4) > 0);
}

TEST_CASE("fit pages: fits follow the document, and nothing is fitted where nothing changed", "[app][tradeoff][fit]") {
  FitSession s(TradeoffPage::width);
  const auto shown = s.picture("tradeoff/fit/made").matrix;
  s.ui.frames(5);
  CHECK(s.picture("tradeoff/fit/made").matrix == shown);
  s.app.edit(SetSentence{"a b c"});
  s.settle();
  s.rest();
  CHECK(s.picture("tradeoff/fit/target").matrix->rows() == 3);
}

TEST_CASE("fit pages: heads needed, with the patterns of the number that is chosen", "[app][tradeoff][fit]") {
  FitSession s(TradeoffPage::needed);
  REQUIRE(s.ui.exists("tradeoff/fit/heads"));
  CHECK(s.ui.exists("tradeoff/fit/words"));
  CHECK(s.ui.exists("tradeoff/fit/pattern/1"));  // as many as relations
  CHECK_FALSE(s.ui.exists("tradeoff/fit/pattern/2"));
  s.set(s.view().tradeoff.fit.heads, 8);
  s.ui.frames(2);
  CHECK(s.ui.exists("tradeoff/fit/pattern/7"));
  CHECK(s.ui.exists("tradeoff/fit/served"));
  CHECK(s.picture("tradeoff/fit/pattern/0").matrix->rows() == 6);
}

TEST_CASE("fit pages: a long fit shows how far it is and can be cancelled, and asked for again",
          "[app][tradeoff][fit]") {
  FitSession s(TradeoffPage::needed);
  s.app.set_patience(std::chrono::milliseconds(0));
  s.set(s.view().tradeoff.fit.problem, {16, 128, 8});
  s.ui.frames(2);
  REQUIRE(s.ui.exists("tradeoff/fit/stop"));
  s.wait_until([&] { return s.ui.exists("tradeoff/progress"); });  // once it has begun
  s.ui.click("tradeoff/fit/stop");
  s.rest();
  CHECK_FALSE(s.ui.exists("tradeoff/fit/stop"));
  REQUIRE(s.ui.exists("tradeoff/fit/again"));
  CHECK(s.ui.exists("tradeoff/fit/pattern/1"));  // what was there stays
  s.ui.click("tradeoff/fit/again");
  s.ui.frames(1);
  CHECK(s.ui.exists("tradeoff/fit/stop"));
  s.set(s.view().tradeoff.fit.problem, {6, 8, 4});
  s.rest();
  CHECK_FALSE(s.ui.exists("tradeoff/fit/again"));
  CHECK(s.ui.exists("tradeoff/fit/pattern/3"));
}

TEST_CASE("fit pages: what cannot be fitted is said", "[app][tradeoff][fit]") {
  Document document = small_document();
  document.sentence = "a";
  for (int k = 1; k < 140; ++k) document.sentence += " a";
  FitSession s(TradeoffPage::width, document);
  CHECK_FALSE(s.ui.exists("tradeoff/fit/width"));
  s.app.edit(SetSentence{"a b c"});
  s.settle();
  s.rest();
  CHECK(s.ui.exists("tradeoff/fit/width"));
}

TEST_CASE("fit pages: every size of window can be shown, in a presentation too", "[app][tradeoff][fit]") {
  for (const TradeoffPage page : {TradeoffPage::width, TradeoffPage::needed})
    for (const ImVec2 size : {ImVec2{320, 200}, ImVec2{700, 500}, ImVec2{1280, 800}, ImVec2{2560, 1440}}) {
      FitSession s(page, small_document(), size);
      s.set(s.view().presentation, true);
      s.ui.frames(3);
      s.set(s.view().presentation, false);
      s.ui.frames(3);
    }
}
