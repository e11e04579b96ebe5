// What the screen says about itself: what opens, what outlines mean, which weights are in use, what the inspector
// shows.
#include <imgui_internal.h>

#include <catch2/catch.hpp>
#include <random>

#include "app/scene/sides.h"
#include "app/views/frame/explained.h"
#include "app/views/frame/ui.h"
#include "app/views/model_panel/sentence_field.h"
#include "app/views/shell/commands.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/parts.h"
#include "app/views/shell/views.h"
#include "core/io/opening.h"
#include "tests/support/examples.h"
#include "tests/support/session.h"

using namespace hydra;

TEST_CASE("screen: a cold start shows a pattern, asks about its pronoun, and offers a weight that moves it",
          "[app][opening]") {
  const ImVec2 size = GENERATE(ImVec2{1280, 800}, ImVec2{1600, 1000});
  Session s(opening_document(), size);
  s.app.begin();
  s.ui.frames(4);
  CHECK(s.view().view == ViewId::heads);
  CHECK_FALSE(s.view().selection);
  CHECK_FALSE(s.app.history().modified());
  s.ui.leave();
  s.app.listen(true);
  s.ui.frames(2);
  CHECK(s.app.heard().status == "The model has learned 107 words. Whom does “she” look at? Click its row.");
  const Index she = s.token();
  CHECK(s.app.trace().tokens[static_cast<std::size_t>(she)] == "she");
  CHECK((*s.head(0).attention)(she, 4) > 0.9f);
  REQUIRE(s.app.offered());
  const Cell offered = *s.app.offered();
  const int head = offered.site.head, neighbour = (head + 1) % 4;
  REQUIRE(offered.site == Site{Quantity::W_Q, 0, 0});
  CHECK(s.view().focused_head == head);
  CHECK_FALSE(s.app.history().modified());
  CHECK(s.app.history().file().path.empty());
  const Array<float> before = s.head(head).attention, other = s.head(neighbour).attention;
  const std::string cell = "inspector/cell/" + std::to_string(offered.row) + "," + std::to_string(offered.col);
  s.ui.drag(cell, 0, -60);
  const double moved =
      0.5 * static_cast<double>((*s.head(head).attention - *before).cwiseAbs().rowwise().sum().maxCoeff());
  CHECK(moved > 0.25);
  CHECK(s.head(neighbour).attention == other);
  s.ui.key(key::letter('z'), true);
  CHECK(*s.head(head).attention == *before);
}

TEST_CASE("screen: the weight to drag is offered again when nothing is selected, of each head its own",
          "[app][opening]") {
  Session s(opening_document(), {1280, 800});
  s.app.begin();
  s.ui.frames(4);
  const auto offered = [&]() -> std::optional<Cell> {
    const std::optional<Cell> cell = s.app.offered();
    if (!cell || cell->site != s.view().inspected) return std::nullopt;
    const std::string name = "inspector/cell/" + std::to_string(cell->row) + "," + std::to_string(cell->col);
    return s.ui.seen(name) ? cell : std::nullopt;  // scrolled to
  };
  const std::optional<Cell> first = offered();
  REQUIRE(first);
  s.ui.key('3');
  s.ui.frames(3);
  REQUIRE(offered());
  CHECK(offered()->site.head == 2);
  s.ui.key('1');
  s.ui.frames(3);
  CHECK(offered() == first);
  s.ui.click(s.ui.rect("heads/large").at(0.4f, 0.6f));
  s.ui.frames(3);
  REQUIRE(s.view().selection);
  CHECK_FALSE(s.app.offered());
  s.ui.key(key::escape);
  s.ui.frames(3);
  CHECK(offered() == first);
  // In a presentation, where its panel is asked for.
  s.ui.key(key::f5);
  s.ui.key(key::letter('i'));
  s.ui.frames(4);
  CHECK(offered() == first);
  // Of a document that is opened none is worked out, and Undo brings it back.
  s.app.edit(ReplaceDocument{default_document(), "another"});
  s.settle();
  s.set(s.view().inspected, {Quantity::W_Q, 0, 0});
  s.ui.frames(3);
  CHECK_FALSE(s.app.offered());
  s.ui.key(key::letter('z'), true);
  s.settle();
  s.set(s.view().inspected, {Quantity::W_Q, 0, 0});
  s.ui.frames(3);
  CHECK(s.app.offered() == first);
}

TEST_CASE("screen: on the way into a presentation and back there is one inspector", "[app][screen]") {
  Session s(opening_document(), {1280, 800});
  s.open({{Quantity::attention, 0, 0}, 2, 1});
  s.set(s.view().sides.inspector, true);
  for (int k = 0; k < 4; ++k) {
    s.ui.click("present");
    s.ui.frames(2);  // the driver fails where two things have one name
  }
  CHECK_FALSE(s.view().presentation);
}

TEST_CASE("screen: tips do not break within a number", "[app][screen]") {
  Session s(opening_document(), {1280, 800});
  s.set(s.view().view, ViewId::heads);
  s.app.finish_names();
  s.ui.frames(3);
  REQUIRE_FALSE(s.roles().labels.empty());
  const HeadLabel* label = &s.roles().labels.front();
  const auto tip = [&](const std::string& where) {
    s.ui.move(where);
    s.ui.frames(3);
    const ImGuiWindow* window = ImGui::FindWindowByName("##Tooltip_00");
    REQUIRE(window);
    REQUIRE(window->Active);
    return window->ContentSize;
  };
  const ImVec2 heads = tip("heads/role/1");
  s.set(s.view().view, ViewId::roles);
  s.settle();
  s.app.finish_names();
  s.ui.frames(3);
  const ImVec2 roles = tip("roles/head/1");
  CHECK(heads.x == roles.x);  // they say the same
  CHECK(heads.y == roles.y);
  for (float width = 40; width < 400; width += 7)
    for (const std::string& line : role_lines(*label)) {
      const std::string broken = ui::broken_between_words(s.app.fonts().text, line, width);
      for (std::size_t k = 0; k < broken.size(); ++k)
        if (broken[k] == '\n') CHECK(line[k] == ' ');
    }
}

TEST_CASE("screen: how long work still takes is told by what was done since it was seen", "[app]") {
  CHECK(ui::seconds_left(0.5, 0, 0.5f) == 0);  // too early
  CHECK(ui::seconds_left(4, 0, 0.25f) == 12);  // a quarter in four seconds
  CHECK(ui::seconds_left(4, 0.5f, 0.75f) == 4);
  CHECK(ui::seconds_left(4, 0.5f, 0.5f) == 0);  // nothing was done
  CHECK(ui::seconds_left(9, 0, 0.95f) == 0);    // it is nearly over
}

TEST_CASE("screen: outlines have their meaning beside the status line and on the page of keys", "[app][outlines]") {
  Session s;
  CHECK_FALSE(s.ui.exists("status/outlines"));
  s.open({{Quantity::W_Q, 0, 0}, 3, 4});
  CHECK(s.ui.exists("status/outlines"));
  s.ui.key(key::escape);
  s.ui.leave();
  s.ui.frames(3);
  CHECK_FALSE(s.ui.exists("status/outlines"));
  s.ui.key(key::f1);
  for (const char* name : {"selected", "reads", "feeds", "relation"})
    CHECK(s.ui.exists(std::string("help/outline/") + name));
}

TEST_CASE("screen: the page of keys is whole at 1280x800, in a presentation too", "[app][help]") {
  const bool presenting = GENERATE(false, true);
  CAPTURE(presenting);
  Session s(default_document(), {1280, 800});
  s.set(s.view().presentation, presenting);
  s.ui.key(key::f1);
  s.ui.frames(4);
  const auto close = s.ui.seen("help/close"), other = s.ui.seen("examples");
  REQUIRE(close);
  REQUIRE(other);
  CHECK(close->max.y - close->min.y >= other->max.y - other->min.y - 0.5f);  // not cut
  const ImGuiWindow* keys = ImGui::FindWindowByName("Keys");
  REQUIRE(keys);
  CHECK(keys->ScrollMax.y == 0);
  CHECK(keys->ContentSize.x + 2 * keys->WindowPadding.x <= 1280);
}

TEST_CASE("screen: after an arrow key the number it moved to is told, until the pointer moves", "[app][screen]") {
  Session s;
  s.set(s.view().view, ViewId::heads);
  s.ui.frames(3);
  const ImVec2 at = s.ui.rect("heads/large").at(0.55f, 0.55f);
  s.ui.click(at);
  s.settle();
  REQUIRE(s.was().cell == s.view().selection);
  s.ui.key(key::up);
  s.settle();
  CHECK_FALSE(s.was().cell);
  s.ui.move(ImVec2{at.x + 1, at.y});
  s.ui.frames(2);
  REQUIRE(s.was().cell);
  CHECK(s.was().cell->row == s.view().selection->row + 1);
}

TEST_CASE("screen: what was said in passing goes with the next key", "[app][screen]") {
  Session s;
  s.ui.key(key::letter('g'));
  REQUIRE_FALSE(s.notice().sentence.empty());
  s.ui.key(key::letter('m'));
  CHECK(s.notice().sentence.empty());
  s.notice().refuse("That was not accepted.");
  s.ui.key(key::letter('m'));
  CHECK_FALSE(s.notice().sentence.empty());
}

TEST_CASE("screen: what goes on below is scrolled by keys, in the view and on the page beside it", "[app][screen]") {
  Session s(test::example("whole_block"), {640, 400});
  s.set(s.view().presentation, true);
  s.settle();
  const auto scrolled = [](const char* begin) {
    float most = 0;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->Active && std::string_view(window->Name).starts_with(begin)) most = std::max(most, window->Scroll.y);
    return most;
  };
  REQUIRE(scrolled("Hydrascope/center") == 0);
  const auto press = [&](int code) {
    s.ui.key(code, false, true);
    s.ui.frames(2);
  };
  press(key::page_down);
  CHECK(scrolled("Hydrascope/center") > 50);
  press(key::page_up);
  CHECK(scrolled("Hydrascope/center") == 0);
  s.set(act::Show{Side::notes, true});
  s.app.hands().of<Parts>().at = WindowPart::side;
  s.ui.frames(3);
  press(key::page_down);
  CHECK(scrolled("Hydrascope/notes") > 50);
}

TEST_CASE("screen: a model with fewer heads gives the head in focus back", "[app][models]") {
  Session s;
  s.set(act::GoTo{{}, 5});
  s.app.edit({SetHeads{2}});
  s.settle();
  CHECK(s.view().focused_head == 1);
  s.app.edit({SetHeads{4}});
  s.settle();
  CHECK(s.view().focused_head == 3);
  s.app.edit({SetHeads{8}});
  s.settle();
  CHECK(s.view().focused_head == 5);
  s.app.edit({SetHeads{2}});
  s.settle();
  s.set(act::GoTo{{}, 0});  // chosen since
  s.app.edit({SetHeads{8}});
  s.settle();
  CHECK(s.view().focused_head == 0);
}

TEST_CASE("screen: in a presentation the notes leave every view its least width", "[app][notes]") {
  Session s(test::example("whole_block"), {1280, 800});
  s.set(s.view().presentation, true);
  s.set(act::Show{Side::notes, true});
  for (const ViewEntry& entry : all_views()) {
    CAPTURE(entry.key);
    s.set(s.view().view, entry.id);
    s.ui.frames(3);
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->Active && std::string_view(window->Name).starts_with("Hydrascope/center") &&
          std::string_view(window->Name).find("/view_") != std::string_view::npos)
        CHECK(window->ScrollMax.x == 0);
  }
}

TEST_CASE("screen: beside a head's name stands where its weights come from", "[app][weights]") {
  Session s;
  for (const ViewId view : {ViewId::flow, ViewId::heads}) {
    s.set(s.view().view, view);
    s.ui.frames(2);
    CHECK(s.ui.exists(view == ViewId::flow ? "flow/weights" : "heads/weights"));
  }
}

TEST_CASE("screen: the inspector follows the view, and folds where the view has no matrix", "[app][inspector]") {
  Session s;
  const auto go = [&](const char* tab) {
    s.ui.click(std::string("tabs/") + tab);
    s.ui.frames(2);
  };
  CHECK(s.view().inspected == Site{Quantity::W_Q, 0, 0});
  go("heads");
  CHECK(s.view().inspected == Site{Quantity::attention, 0, 0});
  go("mixing");
  CHECK(s.view().inspected == Site{Quantity::W_O, 0, 0});
  go("tradeoff");
  CHECK_FALSE(s.ui.exists("inspector/title"));
  s.ui.key(key::letter('i'));
  s.ui.frames(2);
  CHECK(s.ui.exists("inspector/title"));
  go("likeness");
  CHECK_FALSE(s.ui.exists("inspector/title"));
  go("flow");
  CHECK(s.ui.exists("inspector/title"));
  // What was selected stays open wherever one goes.
  s.open({{Quantity::K, 0, 1}, 2, 3});
  go("likeness");
  CHECK(s.ui.exists("inspector/title"));
  CHECK(s.view().inspected == Site{Quantity::K, 0, 1});
}

TEST_CASE("screen: Likeness opens where dark means alike", "[app][likeness]") {
  Session s;
  CHECK(likenesses()[static_cast<std::size_t>(s.view().likeness.measure)].same == 1);
}

TEST_CASE("screen: a tip goes when its item is clicked, and is there again for who comes back", "[app][screen]") {
  Session s;
  const auto tip_shown = [] {
    const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
    return tooltip != nullptr && tooltip->Active;
  };
  s.ui.key(key::letter('n'));
  s.ui.move("tradeoff/page/sharing");
  CHECK(tip_shown());
  s.ui.click("tradeoff/page/sharing");
  s.ui.frames(3);
  CHECK_FALSE(tip_shown());
  s.ui.move("tradeoff/page/cost");
  CHECK(tip_shown());
  s.ui.move("tradeoff/page/sharing");
  CHECK(tip_shown());
}

TEST_CASE("screen: so do the lines by the pointer", "[app][screen]") {
  Session s;
  const auto lines_shown = [] {
    const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
    return tooltip != nullptr && tooltip->Active;
  };
  s.set(s.view().view, ViewId::tradeoff);
  s.set(s.view().tradeoff.page, TradeoffPage::cost);
  s.settle();
  const UiDriver::Rect chart = s.ui.rect("tradeoff/weights");
  const ImVec2 first = chart.at(0.2f, 0.8f), second = chart.at(0.8f, 0.8f);
  s.ui.move(first);
  REQUIRE(lines_shown());
  s.ui.click(first);
  s.ui.frames(3);
  CHECK_FALSE(lines_shown());
  s.ui.move(second);
  CHECK(lines_shown());
  s.ui.move(first);
  CHECK(lines_shown());
}

TEST_CASE("screen: a number that is dragged is told, wherever the pointer is", "[app][screen]") {
  Session s;
  s.set(s.view().view, ViewId::flow);
  s.ui.frames(3);
  const ImVec2 at = s.ui.rect("flow/W_O").at(0.3f, 0.3f);
  s.ui.move(at);
  s.ui.press();
  s.ui.move(ImVec2{at.x, at.y - 40});
  s.ui.frames(2);
  REQUIRE(s.view().selection);
  s.ui.move(s.ui.rect("flow/attention").center());
  s.ui.frames(2);
  CHECK(s.was().cell == s.view().selection);
  s.ui.release();
  s.ui.frames(2);
  CHECK(s.was().cell != s.view().selection);
}

TEST_CASE("screen: on the status line the number goes before what stands at the right", "[app][screen]") {
  const std::string words = "the quokka zyx sleeps because she is abc . the uncle sees the quokka";
  Session s(OpenedDocument{hydra::apply(test::example("trained_grammar"), SetSentence{words}),
                           {"/home/somebody/a/rather/long/folder/of/lessons/with/a/long/name.json", {}}},
            {1280, 800});
  s.set(s.view().presentation, true);
  s.set(s.view().view, ViewId::heads);
  s.ui.frames(3);
  s.ui.leave();
  s.ui.frames(2);
  CHECK(s.ui.exists("status/known"));
  s.ui.move(s.ui.rect("heads/large").center());
  s.ui.frames(2);
  REQUIRE(s.was().cell);
  const UiDriver::Rect value = s.ui.rect("status/value");
  if (s.ui.exists("status/known")) CHECK(value.max.x < s.ui.rect("status/known").min.x);
  CHECK(value.max.x < 1280);
}

TEST_CASE("screen: green frames are spoken of where there are some", "[app][screen]") {
  Session s;
  s.set(s.view().view, ViewId::flow);
  s.ui.frames(2);
  s.ui.drag(s.ui.rect("flow/W_O").at(0.3f, 0.3f), 0, -40);
  s.settle();
  s.ui.leave();
  s.app.listen(true);
  s.set(s.view().selection, std::nullopt);
  s.ui.frames(2);
  CHECK(s.app.heard().status.find("green") != std::string::npos);
  s.ui.key(key::letter('n'));
  s.settle();
  CHECK(s.app.heard().status.find("green") == std::string::npos);
}

TEST_CASE("screen: a key that has nothing to show says so", "[app][screen]") {
  Session s;
  s.ui.key(key::letter('g'));
  CHECK(s.notice().sentence == "This document has no notes. Those among the examples have.");
  CHECK_FALSE(s.notice().is_error);
}

TEST_CASE("screen: the state before has its sentence in the field", "[app][screen]") {
  Session s;
  const std::string before = s.app.hands().of<SentenceField>().draft;
  s.app.edit({SetSentence{"A king sleeps."}});
  s.settle();
  REQUIRE(s.app.hands().of<SentenceField>().draft == "A king sleeps.");
  const auto peek = [&](bool down) {
    s.ui.input.push({.kind = InputEvent::Kind::key, .code = kPeekKey, .down = down});
    s.settle();
  };
  peek(true);
  CHECK(s.app.hands().of<SentenceField>().draft == before);
  peek(false);
  CHECK(s.app.hands().of<SentenceField>().draft == "A king sleeps.");
}

TEST_CASE("screen: the switch of three stands beside the heads' names, and says how to get what is not there",
          "[app][models]") {
  const auto [size, presentation, scale] = GENERATE(table<ImVec2, bool, float>({{{1280, 800}, true, 1.0f},
                                                                                {{1280, 800}, false, 1.4f},
                                                                                {{1600, 1000}, true, 1.4f},
                                                                                {{1920, 1080}, false, 1.0f}}));
  Session s(opening_document(), size);
  s.set(s.view().presentation, presentation);
  s.set(s.view().text_scale, scale);
  for (const char* view : {"flow", "heads"}) {
    INFO(view << " " << size.x << " " << presentation << " " << scale);
    s.set(s.view().view, std::string_view(view) == "flow" ? ViewId::flow : ViewId::heads);
    s.ui.frames(3);
    float left = 0;
    for (const char* kind : {"untrained", "designed", "trained"}) {
      const std::string name = std::string(view) + "/" + kind;
      REQUIRE(s.ui.exists(name));
      const UiDriver::Rect rect = s.ui.rect(name);
      CHECK(rect.min.x >= left);
      CHECK(rect.max.x <= size.x);
      left = rect.max.x;
    }
    CHECK_FALSE(s.ui.exists(std::string(view) + "/given"));
    s.ui.click(std::string(view) + "/untrained");
    CHECK(kind_of(s.document()) == ModelKind::untrained);
    s.ui.click(std::string(view) + "/designed");
    CHECK(kind_of(s.document()) == ModelKind::designed);
    s.ui.click(std::string(view) + "/trained");
    CHECK(kind_of(s.document()) == ModelKind::trained);
    s.ui.click(std::string(view) + "/trained");  // it is that already
    CHECK(s.app.history().steps() % 3 == 0);
  }
}

TEST_CASE("screen: U goes round the models, one step of the history each, and an edit stays in its model",
          "[app][models]") {
  Session s(opening_document());
  s.app.edit(set_cell(Quantity::W_Q, 3, 5, 2));
  s.ui.frames(2);
  CHECK(s.ui.exists("flow/weights"));
  const AttentionWeights<float> edited = s.weights();
  std::vector<ModelKind> kinds;
  for (int k = 0; k < 3; ++k) {
    s.ui.key(key::letter('u'));
    s.settle();
    check_as_scratch(s);
    kinds.push_back(kind_of(s.document()));
  }
  CHECK(kinds == std::vector{ModelKind::untrained, ModelKind::designed, ModelKind::trained});
  CHECK(s.weights().W_Q == edited.W_Q);
  CHECK(s.app.history().steps() == 4);
  for (int k = 0; k < 3; ++k) s.ui.key(key::letter('z'), true);
  CHECK(kind_of(s.document()) == ModelKind::trained);
  CHECK(s.weights().W_Q == edited.W_Q);
  // Where there is no other model, nothing happens but a sentence.
  Session alone;
  alone.ui.click("flow/trained");
  CHECK(alone.app.history().steps() == 0);
  alone.ui.key(key::letter('u'));
  CHECK(alone.app.history().steps() == 0);
  CHECK(alone.notice().sentence.find("these weights are the untrained ones") != std::string::npos);
}

TEST_CASE("screen: the status line says in fewer words what it has no room for, in a presentation too",
          "[app][screen]") {
  Session s(test::example("designed_cat_mat_soft"), {1280, 800});
  s.set(s.view().presentation, true);
  s.set(s.view().view, ViewId::flow);
  s.app.edit({SetBlock{Quantity::W_Q, 0, 0, share(Mat<float>(Mat<float>::Constant(64, 8, 0.1f)))}, 0});
  s.settle();
  for (const ViewId view : {ViewId::flow, ViewId::heads, ViewId::mixing}) {
    s.set(s.view().view, view);
    s.ui.leave();
    s.settle();
    REQUIRE(s.ui.exists("status/hint"));
    CHECK(s.ui.rect("status/hint").max.x <= 1280 - 12);
  }
}

TEST_CASE("screen: in Flow the number of a change stands beside its picture's title", "[app][screen]") {
  Session s(test::example("two_heads_by_hand"), {1280, 800});
  s.set(s.view().presentation, true);
  s.set(s.view().view, ViewId::flow);
  s.app.edit({SetBlock{Quantity::W_Q, 0, 0, share(Mat<float>(Mat<float>::Constant(2, 2, 0.5f)))}, 0});
  s.settle();
  int told = 0;
  for (const char* name : {"flow/Q", "flow/scores", "flow/attention", "flow/output"}) {
    if (!s.ui.exists(std::string(name) + "/change")) continue;
    CAPTURE(name);
    ++told;
    const UiDriver::Rect change = s.ui.rect(std::string(name) + "/change"),
                         title = s.ui.rect(std::string(name) + "/title");
    CHECK((change.min.x >= title.max.x || change.min.y >= title.max.y));
  }
  CHECK(told > 0);
}

TEST_CASE("screen: a quotient as shown is the quotient of what is shown", "[app][inspector]") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> magnitude(-2, 4);
  for (int k = 0; k < 500; ++k) {
    const double a = std::pow(10, magnitude(random)), b = k % 2 ? 8 : std::sqrt(1 + k % 64);
    Explanation explanation;
    explanation.steps.push_back({"", "", Combine::quotient, {Term{"", {{a, "", {}}, {b, "", {}}}, a / b}}, a / b});
    const Explained laid = lay_out(std::move(explanation));
    const StepLayout& step = laid.steps.front();
    const auto as_shown = [](double value, int digits) { return std::stod(ui::in_column(value, digits)); };
    const double shown = as_shown(a, step.factor_digits[0]) / as_shown(b, step.factor_digits[1]);
    CAPTURE(a, b);
    CHECK(ui::in_column(shown, step.value_digits) == ui::in_column(a / b, step.value_digits));
  }
}

TEST_CASE("screen: on the page around the heads the line below is its formula", "[app][flow]") {
  Session s(test::example("whole_block"), {1280, 800});
  s.set(s.view().presentation, true);
  s.set(s.view().view, ViewId::flow);
  s.app.listen(true);
  s.set(s.view().flow.around, true);
  s.settle();
  REQUIRE(s.app.hands().of<PagesDrawn>().around_flow);
  CHECK(s.app.heard().status.find("X + Y") != std::string::npos);
  CHECK(s.app.heard().status.find("softmax") == std::string::npos);
  s.set(s.view().flow.around, false);
  s.settle();
  CHECK(s.app.heard().status.find("softmax") != std::string::npos);
}
