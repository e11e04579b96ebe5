// The inspector, driven by name: editing numbers, and walking through their arithmetic.
#include <catch2/catch.hpp>
#include <cmath>

#include "app/views/frame/derived_cache.h"
#include "app/views/inspector/hands.h"
#include "app/views/inspector/inspector_parts.h"
#include "core/document/evaluate.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

constexpr Site kQueryWeights{Quantity::W_Q, 0, 2};  // of head 3: columns 16..23 of W_Q

void push_move(UiDriver& ui, ImVec2 point) {
  ui.input.push({.kind = InputEvent::Kind::move, .x = point.x, .y = point.y});
}

}  // namespace

TEST_CASE("inspector: a drag changes the weight, and the trace in the same frame", "[app][inspector]") {
  Session s;
  s.open({kQueryWeights, 3, 4});
  const float before = (*s.weights().W_Q)(3, 20);
  const Mat<float> queries = *s.trace().heads[2].Q, output = *s.trace().output;
  const Array<float> other = s.trace().heads[1].scores;

  const ImVec2 point = s.ui.rect("inspector/cell/3,4").center();
  s.ui.move(point);
  s.ui.press();
  push_move(s.ui, {point.x, point.y - 40});
  s.ui.frames(1);  // the frame that sees the pointer move
  const float during = (*s.weights().W_Q)(3, 20);
  CHECK(during > before);
  CHECK((*s.trace().input.weights.W_Q)(3, 20) == during);
  CHECK(s.trace().heads[2].Q->col(4) != queries.col(4));
  CHECK(*s.trace().output != output);
  CHECK(s.trace().heads[1].scores == other);  // the other heads were not touched
  CHECK(s.app.history().in_gesture());
  s.ui.release();
  CHECK_FALSE(s.app.history().in_gesture());
  CHECK(*s.trace().output == *evaluate(s.app.history().current())->layers.front().output);

  s.ui.key(key::letter('z'), true);
  CHECK((*s.weights().W_Q)(3, 20) == before);
  CHECK(*s.trace().output == output);
  CHECK_FALSE(s.app.history().can_undo());  // one drag, one step
}

TEST_CASE("inspector: Shift drags finely, Ctrl coarsely, and down decreases", "[app][inspector]") {
  const auto moved = [](float dy, Modifiers modifiers) {
    Session s;
    s.open({kQueryWeights, 3, 4});
    const float before = (*s.weights().W_Q)(3, 20);
    s.ui.drag("inspector/cell/3,4", 0, dy, modifiers);
    return (*s.weights().W_Q)(3, 20) - before;
  };
  const float plain = moved(-40, {});
  CHECK(plain == Approx(40 * 0.25 / 120).epsilon(0.05));  // the shown range is 0.25, and takes 120 pixels
  CHECK(moved(40, {}) == Approx(-plain).margin(0.002));
  CHECK(moved(-40, {.shift = true}) == Approx(plain / 10).margin(0.0005));
  CHECK(moved(-40, {.ctrl = true}) == Approx(plain * 10).margin(0.01));
}

TEST_CASE("inspector: Esc in a drag takes it back and leaves no undo step", "[app][inspector]") {
  Session s;
  s.open({kQueryWeights, 3, 4});
  const float before = (*s.weights().W_Q)(3, 20);
  const ImVec2 point = s.ui.rect("inspector/cell/3,4").center();
  s.ui.move(point);
  s.ui.press();
  s.ui.move(ImVec2(point.x, point.y - 30));
  CHECK((*s.weights().W_Q)(3, 20) != before);
  s.ui.key(key::escape);
  CHECK((*s.weights().W_Q)(3, 20) == before);
  s.ui.move(ImVec2(point.x, point.y - 60));  // the button is still down
  CHECK((*s.weights().W_Q)(3, 20) == before);
  s.ui.release();
  CHECK((*s.weights().W_Q)(3, 20) == before);
  CHECK_FALSE(s.app.history().can_undo());
  CHECK(s.selection() == Cell{kQueryWeights, 3, 4});  // Esc ended the drag, not the selection
}

TEST_CASE("inspector: the value before the last edit is told until the next selection", "[app][inspector]") {
  Session s;
  s.open({kQueryWeights, 3, 4});
  const auto before = [&] { return s.ui.exists("inspector/before"); };
  CHECK_FALSE(before());
  s.ui.drag("inspector/cell/3,4", 0, -30);
  s.settle();
  CHECK(before());
  s.ui.key('Z', true);
  s.settle();
  CHECK(before());  // what was taken back
  s.ui.click("inspector/cell/5,2");
  CHECK_FALSE(before());
  s.ui.click("inspector/cell/3,4");
  CHECK_FALSE(before());
}

TEST_CASE("inspector: a value is typed after a double click or Enter", "[app][inspector]") {
  Session s;
  s.open({kQueryWeights, 3, 4});
  s.ui.double_click("inspector/cell/3,4");
  CHECK(s.app.hands().of<InspectorHands>().typed == s.view().selection);
  s.ui.type("-0.75");
  s.ui.key(key::enter);
  CHECK((*s.weights().W_Q)(3, 20) == -0.75f);
  CHECK_FALSE(s.app.hands().of<InspectorHands>().typed);
  s.ui.key(key::enter);
  CHECK(s.app.hands().of<InspectorHands>().typed == s.view().selection);
  s.ui.type("−1,5");  // a true minus and a decimal comma
  s.ui.key(key::enter);
  CHECK((*s.weights().W_Q)(3, 20) == -1.5f);
  s.ui.key(key::letter('z'), true);
  CHECK((*s.weights().W_Q)(3, 20) == -0.75f);
}

TEST_CASE("inspector: Esc drops what was typed, what is no number is refused with a sentence", "[app][inspector]") {
  Session s;
  s.open({kQueryWeights, 3, 4});
  const float before = (*s.weights().W_Q)(3, 20);
  s.ui.key(key::enter);
  s.ui.type("9");
  s.ui.key(key::escape);
  CHECK((*s.weights().W_Q)(3, 20) == before);
  for (const char* text : {"abc", "", "1e99", "nan", "1 2x"}) {
    s.ui.key(key::enter);
    s.ui.key(key::letter('a'), true);
    s.ui.key(key::backspace);
    s.ui.type(text);
    s.ui.key(key::enter);
    CHECK((*s.weights().W_Q)(3, 20) == before);
    CHECK(s.app.notice().sentence.find("is not a number") != std::string::npos);
    s.app.notice().sentence.clear();
  }
  CHECK_FALSE(s.app.history().can_undo());
}

TEST_CASE("inspector: arrows move the selection, Delete zeroes", "[app][inspector]") {
  Session s;
  s.open({kQueryWeights, 3, 4});
  s.ui.key(key::right);
  s.ui.key(key::down);
  CHECK(s.selection() == Cell{kQueryWeights, 4, 5});
  s.ui.key(key::del);
  CHECK((*s.weights().W_Q)(4, 21) == 0);
  for (int k = 0; k < 10; ++k) s.ui.key(key::right);
  CHECK(s.selection().col == 7);  // the block's last column
  for (int k = 0; k < 30; ++k) s.ui.key(key::down);
  CHECK(s.selection().row == 34);
  CHECK(s.ui.exists("inspector/cell/34,7"));  // scrolled into view
  CHECK_FALSE(s.ui.exists("inspector/cell/0,7"));
}

TEST_CASE("inspector: computed numbers are selected, but not edited", "[app][inspector]") {
  Session s;
  s.open({{Quantity::scores, 0, 2}, 3, 1});
  CHECK_FALSE(s.ui.exists("inspector/row"));
  s.ui.drag("inspector/cell/3,1", 0, -40);
  s.ui.double_click("inspector/cell/3,1");
  s.ui.key(key::enter);
  s.ui.key(key::del);
  CHECK_FALSE(s.app.hands().of<InspectorHands>().typed);
  CHECK_FALSE(s.app.history().can_undo());
  s.ui.click("inspector/cell/4,2");
  CHECK(s.selection() == Cell{{Quantity::scores, 0, 2}, 4, 2});
}

TEST_CASE("inspector: rows, columns and blocks are changed as one step", "[app][inspector]") {
  Session s;
  s.open({kQueryWeights, 3, 4});
  const Mat<float> W = *s.weights().W_Q;
  s.ui.click("inspector/row");
  s.ui.click("inspector/row/zero");
  CHECK(s.weights().W_Q->row(3).segment(16, 8).isZero(0));
  CHECK(s.weights().W_Q->row(3).head(16) == W.row(3).head(16));  // the other heads' blocks stay
  s.ui.key(key::letter('z'), true);
  CHECK(*s.weights().W_Q == W);
  s.ui.click("inspector/column");
  s.ui.click("inspector/column/twice");
  CHECK(s.weights().W_Q->col(20) == 2 * W.col(20));
  CHECK(s.weights().W_Q->col(21) == W.col(21));
  s.ui.key(key::letter('z'), true);
  s.ui.click("inspector/matrix");
  s.ui.click("inspector/matrix/half");
  CHECK(s.weights().W_Q->middleCols(16, 8) == 0.5f * W.middleCols(16, 8));
  s.ui.key(key::letter('z'), true);
  s.ui.click("inspector/whole");
  s.ui.click("inspector/matrix");
  s.ui.click("inspector/matrix/identity");
  CHECK(s.weights().W_Q->isIdentity(0));
  s.ui.key(key::letter('z'), true);
  CHECK(*s.weights().W_Q == W);
  CHECK_FALSE(s.app.history().can_undo());
}

TEST_CASE("inspector: the block of a head and the whole matrix show the same selected number", "[app][inspector]") {
  Session s;
  s.open({kQueryWeights, 3, 4});
  s.ui.click("inspector/whole");
  CHECK(s.selection() == Cell{{Quantity::W_Q}, 3, 20});
  s.ui.click("inspector/head");
  CHECK(s.selection() == Cell{kQueryWeights, 3, 4});
  s.open({{Quantity::W_O}, 20, 3});
  s.ui.click("inspector/head");
  CHECK(s.selection() == Cell{{Quantity::W_O, 0, 2}, 4, 3});
  CHECK(s.view().focused_head == 2);
}

TEST_CASE("inspector: an entry of X is set by hand", "[app][inspector]") {
  Session s;
  s.open({{Quantity::X}, 2, 1});
  s.ui.double_click("inspector/cell/2,1");
  s.ui.type("4");
  s.ui.key(key::enter);
  CHECK((*s.app.trace().X)(2, 1) == 4);
  CHECK(s.app.history().current().embedding.edits.size() == 1);
}

TEST_CASE("inspector: numbers lead down from Y to X, and the breadcrumb leads back", "[app][inspector]") {
  Session s;
  const Cell top{{Quantity::Y}, 7, 12};
  s.open(top);
  const std::vector<std::pair<const char*, Site>> way = {{"inspector/term/0/2/0", {Quantity::contribution, 0, 2}},
                                                         {"inspector/term/0/1/0", {Quantity::output, 0, 2}},
                                                         {"inspector/term/0/1/0", {Quantity::attention, 0, 2}},
                                                         {"inspector/term/0/0/0", {Quantity::scores, 0, 2}},
                                                         {"inspector/term/0/3/0", {Quantity::Q, 0, 2}},
                                                         {"inspector/rest/0", {Quantity::Q, 0, 2}}};
  for (const auto& [name, expected] : way) {
    s.ui.click(name);
    s.ui.frames(3);
    INFO(name);
    CHECK(s.selection().site == expected);
    CHECK(s.view().inspected == expected);
  }
  CHECK(s.view().focused_head == 2);    // the views follow
  CHECK(s.view().inspector.all_terms);  // the line of the rest opens all 64 terms
  const int largest = [&] {
    const Mat<float>&X = *s.app.trace().X, &W = *s.weights().W_Q;
    int best = 0;
    const auto size = [&](int k) { return std::abs(X(7, k) * W(k, 16 + 3)); };
    for (int k = 1; k < 64; ++k)
      if (size(k) > size(best)) best = k;
    return best;
  }();
  s.ui.click("inspector/term/0/" + std::to_string(largest) + "/0");
  s.ui.frames(3);
  CHECK(s.selection() == Cell{{Quantity::X}, 7, largest});
  CHECK(s.view().breadcrumb.size() == 6);

  s.ui.click("inspector/breadcrumb/4");
  CHECK(s.selection().site == Site{Quantity::scores, 0, 2});
  CHECK(s.view().breadcrumb.size() == 4);
  s.ui.click("inspector/breadcrumb/0");
  CHECK(s.selection() == top);
  CHECK(s.view().breadcrumb.empty());
}

TEST_CASE("inspector: hovering a number of the arithmetic hovers it everywhere", "[app][inspector]") {
  Session s;
  s.open({{Quantity::scores, 0, 2}, 7, 1});
  s.ui.move("inspector/term/0/3/1");
  CHECK(s.app.was().cell == Cell{{Quantity::K, 0, 2}, 1, 3});
  s.ui.move("inspector/cell/4,2");
  CHECK(s.app.was().cell == Cell{{Quantity::scores, 0, 2}, 4, 2});
}

TEST_CASE("inspector: an explanation is worked out once while nothing changes", "[app][inspector]") {
  Session s;
  DerivedCache derived;
  derived.set_trace(evaluate(default_document()));
  const Cell cell{{Quantity::Y}, 7, 12};
  const Term* terms = derived.explained(cell, {}).explanation.steps[0].terms.data();
  CHECK(derived.explained(cell, {}).explanation.steps[0].terms.data() == terms);
  const double before = derived.explained(cell, {}).explanation.value;
  Document other = default_document();
  other.layers.front().weights = initial_weights({64, 64, 64}, Init::zero, 0);
  derived.set_trace(evaluate(other));
  CHECK(derived.explained(cell, {}).explanation.value == 0);
  CHECK(before != 0);
}

TEST_CASE("inspector: every quantity opens, at any size", "[app][inspector]") {
  Document wide = default_document();
  wide.d_model = 512;
  wide.layers.front().heads = 64;
  wide.layers.front().weights = initial_weights({512, 512, 512}, Init::xavier, 7);
  wide.layers.front().weights.b_Q = wide.layers.front().weights.b_O = share(RowVec<float>(RowVec<float>::Ones(512)));
  wide.layers.front().mask.kind = Mask::Kind::causal;
  Document tiny = default_document();
  tiny.sentence = "word";
  tiny.d_model = 1;
  tiny.layers.front().heads = 1;
  tiny.layers.front().weights = initial_weights({1, 1, 1}, Init::xavier, 7);
  for (const Document& document : {default_document(), wide, tiny}) {
    Session s(document, {1280, 800});
    s.app.finish_evaluation();
    for (int q = 0; q <= static_cast<int>(Quantity::Y); ++q) {
      for (const int head : {kNoHead, 0}) {
        const Site ref{static_cast<Quantity>(q), 0, head};
        if (!exists(s.app.trace(), ref)) continue;
        const Shape shape = shape_of(s.app.trace(), ref);
        INFO(symbol(ref, true) << " at d_model " << document.d_model);
        s.open({ref, shape.rows - 1, shape.cols - 1});
        CHECK(s.ui.exists("inspector/value"));
        CHECK(s.ui.exists("inspector/cell/" + std::to_string(shape.rows - 1) + "," + std::to_string(shape.cols - 1)));
        s.ui.move(s.ui.rect("inspector/value").center());
      }
    }
  }
}

TEST_CASE("inspector: a narrow panel and large text still show the arithmetic", "[app][inspector]") {
  Session s(default_document(), {1600, 800});
  s.set(s.view().inspector_width, 18);
  s.set(s.view().text_scale, 1.6f);
  s.open({{Quantity::attention, 0, 2}, 7, 1});
  CHECK(s.ui.exists("inspector/term/1/3/0"));
  s.ui.click("inspector/term/1/3/0");
  CHECK(s.selection() == Cell{{Quantity::scores, 0, 2}, 7, 3});
}

TEST_CASE("inspector: dragged values are rounded to a digit of the step's size", "[app][inspector]") {
  using inspector::dragged_value;
  CHECK(dragged_value(0.12345f, 0, 0.25f, false) == 0.12345f);
  CHECK(dragged_value(0.12345f, 12, 0.25f, false) == Approx(0.148f));
  CHECK(dragged_value(0.12345f, 12, 0.25f, true) == Approx(0.1485f).margin(0.0001));
  CHECK(dragged_value(1, -120, 10, false) == Approx(-9));
}
