// The window without a mouse: Tab goes through its parts, keys choose in them, and every picture's numbers can be
// selected.
#include <catch2/catch.hpp>

#include <set>

#include "app/views/frame/offered.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/parts.h"
#include "app/views/shell/views.h"
#include "app/widgets/mouse_area.h"
#include "imgui_internal.h"
#include "tests/support/examples.h"
#include "tests/support/open_page.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

void tab(Session& s, bool back = false) { s.ui.key(key::tab, false, back); }

// The rectangle of the part that is framed.
UiDriver::Rect framed(Session& s) {
  REQUIRE(s.ui.exists("part"));
  return s.ui.rect("part");
}

bool holds(const UiDriver::Rect& outer, const UiDriver::Rect& inner) {
  return inner.min.x >= outer.min.x && inner.max.x <= outer.max.x && inner.min.y >= outer.min.y &&
         inner.max.y <= outer.max.y;
}

void listen(Session& s) {
  s.app.listen(true);
  s.ui.frames(2);
}

// Serpentine by arrows through a part: the places that they come to and that say nothing, by name; and what the others
// say.
std::set<std::string> silent_controls(Session& s, std::set<std::string>& said) {
  std::set<std::string> silent;
  std::set<ImGuiID> met;
  const auto look = [&] {
    const ImGuiContext& gui = *ImGui::GetCurrentContext();
    if (!gui.NavWindow || !gui.NavIdIsAlive) return false;
    const bool fresh = met.insert(gui.NavId).second;
    if (fresh) said.insert(ui::framed_words());
    if (fresh && ui::framed_words().empty()) {
      const ImRect box = ImGui::WindowRectRelToAbs(gui.NavWindow, gui.NavWindow->NavRectRel[gui.NavLayer]);
      std::string name = "? in " + std::string(gui.NavWindow->Name);
      for (const std::string& one : s.ui.names())
        if (const auto rect = s.ui.seen(one);
            rect && box.Contains(rect->center()) &&
            std::abs(rect->center().x - box.GetCenter().x) + std::abs(rect->center().y - box.GetCenter().y) < 4)
          name = one;
      silent.insert(name);
    }
    return fresh;
  };
  s.ui.key(key::down);
  for (int row = 0, stale = 0; row < 40 && stale < 4; ++row) {
    bool any = look();
    for (int col = 0; col < 40; ++col) {
      const ImGuiID before = ImGui::GetCurrentContext()->NavId;
      s.ui.key(row % 2 == 0 ? key::right : key::left);
      any = look() || any;
      if (ImGui::GetCurrentContext()->NavId == before) break;
    }
    stale = any ? 0 : stale + 1;
    s.ui.key(key::down);
  }
  return silent;
}

}  // namespace

TEST_CASE("parts: Tab goes through the parts of the window with a frame, and back", "[app][parts]") {
  Session s;
  CHECK_FALSE(s.ui.exists("part"));
  const std::vector<WindowPart> order{WindowPart::bar,      WindowPart::side,      WindowPart::numbers,
                                      WindowPart::controls, WindowPart::inspector, WindowPart::bar};
  for (const WindowPart part : order) {
    tab(s);
    CHECK(s.app.hands().of<Parts>().at == part);
    framed(s);
  }
  tab(s, true);
  CHECK(s.app.hands().of<Parts>().at == WindowPart::inspector);
  tab(s, true);
  CHECK(s.app.hands().of<Parts>().at == WindowPart::controls);
  CHECK(holds(framed(s), s.ui.rect("flow/scores")));
  s.ui.click("tabs/heads");
  CHECK_FALSE(s.app.hands().of<Parts>().at);
  CHECK_FALSE(s.ui.exists("part"));
}

TEST_CASE("parts: a part that is closed loses the keyboard", "[app][parts]") {
  Session s;
  tab(s), tab(s);
  REQUIRE(s.app.hands().of<Parts>().at == WindowPart::side);
  s.ui.key(key::letter('m'));
  s.ui.frames(2);
  CHECK_FALSE(s.app.hands().of<Parts>().at);
}

TEST_CASE("parts: in the bar arrows and Enter open a view, and letters keep their meaning", "[app][parts]") {
  Session s;
  listen(s);
  tab(s);
  CHECK(holds(framed(s), s.ui.rect("tabs/roles")));
  CHECK(s.app.heard().keyboard.find("The sentence") != std::string::npos);
  for (int k = 0; k < 40 && s.app.heard().keyboard.find("Roles") == std::string::npos; ++k)
    s.ui.key(k < 3 ? key::down : key::right);
  REQUIRE(s.app.heard().keyboard.find("Roles") != std::string::npos);
  const bool by_space = GENERATE(false, true);
  s.ui.key(by_space ? key::space : key::enter);
  s.ui.frames(2);
  CHECK(s.view().view == ViewId::roles);
  CHECK_FALSE(s.view().selection);
  CHECK(s.app.hands().of<Parts>().at == WindowPart::bar);
  s.ui.key(key::letter('f'));
  CHECK(s.view().view == ViewId::flow);
  s.ui.key(key::escape);
  CHECK_FALSE(s.app.hands().of<Parts>().at);
  s.ui.key(key::right);
  CHECK(s.view().selection);  // arrows are the numbers' again
}

TEST_CASE("parts: the sentence is typed by keys alone, and Tab ends it", "[app][parts]") {
  Session s;
  tab(s);
  s.ui.key(key::enter);
  s.ui.frames(2);
  REQUIRE(ImGui::GetIO().WantTextInput);
  s.ui.key(key::letter('a'), true);
  s.ui.type("The cat");
  tab(s);
  s.ui.frames(2);
  CHECK_FALSE(ImGui::GetIO().WantTextInput);
  CHECK(s.app.hands().of<Parts>().at == WindowPart::side);
  CHECK(s.document().sentence == "The cat");
  CHECK_FALSE(s.app.history().in_gesture());
}

TEST_CASE("parts: keys reach the controls of the model panel and change the document", "[app][parts]") {
  Session s;
  listen(s);
  tab(s), tab(s);
  for (int k = 0; k < 60 && !s.app.heard().keyboard.starts_with("The model: −1 head"); ++k)
    s.ui.key(k % 3 == 2 ? key::down : key::right);
  INFO(s.app.heard().keyboard);
  REQUIRE(s.app.heard().keyboard.starts_with("The model: −1 head"));
  s.ui.key(key::enter);
  s.settle();
  CHECK(s.trace().heads.size() == 7);
}

// All views with all of their pages, over a stack and in a presentation too: whatever draws a matrix.
TEST_CASE("parts: from a cold start the first arrow or Enter selects a number in every view and page", "[app][parts]") {
  const auto [name, presentation, first] =
      GENERATE(table<std::string, bool, int>({{"two_heads_by_hand", false, key::down},
                                              {"two_heads_by_hand", true, key::kp_enter},
                                              {"stack_animal_tired", true, key::down},
                                              {"stack_animal_tired", false, key::enter}}));
  Session s(test::example(name), {1280, 800});
  s.set(s.view().presentation, presentation);
  const auto check = [&] {
    s.ui.key(key::escape);
    s.ui.key(key::escape);
    s.settle();
    REQUIRE_FALSE(s.view().selection);
    const std::optional<MainPicture> main = s.was().main_picture;
    s.ui.key(first);
    s.ui.frames(2);
    if (!main && s.view().view == ViewId::learn) {  // there is none to select
      CHECK_FALSE(s.view().selection);
      return;
    }
    REQUIRE(s.view().selection);
    const Cell cell = *s.view().selection;
    if (main) CHECK(cell.site == main->site);
    if (shape_of(s.app.trace(), cell.site).row_axis == Axis::token) CHECK(cell.row == s.token());
    CHECK(is_open(s.view(), Side::inspector));
    s.ui.key(cell.row > 0 ? key::up : key::down);
    CHECK(s.selection().row ==
          (cell.row > 0 ? cell.row - 1 : std::min<Index>(1, shape_of(s.app.trace(), cell.site).rows - 1)));
  };
  std::size_t with_pictures = 0;
  for (const ViewEntry& view : all_views()) {
    s.set(s.view().view, view.id);
    s.settle();
    INFO(view.key);
    check();
    with_pictures += s.was().main_picture ? 1 : 0;
    for (const PageEntry& page : all_pages()) {
      if (page.view != view.id) continue;
      INFO(page.key);
      test::open_page(s.app, page);
      check();
      with_pictures += s.was().main_picture ? 1 : 0;
    }
  }
  CHECK(with_pictures >= 7);
}

TEST_CASE("parts: whatever arrows come to has words", "[app][parts][slow]") {
  const auto name = GENERATE(as<std::string>{}, "two_heads_by_hand", "stack_animal_tired");
  Session s(test::example(name), {1600, 1000});
  listen(s);
  std::set<std::string> said;
  const auto check = [&](const std::string& where) {
    s.settle();
    for (WindowPart part : {WindowPart::bar, WindowPart::side, WindowPart::controls, WindowPart::transport,
                            WindowPart::inspector, WindowPart::overflow}) {
      if ((s.app.hands().of<Parts>().shown & (1u << static_cast<unsigned>(part))) == 0) continue;
      enter_parts(s.app.hands().of<Parts>(), 0);
      for (int k = 0; k <= kWindowParts && s.app.hands().of<Parts>().at != part; ++k) tab(s);
      const std::set<std::string> silent = silent_controls(s, said);
      CAPTURE(where, name_of(s.view(), part), silent);
      CHECK(silent.empty());
    }
  };
  for (const ViewEntry& view : all_views()) {
    s.set(s.view().view, view.id);
    check(view.key);
    for (const PageEntry& page : all_pages()) {
      if (page.view != view.id) continue;
      test::open_page(s.app, page);
      check(page.key);
    }
  }
  for (const char* const chart : {"Weights; at 2, ", "Patterns; at 2, ", "relative change of Y; "}) {
    CAPTURE(chart);
    CHECK(std::ranges::any_of(said, [&](const std::string& words) { return words.starts_with(chart); }));
  }
}

TEST_CASE("parts: any picture of the view is chosen by keys, and its numbers are then arrows'", "[app][parts]") {
  Session s;
  listen(s);
  for (int k = 0; k < 4; ++k) tab(s);
  REQUIRE(s.app.hands().of<Parts>().at == WindowPart::controls);
  std::vector<Site> chosen;
  for (int k = 0; k < 12; ++k) {
    s.ui.key(k % 4 == 3 ? key::down : key::right);
    const auto before = s.view().selection;
    const std::string words = s.app.heard().keyboard;
    s.ui.key(key::enter);
    s.ui.frames(2);
    if (s.view().selection == before || !s.view().selection) continue;
    CHECK(words.starts_with("The controls of the view: "));
    CHECK(s.app.hands().of<Parts>().at == WindowPart::numbers);
    chosen.push_back(s.view().selection->site);
    tab(s);
  }
  std::sort(chosen.begin(), chosen.end(), [](const Site& a, const Site& b) { return a.quantity < b.quantity; });
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  CHECK(chosen.size() >= 2);
}

TEST_CASE("parts: what arrows come to in a menu is said", "[app][parts]") {
  Session s;
  listen(s);
  if (GENERATE(false, true)) tab(s);
  s.ui.key(key::letter('y'));
  s.ui.frames(3);
  CHECK(s.app.heard().keyboard == "Designed heads");
  s.ui.key(key::down);
  CHECK(s.app.heard().keyboard == "Designed stacks");
}

TEST_CASE("parts: keys of a part are no keys of the numbers behind it", "[app][parts]") {
  Session s;
  s.open({{Quantity::attention, 0, 0}, 2, 1});
  const Cell before = s.selection();
  tab(s);
  for (const int code : {key::down, key::right, key::left, key::up}) s.ui.key(code);
  CHECK(s.selection() == before);
  tab(s), tab(s);
  s.ui.key(key::down);
  CHECK(s.selection().row == before.row + 1);
}

TEST_CASE("parts: the window says where Tab leads out of it, and is entered from either end", "[app][parts]") {
  Session s;
  listen(s);
  CHECK(s.app.heard().keeps_tab);
  enter_parts(s.app.hands().of<Parts>(), 1);
  s.ui.frames(2);
  CHECK(s.app.hands().of<Parts>().at == WindowPart::bar);
  CHECK(s.app.heard().keeps_tab);
  CHECK_FALSE(s.app.heard().keeps_shift_tab);
  enter_parts(s.app.hands().of<Parts>(), -1);
  s.ui.frames(2);
  CHECK(s.app.hands().of<Parts>().at == WindowPart::inspector);
  CHECK_FALSE(s.app.heard().keeps_tab);
  CHECK(s.app.heard().keeps_shift_tab);
  enter_parts(s.app.hands().of<Parts>(), 0);
  s.ui.frames(2);
  CHECK_FALSE(s.ui.exists("part"));
}

TEST_CASE("parts: views, pages and commands are offered as they stand in their tables, and carried out",
          "[app][parts]") {
  Session s;
  listen(s);
  const auto offer = [&](const std::string& name) -> const Heard::Offer& {
    for (const Heard::Offer& one : s.app.heard().offers)
      if (one.name == name) return one;
    FAIL("nothing is offered as " << name);
    return s.app.heard().offers.front();
  };
  const auto choose = [&](const std::string& name) {
    const Heard::Offer one = offer(name);
    s.app.choose(one.kind, one.index);
    s.ui.frames(3);
  };
  CHECK(offer("Flow").state == Heard::State::on);
  CHECK(offer("undo").state == Heard::State::disabled);
  CHECK(std::string(offer("undo").keys) == "Control+Z");
  CHECK(std::string(offer("redo").keys) == "Control+Y Control+Shift+Z");
  CHECK(std::string(offer("more heads, cut anew").keys) == "Plus");
  CHECK(std::string(offer("fewer heads").keys) == "-");
  CHECK(std::string(offer("these keys").keys) == "F1 ?");
  for (const Heard::Offer& one : s.app.heard().offers)
    if (one.kind == Heard::Kind::command)
      CHECK(std::ranges::none_of(std::string_view(one.keys), [](unsigned char c) { return c < ' '; }));
  choose("Mixing");
  CHECK(s.view().view == ViewId::mixing);
  CHECK(offer("Flow").state == Heard::State::off);
  CHECK(s.app.heard().place == "Mixing, One output. Head 1 of 8.");
  choose("Who writes it");
  CHECK(s.view().mixing.page == MixingPage::shares);
  CHECK(s.app.heard().place == "Mixing, Who writes it. Head 1 of 8.");
  choose("the next head");
  CHECK(s.app.heard().place == "Mixing, Who writes it. Head 2 of 8.");
  choose("causal mask on or off");
  s.settle();
  CHECK(s.layer().mask.kind == Mask::Kind::causal);
  CHECK(offer("causal mask on or off").state == Heard::State::on);
  choose("undo");
  CHECK(s.layer().mask.kind != Mask::Kind::causal);
  choose("these keys");
  CHECK(s.app.front().help);
  CHECK(s.app.heard().keyboard == "All keys are shown. Escape closes them.");
  CHECK(offer("these keys").state == Heard::State::on);
}
