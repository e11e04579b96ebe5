// Painting a head and choosing how heads are split, driven by name through the whole program.
#include <catch2/catch.hpp>

#include "app/views/inspector/hands.h"
#include "core/document/evaluate.h"
#include "core/io/file.h"
#include "tests/support/examples.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

constexpr Site kAttention{Quantity::attention, 0, 2}, kValues{Quantity::V, 0, 2};

// The row of the attention of head 3 that the document holds; a failure when it holds none.
RowVec<float> painted_attention(const Session& s, Index row) {
  const PaintedHead<float>* head = painted_head(s.layer().painted, 2);
  REQUIRE(head);
  const Array<float>* values = painted_row(head->attention, row);
  REQUIRE(values);
  return **values;
}

bool is_painted(const Session& s) { return !s.layer().painted.empty(); }

void open_bars(Session& s, Index row, Index key) {
  s.open({kAttention, row, key});
  s.ui.click("inspector/paint");
  s.ui.frames(2);
}

void push_move(UiDriver& ui, ImVec2 point) {
  ui.input.push({.kind = InputEvent::Kind::move, .x = point.x, .y = point.y});
}

void check_sums_to_one(const RowVec<float>& row) { CHECK(row.cast<double>().sum() == Approx(1).margin(1e-6)); }

}  // namespace

TEST_CASE("painting view: a bar is dragged, the others follow, and Y in the same frame", "[app][painting]") {
  Session s;
  open_bars(s, 7, 1);
  const RowVec<float> before = s.head(2).attention->row(7);
  const Mat<float> Y = *s.trace().output;
  const Array<float> scores = s.head(2).scores, other = s.head(1).contribution;
  const UiDriver::Rect bar = s.ui.rect("inspector/bars/1");
  s.ui.move(bar.at(0.3f, 0.5f));
  s.ui.press();
  push_move(s.ui, bar.at(0.6f, 0.5f));
  s.ui.frames(1);
  CHECK(s.head(2).attention->row(7)(1) == Approx(0.6).margin(0.02));
  CHECK(*s.trace().output != Y);
  CHECK(s.trace().output->row(6) == Y.row(6));  // of other queries nothing changes
  CHECK(s.app.history().in_gesture());
  // The others keep the proportions from before the drag, even after it has been at its end.
  s.ui.move(bar.at(1.0f, 0.5f));
  s.ui.move(bar.at(0.6f, 0.5f));
  s.ui.release();
  CHECK_FALSE(s.app.history().in_gesture());
  const RowVec<float> row = painted_attention(s, 7);
  check_sums_to_one(row);
  CHECK(row(4) / row(0) == Approx(before(4) / before(0)).epsilon(0.001));
  CHECK(row == s.head(2).attention->row(7));
  CHECK(s.head(2).scores == scores);
  CHECK(s.head(1).contribution == other);
  CHECK(s.selection() == Cell{kAttention, 7, 1});
  check_as_scratch(s);

  s.ui.key(key::letter('z'), true);
  CHECK_FALSE(is_painted(s));
  CHECK(*s.trace().output == Y);
  CHECK_FALSE(s.app.history().can_undo());  // one drag, one step
}

TEST_CASE("painting view: Esc in a drag takes it back", "[app][painting]") {
  Session s;
  open_bars(s, 7, 1);
  const UiDriver::Rect bar = s.ui.rect("inspector/bars/1");
  s.ui.move(bar.at(0.3f, 0.5f));
  s.ui.press();
  s.ui.move(bar.at(0.8f, 0.5f));
  CHECK(is_painted(s));
  s.ui.key(key::escape);
  CHECK_FALSE(is_painted(s));
  s.ui.move(bar.at(0.9f, 0.5f));
  s.ui.release();
  CHECK_FALSE(is_painted(s));
  CHECK_FALSE(s.app.history().can_undo());
  CHECK(s.selection() == Cell{kAttention, 7, 1});
}

TEST_CASE("painting view: a drag whose bar goes away ends as one step", "[app][painting]") {
  Session s;
  open_bars(s, 7, 1);
  const UiDriver::Rect bar = s.ui.rect("inspector/bars/1");
  s.ui.move(bar.at(0.3f, 0.5f));
  s.ui.press();
  s.ui.move(bar.at(0.8f, 0.5f));
  s.ui.key('5');  // another head
  CHECK_FALSE(s.app.hands().of<InspectorHands>().bar_drag);
  CHECK_FALSE(s.app.history().in_gesture());
  CHECK(painted_attention(s, 7)(1) == Approx(0.8).margin(0.02));
  s.ui.release();
  s.ui.key(key::letter('z'), true);
  CHECK_FALSE(s.app.history().can_undo());
}

TEST_CASE("painting view: a weight is typed at its bar and in the grid", "[app][painting]") {
  Session s;
  open_bars(s, 7, 1);
  s.ui.click("inspector/bars/4/number");
  s.ui.key(key::letter('a'), true);
  s.ui.type("0,25");
  s.ui.key(key::enter);
  CHECK(painted_attention(s, 7)(4) == 0.25f);
  check_sums_to_one(painted_attention(s, 7));
  s.ui.double_click("inspector/cell/7,0");
  s.ui.key(key::letter('a'), true);
  s.ui.type("1");
  s.ui.key(key::enter);
  CHECK(painted_attention(s, 7) == RowVec<float>::Unit(12, 0));
  s.ui.click("inspector/bars/2/number");
  s.ui.key(key::letter('a'), true);
  s.ui.type("1.5");
  s.ui.key(key::enter);
  CHECK(s.notice().sentence.find("weight from 0 to 1") != std::string::npos);
  CHECK(painted_attention(s, 7) == RowVec<float>::Unit(12, 0));
  s.ui.click("inspector/bars/2/number");
  s.ui.type("0.5");
  s.ui.key(key::escape);
  CHECK(painted_attention(s, 7) == RowVec<float>::Unit(12, 0));
}

TEST_CASE("painting view: presets, and back to what softmax makes", "[app][painting]") {
  Session s;
  open_bars(s, 7, 1);
  const Mat<float> Y = *s.trace().output;
  s.ui.click("inspector/paint/one");
  CHECK(painted_attention(s, 7) == RowVec<float>::Unit(12, 1));
  s.ui.click("inspector/paint/uniform");
  CHECK(painted_attention(s, 7)(11) == Approx(1.0 / 12));
  check_sums_to_one(painted_attention(s, 7));
  s.ui.click("inspector/paint/clear");
  CHECK_FALSE(is_painted(s));
  CHECK(*s.trace().output == Y);
  s.ui.key(key::letter('z'), true);
  CHECK(is_painted(s));
}

TEST_CASE("painting view: what the mask hides is not to be had", "[app][painting]") {
  Session s(apply(default_document(), SetMask{{Mask::Kind::causal, nullptr}}));
  open_bars(s, 3, 1);
  s.ui.click(s.ui.rect("inspector/bars/7").at(0.5f, 0.5f));
  s.ui.click("inspector/bars/7/number");
  s.ui.double_click("inspector/cell/3,7");
  CHECK_FALSE(s.app.hands().of<InspectorHands>().in_bars);
  CHECK_FALSE(s.app.hands().of<InspectorHands>().typed);
  CHECK_FALSE(s.app.history().can_undo());
  s.open({kAttention, 3, 1});
  s.ui.click("inspector/paint/uniform");
  CHECK(painted_attention(s, 3) ==
        (RowVec<float>(12) << 0.25f, 0.25f, 0.25f, 0.25f, 0, 0, 0, 0, 0, 0, 0, 0).finished());
  s.ui.click("model/mask/none");
  CHECK(is_painted(s));  // it breaks no mask
}

TEST_CASE("painting view: rows of words that stay are told of as well", "[app][painting]") {
  Session s(test::example("paper_exercise"));
  s.settle();
  s.app.edit({SetSentence{"the dog saw it was tired today"}, 0});
  s.ui.frames(2);
  // Of both heads the rows of V of "it", "was" and "tired" stay; those of the three other words and of A go.
  CHECK(s.notice().sentence.starts_with("8 rows set by hand were of other words, and are gone; 6 stay"));
}

TEST_CASE("painting view: rows that go with their words are told of, and come back with them", "[app][painting]") {
  Session s;
  open_bars(s, 7, 1);
  s.ui.click("inspector/paint/one");
  s.settle();
  REQUIRE(is_painted(s));
  s.app.edit({SetSentence{"another sentence"}, 0});
  s.ui.frames(2);
  CHECK_FALSE(is_painted(s));
  CHECK_THAT(s.notice().sentence, Catch::Contains("Rows that were set by hand were of the words before"));
  s.ui.key(key::letter('z'), true);
  s.settle();
  CHECK(is_painted(s));
}

TEST_CASE("painting view: a value is typed, and its row is then by hand", "[app][painting]") {
  Session s;
  s.open({kValues, 5, 3});
  const RowVec<float> before = s.head(2).V->row(5);
  const Mat<float> Y = *s.trace().output;
  s.ui.drag("inspector/cell/5,3", 0, -40);  // computed numbers are not dragged
  CHECK_FALSE(is_painted(s));
  s.ui.double_click("inspector/cell/5,3");
  s.ui.key(key::letter('a'), true);
  s.ui.type("4");
  s.ui.key(key::enter);
  RowVec<float> expected = before;
  expected(3) = 4;
  CHECK(s.head(2).V->row(5) == expected);
  CHECK(*s.trace().output != Y);
  check_as_scratch(s);
  s.ui.click("inspector/paint");
  s.ui.click("inspector/paint/row");
  s.ui.type("1, 2, 3, 4 -5; 6 7 0,5");
  s.ui.key(key::enter);
  CHECK(s.head(2).V->row(5) == (RowVec<float>(8) << 1, 2, 3, 4, -5, 6, 7, 0.5f).finished());
  s.ui.click("inspector/paint/clear");
  CHECK(s.head(2).V->row(5) == before);
}

TEST_CASE("painting view: a whole row is typed, what is none is refused", "[app][painting]") {
  Session s(apply(default_document(), SetSentence{"animal it tired"}));
  open_bars(s, 1, 0);
  const auto type_row = [&](const char* text) {
    s.ui.click("inspector/paint/row");
    s.ui.key(key::letter('a'), true);
    s.ui.type(text);
    s.ui.key(key::enter);
  };
  type_row("7 1 2");
  CHECK(painted_attention(s, 1) == (RowVec<float>(3) << 0.7f, 0.1f, 0.2f).finished());
  for (const auto& [text, sentence] : {std::pair{"1 2", "3 numbers are needed, 2 were typed"},
                                       {"1 2 x", "“x” is not a number"},
                                       {"0 0 0", "all weights are 0"},
                                       {"1 -1 1", "not negative"}}) {
    type_row(text);
    CHECK(s.notice().sentence.find(sentence) != std::string::npos);
    CHECK(painted_attention(s, 1)(0) == 0.7f);
  }
  type_row("0.5,0.25,0.25");
  CHECK(painted_attention(s, 1) == (RowVec<float>(3) << 0.5f, 0.25f, 0.25f).finished());
}

TEST_CASE("painting view: a painted head is marked in every view, others are not", "[app][painting]") {
  Session s;
  CHECK_FALSE(s.ui.exists("flow/painted"));
  CHECK_FALSE(s.ui.exists("flow/heads/painted/3"));
  open_bars(s, 7, 1);
  s.ui.click("inspector/paint/uniform");
  for (const char* name : {"flow/painted", "flow/heads/painted/3", "model/painted/3", "inspector/painted"})
    CHECK(s.ui.exists(name));
  CHECK_FALSE(s.ui.exists("flow/heads/painted/2"));
  s.ui.click("tabs/heads");
  CHECK(s.ui.exists("heads/painted"));
  CHECK(s.ui.exists("heads/painted/3"));
  CHECK_FALSE(s.ui.exists("heads/painted/2"));
  s.ui.click("heads/grid/2");
  CHECK_FALSE(s.ui.exists("heads/painted"));
  CHECK_FALSE(s.ui.exists("inspector/painted"));
}

TEST_CASE("painting view: the exercise of the examples, done anew on screen", "[app][painting]") {
  Session s;
  s.ui.click("examples");
  s.ui.click("examples/paper_exercise.json");
  const auto check_numbers = [&] {
    const double expected[] = {0.62, 0.19, 0.085, 0.21, 0.355, 0.41, 0.12, 0.275};
    for (Index k = 0; k < 8; ++k)
      CHECK(static_cast<double>((*s.trace().output)(3, k)) == Approx(expected[k]).margin(1e-6));
  };
  check_numbers();
  const Mat<float> Y = *s.trace().output;
  s.open({{Quantity::attention, 0, 0}, 3, 0});
  s.ui.click("inspector/paint/clear");
  CHECK(s.trace().output->row(3) != Y.row(3));
  s.ui.click("inspector/paint");
  s.ui.click("inspector/paint/row");
  s.ui.type("0.7 0.05 0.1 0 0.05 0.1");
  s.ui.key(key::enter);
  check_numbers();
  CHECK(*s.trace().output == Y);
}

TEST_CASE("painting view: bars of one token and of hundreds", "[app][painting]") {
  for (const int count : {1, 300}) {
    std::string sentence;
    for (int k = 0; k < count; ++k) sentence += " w" + std::to_string(k);
    Session s(apply(default_document(), SetSentence{sentence}), {1280, 800});
    s.app.finish_evaluation();
    open_bars(s, count - 1, 0);
    s.app.finish_evaluation();
    s.ui.click(s.ui.rect("inspector/bars/0").at(0.5f, 0.5f));
    s.app.finish_evaluation();
    s.ui.frames(3);
    if (count > 1) CHECK(painted_attention(s, count - 1)(0) == Approx(0.5).margin(0.02));
    s.ui.click("inspector/paint/uniform");
    s.app.finish_evaluation();
    CHECK(painted_attention(s, count - 1)(0) == Approx(1.0 / count));
  }
}

TEST_CASE("split view: the switch restricts what heads read, and back", "[app][split]") {
  Session s;
  const Mat<float> Y = *s.trace().output;
  const Array<float> stored = s.weights().W_Q;
  CHECK(s.ui.exists("model/sight/slice"));
  CHECK(s.ui.exists("model/sight/projection"));
  s.ui.move("model/sight/slice");
  s.ui.frames(2);
  s.ui.click("model/split/slice");
  CHECK(s.layer().split == Split::slice);
  CHECK(s.weights().W_Q == stored);
  CHECK((*s.trace().input.weights.W_Q)(20, 3) == 0);
  CHECK((*s.trace().input.weights.W_Q)(3, 3) == (*stored)(3, 3));
  CHECK(*s.trace().output != Y);
  check_as_scratch(s);
  s.ui.click("model/split/projection");
  CHECK(*s.trace().output == Y);
  s.ui.key(key::letter('z'), true);
  CHECK(s.layer().split == Split::slice);
}

TEST_CASE("split view: a weight that no slice reads refuses to be edited", "[app][split]") {
  Session s(apply(default_document(), SetSplit{Split::slice}));
  const Site weights{Quantity::W_Q, 0, 2};  // its slice: rows 16..23
  s.open({weights, 20, 4});
  s.ui.drag("inspector/cell/20,4", 0, -40);
  CHECK((*s.weights().W_Q)(20, 20) != (*default_document().layers[0].weights.W_Q)(20, 20));
  s.ui.key(key::letter('z'), true);
  s.open({weights, 3, 4});
  s.ui.double_click("inspector/cell/3,4");
  s.ui.type("2");
  s.ui.key(key::enter);
  CHECK(s.notice().sentence.find("reads only its slice") != std::string::npos);
  CHECK_FALSE(s.app.history().can_undo());
  s.ui.click("inspector/matrix");
  s.ui.click("inspector/matrix/twice");
  CHECK((*s.weights().W_Q)(20, 20) == 2 * (*default_document().layers[0].weights.W_Q)(20, 20));
  CHECK((*s.weights().W_Q)(3, 20) == (*default_document().layers[0].weights.W_Q)(3, 20));
}

TEST_CASE("split view: pictures hatch what is not read", "[app][split]") {
  Session s(apply(default_document(), SetSplit{Split::slice}));
  const UiDriver::Rect rect = s.ui.rect("flow/W_Q");
  const Heatmap* heatmap = nullptr;
  for (const Heatmap& t : s.ui.sink.heatmaps)
    if (t.min.x == rect.min.x && t.min.y == rect.min.y) heatmap = &t;
  REQUIRE(heatmap);
  CHECK(std::isinf((*heatmap->matrix)(20, 3)));
  CHECK((*heatmap->matrix)(3, 3) == (*s.weights().W_Q)(3, 3));
  const Array<float> drawn = heatmap->matrix;
  s.ui.move("flow/Y");
  s.ui.frames(5);
  const auto& heatmaps = s.ui.sink.heatmaps;
  CHECK(std::any_of(heatmaps.begin(), heatmaps.end(), [&](const Heatmap& t) { return t.matrix == drawn; }));
}
