// A training's checkpoints in the window: the line under the views, and going from one to another.
#include <filesystem>

#include "app/views/change/changes.h"
#include "core/document/model_file.h"
#include "core/linalg/same_bits.h"
#include "tests/support/checkpoints.h"
#include "tests/support/examples.h"
#include "tests/support/session.h"

using namespace hydra;
using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

struct SeriesSession : Session {
  explicit SeriesSession(const std::vector<int>& steps)
      : Session(test::example("trained_grammar"), {1280, 800}), run(steps) {}
  void open(const std::string& path) {
    app.act(act::Open{path, false});
    settle();
  }
  void go_to(int step, std::optional<bool> with_edits = {}) {
    app.act(act::GoToCheckpoint{run.folder_of(step), with_edits});
    settle();
  }
  std::string here() const { return fs::path(document().file->path).filename().string(); }
  float first_weight() const { return (*document().layers[0].weights.W_Q)(0, 0); }
  TrainedCheckpoints run;
};

}  // namespace

TEST_CASE("checkpoints: a folder of them opens with the last, and keys and the line go to others",
          "[app][models][series]") {
  SeriesSession s({100, 200, 300});
  s.open(s.run.folder.path.string());
  REQUIRE(s.document().file);
  CHECK(s.here() == "checkpoint-300");
  REQUIRE(s.tools().checkpoints);
  CHECK(s.ui.exists("series/bar"));
  s.app.edit(SetSentence{"3 1 4 1 5"});
  s.app.act(act::GoTo{1, 2});
  s.set(s.view().view, ViewId::heads);
  s.settle();
  const float before = s.first_weight();
  s.ui.click("series/before");
  s.settle();
  CHECK(s.here() == "checkpoint-200");
  CHECK(s.first_weight() == Approx(before - 0.1f));
  CHECK(s.document().sentence == "3 1 4 1 5");
  CHECK(s.document().notes.title == "checkpoint-200");
  CHECK(s.view().view == ViewId::heads);
  CHECK(s.view().layer == 1);
  CHECK(s.view().focused_head == 2);
  CHECK_FALSE(s.app.failure().size());
  s.ui.key(key::left);
  s.settle();
  CHECK(s.here() == "checkpoint-100");
  s.ui.key(key::left);  // there is none before
  s.settle();
  CHECK(s.here() == "checkpoint-100");
  const UiDriver::Rect bar = s.ui.rect("series/bar");
  s.ui.click(bar.at(0.99f, 0.5f));
  s.settle();
  CHECK(s.here() == "checkpoint-300");
  s.app.act(act::Undo{});
  s.settle();
  CHECK(s.here() == "checkpoint-100");
  CHECK(s.ui.exists("series/bar"));
}

TEST_CASE("checkpoints: edits go along, and those of whole matrices are asked about", "[app][models][series]") {
  SeriesSession s({100, 200});
  s.open(s.run.folder_of(100));
  s.app.edit({set_cell(Quantity::W_Q, 2, 3, 7.5f), 0});
  s.settle();
  s.go_to(200);
  CHECK(s.here() == "checkpoint-200");
  CHECK((*s.document().layers[0].weights.W_Q)(2, 3) == 7.5f);
  CHECK(s.app.history().modified());
  const Mat<float> ones = Mat<float>::Ones(12, 12);
  s.app.edit({SetBlock{Quantity::W_O, 0, 0, share(Mat<float>(ones))}, 1});
  s.settle();
  s.go_to(100);
  CHECK(s.here() == "checkpoint-200");
  REQUIRE(s.app.front().question);
  CHECK_THAT(s.app.front().question->lines.front(), Contains("layers.1.W_O"));
  s.app.act(act::Answer{2});
  s.settle();
  CHECK(s.here() == "checkpoint-200");
  s.go_to(100);
  s.app.act(act::Answer{0});
  s.settle();
  CHECK(s.here() == "checkpoint-100");
  CHECK((*s.document().layers[1].weights.W_O)(5, 5) == 1);
  s.go_to(200, false);
  CHECK(s.here() == "checkpoint-200");
  CHECK((*s.document().layers[1].weights.W_O)(5, 5) != 1);
  CHECK((*s.document().layers[0].weights.W_Q)(2, 3) != 7.5f);
}

TEST_CASE("checkpoints: what was only looked at is nothing that is unsaved", "[app][models][series]") {
  SeriesSession s({100, 200});
  s.open(s.run.folder_of(100));
  s.go_to(200);
  s.go_to(100);
  CHECK_FALSE(s.app.history().modified());
  CHECK(s.app.history().unsaved().empty());
  s.app.edit({set_cell(Quantity::W_Q, 0, 0, 1), 0});
  s.settle();
  s.go_to(200);
  s.go_to(100);
  CHECK(s.app.history().unsaved().size() == 1);  // one piece of work, wherever it has been
}

TEST_CASE("checkpoints: what moved is marked as after a change", "[app][models][series]") {
  SeriesSession s({100, 101});
  s.open(s.run.folder_of(100));
  s.set(s.view().view, ViewId::heads);
  s.settle();
  const auto marked = [&] {
    return std::ranges::count_if(s.ui.sink.heatmaps, [](const Heatmap& heatmap) { return heatmap.mark != 0; });
  };
  CHECK(marked() == 0);
  s.go_to(101);
  CHECK(marked() > 0);
}

TEST_CASE("checkpoints: one that is gone meanwhile is told, and stands in the line no more", "[app][models][series]") {
  SeriesSession s({100, 200, 300});
  s.open(s.run.folder_of(200));
  REQUIRE(s.tools().checkpoints->members.size() == 3);
  fs::remove_all(s.run.folder_of(300));
  s.go_to(300);
  CHECK(s.here() == "checkpoint-200");
  CHECK(s.app.notice().is_error);
  REQUIRE(s.tools().checkpoints);
  CHECK(s.tools().checkpoints->members.size() == 2);
}

TEST_CASE("checkpoints: one alone, and a document without a model, have no line", "[app][models][series]") {
  SeriesSession s({100});
  CHECK_FALSE(s.tools().checkpoints);
  s.app.act(act::GoToCheckpoint{s.run.folder_of(100)});
  s.settle();
  CHECK_THAT(s.app.notice().sentence, Contains("of no checkpoint"));
  s.open(s.run.folder_of(100));
  CHECK_FALSE(s.tools().checkpoints);
  CHECK_FALSE(s.ui.exists("series/bar"));
}
