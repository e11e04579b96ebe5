// Another model beside the one that is shown: chosen, compared head by head, kept, taken away; by name.
#include "app/measures/beside.h"

#include "core/io/file.h"
#include "tests/support/examples.h"
#include "tests/support/folder.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

struct BesideSession : Session {
  explicit BesideSession(const std::string& name, ImVec2 size = {1600, 1000}) : Session(test::example(name), size) {}

  void put(const std::string& example) {
    app.act(act::PutBeside{example});
    settle();
  }
  float cell(const std::string& name, Index row, Index col) {
    const Heatmap heatmap = picture(name);
    return (*heatmap.matrix)(heatmap.row0 + row, heatmap.col0 + col);
  }
};

}  // namespace

TEST_CASE("beside: a model from the list stands beside a head, token by token, with the difference", "[app][beside]") {
  BesideSession s("trained_students_4");
  s.set(s.view().view, ViewId::heads);
  s.ui.frames(2);
  s.ui.click("heads/beside");
  s.settle();
  CHECK(s.ui.exists("beside/none"));
  s.ui.click("beside/list");
  s.ui.frames(2);
  REQUIRE(s.ui.exists("beside/keep"));
  CHECK(s.ui.exists("examples/group/Trained models"));
  s.ui.key(key::escape);
  s.put("trained_students_32.json");
  s.wait_until([&] { return s.ui.exists("beside/there"); });
  for (const char* part : {"beside/here", "beside/there", "beside/difference", "heads/beside/sentence", "beside/head"})
    CHECK(s.ui.exists(part));
  const auto other = evaluate(test::example("trained_students_32"));
  s.ui.click("beside/head");
  s.ui.frames(2);
  s.ui.click("beside/head/1.3");
  s.settle();
  REQUIRE(s.view().beside.head == std::pair(0, 2));
  const auto n = static_cast<Index>(s.app.trace().tokens.size());
  const auto theirs = trace_on(test::example("trained_students_32"), s.app.trace().tokens);
  for (Index row = 0; row < n; ++row)
    for (Index col = 0; col < n; ++col) {
      const float here = (*s.head(0).attention)(row, col), there = (*theirs->layers[0].heads[2].attention)(row, col);
      CHECK(s.cell("beside/here", row, col) == here);
      CHECK(s.cell("beside/there", row, col) == there);
      CHECK(s.cell("beside/difference", row, col) == there - here);
    }
  // Another sentence: the other model reads it, too.
  s.app.edit(SetSentence{"the teacher helps the student ."});
  s.settle();
  const auto again = trace_on(test::example("trained_students_32"), s.app.trace().tokens);
  CHECK(s.cell("beside/there", 3, 1) == (*again->layers[0].heads[2].attention)(3, 1));
  s.ui.click("beside/list");
  s.ui.frames(2);
  s.ui.click("beside/away");
  s.settle();
  CHECK(s.ui.exists("beside/none"));
  CHECK_FALSE(s.ui.exists("beside/there"));
}

TEST_CASE("beside: a model that is kept shows what becomes of it, and no edit reaches it", "[app][beside]") {
  BesideSession s("trained_grammar");
  s.set(s.view().view, ViewId::likeness);
  s.set(s.view().likeness.page, LikenessPage::between);
  s.settle();
  CHECK(s.ui.exists("beside/none"));
  s.app.act(act::KeepBeside{});
  s.settle();
  s.wait_until([&] { return s.ui.exists("likeness/between"); });
  for (Index h = 0; h < 4; ++h) CHECK(s.cell("likeness/between", h, h) == Approx(1));
  const Mat<float> zero = Mat<float>::Zero(s.document().d_model, s.layer().d_k(s.document().d_model));
  s.app.edit(SetBlock{Quantity::W_Q, 0, 0, share(Mat<float>(zero))});
  s.settle();
  s.wait_until([&] { return s.cell("likeness/between", 0, 0) < 0.99f; });
  for (Index h = 1; h < 4; ++h) CHECK(s.cell("likeness/between", h, h) == Approx(1));
  s.app.act(act::Undo{});
  s.settle();
  s.wait_until([&] { return s.cell("likeness/between", 0, 0) > 0.99f; });
}

TEST_CASE("beside: what was kept stays in the list, opens as a document, and is asked for at the end",
          "[app][beside]") {
  BesideSession s("trained_grammar");
  s.set(s.view().view, ViewId::heads);
  s.ui.frames(2);
  s.app.act(act::KeepBeside{});  // as it was read: nothing is lost with it
  s.settle();
  CHECK_FALSE(s.app.has_unsaved());
  s.app.edit(SetGate{1, 0.0f});
  s.settle();
  s.app.act(act::KeepBeside{});
  s.app.act(act::Undo{});
  s.settle();
  CHECK(s.app.history().unsaved().empty());
  CHECK(s.app.has_unsaved());
  s.put("trained_students_4.json");
  s.ui.click("heads/beside");
  s.settle();
  s.ui.click("beside/list");
  s.ui.frames(2);
  CHECK(s.ui.exists("beside/kept/0"));
  s.ui.click("beside/kept/1");
  s.settle();
  REQUIRE(s.ui.exists("beside/there"));
  CHECK(s.cell("beside/difference", 2, 1) == 0);  // the same weights: only a gate differs

  SECTION("the window closes") {
    s.app.act(act::Quit{});
    s.ui.frames(2);
    CHECK_FALSE(s.app.quit_requested());
    SECTION("stays") {
      s.app.act(act::Answer{2});
      s.ui.frames(2);
      CHECK_FALSE(s.app.quit_requested());
      CHECK(s.app.has_unsaved());
    }
    SECTION("discards") {
      s.app.act(act::Answer{1});
      s.ui.frames(2);
      CHECK(s.app.quit_requested());
    }
    SECTION("opens it, which is then asked for as any document") {
      s.app.act(act::Answer{0});
      s.settle();
      CHECK_FALSE(s.app.quit_requested());
      REQUIRE(s.layer().gates.size() == 4);
      CHECK(s.layer().gates[1] == 0);
      CHECK(s.app.history().unsaved().size() == 1);
    }
  }
  SECTION("it is opened") {
    s.ui.click("beside/list");
    s.ui.frames(2);
    s.ui.click("beside/open");
    s.settle();
    REQUIRE(s.layer().gates.size() == 4);
    CHECK(s.app.history().unsaved().size() == 1);
    s.app.act(act::Undo{});
    s.settle();
    CHECK(s.layer().gates.empty());
  }
  SECTION("one that is not there") {
    s.app.act(act::PutKept{7});
    s.ui.frames(2);
    CHECK(s.app.notice().is_error);
  }
}

TEST_CASE("beside: a click on a pair of Likeness shows the two heads", "[app][beside]") {
  BesideSession s("trained_grammar");
  s.put("trained_students_4.json");
  s.set(s.view().view, ViewId::likeness);
  s.set(s.view().likeness.page, LikenessPage::between);
  s.settle();
  s.wait_until([&] { return s.ui.exists("likeness/between"); });
  const Heatmap matrix = s.picture("likeness/between");
  const ImVec2 low = cell_min(matrix, 2, 1), high = cell_max(matrix, 2, 1);
  s.ui.click(ImVec2{0.5f * (low.x + high.x), 0.5f * (low.y + high.y)});
  s.settle();
  CHECK(s.view().focused_head == 2);
  CHECK(s.view().beside.head == std::pair(0, 1));
  CHECK(s.ui.exists("beside/unknown"));  // words that the other model never saw
  for (const char* key : {"js_bits", "kl_bits", "cka", "cosine"}) {
    s.ui.click(std::string("likeness/measure/") + key);
    s.settle();
    CHECK(s.ui.exists("likeness/between"));
  }
  CHECK_FALSE(s.ui.exists("likeness/measure/qk"));
}

TEST_CASE("beside: of another kind, of a file, of none that can be read", "[app][beside]") {
  BesideSession s("trained_induction", {1280, 800});
  s.set(s.view().view, ViewId::likeness);
  s.set(s.view().likeness.page, LikenessPage::between);
  for (const char* name : {"heads_designed.json", "layer_animal_wide.json", "stack_animal_tired.json", "slices.json"}) {
    CAPTURE(name);
    s.put(name);
    s.wait_until([&] { return s.ui.exists("likeness/between") || s.ui.exists("beside/fault"); });
  }
  Folder folder;
  Document given = test::example("paper_exercise");
  write_document(given, folder.file("given.json"));
  s.put(folder.file("given.json"));
  s.wait_until([&] { return s.ui.exists("likeness/between") || s.ui.exists("beside/fault"); });
  const Stamp before = s.app.trace().document;
  s.put(folder.file("nowhere.json"));
  CHECK(s.notice().sentence.find("nowhere.json") != std::string::npos);
  CHECK(s.app.trace().document == before);
}
