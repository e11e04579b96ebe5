// What the last change moved in tables and plots: marked, told, exchanged while the state before is looked at, gone
// with the marks.
#include <catch2/catch.hpp>
#include <sstream>

#include "app/draw/recording.h"
#include "app/platform/theme.h"
#include "core/document/edits/edit.h"
#include "tests/support/examples.h"
#include "tests/support/session.h"

using namespace hydra;
using Catch::Matchers::Contains;

namespace {

struct Compared : Session {
  Compared(ViewId id, const std::string& document = "heads_designed") : Session(test::example(document)) {
    set(view().view, id);
    settle();
  }
  // Of the last layout, whose name begins so.
  int marks(const std::string& name) {
    int count = 0;
    for (const std::string& probe : ui.names()) count += probe.starts_with(name) ? 1 : 0;
    return count;
  }
  // All words of the tip over a thing.
  std::string tip_over(const std::string& name) {
    ui.move(ui.rect(name).center());
    Recording recording(ui.size);
    app.record_in(&recording, true);
    ui.frames(3);
    app.record_in(nullptr);
    std::string words;
    for (const Recording::Mark* mark : recording.of("tip"))
      if (const auto* text = std::get_if<Recording::Words>(&mark->what)) words += text->meant + "\n";
    ui.leave();
    ui.frames(1);
    return words;
  }
  int paths_in_change_colour(const std::string& part) {
    Recording recording(ui.size);
    app.record_in(&recording, true);
    ui.frames(2);
    app.record_in(nullptr);
    int count = 0;
    const ImU32 change = theme(view().dark).change & ~IM_COL32_A_MASK;
    for (const Recording::Mark* mark : recording.of(part))
      if (const auto* path = std::get_if<Recording::Path>(&mark->what))
        count += (path->color & ~IM_COL32_A_MASK) == change ? 1 : 0;
    return count;
  }
};

}  // namespace

TEST_CASE("compared: a gate that is closed marks what it moves in the table of Mixing, and says what was", "[views]") {
  Compared s(ViewId::mixing);
  s.set(s.view().mixing.page, MixingPage::shares);
  s.settle();
  CHECK(s.marks("mixing/other/") == 0);
  CHECK(s.paths_in_change_colour("mixing.curve") == 0);
  s.app.edit({SetGate{1, 0}, 0});
  s.settle();
  CHECK(s.ui.exists("mixing/other/2/gate_value"));
  CHECK(s.ui.exists("mixing/other/2/share"));
  CHECK(s.ui.exists("mixing/other/1/share"));
  CHECK_FALSE(s.ui.exists("mixing/other/1/gate_value"));
  CHECK_FALSE(s.ui.exists("mixing/other/2/norm"));  // rows of W_O are as they were
  CHECK_THAT(s.tip_over("mixing/cell/2/share"), Contains("was "));
  CHECK(s.paths_in_change_colour("mixing.curve") == 0);  // heads are removed in another order now
  SECTION("a curve of before stands behind that of now where heads are removed in the same order") {
    s.app.edit({SetGate{1, 1}, 0});
    s.settle();
    s.app.edit({SetGate{1, 0.98f}, 0});
    s.settle();
    CHECK(s.paths_in_change_colour("mixing.curve") == 1);
  }
  SECTION("what was before is there at once, where the change was made in another view") {
    s.app.edit({SetGate{1, 1}, 0});
    s.set(s.view().view, ViewId::flow);
    s.settle();
    s.app.edit({SetGate{0, 0.99f}, 0});
    s.settle();
    s.app.edit({SetGate{0, 0.98f}, 0});  // what is before it was never looked at
    s.settle();
    s.set(s.view().view, ViewId::mixing);
    s.settle();
    CHECK(s.paths_in_change_colour("mixing.curve") == 1);
    CHECK(s.ui.exists("mixing/other/1/share"));
  }
  SECTION("while the state before is looked at the marks are of what comes after") {
    s.ui.input.push({.kind = InputEvent::Kind::key, .code = 'B', .down = true});
    s.settle();
    CHECK(s.ui.exists("mixing/other/2/gate_value"));
    CHECK_THAT(s.tip_over("mixing/cell/2/share"), Contains("now "));
    s.ui.input.push({.kind = InputEvent::Kind::key, .code = 'B', .down = false});
    s.settle();
  }
  SECTION("they go with the other marks") {
    s.set(s.view().marks_changes, false);
    s.settle();
    CHECK(s.marks("mixing/other/") == 0);
    CHECK(s.paths_in_change_colour("mixing.curve") == 0);
  }
}

TEST_CASE("compared: Roles' scores and the ranks of Likeness are compared with what was measured", "[views]") {
  SECTION("roles") {
    Compared s(ViewId::roles);
    s.app.finish_names();
    s.settle();
    s.app.edit({SetGate{1, 0}, 0});
    s.app.finish_names();
    s.settle();
    s.app.finish_names();
    s.settle();
    CHECK(s.ui.exists("roles/other/2/removal"));
    CHECK_THAT(s.tip_over("roles/cell/2/removal"), Contains("was "));
  }
  SECTION("ranks") {
    Compared s(ViewId::likeness);
    s.set(s.view().likeness.page, LikenessPage::ranks);
    s.settle();
    s.app.edit({SetBlock{Quantity::W_Q, 0, 0, share(Mat<float>(Mat<float>::Constant(64, 8, 0.1f)))}, 0});
    s.settle();
    CHECK(s.ui.exists("likeness/ranks/table/other/1/query_key_rank"));
    CHECK_FALSE(s.ui.exists("likeness/ranks/table/other/2/query_key_rank"));
    CHECK(s.paths_in_change_colour("likeness.ranks") >= 1);
  }
}

TEST_CASE("compared: a gate that is half closed marks what its head adds to each token's stream", "[views]") {
  Compared s(ViewId::stream, "trained_grammar");
  CHECK(s.paths_in_change_colour("stream.words") == 0);
  s.app.edit({SetGate{2, 0.5f}, 0});
  s.settle();
  CHECK(s.paths_in_change_colour("stream.words") == std::ssize(s.app.trace().tokens));  // where each of its bars ended
  CHECK_THAT(s.tip_over("stream/cell/1/3"), Contains("was "));
  CHECK_THAT(s.tip_over("stream/line/1/contribution/3"), Contains("was "));
  CHECK_THAT(s.tip_over("stream/cell/0/3"), Contains("was size 11.6;"));  // the words' own part of what leaves
  s.set(s.view().marks_changes, false);
  s.settle();
  CHECK(s.paths_in_change_colour("stream.words") == 0);
}
