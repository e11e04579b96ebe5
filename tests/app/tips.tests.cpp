// Every tip of every view and page, recorded: whole, within the window, with words.
#include <catch2/catch.hpp>
#include <set>

#include "app/draw/recording.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"
#include "tests/support/examples.h"
#include "tests/support/open_page.h"
#include "tests/support/sanitized.h"
#include "tests/support/session.h"
#include "tests/support/unspoken.h"

using namespace hydra;

namespace {

class Tips {
 public:
  Tips(Session& s, ImVec2 size) : s_(s), recording_(size) { s_.app.record_in(&recording_, true); }
  ~Tips() { s_.app.record_in(nullptr); }

  // Over the middle of everything that has a name.
  void look_at_all(const std::string& where) {
    s_.settle();
    for (const std::string& name : s_.ui.names()) {
      const auto rect = s_.ui.seen(name);
      if (!rect) continue;
      s_.ui.move(rect->center());
      s_.ui.frames(3);
      look(where + ", over " + name);
    }
    s_.ui.leave();
  }

  std::set<std::string> said;

 private:
  void look(const std::string& where) {
    for (const Recording::Mark* mark : recording_.of("tip")) {
      const auto* words = std::get_if<Recording::Words>(&mark->what);
      if (!words) continue;
      CAPTURE(where, words->shown);
      CHECK(words->shown == words->meant);
      CHECK(test::unspoken_key(words->meant) == "");
      CHECK(words->shown.find("NaN") == std::string::npos);
      const ImVec2 end{words->corner.x + words->width, words->corner.y + words->height};
      CHECK((words->corner.x >= 0 && words->corner.y >= 0 && end.x <= s_.ui.size.x + 1 && end.y <= s_.ui.size.y + 1));
      said.insert(words->shown);
    }
  }

  Session& s_;
  Recording recording_;
};

}  // namespace

TEST_CASE("tips: whatever has a name is explained in whole words within the window", "[app][tips][slow]") {
  const ImVec2 size = GENERATE(ImVec2{1600, 1000}, ImVec2{1280, 800});
  if (test::kSanitized && size.x < 1600) return;
  Session s(test::example("heads_designed"), size);
  s.set(s.view().presentation, size.x < 1600);
  Tips tips(s, size);
  for (const ViewEntry& view : all_views()) {
    s.set(s.view().view, view.id);
    tips.look_at_all(view.key);
    for (const PageEntry& page : all_pages()) {
      if (page.view != view.id || test::kSanitized) continue;
      test::open_page(s.app, page);
      tips.look_at_all(std::string(view.key) + "/" + page.key);
    }
  }
  CHECK(tips.said.size() > (test::kSanitized ? 50 : 200));
}
