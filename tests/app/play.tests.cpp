// What is done in the window, saved as a list and played: the same document and scene to the bit.
#include "app/play.h"

#include <catch2/catch.hpp>

#include "app/scene/actions/action_spelling.h"
#include "app/views/learn/experiments.h"
#include "core/error.h"
#include "core/files/whole_file.h"
#include "core/io/file.h"
#include "core/linalg/random.h"
#include "tests/support/doer.h"
#include "tests/support/faults.h"
#include "tests/support/folder.h"
#include "tests/support/sanitized.h"
#include "tests/support/session.h"

using namespace hydra;
using Catch::Matchers::Contains;
using test::fault_at;

namespace {

const ImVec2 kSmall{800, 500};

Document small_document() {
  return parse_document(
      R"({"hydrascope": 1, "sentence": "The cat sat.", "d_model": 8, "layers": [{"heads": 2}, {"heads": 4}]})",
      "the test");
}

struct End {
  std::string document, scene;
};
End end_of(App& app) { return {document_text(app.history().current()), scene_text(app.view())}; }

// In the window, as it begins.
struct Live : Session {
  explicit Live(Document document, ImVec2 size = kSmall) : Session(std::move(document), size) {
    set(view().model_panel.all_open, false);
  }
};

// In a program of its own, from the text.
End played(const Document& document, const std::string& list, ImVec2 size) {
  UiDriver ui(size);
  App app(document, "", ui.sink);
  app.set_patience(std::chrono::seconds(20));
  play(app, parse_actions(list, "the list"), size);
  return end_of(app);
}

}  // namespace

TEST_CASE("play: random lists, in the window and played, to the bit", "[app][play]") {
  const int lists = test::cases(1000, 60, 25);
  const Document document = small_document();
  std::size_t lines = 0, kinds = 0;
  for (int seed = 0; seed < lists; ++seed) {
    CAPTURE(seed);
    std::string list;
    End live;
    {
      Live s(document);
      Doer doer(s, static_cast<std::uint64_t>(seed));
      doer.begin();
      for (int k = 0; k < 12; ++k) doer.step();
      s.app.act(act::Keep{});
      s.settle();
      const std::vector<Action> done = s.app.done();
      list = spelled(done);
      lines += done.size();
      live = end_of(s.app);
      kinds += live.document != document_text(document);
    }
    CAPTURE(list);
    const End again = played(document, list, kSmall);
    REQUIRE(again.document == live.document);
    REQUIRE(again.scene == live.scene);
  }
  CHECK(lines > static_cast<std::size_t>(6 * lists));
  CHECK(kinds > static_cast<std::size_t>(lists / 2));  // they do change it
}

TEST_CASE("play: what a list holds of a gesture and of a tool is where it ended", "[app][play]") {
  Live s(small_document());
  const auto act = [&](Action action) {
    s.app.act(std::move(action));
    s.ui.frames(1);
  };
  Mat<float> one(1, 1), two(1, 1);
  one(0, 0) = 1, two(0, 0) = 2;
  act(act::Try{{SetBlock{Quantity::W_Q, 0, 0, share(one)}, 0}});
  act(act::Try{{SetBlock{Quantity::W_Q, 0, 0, share(two)}, 0}});
  act(act::Keep{});
  act(act::Choose{"arc_threshold", "0.1"});
  act(act::Choose{"arc_threshold", "0.2"});
  act(act::Try{{SetBlock{Quantity::W_Q, 0, 0, share(one)}, 0}});
  act(act::TakeBack{});
  act(act::Collapse{0.1f});
  act(act::Collapse{0.5f});
  act(act::Keep{});
  act(act::Save{"nothing.json"});
  s.settle();
  CHECK(spelled(s.app.done()) ==
        "{\"Do\":{\"edit\":{\"what\":{\"SetBlock\":{\"quantity\":\"W_Q\",\"row\":0,\"col\":0,"
        "\"values\":{\"rows\":1,\"cols\":1,\"values\":[2]}}},\"layer\":0}}}\n"
        "{\"Choose\":{\"key\":\"arc_threshold\",\"value\":\"0.2\"}}\n"
        "{\"Collapse\":{\"amount\":0.5,\"anew\":true}}\n"
        "{\"Keep\":{}}\n");
  std::filesystem::remove("nothing.json");
}

TEST_CASE("play: training is as many steps as it took, and a step that is gone to is gone to again", "[app][play]") {
  const Document document = small_document();
  Live s(document);
  const auto act = [&](Action action) {
    s.app.act(std::move(action));
    s.ui.frames(1);
  };
  act(act::LearnChoose{"students"});
  act(act::LearnTrain{});
  s.wait_until([&] { return s.app.learn().step >= 5; });
  act(act::LearnPause{});
  s.wait_until([&] { return !s.app.is_acting(); });
  const int trained = s.app.learn().step;
  act(act::LearnStep{});
  s.wait_until([&] { return !s.app.is_acting(); });
  CHECK(s.app.learn().step == trained + 1);
  act(act::LearnGoTo{0, 2, true});
  s.wait_until([&] { return !s.app.is_acting(); });
  CHECK(s.app.learn().step == 2);
  s.settle();
  const std::string list = spelled(s.app.done());
  CAPTURE(list);
  CHECK_THAT(list, Contains("{\"LearnTrain\":{\"steps\":" + std::to_string(trained) + "}}"));
  const End again = played(document, list, kSmall);
  const End live = end_of(s.app);
  CHECK(again.document == live.document);
  CHECK(again.scene == live.scene);
}

TEST_CASE("play: what is set at once, and what Learn chooses of itself, is in no list", "[app][play]") {
  Live s(small_document());
  s.set(s.view().dark, true);
  s.set(act::GoTo{1, {}});
  s.settle();
  CHECK(s.view().dark);
  CHECK(s.view().layer == 1);
  CHECK(s.app.done().empty());
  s.set(s.view().view, ViewId::learn);
  s.app.act(act::LearnChoose{"students"});
  s.settle();
  CHECK(s.view().learn.setup.task == "students");
  s.app.act(act::LearnTry{0});
  s.wait_until([&] { return s.app.learn().step >= 2; });
  CHECK(s.view().learn.setup.task == kExperimentTask);
  s.app.act(act::LearnPause{});
  s.wait_until([&] { return !s.app.is_acting(); });
  s.settle();
  CHECK(spelled(s.app.done()) == spelled({act::LearnChoose{"students"}, act::LearnTry{0}}));
}

TEST_CASE("play: a list of its own begins with its document, and where that was looked at", "[app][play]") {
  Live s(small_document());
  s.set(s.view().view, ViewId::roles);
  s.app.act(act::Do{{SetHeads{8}, 1}});
  s.app.act(act::GoTo{1, 5});
  s.settle();
  const std::string list = spelled(s.app.done_from_nothing());
  CHECK(std::ranges::count(list, '\n') == static_cast<std::ptrdiff_t>(s.app.done_from_nothing().size()));
  const End again = played(default_document(), list, kSmall), live = end_of(s.app);
  CHECK(again.document == live.document);
  CHECK(again.scene == live.scene);
}

TEST_CASE("play: the window saves what was done, and played from another document it comes to the same",
          "[app][play]") {
  const Folder folder;
  const std::string path = folder.file("lesson.actions");
  Live s(small_document());
  s.set(s.view().stream.strips, StreamStrips::heads);
  s.ui.frames(2);
  s.app.act(act::GoTo{1, 3});
  s.app.act(act::Do{{SetHeads{8}, 1}});
  s.settle();
  s.ui.key(key::letter('l'), true, true);
  s.ui.frames(3);
  s.ui.click("file/path");
  s.ui.key(key::letter('a'), true);
  s.ui.type(path);
  s.ui.click("file/ok");
  s.settle();
  CHECK(s.notice().sentence == "saved what was done in " + path);
  const End there = end_of(s.app), here = played(default_document(), read_whole(path), kSmall);
  CHECK(here.document == there.document);
  CHECK(here.scene == there.scene);
}

TEST_CASE("play: what a list may not do is said with its line, and what cannot be is refused there", "[app][play]") {
  const auto refusal = [&](const std::string& list) -> std::string {
    try {
      played(small_document(), "# a lesson\n\n" + list, kSmall);
    } catch (const InputError& error) {
      return error.what();
    }
    return "not refused";
  };
  CHECK_THAT(refusal("{\"Save\":{\"path\":\"x.json\"}}"), Contains("the list:3: a list that is played writes no file"));
  CHECK_THAT(refusal("{\"Quit\":{}}"), Contains("the list:3: "));
  CHECK_THAT(refusal("{\"LearnPause\":{}}"), Contains("goes to a step at once"));
  CHECK_THAT(refusal("{\"GoTo\":{\"layer\":7}}"), Contains("the list:3: There is no layer 7: they are 0 to 1."));
  CHECK_THAT(refusal("{\"GoTo\":{\"head\":-1}}"), Contains("There is no head -1"));
  CHECK_THAT(refusal("{\"Select\":{\"cell\":\"layers.0.W_Q[99,0]\"}}"), Contains("is outside: the matrix is 8 x 8"));
  CHECK_THAT(refusal("{\"Choose\":{\"key\":\"nothing\",\"value\":\"1\"}}"), Contains("no choice named nothing"));
  CHECK_THAT(refusal("{\"Do\":{\"edit\":{\"what\":{\"SetHeads\":{\"heads\":3}},\"layer\":0}}}"),
             Contains("the list:3: "));
  CHECK_THAT(refusal("{\"Open\":{\"path\":\"nowhere.json\"}}"), Contains("nowhere.json"));
  CHECK(refusal("{\"GoTo\":{\"layer\":1,\"head\":3}}") == "not refused");
}

TEST_CASE("play: redoing in the middle of a gesture keeps it, in the window as in the list", "[app][play]") {
  Live s(small_document());
  const auto act = [&](Action action) {
    s.app.act(std::move(action));
    s.ui.frames(1);
  };
  Mat<float> two(1, 1);
  two(0, 0) = 2;
  act(act::Try{{SetBlock{Quantity::W_Q, 0, 0, share(two)}, 0}});
  act(act::Redo{});
  act(act::TakeBack{});  // there is no gesture any more
  s.settle();
  CHECK(s.weights().W_Q->coeff(0, 0) == 2);
  CHECK(played(small_document(), spelled(s.app.done()), kSmall).document == end_of(s.app).document);
}

TEST_CASE("play: what no control offers is put right, or refused", "[app][play]") {
  using Case = std::pair<const char*, const char*>;  // a key, and where it is drawn
  for (const auto& [key, view] : {Case("layer", "heads"), Case("focused_head", "heads"), Case("head_beyond", "heads"),
                                  Case("roles.sorted", "roles"), Case("tradeoff.fit.problem.d_model", "tradeoff")})
    for (const char* value : {"-3", "1000000000"}) {
      if (test::kSanitized && *value == '-') continue;
      CAPTURE(key, value, view);
      const std::string list =
          spelled(std::vector<Action>{act::Choose{"view", '"' + std::string(view) + '"'}, act::Choose{key, value}});
      CHECK_FALSE(played(small_document(), list, kSmall).scene.empty());
    }
  CHECK_THROWS_WITH(played(small_document(), spelled(std::vector<Action>{act::LearnTakeUp{4}}), kSmall),
                    fault_at("run 4", "put aside"));
  const auto refused = [](const Action& action, const char* what) {
    const std::vector<Action> list{act::LearnChoose{"grammar"}, act::LearnTrain{1}, action};
    CHECK_THROWS_WITH(played(small_document(), spelled(list), kSmall), fault_at("the list:3", what));
  };
  for (const int branch : {-1, 1}) {
    refused(act::LearnGoTo{branch, 1}, "no branch");
    refused(act::LearnRename{branch, "x"}, "no branch");
    refused(act::LearnRemove{branch}, "no branch");
  }
  for (const int which : {-1, 5}) refused(act::LearnTry{which}, "no experiment");
}

TEST_CASE("play: a head that was chosen stays, whatever was in focus before heads went", "[app][play]") {
  const Document document = small_document();
  for (const Action& chosen : {Action(act::Select{{{Quantity::W_Q, 1, 0}, 2, 1}}), Action(act::GoTo{1, 0})}) {
    Live s(document);
    const auto act = [&](Action action) {
      s.app.act(std::move(action));
      s.settle();
    };
    act(act::GoTo{0, 1});
    act(act::Do{{SetHeads{1}, 0}});
    CHECK(s.view().head_beyond == 1);
    act(chosen);
    act(act::Do{{SetHeads{2}, 0}});
    act(act::Do{{SetHeads{8}, 1}});
    CHECK(s.view().focused_head == 0);
    CHECK(played(document, spelled(s.app.done()), kSmall).scene == end_of(s.app).scene);
  }
}

TEST_CASE("play: a list of any length is bounded, and what is saved of it still leads there", "[app][play]") {
  const Document document = small_document();
  const int steps = test::cases(500, 250, 60), apart = test::cases(20, 50, 20);
  std::size_t lines = 0, later = 0, saved = 0;
  for (const std::size_t most : {0, 30, 150}) {
    std::vector<std::pair<std::string, End>> ends;
    {
      Live s(document);
      s.app.keep_done_at_most(most * sizeof(Action));
      Doer doer(s, 100 + most);
      doer.begin();
      for (int k = 1; k <= steps; ++k) {
        doer.step();
        if (k % apart != 0) continue;
        s.settle();
        const std::size_t length = s.app.done().size();
        REQUIRE(length <= most + 2);  // a gesture that is under way is ended
        ends.emplace_back(spelled(s.app.done_from_nothing()), end_of(s.app));
        lines += length, later += k > steps / 4 && length > most / 4, ++saved;
      }
    }
    for (const auto& [list, live] : ends) {
      CAPTURE(most, list);
      const End again = played(default_document(), list, kSmall);
      REQUIRE(again.document == live.document);
      REQUIRE(again.scene == live.scene);
    }
  }
  CAPTURE(lines, later, saved);
  CHECK(lines > 2 * saved);
  if (!test::kSanitized) CHECK(later > saved / 10);
}

TEST_CASE("play: a list that begins later says so", "[app][play]") {
  const Folder folder;
  for (const bool later : {false, true}) {
    const std::string path = folder.file("lesson.actions");
    End live;
    {
      Live s(small_document());
      s.app.keep_done_at_most(20 * sizeof(Action));
      for (int k = 0; k < (later ? 30 : 3); ++k) {
        s.app.act(act::Do{{SetHeads{Index{1} << (k % 3)}, 0}});
        s.ui.frames(2);
      }
      s.app.act(act::SaveDone{path});
      s.settle();
      live = end_of(s.app);
    }
    const std::string list = read_whole(path);
    CHECK(list.starts_with("# What was done before this is not kept any more.\n") == later);
    CHECK(played(default_document(), list, kSmall).document == live.document);
    std::filesystem::remove(path);
  }
}
