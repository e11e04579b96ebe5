// What the last edit did, as it is seen: marks, numbers, ranges of colours, the state before.
#include "app/views/change/changes.h"

#include <catch2/catch.hpp>
#include <limits>

#include "app/views/change/relative_change.h"
#include "app/views/shell/commands.h"
#include "core/document/evaluate.h"
#include "tests/support/examples.h"
#include "tests/support/looked_at.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

constexpr Site kQueryWeights{Quantity::W_Q, 0, 2};  // of head 3: columns 16..23 of W_Q

Backing whole(const Mat<float>& values) { return {share(Mat<float>(values)), 0, 0, values.rows(), values.cols()}; }

void push_move(UiDriver& ui, ImVec2 point) {
  ui.input.push({.kind = InputEvent::Kind::move, .x = point.x, .y = point.y});
}

void hold(Session& s, bool down) {
  s.ui.input.push({.kind = InputEvent::Kind::key, .code = kPeekKey, .down = down});
  s.ui.settle();
}

// The heatmap of the last frame that shows the matrix in its colours; null: none does.
const Heatmap* heatmap_of(const Session& s, const Array<float>& matrix) {
  for (const Heatmap& heatmap : s.ui.sink.heatmaps)
    if (heatmap.matrix == matrix && heatmap.mark == 0) return &heatmap;
  return nullptr;
}

int marked_tiles(const Session& s) {
  return static_cast<int>(std::count_if(s.ui.sink.heatmaps.begin(), s.ui.sink.heatmaps.end(),
                                        [](const Heatmap& heatmap) { return heatmap.mark != 0; }));
}

}  // namespace

TEST_CASE("change: relative to the state before, cell by cell", "[app][change]") {
  Mat<float> before(2, 2), now(2, 2);
  before << 3, 0, 0, 4;
  now << 3, 1, -2, 4;
  const MatrixChange change = change_between(whole(before), whole(now));
  CHECK(change.relative == Approx(std::sqrt(5.0) / 5));
  CHECK(change.largest == 2);
  REQUIRE(change.size);
  CHECK((*change.size)(0, 1) == 1);
  CHECK((*change.size)(1, 0) == 2);
  CHECK((*change.size)(0, 0) == 0);
  CHECK_FALSE(change_between(whole(before), whole(before)).size);
  CHECK_FALSE(change_between(whole(before), whole(Mat<float>::Zero(2, 3))).size);
}

// A float's range is twice as wide as the largest float.
TEST_CASE("change: from one end of what floats hold to the other it is a number, and can be read", "[app][change]") {
  Mat<float> before(1, 2), now(1, 2);
  before << 3e38f, 1;
  now << -3e38f, 1;
  const MatrixChange ends = change_between(whole(before), whole(now));
  CHECK(ends.relative == Approx(2));
  CHECK(std::isfinite(ends.largest));
  CHECK(std::isfinite((*ends.size)(0, 0)));
  before << 1, 0;
  now << 1, 3e38f;
  CHECK(change_between(whole(before), whole(now)).relative == Approx(3e38));
  CHECK(relative_change(ends.relative) == "200 %");
  CHECK(relative_change(0.1234) == "12 %");
  CHECK(relative_change(99.994) == "9999 %");
  CHECK(relative_change(999.4) == "99\u00a0940 %");
  CHECK(relative_change(3e38) == "3e+40 %");
  CHECK(relative_change(std::numeric_limits<double>::infinity()) == "from 0");
}

TEST_CASE("change: what becomes masked counts as the largest change, and not in the relative one", "[app][change]") {
  constexpr float kMasked = -std::numeric_limits<float>::infinity();
  Mat<float> before(1, 3), now(1, 3);
  before << 2, 5, kMasked;
  now << 3, kMasked, kMasked;
  const MatrixChange change = change_between(whole(before), whole(now));
  CHECK(change.relative == Approx(0.5));
  REQUIRE(change.size);
  CHECK((*change.size)(0, 1) == 1);
  CHECK((*change.size)(0, 2) == 0);
  now << 2, kMasked, kMasked;
  const MatrixChange masked = change_between(whole(before), whole(now));
  CHECK(masked.relative == 0);
  REQUIRE(masked.size);
  CHECK((*masked.size)(0, 1) == masked.largest);
}

TEST_CASE("change: at most an eighth of the numbers stand out, or eight", "[app][change]") {
  const Mat<float> before = Mat<float>::Zero(100, 100);
  const auto standing_out = [&](const Mat<float>& now) {
    const MatrixChange change = change_between(whole(before), whole(now));
    return (change.size->array() > change.outstanding).count();
  };
  Mat<float> sparse = before;
  for (Index k = 0; k < 200; ++k) sparse.data()[37 * k] = 1 + static_cast<float>(k % 7);
  CHECK(standing_out(sparse) == 200);
  Mat<float> spread = before;
  for (Index k = 0; k < spread.size(); ++k) spread.data()[k] = static_cast<float>(k * 7919 % 10007);
  CHECK(standing_out(spread) == Approx(10000 / 8).epsilon(0.1));
  CHECK(standing_out(Mat<float>::Ones(100, 100)) == 0);  // the frame around it says it
  const MatrixChange few = change_between(whole(Mat<float>::Zero(2, 4)), whole(Mat<float>::Ones(2, 4)));
  CHECK((few.size->array() > few.outstanding).count() == 8);
}

TEST_CASE("change: a drag marks every picture that it moves and no other", "[app][change]") {
  Session s;
  s.open({kQueryWeights, 3, 4});
  CHECK_FALSE(s.ui.exists("flow/scores/change"));
  CHECK(marked_tiles(s) == 0);
  s.ui.drag("inspector/cell/3,4", 0, -40);
  for (const char* name : {"flow/scores/change", "flow/attention/change", "flow/Y/change", "inspector/change"}) {
    CAPTURE(name);
    CHECK(s.ui.exists(name));
  }
  for (const char* name : {"flow/X/change", "flow/K/change", "flow/KT/change", "flow/W_O/change"}) {
    CAPTURE(name);
    CHECK_FALSE(s.ui.exists(name));
  }
  CHECK(marked_tiles(s) > 4);
  s.ui.settle();
  CHECK(s.ui.exists("flow/scores/change"));  // stays after the drag
}

TEST_CASE("change: the number of a large pattern covers none of its cells", "[app][change]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, {1600, 1000}, {1920, 1080}}) {
    CAPTURE(size.x);
    Session s(default_document(), size);
    s.open({kQueryWeights, 3, 4});
    s.ui.drag("inspector/cell/3,4", 0, -40);
    s.set(s.view().view, ViewId::heads);
    s.ui.settle();
    REQUIRE(s.ui.exists("heads/large/change"));
    const UiDriver::Rect number = s.ui.rect("heads/large/change"), cells = s.ui.rect("heads/large");
    CHECK(number.max.y <= cells.min.y);
    CHECK(number.max.x <= cells.max.x + 1);
  }
}

TEST_CASE("change: in Flow no number of a change lies on a heading or a picture", "[app][change]") {
  const auto meet = [](const UiDriver::Rect& a, const UiDriver::Rect& b) {
    return a.min.x < b.max.x - 0.5f && b.min.x < a.max.x - 0.5f && a.min.y < b.max.y - 0.5f && b.min.y < a.max.y - 0.5f;
  };
  for (const char* name : {"", "two_heads_by_hand", "heads_designed", "trained_induction"})
    for (const bool presentation : {false, true})
      for (const ImVec2 size : {ImVec2{1280, 800}, {1600, 1000}}) {
        CAPTURE(name, presentation, size.x);
        Session s(*name ? test::example(name) : default_document(), size);
        s.set(s.view().presentation, presentation);
        s.set(s.view().view, ViewId::flow);
        s.settle();
        const Site W{Quantity::W_Q, 0, 0};
        Mat<float> block = values_of(s.app.trace(), W);
        block(0, 0) += 0.7f;
        s.app.edit({SetBlock{Quantity::W_Q, 0, 0, share(Mat<float>(block))}, 0});
        s.settle();
        std::vector<std::pair<std::string, UiDriver::Rect>> numbers, others;
        for (const std::string& probe : s.ui.names()) {
          if (!probe.ends_with("/title") && !probe.ends_with("/change")) continue;
          if (!probe.starts_with("flow/")) continue;
          (probe.ends_with("/change") ? numbers : others).emplace_back(probe, *s.ui.seen(probe));
        }
        for (const Heatmap& picture : s.ui.sink.heatmaps)
          others.emplace_back("a picture", UiDriver::Rect{picture.min, picture.max});
        CHECK_FALSE(numbers.empty());
        for (const auto& [number, place] : numbers)
          for (const auto& [other, taken] : others) {
            CAPTURE(number, other);
            CHECK_FALSE(meet(place, taken));
          }
      }
}

TEST_CASE("change: likeness marks its matrix, both patterns and their difference", "[app][change]") {
  Session s;
  s.set(s.view().view, ViewId::likeness);
  s.set(s.view().likeness.compared, std::pair(1, 2));
  s.ui.frames(3);
  s.app.finish_evaluation();
  s.ui.settle();
  CHECK_FALSE(s.ui.exists("likeness/matrix/changed"));
  CHECK_FALSE(s.ui.exists("likeness/compare/difference/changed"));
  s.open({kQueryWeights, 3, 4});
  s.ui.drag("inspector/cell/3,4", 0, -40);
  s.app.finish_evaluation();
  s.ui.frames(120);  // heads may change places
  for (const char* name : {"likeness/matrix", "likeness/compare/difference"}) {
    CAPTURE(name);
    REQUIRE(s.ui.exists(std::string(name) + "/changed"));
    CHECK(s.ui.rect(std::string(name) + "/change").max.y <= s.ui.rect(name).min.y);
  }
  CHECK(s.ui.exists("likeness/compare/second/change"));       // head 3
  CHECK_FALSE(s.ui.exists("likeness/compare/first/change"));  // head 2 has not changed
}

TEST_CASE("change: trade-off marks the patterns of its columns", "[app][change]") {
  Session s;
  s.set(s.view().view, ViewId::tradeoff);
  s.set(s.view().tradeoff.page, TradeoffPage::columns);
  s.ui.frames(3);
  s.app.finish_names();
  s.ui.settle();
  CHECK_FALSE(s.ui.exists("tradeoff/patterns/8/3/changed"));
  s.open({kQueryWeights, 3, 4});
  s.ui.drag("inspector/cell/3,4", 0, -40);
  s.app.finish_names();
  s.ui.settle();
  CHECK(s.ui.exists("tradeoff/patterns/8/3/changed"));
  CHECK(s.ui.exists("tradeoff/patterns/1/1/changed"));
  CHECK_FALSE(s.ui.exists("tradeoff/patterns/8/2/changed"));  // head 2 of 8 has not changed
}

TEST_CASE("change: another selection or Esc ends the marks, another head does not", "[app][change]") {
  Session s;
  s.open({kQueryWeights, 3, 4});
  s.ui.drag("inspector/cell/3,4", 0, -40);
  REQUIRE(s.ui.exists("flow/Y/change"));
  s.ui.click("flow/heads/5");
  CHECK(s.ui.exists("flow/Y/change"));
  CHECK_FALSE(s.ui.exists("flow/scores/change"));  // head 5 has not changed
  s.set(act::Select{{{Quantity::X, 0, kNoHead}, 1, 1}});
  s.ui.settle();
  CHECK_FALSE(s.ui.exists("flow/Y/change"));

  s.ui.key(key::letter('z'), true);  // undo is a change, too
  CHECK(s.ui.exists("flow/Y/change"));
  s.set(s.view().selection, std::nullopt);
  s.ui.key(key::escape);
  CHECK_FALSE(s.ui.exists("flow/Y/change"));
}

TEST_CASE("change: ranges of colours stand still during a drag and follow after it", "[app][change]") {
  Session s;
  s.open({kQueryWeights, 3, 4});
  const Array<float>& W = s.trace().input.weights.W_Q;
  REQUIRE(heatmap_of(s, W));
  const float range = heatmap_of(s, W)->scale.high;
  const ImVec2 point = s.ui.rect("inspector/cell/3,4").center();
  s.ui.move(point);
  s.ui.press();
  push_move(s.ui, {point.x, point.y - 300});
  s.ui.frames(2);
  REQUIRE(std::abs((*s.trace().input.weights.W_Q)(3, 20)) > range);
  REQUIRE(heatmap_of(s, s.trace().input.weights.W_Q));
  CHECK(heatmap_of(s, s.trace().input.weights.W_Q)->scale.high == range);
  s.ui.release();
  s.ui.settle();
  CHECK(heatmap_of(s, s.trace().input.weights.W_Q)->scale.high > range);
}

TEST_CASE("change: while its key is held the state before is shown, and cannot be edited", "[app][change]") {
  Session s;
  s.open({kQueryWeights, 3, 4});
  const Array<float> before = s.trace().heads[2].attention;
  hold(s, true);
  CHECK(heatmap_of(s, before));  // nothing has been changed: nothing else to show
  hold(s, false);
  s.ui.drag("inspector/cell/3,4", 0, -40);
  const Array<float> now = s.trace().heads[2].attention;
  REQUIRE(now != before);
  CHECK(heatmap_of(s, now));
  CHECK(s.ui.exists("inspector/before"));
  for (const ViewId view : {ViewId::flow, ViewId::heads}) {
    s.set(s.view().view, view);
    hold(s, true);
    CHECK(heatmap_of(s, before));
    CHECK_FALSE(s.ui.exists("inspector/before"));  // that number is the one that is shown
    CHECK_FALSE(heatmap_of(s, now));
    const std::uint64_t version = s.app.history().version();
    s.ui.key(key::letter('r'));
    CHECK(s.app.history().version() == version);
    hold(s, false);
    CHECK(heatmap_of(s, now));
    CHECK_FALSE(heatmap_of(s, before));
  }
}

TEST_CASE("change: the state before an edit of the sizes comes and goes without a trace", "[app][change]") {
  Session s;
  s.open({kQueryWeights, 3, 4});
  s.set(s.view().focused_head, 7);
  s.set(s.view().inspected, {Quantity::W_Q, 0, 7});
  s.set(s.view().selection, Cell{{Quantity::W_Q, 0, 7}, 3, 1});
  s.ui.click("model/heads/16");
  REQUIRE(s.trace().input.heads == 16);
  s.set(s.view().selection, Cell{{Quantity::W_Q, 0, 12}, 3, 1});
  s.set(s.view().inspected, {Quantity::W_Q, 0, 12});
  s.set(s.view().focused_head, 12);
  s.ui.settle();
  hold(s, true);
  CHECK(s.ui.exists("flow/heads/8"));
  CHECK_FALSE(s.ui.exists("flow/heads/9"));
  hold(s, false);
  CHECK(s.ui.exists("flow/heads/16"));
  CHECK(s.view().focused_head == 12);
  CHECK(s.view().selection == Cell{{Quantity::W_Q, 0, 12}, 3, 1});
}

TEST_CASE("change: opening another document is none", "[app][change]") {
  Session s;
  s.app.edit(SetSetting{LayerSetting::temperature, 3});
  s.settle();
  REQUIRE(s.ui.exists("flow/Y/change"));
  s.ui.click("examples");
  s.ui.click("examples/two_heads_by_hand.json");
  REQUIRE(s.trace().input.heads == 2);
  CHECK_FALSE(s.ui.exists("flow/Y/change"));
}

TEST_CASE("change: of many large patterns some are compared in the next layout", "[app][change]") {
  Document document = apply(default_document(), SetEmbedding{Embedding::Kind::hashed, 7});
  document = apply(apply(document, SetModelWidth{512}), SetHeads{64});
  document.tokens.emplace(300, "word");
  const Document edited = apply(document, SetSetting{LayerSetting::temperature, 2});
  const auto before = evaluate(document), now = evaluate(edited, before.get());
  DerivedCache derived;
  test::MeasuringAll measuring;
  Changes changes(derived, {measuring.measures, measuring.marked, measuring.bounds});
  derived.set_trace(before);
  changes.settle({document, before, 1});
  changes.follow(2, {});
  derived.set_trace(now);
  changes.settle({edited, now, 2});
  const ViewState view;
  const auto compared = [&] {
    changes.begin_layout();
    int count = 0;
    for (int head = 0; head < 64; ++head)
      if (changes.of(view, {Quantity::contribution, 0, head}).size) ++count;
    return count;
  };
  REQUIRE(64 * 300 * 512 > Changes::kMostCompared);
  const int first = compared();
  CHECK(first > 32);
  CHECK(first < 64);
  CHECK(changes.pending());
  CHECK(compared() == 64);
  CHECK_FALSE(changes.pending());
  CHECK(compared() == 64);
}

TEST_CASE("change: the same words in another order are compared word by word, other words not at all",
          "[app][change]") {
  Document document = default_document();
  document.embedding.positions = Embedding::Positions::none;
  Session s(hydra::apply(document, SetSentence{"the dog bit a man"}));
  s.app.edit(SetSentence{"a man bit the dog"});
  s.settle();
  CHECK(s.app.trace().tokens.front() == "a");
  CHECK(marked_tiles(s) == 0);  // without positions every number is where its word is
  hold(s, true);
  CHECK(s.ui.exists("flow/heads/1"));
  hold(s, false);
  s.app.edit(SetSentence{"a cat bit the dog"});
  s.settle();
  CHECK(marked_tiles(s) == 0);
  s.app.edit(SetSetting{LayerSetting::temperature, 3});
  s.settle();
  CHECK(marked_tiles(s) > 0);
  s.ui.key(key::letter('v'));
  s.settle();
  CHECK(marked_tiles(s) == 0);
}

TEST_CASE("change: another seed and another model are not framed, and can be held against what was", "[app][change]") {
  Session s;
  const Array<float> before = s.head(0).attention;
  s.ui.key(key::letter('r'));
  s.settle();
  CHECK(s.head(0).attention != before);
  CHECK(marked_tiles(s) == 0);
  hold(s, true);
  CHECK(heatmap_of(s, before) != nullptr);
  hold(s, false);
}
