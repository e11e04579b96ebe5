// Numbers of matrices that are worked out of the model: told, selected, copied, compared, recorded.
#include "app/views/shared/pictured.h"

#include <catch2/catch.hpp>

#include "app/play.h"
#include "app/scene/scene.h"
#include "app/views/shell/pages.h"
#include "tests/support/examples.h"
#include "tests/support/session.h"

using namespace hydra;
using Catch::Matchers::Contains;

namespace {

// A page of a view with such a picture.
struct Page : Session {
  Page(const std::string& document, ViewId view, const std::string& page) : Session(test::example(document)) {
    set(this->view().view, view);
    for (const PageEntry& entry : all_pages()) {
      if (entry.view != view || entry.key != page) continue;
      Outbox out;
      entry.open(this->view(), out);
      for (const Action& way : out.actions) set(way);
    }
    app.listen(true);
    settle();
  }
  std::string status() { return app.heard().status; }
  std::string number() { return app.heard().number; }
};

}  // namespace

TEST_CASE("pictured: a number of rollout is told, selected, copied and left", "[views][pictured]") {
  Page s("slices", ViewId::heads, "rollout");
  const UiDriver::Rect picture = s.ui.rect("heads/large");
  const Index n = std::ssize(s.app.trace().tokens);
  s.ui.move(picture.cell(3, 1, n, n));
  s.ui.frames(2);
  CHECK_THAT(s.status(), Contains("Rollout[on → cat] = "));

  s.ui.click(picture.cell(3, 1, n, n));
  s.ui.leave();
  s.settle();
  REQUIRE(s.view().made);
  CHECK(*s.view().made == MadeCell{"rollout", 3, 1});
  CHECK_THAT(s.status(), Contains("Rollout[on → cat] = "));
  CHECK_THAT(s.number(), Contains("its sum is not shown here"));

  s.ui.key('C', true);
  s.ui.frames(2);
  const std::string number = ImGui::GetClipboardText();
  CHECK_THAT(s.status(), Contains(number + " is copied. Ctrl C once more: all of Rollout."));
  s.ui.key('C', true);
  s.ui.frames(2);
  const std::string table = ImGui::GetClipboardText();
  CHECK(std::ranges::count(table, '\n') == n);
  CHECK_THAT(table, Contains(number));
  CHECK_THAT(s.status(), Contains("Rollout is copied"));
  s.ui.click(picture.cell(4, 1, n, n));
  s.ui.leave();
  s.settle();
  CHECK_THAT(s.status(), Contains("Rollout[the → cat] = "));  // not what was said of the copy
  s.ui.click(picture.cell(3, 1, n, n));
  s.ui.leave();
  s.settle();

  s.ui.key(key::right);
  s.ui.key(key::up);
  s.ui.frames(2);
  CHECK(*s.view().made == MadeCell{"rollout", 2, 2});
  for (int k = 0; k < 5; ++k) s.ui.key(key::up);  // no further than its matrix
  s.ui.frames(2);
  CHECK(*s.view().made == MadeCell{"rollout", 0, 2});

  s.ui.key(key::escape);
  s.ui.frames(2);
  CHECK_FALSE(s.view().made);
}

TEST_CASE("pictured: a number of the model and one that is worked out are not selected at once", "[views][pictured]") {
  Page s("slices", ViewId::heads, "rollout");
  s.set(act::Select{Cell{{Quantity::W_Q, 0, 0}, 1, 1}});
  s.app.act(act::SelectMade{{"rollout", 0, 0}});
  s.ui.frames(2);
  CHECK_FALSE(s.view().selection);
  CHECK(s.view().made);
  s.app.act(act::Select{Cell{{Quantity::W_Q, 0, 0}, 1, 1}});
  s.ui.frames(2);
  CHECK(s.view().selection);
  CHECK_FALSE(s.view().made);
  s.app.act(act::SelectMade{{"no such matrix", 1000, 1000}});  // nothing is told, nothing fails
  s.settle();
  CHECK(s.number().empty());
  s.app.act(act::SelectMade{{"rollout", -1, 0}});
  s.settle();
  CHECK(s.notice().sentence == "There is no row or column -1: they begin with 0.");
  // One that is not drawn keeps no key to itself.
  s.ui.key(key::right);
  s.ui.frames(2);
  CHECK(s.view().selection);
}

TEST_CASE("pictured: keys are of the number that is selected, wherever the pointer rests", "[views][pictured]") {
  Page s("slices", ViewId::heads, "rollout");
  const Index n = std::ssize(s.app.trace().tokens);
  const UiDriver::Rect picture = s.ui.rect("heads/large");
  s.ui.click(picture.cell(3, 1, n, n));
  s.ui.key(key::down);
  s.ui.frames(2);
  CHECK(*s.view().made == MadeCell{"rollout", 4, 1});
  CHECK_THAT(s.status(), Contains("Rollout[the → cat] = "));  // the pointer rests on the one above
  s.ui.move(picture.cell(6, 6, n, n));
  s.ui.frames(2);
  CHECK_THAT(s.status(), Contains("Rollout[because → because] = "));
  s.ui.key('C', true);
  s.ui.key('C', true);
  s.ui.frames(2);
  CHECK_THAT(s.app.notice().sentence, Contains("Rollout is copied"));
}

TEST_CASE("pictured: it is part of the scene, and played again", "[views][pictured]") {
  Page s("slices", ViewId::heads, "rollout");
  s.app.act(act::SelectMade{{"rollout", 2, 1}});
  s.settle();
  const ViewState back = parse_scene(scene_text(s.view()), "the scene");
  CHECK(back.made == s.view().made);
}

TEST_CASE("pictured: what the last edit moved is framed, and gone where nothing was", "[views][pictured]") {
  Page s("slices", ViewId::heads, "rollout");
  CHECK_FALSE(s.ui.exists("heads/large/changed"));
  Mat<float> value(1, 1);
  value(0, 0) = 7;
  s.app.edit(Edit(SetBlock{Quantity::W_Q, 0, 0, share(std::move(value))}, 0));
  s.settle();
  s.wait_until([&] { return s.ui.exists("heads/large/changed"); });
  s.ui.key(key::escape);  // the marks go
  s.settle();
  CHECK_FALSE(s.ui.exists("heads/large/changed"));
}
