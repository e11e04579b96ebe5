// "How it is computed", as a user meets it: measuring, cancelling, old results, and the tiles.
#include <catch2/catch.hpp>

#include "app/draw/recording.h"
#include "app/views/tradeoff/computed/tile_numbers.h"
#include "app/views/tradeoff/computed/tiles_motion.h"
#include "app/views/tradeoff/computed/tradeoff_computed.h"
#include "app/views/tradeoff/tradeoff_view.h"
#include "core/document/edits/edit.h"
#include "tests/support/recorded_text.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

struct ComputedSession : Session {
  explicit ComputedSession(Document document = default_document(), ImVec2 size = {1600, 1000})
      : Session(std::move(document), size) {
    set(view().view, ViewId::tradeoff);
    set(view().tradeoff.lengths, {4, 9});
    set(view().tradeoff.page, TradeoffPage::computed);
    set(view().tradeoff.part, ComputedPart::timing);
    ui.frames(3);
  }
  void rest() {
    ui.frames(1);
    app.finish_evaluation();
    ui.frames(3);
  }
  void tiles() {
    ui.click("tradeoff/part/Tile by tile");
    ui.frames(2);
  }
  Index done() { return app.hands().of<TilesMotion>().done.value_or(-1); }
  const TileNumbers& numbers() {
    REQUIRE(app.made().has<TileNumbers>());
    return app.made().of<TileNumbers>();
  }
};

Document edited_with(const Edit& edit) { return hydra::apply(default_document(), edit); }

}  // namespace

TEST_CASE("computed: one product gives the queries of all heads, and its slices are those of the trace",
          "[app][tradeoff][computed]") {
  // Opened without a choice; in a presentation every part of it is in view.
  Session s(default_document(), {1280, 800});
  s.set(s.view().view, ViewId::tradeoff);
  s.set(s.view().tradeoff.page, TradeoffPage::computed);
  s.set(s.view().presentation, true);
  s.ui.frames(3);
  const int heads = static_cast<int>(s.layer().heads);
  const auto n = static_cast<Index>(s.app.trace().tokens.size());
  const Heatmap X = s.picture("tradeoff/product/X");
  CHECK(X.matrix == s.app.trace().X);
  Index columns = 0;
  for (int h = 0; h < heads; ++h) {
    const std::string number = std::to_string(h + 1);
    const Heatmap W = s.picture("tradeoff/product/W/" + number), Q = s.picture("tradeoff/product/Q/" + number),
                  slice = s.picture("tradeoff/product/head/" + number);
    CHECK(W.matrix == s.weights().W_Q);
    CHECK(W.col0 == columns);
    columns += W.cols;
    CHECK(Q.matrix == s.head(h).Q);
    CHECK(slice.matrix == s.head(h).Q);
    CHECK(slice.rows == n);
    CHECK(W.cols == Q.cols);
    CHECK(W.cols == slice.cols);
  }
  CHECK(columns == s.weights().W_Q->cols());
  for (const char* name : {"X/title", "W/title", "Q/title", "shape", "code/1", "code/2", "words"})
    CHECK(s.ui.seen(std::string("tradeoff/product/") + name));
  // A number of a slice is the number of its head.
  const UiDriver::Rect last = s.ui.rect("tradeoff/product/head/" + std::to_string(heads));
  s.ui.click(last.cell(2, 1, n, columns / heads));
  CHECK(s.selection() == Cell{{Quantity::Q, 0, heads - 1}, 2, 1});
  s.ui.leave();
  s.ui.frames(3);
  CHECK_FALSE(s.app.wants_frame());
}

TEST_CASE("computed: what settings change in the one product is said", "[app][tradeoff][computed]") {
  const auto height = [](const std::vector<Edit>& edits) {
    Document document = default_document();
    for (const Edit& edit : edits) document = hydra::apply(document, edit);
    Session s(document);
    s.set(s.view().view, ViewId::tradeoff);
    s.set(s.view().tradeoff.page, TradeoffPage::computed);
    s.ui.frames(3);
    CHECK(s.ui.exists("tradeoff/product/code/2"));
    const UiDriver::Rect words = s.ui.rect("tradeoff/product/words");
    return words.max.y - words.min.y;
  };
  const float plain = height({});
  CHECK(height({SetKvHeads{2}}) > plain);
  CHECK(height({SetSplit{Split::slice}}) > plain);
  CHECK(height({SetSetting{LayerSetting::differential, 1}}) > plain);
  CHECK(height({SetSentence{"one"}}) == plain);
}

TEST_CASE("computed: a key measures, from any part of the page, and cancels", "[app][tradeoff][computed]") {
  ComputedSession s(edited_with(SetHeads{64}));
  s.set(s.view().tradeoff.part, ComputedPart::product);
  s.set(s.view().tradeoff.lengths, {4, 3000});
  s.ui.frames(2);
  CHECK_FALSE(s.ui.exists("tradeoff/timing/run"));
  s.ui.key(key::enter, true);
  s.ui.frames(3);
  REQUIRE(s.ui.exists("tradeoff/timing/cancel"));
  s.ui.key(key::enter, true);
  s.rest();
  CHECK(s.ui.exists("tradeoff/timing/run"));
  // Elsewhere it measures nothing.
  s.set(s.view().view, ViewId::heads);
  s.ui.key(key::enter, true);
  s.ui.frames(2);
  s.set(s.view().view, ViewId::tradeoff);
  s.ui.frames(2);
  CHECK_FALSE(s.ui.exists("tradeoff/timing/cancel"));
}

TEST_CASE("computed: nothing is measured until the button is pressed", "[app][tradeoff][computed]") {
  ComputedSession s;
  s.ui.click("tradeoff/page/cost");
  s.ui.click("tradeoff/page/computed");
  s.ui.frames(2);
  CHECK(s.view().tradeoff.page == TradeoffPage::computed);
  for (const char* name : {"time", "memory", "step_time", "step_memory", "words", "step_words", "run"})
    CHECK(s.ui.exists(std::string("tradeoff/timing/") + name));
  CHECK_FALSE(s.ui.exists("tradeoff/timing/cancel"));
  s.rest();
  s.ui.move(s.ui.rect("tradeoff/timing/time").at(0.2f, 0.5f));
  CHECK_FALSE(s.app.wants_frame());
  s.ui.click("tradeoff/timing/run");
  s.rest();
  CHECK(s.ui.exists("tradeoff/timing/run"));
  CHECK_FALSE(s.ui.exists("tradeoff/timing/cancel"));
  // The lengths can be pointed at.
  s.ui.move(s.ui.rect("tradeoff/timing/time").at(0.25f, 0.5f));
  s.ui.frames(2);
  CHECK(s.was().length == 4);
  s.ui.leave();
  CHECK(s.was().length == 0);
  CHECK_FALSE(s.app.history().can_undo());
}

TEST_CASE("computed: what the ways are stands there before and after measuring, in a presentation too",
          "[app][tradeoff][computed]") {
  for (const bool presentation : {false, true}) {
    ComputedSession s(default_document(), {1280, 800});
    s.set(s.view().presentation, presentation);
    for (const bool measured : {false, true}) {
      if (measured) s.ui.click("tradeoff/timing/run");
      s.rest();
      for (const char* name : {"loop", "combined", "tiles", "same"}) {
        CAPTURE(presentation, measured, name);
        const std::optional<UiDriver::Rect> seen = s.ui.seen(std::string("tradeoff/timing/key/") + name);
        REQUIRE(seen);
        CHECK(seen->max.x < 1280);
      }
    }
  }
}

TEST_CASE("computed: a long measurement shows how far it is and can be cancelled", "[app][tradeoff][computed]") {
  ComputedSession s(edited_with(SetHeads{64}));
  s.set(s.view().tradeoff.lengths, {4, 3000});
  s.ui.frames(1);
  s.ui.click("tradeoff/timing/run");
  s.ui.frames(2);
  REQUIRE(s.ui.exists("tradeoff/timing/cancel"));
  CHECK(s.ui.exists("tradeoff/timing/progress"));
  CHECK_FALSE(s.ui.exists("tradeoff/timing/run"));
  CHECK_FALSE(s.app.wants_frame());  // the window rests meanwhile and is woken
  s.ui.click("tradeoff/timing/cancel");
  s.rest();
  CHECK(s.ui.exists("tradeoff/timing/run"));
  CHECK_FALSE(s.ui.exists("tradeoff/timing/progress"));
}

TEST_CASE("computed: what was measured stays when the document's sizes change", "[app][tradeoff][computed]") {
  ComputedSession s;
  s.ui.click("tradeoff/timing/run");
  s.rest();
  const auto hovered = [&] {
    s.ui.move(s.ui.rect("tradeoff/timing/memory").at(0.3f, 0.5f));
    s.ui.frames(2);
    const Index length = s.was().length;
    s.ui.leave();
    return length;
  };
  CHECK(hovered() == 4);
  s.ui.click("model/heads/4");
  s.set(s.view().tradeoff.lengths, {5, 11});  // of the next measurement
  s.rest();
  CHECK(s.layer().heads == 4);
  CHECK(hovered() == 4);
  s.ui.click("tradeoff/timing/run");
  s.rest();
  CHECK(hovered() == 5);
}

TEST_CASE("computed: tiles go back, forward, and where the slider is dragged", "[app][tradeoff][computed]") {
  ComputedSession s;
  s.tiles();
  CHECK(s.ui.exists("tradeoff/tiles/grid"));
  const auto tiles = static_cast<Index>(s.numbers().walk.visited.size());
  CHECK(tiles == 9);  // 12 tokens, 4 by 4
  s.ui.click(s.ui.rect("tradeoff/tiles/scrub").at(0.35f, 0.5f));
  const Index start = s.done();
  REQUIRE(start > 0);
  REQUIRE(start + 1 < tiles);
  s.ui.click("tradeoff/tiles/step");
  CHECK(s.done() == start + 1);
  s.ui.click("tradeoff/tiles/back");
  CHECK(s.done() == start);
  const UiDriver::Rect scrub = s.ui.rect("tradeoff/tiles/scrub");
  s.ui.click(scrub.at(0.999f, 0.5f));
  CHECK(s.done() == tiles);
  s.ui.click("tradeoff/tiles/step");  // none more
  CHECK(s.done() == tiles);
  s.ui.click(scrub.at(0.001f, 0.5f));
  CHECK(s.done() == 0);
  s.ui.click("tradeoff/tiles/back");
  CHECK(s.done() == 0);
  CHECK_FALSE(s.app.wants_frame());
}

TEST_CASE("computed: the tiles open where something is rescaled, unless somebody chose the query",
          "[app][tradeoff][computed]") {
  ComputedSession s;
  s.tiles();
  const TileNumbers& t = s.numbers();
  const Index seen = t.seen(t.opening());
  REQUIRE(seen > 1);
  const RunningSoftmax<float>& now = t.states[static_cast<std::size_t>(seen - 1)];
  CHECK(now.shrink < 0.9995f);
  CHECK(now.top > t.states[static_cast<std::size_t>(seen - 2)].top);
  s.ui.click("tradeoff/tiles/back");
  CHECK(s.done() == t.opening() - 1);  // from there
  // A query that somebody chose stays, though no tile of it may rescale.
  const Index asked = t.asked;
  REQUIRE(t.query != asked);
  s.set(s.view().tradeoff.query, asked);
  s.ui.frames(2);
  CHECK(s.numbers().query == asked);
}

TEST_CASE("computed: what is to come is blank, what a mask hides is counted, and the colours have a scale",
          "[app][tradeoff][computed]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}, ImVec2{1920, 1080}}) {
    ComputedSession s(edited_with(SetMask{{Mask::Kind::causal, nullptr}}), size);
    s.tiles();
    CAPTURE(size.x);
    CHECK(s.ui.exists("tradeoff/tiles/scale"));
    CHECK(s.ui.exists("tradeoff/tiles/skipped"));
    const UiDriver::Rect scale = s.ui.rect("tradeoff/tiles/scale"), first = s.ui.rect("tradeoff/tiles/state/1");
    CHECK(scale.max.y <= first.min.y);
  }
}

TEST_CASE("computed: playing walks on and stops at the end, a picture stands still", "[app][tradeoff][computed]") {
  ComputedSession s;
  s.tiles();
  s.ui.click(s.ui.rect("tradeoff/tiles/scrub").at(0.001f, 0.5f));
  s.ui.click("tradeoff/tiles/play");
  CHECK(s.app.hands().of<TilesMotion>().playing);
  CHECK(s.app.wants_frame());
  s.ui.frames(60);
  CHECK(s.done() == 1);
  s.ui.click("tradeoff/tiles/play");  // pause
  const Index paused = s.done();
  s.ui.frames(120);
  CHECK(s.done() == paused);
  CHECK_FALSE(s.app.wants_frame());
  s.ui.click("tradeoff/tiles/play");
  s.set(s.view().still, true);
  s.ui.frames(120);
  CHECK(s.done() == paused);
  CHECK_FALSE(s.app.wants_frame());
  s.set(s.view().still, false);
  s.ui.frames(600);
  CHECK(s.done() == 9);
  CHECK_FALSE(s.app.hands().of<TilesMotion>().playing);
  CHECK_FALSE(s.app.wants_frame());
}

TEST_CASE("computed: the numbers are those of the head and the query, and end at the trace",
          "[app][tradeoff][computed]") {
  ComputedSession s;
  s.tiles();
  for (const auto& [head, query] : {std::pair{0, 3}, std::pair{5, 11}, std::pair{7, 0}}) {
    s.set(s.view().focused_head, head);
    s.ui.frames(2);
    s.ui.click(s.ui.rect("tradeoff/tiles/grid").cell(query, 6, 12, 12));
    s.ui.frames(2);
    const TileNumbers& t = s.numbers();
    CHECK(t.query == query);
    CHECK(t.scores == s.head(head).scores);
    CHECK(t.seen(s.done()) == 1);  // the query's first tile is done
    CHECK(t.states.size() == 3);
    CHECK(t.weights_apart < 1e-6);
    CHECK(t.output_apart < 1e-5);
    CHECK((t.weights.back() - s.head(head).attention->row(query)).cwiseAbs().maxCoeff() < 1e-6f);
    CHECK(t.ends->row(1) == s.head(head).output->row(query));
  }
  const Stamp before = s.numbers().outputs.stamp();
  s.ui.frames(5);
  CHECK(s.numbers().outputs.stamp() == before);  // nothing is computed where nothing changed
  s.ui.click("tradeoff/tiles/side/2");
  s.ui.frames(2);
  CHECK(s.numbers().walk.visited.size() == 36);
  CHECK(s.numbers().states.size() == 6);
}

TEST_CASE("computed: under a causal mask tiles are skipped, and painted rows are told apart",
          "[app][tradeoff][computed]") {
  Document document = hydra::apply(default_document(), SetMask{{Mask::Kind::causal, nullptr}});
  ComputedSession s(document);
  s.tiles();
  CHECK(s.numbers().walk.visited.size() == 6);
  CHECK(s.numbers().walk.skipped.size() == 3);
  s.set(s.view().tradeoff.query, 2);
  s.ui.frames(2);
  CHECK(s.numbers().states.size() == 1);
  CHECK(s.numbers().weights_apart < 1e-6);
  CHECK_FALSE(s.numbers().painted);
  RowVec<float> row = RowVec<float>::Zero(12);
  row(1) = 1;
  ComputedSession painted(hydra::apply(document, PaintAttention{0, 2, share(std::move(row))}));
  painted.tiles();
  painted.set(painted.view().tradeoff.query, 2);
  painted.ui.frames(2);
  CHECK(painted.numbers().painted);
  // The row that is painted is no mark to compare with, and none is promised.
  Recording recording(painted.ui.size);
  painted.app.record_in(&recording);
  painted.ui.frames(1);
  painted.app.record_in(nullptr);
  const std::string drawn = test::text_of(recording);
  CHECK(drawn.find("so far") != std::string::npos);
  CHECK(drawn.find("marks: its row") == std::string::npos);
}

TEST_CASE("computed: heads that talk are computed in one way alone, and tiles show what a head has alone",
          "[app][tradeoff][computed]") {
  ComputedSession s(edited_with(SetSetting{LayerSetting::talking_heads, static_cast<double>(TalkingHeads::both)}));
  s.ui.click("tradeoff/timing/run");
  s.rest();
  REQUIRE(s.app.failure().empty());
  CHECK(s.ui.exists("tradeoff/timing/words"));
  s.tiles();
  CHECK(s.numbers().alone);
  CHECK(s.numbers().weights_apart < 1e-6);
  CHECK(s.numbers().output_apart < 1e-5);
}

TEST_CASE("computed: differences of two patterns are computed in every way, and tiles show the first of the two",
          "[app][tradeoff][computed]") {
  ComputedSession s(edited_with(SetSetting{LayerSetting::differential, 1}));
  s.ui.click("tradeoff/timing/run");
  s.rest();
  REQUIRE(s.app.failure().empty());
  s.tiles();
  CHECK(s.numbers().alone);
  CHECK(s.numbers().weights_apart < 1e-6);
  CHECK(s.numbers().output_apart < 1e-5);
}

TEST_CASE("computed: every size of window and of document can be shown", "[app][tradeoff][computed]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1920, 1080}, ImVec2{640, 400}})
    for (const bool presentation : {false, true})
      for (const char* sentence :
           {"one", "one two", "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g"}) {
        CAPTURE(size.x, presentation, sentence);
        ComputedSession s(edited_with(SetSentence{sentence}), size);
        s.set(s.view().presentation, presentation);
        s.app.act(act::MeasureWays{timing_lengths(s.view())});
        s.rest();
        s.set(s.view().tradeoff.part, ComputedPart::product);
        s.ui.frames(2);
        s.set(s.view().tradeoff.part, ComputedPart::tiles);
        for (const Index side : kTileSides) {
          s.set(s.view().tradeoff.tile_side, side);
          s.app.hands().of<TilesMotion>().done = 0;
          s.ui.frames(2);
          s.app.hands().of<TilesMotion>().done = 1000;
          s.ui.frames(2);
        }
        CHECK(s.view().tradeoff.page == TradeoffPage::computed);
      }
}
