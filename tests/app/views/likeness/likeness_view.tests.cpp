// How alike the heads are, as a user meets it: measures, map, tree, comparison, collapse, repel, ranks.
#include <catch2/catch.hpp>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/views/likeness/likeness_parts.h"
#include "app/views/likeness/likeness_view.h"
#include "app/views/shell/commands.h"
#include "core/document/edits/edit.h"
#include "core/text/wording.h"
#include "tests/support/examples.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

struct LikenessSession : Session {
  explicit LikenessSession(Document document = default_document(), ImVec2 size = {1600, 1000})
      : Session(std::move(document), size) {
    set(view().view, ViewId::likeness);
    rest();
  }
  // Until what is shown belongs to the document and nothing moves any more.
  void rest() {
    ui.frames(1);
    app.finish_evaluation();
    ui.frames(2);
    for (int k = 0; was().moving; ++k) {
      REQUIRE(k < 600);
      ui.frames(1);
    }
    ui.frames(2);
  }
  const LikenessMotion& motion() { return app.made().of<LikenessPictures>().motion; }
  const LikenessTable& table() {
    REQUIRE(motion().table());
    return *motion().table();
  }
  // The centre of the cell of two heads.
  ImVec2 cell(int row, int col) {
    const auto place = [&](int head) { return static_cast<Index>(std::lround(motion().row(head))); };
    return ui.rect("likeness/matrix").cell(place(row), place(col), motion().heads(), motion().heads());
  }
  void pull_collapse(float to) {
    const UiDriver::Rect slider = ui.rect("likeness/collapse");
    const float from = tools().collapse.value_or(0.0f);
    const float inset = 0.03f, span = 1 - 2 * inset;
    ui.drag(slider.at(inset + span * from, 0.5f), (to - from) * 1.2f * (slider.max.x - slider.min.x), 0);
  }
};

Document with(Document document, const Edit& edit) { return hydra::apply(document, edit); }

}  // namespace

TEST_CASE("likeness view: a chip for every measure shows its matrix", "[app][likeness]") {
  LikenessSession s;
  CHECK(s.table().ordered_by == Likeness::cosine);
  for (const LikenessEntry& entry : likenesses()) {
    CAPTURE(entry.key);
    s.ui.click(std::string("likeness/measure/") + entry.key);
    s.rest();
    CHECK(s.view().likeness.measure == entry.measure);
    CHECK(s.table().ordered_by == entry.measure);
    const MatView<double> values = *s.table().matrix(entry.measure);
    const std::vector<int>& order = s.motion().tree().leaves;
    for (Index r = 0; r < 8; ++r)
      for (Index c = 0; c < 8; ++c)
        if (r != c)
          CHECK((*s.motion().cells())(r, c) ==
                Approx(values(order[static_cast<std::size_t>(r)], order[static_cast<std::size_t>(c)])));
    int drawn = 0;
    for (const Heatmap& heatmap : s.ui.sink.heatmaps) drawn += heatmap.matrix == s.motion().cells();
    CHECK(drawn == 1);
  }
}

TEST_CASE("likeness view: only what is shown is asked for", "[app][likeness]") {
  LikenessSession s;
  CHECK_FALSE(s.table().matrix(Likeness::cka));
  CHECK(s.table().ranks.empty());
  s.set(s.view().likeness.compared, std::pair(0, 1));
  s.rest();
  for (const LikenessEntry& entry : likenesses()) CHECK(s.table().matrix(entry.measure));
  s.set(s.view().likeness.page, LikenessPage::ranks);
  const LikenessWanted wanted = wanted_likeness(s.view(), s.app.trace()).measures;
  CHECK(wanted.ranks);
  for (const bool measure : wanted.measures) CHECK_FALSE(measure);
}

TEST_CASE("likeness view: the tip of a measure has its formula, range and source", "[app][likeness]") {
  for (const LikenessEntry& entry : likenesses()) {
    CAPTURE(entry.key);
    for (const char* text : {entry.title, entry.brief, entry.formula, entry.range, entry.source, entry.tip})
      CHECK(wording(text).size() > 1);
  }
}

TEST_CASE("likeness view: a cell opens the comparison, the same cell and Esc close it", "[app][likeness]") {
  LikenessSession s;
  CHECK_FALSE(s.ui.exists("likeness/compare/first"));
  s.ui.click(s.cell(2, 5));
  s.rest();
  CHECK(s.view().likeness.compared == std::pair(2, 5));
  CHECK(s.view().focused_head == 2);
  for (const char* part : {"first", "second", "difference", "values", "close"})
    CHECK(s.ui.exists(std::string("likeness/compare/") + part));
  const Mat<float> expected = *s.head(2).attention - *s.head(5).attention;
  bool drawn = false;
  for (const Heatmap& heatmap : s.ui.sink.heatmaps)
    drawn |= heatmap.rows == 12 && heatmap.matrix->isApprox(expected) && heatmap.scale.low == -heatmap.scale.high;
  CHECK(drawn);
  s.ui.click(s.cell(2, 5));
  CHECK_FALSE(s.view().likeness.compared);
  s.rest();
  s.ui.click(s.cell(1, 0));
  s.rest();
  CHECK(s.view().likeness.compared == std::pair(1, 0));
  s.ui.key(key::escape);
  s.rest();
  CHECK_FALSE(s.view().likeness.compared);
  CHECK_FALSE(s.ui.exists("likeness/compare/first"));
  s.ui.click(s.cell(1, 0));
  s.rest();
  s.ui.click("likeness/compare/close");
  CHECK_FALSE(s.view().likeness.compared);
}

TEST_CASE("likeness view: the matrix has its room until two heads are asked for", "[app][likeness]") {
  for (const bool presentation : {false, true}) {
    Session s(default_document(), {1280, 800});
    s.set(s.view().presentation, presentation);
    s.set(s.view().view, ViewId::likeness);
    for (int k = 0; k < 3; ++k) s.app.finish_evaluation(), s.ui.frames(2);
    REQUIRE(s.app.made().of<LikenessPictures>().motion.most_alike());
    CHECK_FALSE(s.view().likeness.compared);
    CHECK_FALSE(s.ui.exists("likeness/compare/difference"));
    CHECK(s.ui.exists("likeness/map/1"));
    const UiDriver::Rect matrix = s.ui.rect("likeness/matrix");
    CHECK(matrix.max.y - matrix.min.y > 0.4f * 800);
    s.ui.click("likeness/most_alike");
    for (int k = 0; k < 3; ++k) s.app.finish_evaluation(), s.ui.frames(2);
    CHECK(s.view().likeness.compared == s.app.made().of<LikenessPictures>().motion.most_alike());
    CHECK(s.ui.exists("likeness/compare/difference"));
  }
}

TEST_CASE("likeness view: the diagonal, a number and a point focus the head", "[app][likeness]") {
  LikenessSession s;
  s.ui.click(s.cell(3, 3));
  CHECK(s.view().focused_head == 3);
  CHECK_FALSE(s.view().likeness.compared);
  s.ui.click("likeness/row/6");
  CHECK(s.view().focused_head == 5);
  s.ui.click("likeness/map/2");
  CHECK(s.view().focused_head == 1);
}

TEST_CASE("likeness view: a point under the pointer marks its row, and a cell its points", "[app][likeness]") {
  LikenessSession s;
  s.ui.move("likeness/map/4");
  CHECK(s.was().heads.first == 3);
  CHECK(s.was().heads.second == -1);
  s.ui.move(s.cell(6, 2));
  CHECK(s.was().heads.first == 6);
  CHECK(s.was().heads.second == 2);
  s.ui.leave();
  CHECK(s.was().heads.first == -1);
}

TEST_CASE("likeness view: most and least alike are one click away", "[app][likeness]") {
  LikenessSession s;
  const Mat<double> values = *s.table().matrix(Likeness::cosine);
  s.ui.click("likeness/most_alike");
  REQUIRE(s.view().likeness.compared);
  const auto [a, b] = *s.view().likeness.compared;
  s.rest();
  s.ui.click("likeness/least_alike");
  REQUIRE(s.view().likeness.compared);
  const auto [c, d] = *s.view().likeness.compared;
  for (Index i = 0; i < 8; ++i)
    for (Index g = 0; g < 8; ++g)
      if (i != g) {
        CHECK(values(i, g) <= values(a, b));
        CHECK(values(i, g) >= values(c, d));
      }
}

TEST_CASE("likeness view: nothing moves or is made anew while nothing changes", "[app][likeness]") {
  LikenessSession s;
  const Array<float> cells = s.motion().cells();
  const LikenessTable* table = &s.table();
  std::vector<double> places;
  for (int h = 0; h < 8; ++h) places.insert(places.end(), {s.motion().row(h), s.motion().x(h), s.motion().y(h)});
  for (int frame = 0; frame < 20; ++frame) {
    s.ui.frames(1);
    CHECK_FALSE(s.was().moving);
    CHECK_FALSE(s.app.wants_frame());
  }
  CHECK(s.motion().cells() == cells);
  CHECK(&s.table() == table);
  for (int h = 0; h < 8; ++h) {
    CHECK(s.motion().row(h) == places[static_cast<std::size_t>(3 * h)]);
    CHECK(s.motion().x(h) == places[static_cast<std::size_t>(3 * h + 1)]);
    CHECK(s.motion().y(h) == places[static_cast<std::size_t>(3 * h + 2)]);
  }
}

TEST_CASE("likeness view: where nothing may move by itself, heads jump to their places", "[app][likeness]") {
  LikenessSession s;
  s.set(s.view().calm, true);
  const double before = s.motion().x(0);
  s.ui.click("model/reroll");
  CHECK_FALSE(s.was().moving);
  CHECK(s.motion().x(0) != before);
  CHECK_FALSE(s.motion().moving());
}

TEST_CASE("likeness view: other weights move the map and the order over some frames", "[app][likeness]") {
  LikenessSession s;
  s.ui.click("model/reroll");
  int moving = 0;
  for (int k = 0; k < 120; ++k) {
    s.ui.frames(1);
    moving += s.was().moving;
  }
  CHECK(moving > 5);
  CHECK(moving < 60);
  s.set(s.view().still, true);
  s.ui.click("model/reroll");
  s.ui.frames(1);
  CHECK_FALSE(s.was().moving);
}

TEST_CASE("likeness view: collapsed heads behave like one, one undo brings them back", "[app][likeness]") {
  LikenessSession s;
  const AttentionWeights<float> before = s.weights();
  CHECK(s.table().effective_heads > 2);
  s.pull_collapse(1);
  s.rest();
  CHECK(s.tools().collapse.value() == 1);
  CHECK(s.table().effective_heads == Approx(1).margin(1e-4));
  CHECK(s.table().mean_cosine == Approx(1).margin(1e-5));
  CHECK(s.app.history().undo_label().find("collapse") != std::string::npos);
  s.ui.key(key::letter('z'), true);
  s.rest();
  CHECK(s.weights().W_Q == before.W_Q);
  CHECK(s.weights().W_O == before.W_O);
  CHECK_FALSE(s.app.history().can_undo());
  CHECK(s.table().effective_heads > 2);
  CHECK_FALSE(s.tools().collapse);
}

TEST_CASE("likeness view: the collapse slider can be moved back, other edits start it anew", "[app][likeness]") {
  LikenessSession s;
  const Mat<float> before = *s.weights().W_K;
  s.pull_collapse(0.5f);
  s.rest();
  const float amount = s.tools().collapse.value();
  CHECK(amount > 0.3f);
  CHECK(amount < 0.7f);
  CHECK_FALSE(s.weights().W_K->isApprox(before));
  s.pull_collapse(-0.5f);
  s.rest();
  CHECK(*s.weights().W_K == before);
  s.pull_collapse(0.5f);
  s.rest();
  s.ui.click("model/reroll");
  s.rest();
  CHECK_FALSE(s.tools().collapse);
}

TEST_CASE("likeness view: repel lowers the mean cosine in one undo step, and says by how much", "[app][likeness]") {
  LikenessSession s;
  const double before = s.table().mean_cosine;
  const auto W_Q = s.weights().W_Q;
  s.ui.click("likeness/repel");
  s.rest();
  REQUIRE(s.tools().repelling);
  CHECK(s.tools().repelling->over);
  CHECK(s.table().mean_cosine < before - 0.01);
  CHECK(s.tools().repelling->before == Approx(before).margin(1e-4));
  CHECK(s.tools().repelling->after == Approx(s.table().mean_cosine).margin(1e-4));
  CHECK_THAT(s.notice().sentence, Catch::Contains("repel: mean cosine"));
  CHECK(s.ui.exists("likeness/repelled"));
  s.ui.key(key::letter('z'), true);
  s.rest();
  CHECK(s.weights().W_Q == W_Q);
  CHECK_FALSE(s.app.history().can_undo());
  CHECK_FALSE(s.ui.exists("likeness/repelled"));
}

TEST_CASE("likeness view: heads are not moved while the state before the last change is shown", "[app][likeness]") {
  LikenessSession s;
  s.ui.click("model/reroll");
  s.rest();
  const auto peek = [&](bool held) {
    s.ui.input.push({.kind = InputEvent::Kind::key, .code = kPeekKey, .down = held});
    s.ui.settle();
  };
  const std::uint64_t version = s.app.history().version();
  peek(true);
  s.pull_collapse(0.5f);
  s.ui.click("likeness/repel");
  s.ui.frames(3);
  CHECK(s.app.history().version() == version);
  CHECK_FALSE(s.tools().collapse);
  CHECK_FALSE(s.tools().repelling);
  peek(false);
  s.pull_collapse(0.5f);
  CHECK(s.app.history().version() != version);
  CHECK(s.tools().collapse);
  s.ui.key('Z', true);
  CHECK_FALSE(s.tools().collapse);  // in the frame in which it is undone
}

TEST_CASE("likeness view: heads that read slices only are neither collapsed nor repelled", "[app][likeness]") {
  LikenessSession s(with(default_document(), SetSplit{Split::slice}));
  const AttentionWeights<float> before = s.weights();
  s.pull_collapse(0.6f);
  s.rest();
  CHECK(s.notice().is_error);
  CHECK(s.weights().W_Q == before.W_Q);
  CHECK_FALSE(s.tools().collapse);
  s.notice().sentence.clear();
  s.notice().is_error = false;
  s.ui.click("likeness/repel");
  s.rest();
  CHECK(s.notice().is_error);
  CHECK(s.weights().W_Q == before.W_Q);
  CHECK_FALSE(s.app.history().can_undo());
}

TEST_CASE("likeness view: an edit in the middle of repelling ends it", "[app][likeness]") {
  LikenessSession s;
  s.ui.click("likeness/repel");
  s.ui.frames(3);
  s.ui.click("model/reroll");
  s.rest();
  CHECK(s.tools().repelling->over);
  CHECK_FALSE(s.ui.exists("likeness/repelled"));
}

TEST_CASE("likeness view: repelling goes on in another view, for the layer it began with", "[app][likeness]") {
  LikenessSession s;
  s.ui.click("likeness/repel");
  s.ui.frames(2);
  CHECK_FALSE(s.tools().repelling->over);
  s.set(s.view().view, ViewId::heads);
  s.rest();
  CHECK(s.tools().repelling->over);
  CHECK(s.tools().repelling->steps > 0);
  CHECK_THAT(s.notice().sentence, Catch::Contains("repel: mean cosine"));
  CHECK_FALSE(s.app.history().in_gesture());
  s.ui.key(key::letter('z'), true);
  CHECK_FALSE(s.app.history().can_undo());
}

TEST_CASE("likeness view: repelling can begin anew as soon as something else was edited", "[app][likeness]") {
  LikenessSession s;
  s.ui.click("likeness/repel");
  s.ui.frames(3);
  s.ui.click("model/reroll");
  s.ui.frames(2);
  CHECK(s.tools().repelling->over);
  const Array<float> rolled = s.weights().W_Q;
  s.ui.click("likeness/repel");
  s.rest();
  CHECK(s.tools().repelling->steps > 0);
  CHECK_FALSE(*s.weights().W_Q == *rolled);
}

TEST_CASE("likeness view: pooled over all marked sentences, and back", "[app][likeness]") {
  LikenessSession s;
  const double own = s.table().mean_cosine;
  s.ui.click("likeness/all");
  s.rest();
  CHECK(s.table().sentences.size() == s.app.sentences().marked->size());
  CHECK(s.table().mean_cosine != own);
  CHECK_FALSE(s.ui.exists("likeness/progress"));
  s.ui.click("likeness/this");
  s.rest();
  CHECK(s.table().sentences.empty());
  CHECK(s.table().mean_cosine == own);
}

TEST_CASE("likeness view: what cannot be pooled says so", "[app][likeness]") {
  Document document = default_document();
  document.embedding.X = Session().app.trace().X;
  document.embedding.kind = Embedding::Kind::explicit_values;
  LikenessSession s(document);
  CHECK_FALSE(s.ui.exists("likeness/fault"));
  s.ui.click("likeness/all");
  s.rest();
  CHECK(s.ui.exists("likeness/fault"));
  CHECK(s.table().sentences.empty());
}

TEST_CASE("likeness view: the page of ranks", "[app][likeness]") {
  LikenessSession s;
  s.ui.click("likeness/page/rank");
  s.rest();
  for (const char* part : {"sentence", "scores", "query_key", "linear", "log"})
    CHECK(s.ui.exists(std::string("likeness/ranks/") + part));
  CHECK_FALSE(s.ui.exists("likeness/matrix"));
  s.ui.click("likeness/ranks/head/7");
  CHECK(s.view().focused_head == 6);
  s.ui.click("likeness/ranks/log");
  CHECK(s.view().spectra_log);
  s.ui.frames(2);
  s.ui.click("likeness/page/likeness");
  s.rest();
  CHECK(s.ui.exists("likeness/matrix"));
}

TEST_CASE("likeness view: from one head of one token to 96 heads, on every page and size", "[app][likeness]") {
  const Document one = with(with(default_document(), SetHeads{1}), SetSentence{"Hello"});
  const Document many = with(with(default_document(), SetModelWidth{96}), SetHeads{96});
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1920, 1080}})
    for (const Document& document : {one, many}) {
      LikenessSession s(document, size);
      CAPTURE(size.x, s.motion().heads());
      CHECK(s.ui.exists("likeness/matrix"));
      for (const LikenessEntry& entry : likenesses()) {
        s.ui.click(std::string("likeness/measure/") + entry.key);
        s.rest();
      }
      s.set(s.view().likeness.fitted, true);
      s.set(s.view().presentation, true);
      s.set(s.view().likeness.compared, std::pair(0, s.motion().heads() - 1));
      s.rest();
      s.set(s.view().likeness.page, LikenessPage::ranks);
      s.rest();
      CHECK(s.ui.exists("likeness/ranks/sentence"));
    }
}

TEST_CASE("likeness view: heads may come and go under it", "[app][likeness]") {
  LikenessSession s;
  s.set(s.view().likeness.compared, std::pair(6, 7));
  s.rest();
  s.ui.click("model/heads/2");
  s.rest();
  CHECK_FALSE(s.view().likeness.compared);
  CHECK(s.motion().heads() == 2);
  s.ui.click("model/heads/32");
  s.rest();
  CHECK(s.motion().heads() == 32);
}

TEST_CASE("likeness view: CKA stands beside what unrelated outputs come to, and says why there is none",
          "[app][likeness]") {
  LikenessSession s;
  CHECK_FALSE(s.ui.exists("likeness/unrelated"));
  s.ui.click("likeness/measure/cka");
  s.rest();
  CHECK(s.ui.exists("likeness/unrelated"));
  CHECK(s.table().unrelated.draws > 0);
  CHECK(std::abs(s.table().unrelated.median) < s.table().unrelated.high);
  LikenessSession brief(hydra::apply(default_document(), SetSentence{"a b c"}));
  brief.ui.click("likeness/measure/cka");
  brief.rest();
  CHECK_FALSE(brief.ui.exists("likeness/unrelated"));
  REQUIRE(brief.table().no_cka.size() == 8);
  CHECK(brief.table().no_cka[3] == "3 tokens count, and CKA needs 4");
}

TEST_CASE("likeness: the map says how far it can be trusted, at every size", "[app][likeness]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}})
    for (const bool presentation : {false, true})
      for (const bool notes : {false, true})
        for (const bool all : {false, true}) {
          CAPTURE(size.x, presentation, notes, all);
          LikenessSession s(test::example("stack_animal_tired"), size);
          s.set(s.view().presentation, presentation);
          s.set(s.view().sides.notes, notes);
          s.set(s.view().notes_open, notes);
          s.set(s.view().likeness.all_layers, all);
          s.rest();
          s.rest();
          if (s.ui.exists("likeness/map")) CHECK(s.ui.exists("likeness/stress"));
        }
  LikenessSession s(test::example("heads_designed"), {1280, 800});
  CHECK(s.ui.exists("likeness/map"));
  CHECK(s.ui.exists("likeness/stress"));
}

TEST_CASE("likeness: how far heads were driven apart is told whole beside the button", "[app][likeness]") {
  const Repelling told{0, 10, 0.125, 0.1, false, true};
  UiDriver ui;
  const Fonts fonts = build_fonts(1);
  for (float room = text_width(fonts.small, "to 0.100"); room < 300; room += 10) {
    const std::string text = repel_text(told, true, fonts.small, room);
    CAPTURE(room, text);
    CHECK(text_width(fonts.small, text) <= room);
    CHECK(text.find("…") == std::string::npos);
    CHECK(text.find("0.100") != std::string::npos);
  }
}
