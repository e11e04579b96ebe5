// A mask, a window and a temperature of one head, in the model panel and on the heads' pictures.
#include "app/platform/input.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

struct Ruled : Session {
  Ruled() {
    set(view().view, ViewId::heads);
    set(act::GoTo{std::nullopt, 2});
    settle();
  }
  HeadRules own() const { return layer().own; }
  void click(const char* name) {
    ui.click(name);
    settle();
  }
  void type_window(const char* number) {
    ui.click(ui.rect("model/own/window").at(0.1f, 0.5f));
    ui.type(number);
    ui.key(key::enter);
    settle();
  }
};

}  // namespace

TEST_CASE("own group: the head in focus gets a mask, a window and a temperature, and undo takes each back",
          "[app][rules]") {
  Ruled s;
  CHECK(!s.ui.exists("model/own/none"));
  CHECK(!s.ui.exists("heads/own"));
  s.click("model/own/mask/causal");
  CHECK(s.own() == HeadRules{{2, Mask::Kind::causal, {}, {}}});
  CHECK((*s.head(2).attention)(0, 1) == 0);
  CHECK((*s.head(1).attention)(0, 1) > 0);
  CHECK(s.ui.exists("heads/own"));
  CHECK(s.ui.exists("heads/own/3"));
  CHECK(!s.ui.exists("heads/own/2"));
  s.type_window("3");
  CHECK(s.own() == HeadRules{{2, Mask::Kind::causal, 3, {}}});
  CHECK((*s.head(2).attention)(5, 2) == 0);
  s.ui.drag("model/own/temperature", 40, 0);
  s.settle();
  REQUIRE(s.own().front().temperature);
  CHECK(*s.own().front().temperature != 1);
  check_as_scratch(s);
  s.ui.key(key::letter('z'), true);
  s.settle();
  CHECK(s.own() == HeadRules{{2, Mask::Kind::causal, 3, {}}});
  s.click("model/own/mask/none");
  CHECK(s.own() == HeadRules{{2, Mask::Kind::none, {}, {}}});
  CHECK(!s.ui.exists("model/own/window"));
  s.click("model/own/none");
  CHECK(s.own().empty());
  CHECK(!s.ui.exists("heads/own"));
}

TEST_CASE("own group: a window of the layer does not bind a head that sees all before", "[app][rules]") {
  Ruled s;
  s.click("model/mask/causal");
  s.app.edit(Edit(SetSetting{LayerSetting::window, 2}, 0));
  s.settle();
  s.type_window("0");
  CHECK(s.own() == HeadRules{{2, Mask::Kind::causal, {}, {}}});
  CHECK((*s.head(2).attention)(5, 0) > 0);
  CHECK((*s.head(1).attention)(5, 0) == 0);
  s.click("model/own/mask/layer");
  CHECK(s.own().empty());
  s.type_window("4");
  CHECK(s.own() == HeadRules{{2, {}, 4, {}}});
  s.type_window("2");
  CHECK(s.own().empty());
}
