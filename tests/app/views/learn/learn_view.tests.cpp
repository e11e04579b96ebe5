// The Learn view by its names: training, pausing, going back and forth, branches, undo.
#include "app/draw/color_map.h"
#include "app/draw/format.h"
#include "app/platform/theme.h"
#include "core/document/edits/edit.h"
#include "core/io/file.h"
#include "core/learn/run.h"
#include "core/learn/runs/run_file.h"
#include "core/learn/start.h"
#include "tests/app/views/learn/lesson.h"
#include "tests/support/examples.h"
#include "tests/support/folder.h"

using namespace hydra;

namespace {

// A run of the recipe's steps with a price on open gates, to its end.
void view_of_gates(Lesson& s) {
  s.set(s.view().learn.setup.recipe, learn::make_task("collapse")->info().recipe);
  s.set(s.view().learn.setup.recipe.controls.gates, 0.1);
  s.ui.click("learn/train");
  s.ui.frames(2);
  if (s.app.front().question) s.ui.click("question/Begin another");
  s.ui.frames(2);
  s.wait_for_training();
}

}  // namespace

TEST_CASE("learn: the task's page stands there until training begins", "[learn]") {
  Lesson s;
  CHECK(s.ui.exists("learn/page"));
  CHECK_FALSE(s.ui.exists("learn/loss"));
  s.train_until(30);
  CHECK_FALSE(s.ui.exists("learn/page"));
  for (const char* name : {"learn/loss", "learn/accuracy", "learn/detail/0", "learn/branch/0", "learn/head/0/7"})
    CHECK(s.ui.exists(name));
}

TEST_CASE("learn: what was learned is the document, one undo step for a run", "[learn]") {
  Lesson s;
  s.train_until(20);
  const auto task = learn::make_task("collapse");
  learn::Recipe recipe = task->info().recipe;
  recipe.steps = 20;
  learn::Run run(task, learn::starting_document(*task, recipe, 0), recipe, 0);
  for (int k = 0; k < 20; ++k) run.take_step(nullptr);
  CHECK(same_bits(s.weights().W_Q, run.document().layers[0].weights.W_Q));
  CHECK(same_bits(s.document().weights.E, run.document().weights.E));
  CHECK(s.trace().heads[0].attention->rows() == static_cast<Index>(s.document().tokens->size()));
  s.ui.key('Z', true);
  s.settle();
  CHECK(same_bits(s.weights().W_Q, learn::starting_document(*task, recipe, 0).layers[0].weights.W_Q));
  s.ui.key('Z', true);
  s.settle();
  CHECK(s.document().sentence == default_document().sentence);
  s.ui.key('Y', true), s.ui.key('Y', true);
  s.settle();
  CHECK(same_bits(s.weights().W_Q, run.document().layers[0].weights.W_Q));
}

TEST_CASE("learn: back and forth in time every view follows, and training goes on from there as a branch", "[learn]") {
  Lesson s;
  s.train_until(40);
  const Mat<float> end = s.W_Q();
  const auto bar = s.ui.rect("learn/branch/0");
  s.ui.click(bar.at(0.5f, 0.5f));
  s.settle();
  const Mat<float> middle = s.W_Q();
  CHECK(middle != end);
  s.ui.click(s.ui.rect("learn/branch/0").at(0.999f, 0.5f));
  s.settle();
  CHECK(s.W_Q() == end);
  s.ui.key(key::left, false, true);  // ten steps back
  s.settle();
  CHECK(s.W_Q() != end);
  CHECK_FALSE(s.ui.exists("learn/branch/1"));
  // A head is silenced there, and stays so while the others learn.
  s.app.edit({SetGate{2, 0}, 0});
  s.settle();
  s.train_until(50);
  CHECK(s.ui.exists("learn/branch/1"));
  CHECK(s.layer().gates[2] == 0);
  CHECK(s.W_Q() != end);
  // The first branch is as it was.
  s.ui.click(s.ui.rect("learn/branch/0").at(0.799f, 0.5f));
  s.settle();
  CHECK(s.W_Q() == end);
  CHECK(s.layer().gates.empty());
  s.ui.click("learn/remove/1");
  s.settle();
  CHECK_FALSE(s.ui.exists("learn/branch/1"));
  // The run as it was is not lost.
  REQUIRE(s.app.learn().aside.size() == 1);
  CHECK(s.app.learn().aside[0].branches == 2);
}

TEST_CASE("learn: under every other view a line has the run's place in time, and goes back and forth", "[learn]") {
  Lesson s;
  CHECK_FALSE(s.ui.exists("transport/bar"));
  s.train_until(40);
  CHECK_FALSE(s.ui.exists("transport/bar"));  // Learn has its own
  const Mat<float> end = s.W_Q();
  for (const ViewId view : {ViewId::heads, ViewId::flow, ViewId::roles, ViewId::tradeoff}) {
    s.set(s.view().view, view);
    s.set(s.view().selection, std::nullopt);
    s.settle();
    REQUIRE(s.ui.exists("transport/bar"));
    s.ui.click(s.ui.rect("transport/bar").at(0.5f, 0.5f));
    s.settle();
    CHECK(s.app.learn().step > 10);
    CHECK(s.app.learn().step < 30);
    CHECK(s.W_Q() != end);
    s.ui.key(key::left);
    const int step = s.app.learn().step;
    s.ui.key(key::right, false, true);
    s.settle();
    CHECK(s.app.learn().step == step + 10);
    s.ui.click(s.ui.rect("transport/bar").at(0.999f, 0.5f));
    s.settle();
    CHECK(s.W_Q() == end);
  }
  // Play shows the steps from where it is, and takes no new ones.
  s.ui.click(s.ui.rect("transport/bar").at(0.8f, 0.5f));
  s.settle();
  s.ui.click("transport/play");
  s.wait_until([&] { return s.app.learn().step >= 40; });
  s.settle();
  CHECK(s.app.learn().step == 40);
  CHECK(s.W_Q() == end);
  CHECK(s.app.learn().timeline->size() == 1);
}

TEST_CASE("learn: an edit while it trains pauses it, and is not lost", "[learn]") {
  Lesson s;
  s.set(s.view().learn.pace, 60);
  s.set(s.view().learn.setup.recipe.steps, 5000);
  s.ui.click("learn/train");
  s.ui.frames(10);
  REQUIRE(s.ui.exists("learn/pause"));
  s.app.edit(set_cell(Quantity::W_Q, 0, 0, 3.0f));
  s.wait_for_pause();
  CHECK(s.ui.exists("learn/train"));
  s.settle();
  CHECK(s.W_Q()(0, 0) == 3.0f);
}

TEST_CASE("learn: a task brings its seed", "[learn]") {
  Lesson s("students");
  CHECK(s.view().learn.setup.seed == learn::make_task("students")->info().seed);
  CHECK(s.view().learn.setup.seed == 1);
  s.ui.click("learn/task/collapse");
  s.ui.frames(2);
  CHECK(s.view().learn.setup.seed == 0);
  s.set(s.view().learn.setup.seed, 7);
  s.ui.click("learn/task/students");
  s.ui.frames(2);
  CHECK(s.view().learn.setup.seed == 1);  // what was set for one task is none of the next one's
}

TEST_CASE("learn: a bias that the run does not have makes the document another model, and another run", "[learn]") {
  Lesson s;
  s.train_until(5);
  s.app.edit({SetBlock{Quantity::b_Q, 0, 2, share(Mat<float>(Mat<float>::Constant(1, 1, 4.0f)))}, 0});
  s.settle();
  REQUIRE(s.weights().b_Q);
  s.ui.click("learn/train");
  s.ui.frames(3);
  s.wait_for_training();
  CHECK(s.app.learn().aside.size() == 1);
  REQUIRE(s.weights().b_Q);
  CHECK((*s.weights().b_Q)(0, 2) != 0.0f);
}

TEST_CASE("learn: the space bar trains and pauses, in presentation as well", "[learn]") {
  Lesson s("collapse", {1280, 800});
  s.set(s.view().presentation, true);
  s.ui.frames(3);
  s.set(s.view().learn.pace, 60);
  s.ui.key(key::space);
  s.ui.frames(5);
  CHECK(s.ui.exists("learn/pause"));
  s.ui.key(key::space);
  s.wait_for_pause();
  CHECK(s.ui.exists("learn/train"));
}

TEST_CASE("learn: a run is put aside for another model's, and is taken up where it was left", "[learn]") {
  Lesson s;
  s.train_until(10);
  s.go_to(0, 6);
  const Mat<float> at_six = s.W_Q();
  s.ui.click("learn/task/students");
  s.ui.frames(2);
  s.train_until(5);
  CHECK(s.layer().heads == 4);
  REQUIRE(s.app.learn().aside.size() == 1);
  CHECK(s.app.learn().aside[0].name == "Two questions, eight heads: 8 heads, d_model 32");
  CHECK(s.app.learn().aside[0].steps == 10);
  CHECK(s.app.learn().step == 5);

  s.ui.click("learn/runs");
  s.ui.frames(2);
  s.ui.click("learn/run/0");
  s.settle();
  CHECK(s.app.learn().fits);
  CHECK(s.app.learn().step == 6);
  CHECK(s.app.learn().timeline->branch(0).last() == 10);
  CHECK(s.W_Q() == at_six);
  CHECK(s.view().learn.setup.task == "collapse");
  REQUIRE(s.app.learn().aside.size() == 1);
  CHECK(s.app.learn().aside[0].steps == 5);

  // Undo goes back into the run that the document is of.
  s.ui.click("undo");
  s.settle();
  CHECK(s.layer().heads == 4);
  CHECK(s.app.learn().fits);
  CHECK(s.app.learn().step == 5);
  CHECK(s.app.learn().aside.size() == 1);
}

TEST_CASE("learn: runs beyond the bound are kept as files, and trained again to the same bits", "[learn]") {
  Lesson s;
  s.set(s.view().learn.most_bytes, 100'000);  // less than two of them
  s.train_until(40);
  const Mat<float> trained = s.W_Q();
  s.ui.click("learn/task/students");
  s.ui.frames(2);
  s.train_until(5);
  REQUIRE(s.app.learn().aside.size() == 1);
  CHECK_FALSE(s.app.learn().aside[0].at_once);
  CHECK(s.app.learn().aside[0].steps == 40);
  s.ui.click("learn/runs");
  s.ui.frames(2);
  s.ui.click("learn/run/0");
  s.ui.frames(3);
  s.wait_for_training();
  CHECK(s.app.learn().timeline->branch(0).last() == 40);
  CHECK(s.W_Q() == trained);
  CHECK(s.app.learn().told == "The run was trained again from its file, to the same bits.");
}

TEST_CASE("learn: a run is saved as a small file, and opened again with its branches to the same bits", "[learn]") {
  const Folder folder;
  const std::string path = folder.file("lesson.run.json");
  Mat<float> shown;
  int branches = 0;
  {
    Lesson s;
    s.train_until(30);
    s.go_to(0, 12);
    s.app.edit({SetBlock{Quantity::W_Q, 2, 3, share(Mat<float>(Mat<float>::Constant(1, 1, 0.75f)))}, 0});
    s.settle();
    s.train_until(25);
    s.go_to(0, 20);
    s.set(s.view().learn.setup.seed, 9);
    s.train_until(28);
    s.go_to(1, 18);
    shown = s.W_Q();
    branches = s.app.learn().timeline->size();
    s.ui.click("learn/runs");
    s.ui.frames(2);
    s.ui.click("learn/save_run");
    s.ui.frames(3);
    s.ui.click("file/path");
    s.ui.key(key::letter('a'), true);
    s.ui.type(path);
    s.ui.click("file/ok");
    s.settle();
    CHECK(s.notice().sentence == "saved the run in " + path);
  }
  REQUIRE(branches == 3);
  Session s;
  s.app.open(path);
  s.settle();
  CHECK(s.view().view == ViewId::learn);
  s.wait_until([&] { return s.app.learn().again_of == 0; });
  s.settle();
  CHECK(s.app.learn().told == "The run was trained again from its file, to the same bits.");
  REQUIRE(s.app.learn().timeline);
  REQUIRE(s.app.learn().timeline->size() == 3);
  CHECK(s.app.learn().timeline->branch(1).name == "weights edited at 12");
  CHECK(s.app.learn().timeline->branch(2).name == "data of seed 9 at 20");
  CHECK((s.app.learn().branch == 1 && s.app.learn().step == 18));
  CHECK(*s.document().layers.front().weights.W_Q == shown);
}

TEST_CASE("learn: of a text that is learned by heart it says since when what is held out gets worse", "[learn]") {
  Lesson s("text");
  std::string text;
  Random random(5);
  for (int k = 0; k < 400; ++k) text += "word" + std::to_string(random.bits() % 60) + " ";  // nothing holds beyond it
  s.set(s.view().learn.setup.text, text);
  s.ui.frames(2);
  s.train_until(160);
  const LearnTold& learn = s.app.learn();
  REQUIRE(learn.best_step >= 0);
  CHECK(learn.best_step < 140);
  const Index track = learn.timeline->tracks().held_out_loss();
  for (int step = 0; step <= 152; step += 8) CHECK(learn.timeline->value(0, track, step) >= learn.best_loss);
  CHECK(learn.timeline->value(0, track, 152) > 1.05 * learn.best_loss);
  CHECK(learn.timeline->value(0, learn.timeline->tracks().loss(), 152) < learn.best_loss);
}

TEST_CASE("learn: runs stay from one window to the next, and none is lost when it closes", "[learn]") {
  const Folder folder;
  Mat<float> trained;
  {
    Lesson s;
    s.app.keep_runs_in(folder.file("runs"));
    s.train_until(12);
    trained = s.W_Q();
    s.ui.click("learn/task/students");
    s.ui.frames(2);
    s.train_until(5);
    s.app.finish_recovery();
  }
  Session s;
  s.app.keep_runs_in(folder.file("runs"));
  s.app.finish_recovery();
  s.ui.frames(2);
  REQUIRE(s.app.learn().aside.size() == 2);
  CHECK(s.app.learn().aside[0].name.starts_with("Students"));  // the latest first
  CHECK(s.app.learn().aside[1].steps == 12);
  s.set(s.view().view, ViewId::learn);
  s.ui.frames(2);
  s.ui.click("learn/runs");
  s.ui.frames(2);
  s.ui.click("learn/run/1");
  s.ui.frames(10);
  s.wait_until([&] { return s.app.learn().again_of == 0; });
  s.settle();
  CHECK(s.app.learn().step == 12);
  CHECK(*s.document().layers.front().weights.W_Q == trained);
}

TEST_CASE("learn: with a price on gates the first Train goes to its end", "[learn]") {
  const bool from_document = GENERATE(false, true);
  Lesson s;
  if (from_document) {
    s.ui.click("learn/reset");
    s.settle();
  }
  s.set(s.view().learn.setup.recipe.controls.gates, 0.1);
  s.train_until(30);
  CHECK(s.app.learn().step == 30);
  CHECK(s.app.learn().timeline->size() == 1);
  CHECK_FALSE(s.app.learn().edited);
}

TEST_CASE("learn: another document with such a model is none of the run's", "[learn]") {
  Lesson s;
  s.train_until(10);
  const auto task = learn::make_task("collapse");
  s.app.edit({ReplaceDocument{learn::starting_document(*task, task->info().recipe, 99), "other"}, 0});
  s.settle();
  CHECK_FALSE(s.app.learn().fits);
  CHECK_FALSE(s.app.learn().edited);
  s.ui.click("undo");
  s.settle();
  CHECK(s.app.learn().fits);
  CHECK_FALSE(s.app.learn().edited);
  CHECK(s.app.learn().step == 10);
}

TEST_CASE("learn: a run that is trained again from its file can be paused, and loses no branch", "[learn]") {
  const Folder folder;
  const std::string path = folder.file("long.run.json");
  const auto task = learn::make_task("collapse");
  learn::RunFile file;
  file.task = "collapse";
  for (const int parent : {-1, 0, 0}) {
    learn::RunFile::Branch& branch = file.branches.emplace_back();
    branch.name = "branch " + std::to_string(file.branches.size());
    branch.recipe = task->info().recipe;
    branch.parent = parent, branch.from = parent < 0 ? 0 : 20, branch.last = 60;
    branch.seed = file.branches.size();
  }
  std::ofstream(path) << learn::run_file_text(file);
  Session s;
  s.set(s.view().learn.pace, 2);  // sixty steps take half a minute: no build is so slow that they end before the pause
  s.app.open(path);
  s.settle();
  s.wait_until([&] { return s.app.learn().step >= 1; });
  REQUIRE(s.ui.exists("learn/pause"));
  s.ui.click("learn/pause");
  s.wait_until([&] { return !s.ui.exists("learn/pause"); });
  CHECK(s.app.learn().timeline->size() == 1);
  CHECK(s.app.learn().again_of == 3);
  s.set(s.view().learn.pace, 0);
  s.ui.frames(2);
  s.ui.click("learn/train");
  s.wait_until([&] { return s.app.learn().again_of == 0; });
  REQUIRE(s.app.learn().timeline->size() == 3);
  for (int k = 0; k < 3; ++k) CHECK(s.app.learn().timeline->branch(k).last() == 60);
}

TEST_CASE("learn: the last step shows what is held out as well", "[learn]") {
  Lesson s;
  s.train_until(32);
  CHECK(s.ui.exists("learn/held_out"));
}

TEST_CASE("learn: a number of a pattern is followed over the steps, of all heads and branches", "[learn]") {
  Lesson s;
  s.train_until(100);
  s.go_to(0, 50);
  s.set(s.view().learn.setup.seed, 4);
  s.train_until(70);
  REQUIRE(s.app.learn().timeline->size() == 2);
  // From the inspector, at a number of head 3.
  s.set(s.view().view, ViewId::heads);
  s.open({{Quantity::attention, 0, 2}, 5, 1});
  s.ui.click("inspector/follow");
  s.ui.frames(2);
  CHECK(s.view().view == ViewId::learn);
  CHECK(s.view().learn.followed.row == 5);
  const FollowedTold& shown = s.app.learn().followed;
  const auto wait = [&] {
    s.wait_until([&] { return shown.complete; });
    REQUIRE(shown.complete);
  };
  wait();
  REQUIRE(shown.branches.size() == 2);
  const FollowedTold::Line& own = shown.branches[1];
  REQUIRE(own.tracks.size() == 8);
  // At a step of it, in every head, it is what the document shows there.
  for (const int step : {54, 70}) {
    s.go_to(1, step);
    wait();
    for (int h = 0; h < 8; ++h) {
      const auto at = static_cast<std::size_t>((step - own.first) / own.apart);
      CHECK(own.tracks[static_cast<std::size_t>(h)][at] ==
            Approx(static_cast<double>((*s.head(h).attention)(5, 1))).margin(2e-5));
    }
  }
  CHECK(s.ui.exists("learn/follow/cell"));
  s.ui.click("learn/follow/-1");
  s.ui.frames(2);
  wait();
  CHECK(shown.of.offset == -1);
  CHECK(shown.branches[0].tracks[0][0] > 0);
  CHECK(shown.branches[0].tracks[0][0] < 1);
}

TEST_CASE("learn: in a presentation at 1280x800 a run has its curves, its heads and the timeline", "[learn]") {
  const std::string task = GENERATE("induction", "collapse", "grammar");
  Lesson s(task, {1280, 800});
  s.train_until(12);
  s.set(s.view().presentation, true);
  s.settle();
  s.ui.frames(2);
  for (const char* name : {"learn/loss", "learn/accuracy", "learn/branch/0", "learn/head/0/0"}) {
    INFO(task << ": " << name);
    REQUIRE(s.ui.exists(name));
    CHECK(s.ui.rect(name).max.y <= 800);
  }
  CHECK(s.ui.rect("learn/head/0/0").max.x - s.ui.rect("learn/head/0/0").min.x >= 56);
  // They can be read from the last row: each has a third of the page and more, and the others take their place.
  const auto height = [&](const char* name) { return s.ui.rect(name).max.y - s.ui.rect(name).min.y; };
  const float page = s.ui.rect("learn/branch/0").max.y - s.ui.rect("learn/page/run").min.y;
  CHECK(height("learn/loss") > page / 2);
  CHECK(height("learn/accuracy") > page / 2);
  CHECK_FALSE(s.ui.exists("learn/detail/0"));
  s.ui.click("learn/chart/roles");
  s.ui.frames(2);
  CHECK_FALSE(s.ui.exists("learn/loss"));
  CHECK(s.ui.rect("learn/detail/0").max.y <= 800);
  CHECK(height("learn/detail/0") > page / 5);
  s.ui.click("learn/chart/scores");
  s.ui.frames(2);
  CHECK(s.ui.exists("learn/loss"));
  // Another task is chosen under Controls.
  CHECK_FALSE(s.ui.exists("learn/task/students"));
  s.ui.click("learn/more");
  s.ui.frames(2);
  CHECK(s.ui.exists("learn/task/students"));
}

TEST_CASE("learn: Train keeps its place through all that it says, and a double click does what a click does",
          "[app][learn]") {
  const bool presentation = GENERATE(false, true);
  Session s(test::example("trained_induction"), {1280, 800});
  s.set(s.view().view, ViewId::learn);
  s.set(s.view().presentation, presentation);
  s.settle();
  s.set(s.view().learn.setup.recipe.steps, 30);
  s.set(s.view().learn.pace, 60.0);
  s.ui.frames(2);
  const auto is_at = [&](const UiDriver::Rect& a, const UiDriver::Rect& b) {
    return a.min.x == b.min.x && a.min.y == b.min.y && a.max.x == b.max.x && a.max.y == b.max.y;
  };
  const UiDriver::Rect anew = s.ui.rect("learn/train");
  CHECK_FALSE(draws(s.ui, "learn/train", theme(false).accent));  // no chip that is chosen
  s.ui.double_click("learn/train");
  s.ui.frames(4);
  REQUIRE(s.ui.exists("learn/pause"));
  CHECK(is_at(s.ui.rect("learn/pause"), anew));
  s.wait_until([&] { return !s.ui.exists("learn/pause"); });
  s.settle();
  CHECK(s.app.learn().step == 30);
  CHECK(is_at(s.ui.rect("learn/train"), anew));
}

TEST_CASE("learn: what is asked has no head's colour", "[learn]") {
  Lesson s("grammar");
  s.train_until(12);
  s.ui.click("learn/chart/questions");
  s.ui.frames(2);
  for (const char* chart : {"learn/detail/0", "learn/detail/1", "learn/detail/2", "learn/detail/3"})
    for (int head = 0; head < 4; ++head) CHECK_FALSE(draws(s.ui, chart, head_color(head, false)));
  s.ui.click("learn/chart/roles");
  s.ui.frames(2);
  CHECK(draws(s.ui, "learn/detail/0", head_color(0, false)));
}

TEST_CASE("learn: notes whose sentence training has replaced say which they speak of", "[learn]") {
  Lesson s("grammar");
  s.set(s.view().sides.notes, true), s.set(s.view().notes_open, true);
  s.settle();
  CHECK_FALSE(s.ui.exists("notes/about"));
  s.train_until(2);
  s.set(s.view().sides.notes, true), s.set(s.view().notes_open, true);
  s.settle();
  REQUIRE(s.ui.exists("notes/title"));
  CHECK(s.document().notes.about.starts_with("the old king"));
  CHECK(s.ui.exists("notes/about"));
  const std::string own = s.document().sentence;
  s.app.edit({SetSentence{s.document().notes.about}, 0});  // the one that they speak of
  s.settle();
  CHECK_FALSE(s.ui.exists("notes/about"));
  s.app.edit({SetSentence{own}, 0});
  s.settle();
  CHECK(s.ui.exists("notes/about"));
  const Document again = parse_document(document_text(s.document()), "again");
  CHECK(again.notes == s.document().notes);
}

TEST_CASE("learn: Pruning has no loss of other sequences beside its own", "[learn]") {
  Lesson s;
  s.train_until(16);
  CHECK(s.ui.exists("learn/held_out"));
  s.set(s.view().learn.page, LearnPage::pruning);
  s.wait_until([&] { return s.ui.exists("learn/cut/now"); });
  CHECK(s.ui.exists("learn/headline"));
  CHECK_FALSE(s.ui.exists("learn/held_out"));
  // Its chart stays where it is when a head is cut.
  s.set(s.view().presentation, true);
  s.settle();
  const float top = s.ui.rect("learn/cut").min.y;
  s.app.edit({SetGate{0, 0}, 0});
  s.settle();
  CHECK(s.ui.rect("learn/cut").min.y == top);
}

TEST_CASE("learn: a step that has been taken is gone to, and no branch of its own", "[learn]") {
  Lesson s;
  s.train_until(20);
  const Mat<float> end = s.W_Q();
  s.ui.key(key::left);
  s.settle();
  CHECK(s.W_Q() != end);
  s.ui.click("learn/step");
  s.wait_for_training();
  CHECK(s.W_Q() == end);
  CHECK_FALSE(s.ui.exists("learn/branch/1"));
  // With other data it is another step.
  s.ui.key(key::left);
  s.settle();
  s.set(s.view().learn.setup.seed, 5);
  s.ui.click("learn/step");
  s.wait_for_training();
  CHECK(s.ui.exists("learn/branch/1"));
  CHECK(s.W_Q() != end);
}

TEST_CASE("learn: a step that is not kept is trained again to the same bits, and shown when it is there", "[learn]") {
  Lesson s;
  s.set(s.view().learn.most_bytes, 400'000);  // some fifteen steps of this model
  s.train_until(300);
  const learn::Timeline& timeline = *s.app.learn().timeline;
  REQUIRE_FALSE(timeline.keeps_all());
  CHECK(timeline.bytes() <= timeline.most_bytes());
  CHECK(s.ui.exists("learn/kept"));
  const auto task = learn::make_task("collapse");
  learn::Recipe recipe = task->info().recipe;
  recipe.steps = 300;
  const auto alone = [&](int steps, const std::vector<double>& gates = {}, int from = 0) -> Mat<float> {
    learn::Run run(task, learn::starting_document(*task, recipe, 0), recipe, 0);
    for (int k = 0; k < from; ++k) run.take_step(nullptr);
    run.set_gates(gates);
    for (int k = from; k < steps; ++k) run.take_step(nullptr);
    return *run.document().layers[0].weights.W_Q;
  };
  const auto go_to = [&](int branch, int step) {
    const auto bar = s.ui.rect("learn/branch/" + std::to_string(branch));
    // The bar is a row's height wider than its steps.
    const float row = bar.max.y - bar.min.y, wide = bar.max.x - bar.min.x - 0.8f * row;
    s.ui.click(ImVec2{bar.min.x + 0.4f * row + static_cast<float>(step) / 300 * wide, bar.center().y});
    s.ui.frames(2);
    s.wait_until([&] { return s.app.learn().recalled < 0; });
    s.settle();
    CHECK(s.app.learn().step == step);
  };
  for (const int step : {77, 151, 298}) {
    INFO(step);
    const bool kept = timeline.branch(0).kept.contains(step);
    CHECK((step == 298 || !kept));
    go_to(0, step);
    CHECK(s.W_Q() == alone(step));
    CHECK_FALSE(s.app.learn().edited);
    // Its loss is there as well.
    CHECK_FALSE(std::isnan(timeline.value(0, timeline.tracks().loss(), step)));
  }
  // On from there, with a head silenced: a branch, of which the parent's steps are trained again.
  go_to(0, 77);
  s.app.edit({SetGate{2, 0}, 0});
  s.settle();
  s.train_until(300);
  CHECK(timeline.bytes() <= timeline.most_bytes());
  const std::vector<double> gates = timeline.branch(1).gates;
  REQUIRE(gates.size() == 8);
  CHECK(s.W_Q() == alone(300, gates, 77));
  go_to(1, 200);
  CHECK(s.W_Q() == alone(200, gates, 77));
  // What Undo brings back is found again in the run, though the timeline does not keep it.
  go_to(0, 151);
  s.ui.key('Z', true);
  s.settle();
  CHECK(s.W_Q() == alone(200, gates, 77));
  CHECK(s.app.learn().step == 200);
  CHECK(s.app.learn().branch == 1);
  CHECK_FALSE(s.app.learn().edited);
}

TEST_CASE("learn: a step that is trained again can be called off, and an edit calls it off", "[learn]") {
  Lesson s;
  s.set(s.view().learn.most_bytes, 400'000);
  s.train_until(300);
  const Mat<float> end = s.W_Q();
  s.set(s.view().learn.setup.recipe.steps, 300);
  const auto bar = s.ui.rect("learn/branch/0");
  const auto ask = [&] {
    s.ui.move(bar.at(0.26f, 0.5f));
    s.ui.press(), s.ui.release();
    s.ui.frames(1);
  };
  ask();
  s.ui.key(key::space);
  s.wait_until([&] { return s.app.learn().recalled < 0; });
  CHECK(s.ui.exists("learn/train"));
  // It is where it stood or where it was dragged to, and not between.
  CHECK(s.app.learn().timeline->is_there(s.app.learn().branch, s.app.learn().step));
  ask();
  s.app.edit(set_cell(Quantity::W_Q, 0, 0, 3.0f));
  s.settle();
  CHECK(s.W_Q()(0, 0) == 3.0f);
}

TEST_CASE("learn: where no branch has room any more it says so and takes none", "[learn]") {
  Lesson s;
  s.set(s.view().learn.most_bytes, 300'000);
  s.train_until(20);
  for (int k = 0; k < 6; ++k) {
    s.set(s.view().learn.setup.seed, static_cast<std::uint64_t>(10 + k));
    s.train_until(20 + k + 1);
  }
  const learn::Timeline& timeline = *s.app.learn().timeline;
  CHECK(timeline.size() >= 2);
  CHECK(timeline.size() < 7);
  CHECK(timeline.bytes() <= timeline.most_bytes());
  CHECK(s.notice().sentence.find("delete one") != std::string::npos);
}

TEST_CASE("learn: L0 gates have a chart, and a head that is closed says since when", "[learn]") {
  Lesson s;
  CHECK_FALSE(s.ui.exists("learn/chart/gates"));
  s.train_until(5);
  CHECK_FALSE(s.ui.exists("learn/chart/gates"));
  view_of_gates(s);
  REQUIRE(s.ui.exists("learn/chart/gates"));
  s.ui.click("learn/chart/gates");
  s.ui.frames(2);
  CHECK(s.ui.exists("learn/detail/0"));
  const std::vector<float>& gates = s.document().layers[0].gates;
  REQUIRE(gates.size() == 8);
  int closed = 0;
  for (int h = 0; h < 8; ++h) {
    const bool is_closed = gates[static_cast<std::size_t>(h)] == 0;
    CHECK(s.ui.exists(ui::words("learn/closed/0/", h)) == is_closed);
    closed += is_closed;
  }
  CHECK(closed >= 3);
}

TEST_CASE("learn: pages of a run that is not there offer to begin one, and replace nothing unasked", "[learn]") {
  Lesson s;
  const Document before = s.document();
  for (const LearnPage page : {LearnPage::gradients, LearnPage::pruning}) {
    s.set(s.view().learn.page, page);
    s.ui.frames(2);
    CHECK(s.ui.exists("learn/begin"));
    CHECK_FALSE(s.ui.exists("learn/use"));
    CHECK_FALSE(s.ui.exists("learn/headline"));
  }
  CHECK(same_document(s.document(), before));
  s.ui.click("learn/begin");
  s.settle();
  CHECK_FALSE(s.ui.exists("learn/begin"));
  CHECK(s.document().embedding.kind == Embedding::Kind::learned);
  CHECK(s.app.learn().timeline->branch(0).last() == 0);
  s.ui.key('Z', true);
  s.settle();
  CHECK(same_document(s.document(), before));
}

TEST_CASE("learn: while the class guesses nothing says which heads are needed", "[learn]") {
  Lesson s;
  s.train_until(5);
  s.set(s.view().learn.page, LearnPage::pruning);
  for (int k = 0; k < 4; ++k) s.settle();
  REQUIRE(s.ui.exists("learn/worth/0"));
  s.ui.key('Q');
  s.ui.frames(2);
  for (const char* name : {"learn/worth/0", "learn/worth/note", "learn/cut/now"}) CHECK_FALSE(s.ui.exists(name));
  CHECK(s.ui.exists("learn/worth/guess"));
  s.ui.key('Q');
  s.ui.frames(2);
  CHECK(s.ui.exists("learn/worth/0"));
}

TEST_CASE("learn: under all controls of a presentation the curves can be read, and nothing is a stamp", "[learn]") {
  Lesson s;
  s.ui.size = {1280, 800};
  s.train_until(5);
  s.set(s.view().presentation, true);
  s.settle();
  CHECK(s.ui.exists("learn/head/0/0"));
  s.set(s.view().learn.more, true);
  s.settle();
  const float small = s.app.fonts().small->FontSize;
  const UiDriver::Rect timeline = s.ui.rect("learn/branch/0");
  for (const char* name : {"learn/loss", "learn/accuracy"}) {
    const auto chart = s.ui.seen(name);
    REQUIRE(chart);
    CHECK(chart->max.y - chart->min.y > 11 * small);
    CHECK(chart->max.y <= timeline.min.y);
  }
  CHECK_FALSE(s.ui.exists("learn/head/0/0"));
  CHECK_FALSE(s.ui.exists("learn/chart/likeness"));
}

TEST_CASE("learn: a document of the task is used as it is", "[learn]") {
  const auto task = learn::make_task("collapse");
  learn::Recipe recipe = task->info().recipe;
  learn::Run run(task, learn::starting_document(*task, recipe, 3), recipe, 3);
  for (int k = 0; k < 5; ++k) run.take_step(nullptr);
  Session s(run.document());
  s.set(s.view().view, ViewId::learn);
  s.set(s.view().learn.page, LearnPage::gradients);
  s.settle();
  REQUIRE(s.ui.exists("learn/use"));
  s.ui.click("learn/use");
  s.settle();
  CHECK_FALSE(s.ui.exists("learn/use"));
  CHECK(same_bits(s.weights().W_Q, run.document().layers[0].weights.W_Q));
}

TEST_CASE("learn: Collapse shows no bar and no step of another task's run", "[learn]") {
  Lesson s("students");
  s.train_until(5);
  CHECK(s.ui.exists("learn/headline"));
  s.set(s.view().learn.page, LearnPage::collapse);
  s.ui.frames(2);
  for (const char* name : {"learn/headline", "learn/train", "learn/step"}) CHECK_FALSE(s.ui.exists(name));
  CHECK(s.ui.exists("learn/try/normal"));
}

TEST_CASE("learn: what was taken is shown and not trained again, and a run is called after its settings", "[learn]") {
  Lesson s;
  s.train_until(20);
  s.ui.click(s.ui.rect("learn/branch/0").at(0.3f, 0.5f));
  s.settle();
  const int middle = s.app.learn().step;
  REQUIRE(middle < 20);
  s.ui.click("learn/train");
  s.wait_until([&] { return !s.app.learn().playing; });
  s.settle();
  CHECK(s.app.learn().timeline->size() == 1);
  CHECK(s.app.learn().step == 20);
  s.set(s.view().learn.setup.recipe.optimizer.rate, 0.02);
  s.set(s.view().learn.setup.recipe.controls.repel, 0.3);
  s.ui.click("learn/reset");
  s.settle();
  REQUIRE(s.app.learn().timeline->size() == 2);
  CHECK(s.app.learn().timeline->branch(1).name.find("repel 0.3, rate 0.02") != std::string::npos);
  CHECK(s.ui.exists("learn/detail/branch"));
}

TEST_CASE("learn: Animal opens on a sentence that its adjective decides", "[learn]") {
  Lesson s("animal");
  s.train_until(2);
  INFO(s.document().sentence);
  CHECK(s.document().sentence.find("too") != std::string::npos);
}

TEST_CASE("learn: Undo of a stretch leads to its first step, and the page says so", "[learn]") {
  Lesson s;
  s.train_until(20);
  CHECK(s.app.learn().step == 20);
  s.ui.key('Z', true);
  s.settle();
  CHECK(s.app.learn().step == 0);
  CHECK_FALSE(s.app.learn().edited);
}

TEST_CASE("learn: on a model that has learned the task Space begins at random weights, and another button goes on",
          "[app][learn]") {
  Session s(test::example("trained_induction"));
  s.set(s.view().view, ViewId::learn);
  s.settle();  // its task is chosen, with the task's recipe
  REQUIRE(s.ui.exists("learn/train_on"));
  s.set(s.view().learn.setup.recipe.steps, 3);
  const auto W_Q = [&] { return Mat<float>(*s.weights().W_Q); };
  const Mat<float> trained = W_Q();
  s.ui.key(key::space);
  s.wait_until([&] { return s.app.learn().timeline && !s.app.learn().training && s.app.learn().step == 3; });
  REQUIRE(s.app.learn().timeline->size() == 1);
  CHECK(s.app.learn().timeline->branch(0).last() == 3);
  CHECK((W_Q() - trained).norm() > 0.5f * trained.norm());
  CHECK_FALSE(s.ui.exists("learn/train_on"));
  // Undo brings the trained model back.
  while (s.app.history().can_undo() && (W_Q().rows() != trained.rows() || (W_Q() - trained).norm() > 0)) {
    s.ui.key(key::letter('z'), true);
    s.settle();
  }
  CHECK(W_Q() == trained);
}
