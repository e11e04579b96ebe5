// Models of others in the window: opened, typed into, edited, saved, opened again, beside another.
#include <filesystem>

#include "core/document/model_file.h"
#include "core/io/file.h"
#include "core/measures/cut_sentences.h"
#include "tests/support/model_session.h"

using namespace hydra;
using Catch::Matchers::Contains;

namespace {
namespace fs = std::filesystem;
}

TEST_CASE("models: a folder opens in the window, reads what is typed, is edited, saved and opened again",
          "[app][models]") {
  ModelSession s("llama");
  s.open();
  REQUIRE(s.document().file);
  CHECK(s.document().layers.size() == 2);
  CHECK(s.document().notes.title == "model");
  CHECK_FALSE(s.app.notice().is_error);
  s.app.edit(SetSentence{"bad cab"});
  s.settle();
  CHECK(s.app.trace().tokens == std::vector<std::string>{"b", "a", "d", "▁", "c", "a", "b"});
  for (const ViewId view : {ViewId::heads, ViewId::flow, ViewId::stream, ViewId::roles, ViewId::likeness}) {
    s.set(s.view().view, view);
    s.settle();
    CHECK(s.app.failure().empty());
  }
  Mat<float> one(1, 1);
  one << 4;
  s.app.edit(SetBlock{Quantity::W_Q, 0, 0, share(Mat<float>(one))});
  s.settle();
  const Document changed = s.document();
  const std::string saved = s.folder.file("mine.json");
  s.app.act(act::Save{saved});
  s.settle();
  CHECK(fs::file_size(saved) < 5000);
  s.app.act(act::Undo{});
  s.settle();
  CHECK((*s.document().layers[0].weights.W_Q)(0, 0) != 4);
  s.app.act(act::Open{saved, false});
  s.settle();
  CHECK(same_document(s.document(), changed));
  CHECK(s.app.history().file().path == saved);
  s.app.act(act::CopyLink{});
  s.ui.frames(2);
  CHECK_THAT(s.app.notice().sentence, Contains("would name a file of this machine"));
}

TEST_CASE("models: one that is gone is asked for, and the document opens with it where it is found", "[app][models]") {
  ModelSession s("gpt2");
  s.open();
  const Document document = s.document();
  const std::string saved = s.folder.file("mine.json"), moved = s.folder.file("moved");
  s.app.act(act::Save{saved});
  s.settle();
  fs::rename(s.path(), moved);
  s.app.act(act::OpenExample{"trained_grammar.json"});
  s.settle();
  REQUIRE_FALSE(s.document().file);
  s.app.act(act::Open{saved});
  s.settle();
  REQUIRE(s.app.front().question);
  CHECK_THAT(s.app.front().question->lines.front(), Contains("names a model that is not there any more"));
  CHECK_FALSE(s.document().file);
  s.app.act(act::Answer{0});
  s.ui.frames(3);
  CHECK(s.app.front().file_dialog == FileDialog::find_model);
  s.ui.type("moved");
  s.ui.frames(2);
  s.ui.click("file/ok");
  s.settle();
  REQUIRE(s.document().file);
  CHECK(s.document().file->path == moved);
  CHECK(s.document().sentence == document.sentence);
  CHECK(s.app.history().file().path == saved);
}

TEST_CASE("models: one stands beside another, and a folder without one says what is missing", "[app][models]") {
  ModelSession s("gpt2");
  s.open();
  s.set(s.view().view, ViewId::heads);
  s.app.act(act::PutBeside{test::data("checkpoints/mingpt")});
  s.settle();
  s.set(s.view().beside.in_heads, true);
  s.settle();
  CHECK(s.ui.exists("beside/there"));
  const Document before = s.document();
  s.app.act(act::Open{s.folder.path.string(), false});
  s.settle();
  CHECK(s.app.notice().is_error);
  CHECK_THAT(s.app.notice().sentence, Contains("holds neither model.safetensors"));
  CHECK(same_document(s.document(), before));
}

TEST_CASE("models: marked sentences are cut as the model cuts, and a pair goes to each word's last token",
          "[app][models]") {
  ModelSession s("gpt2");
  s.open();
  AnnotatedSentence one;
  one.sentence = "bad cab", one.tokens = {"bad", "cab"};
  one.gold[0] = {{1, 0}};
  one.own = {{"mine", {{0, 1}}}};
  const auto marked = std::make_shared<const std::vector<AnnotatedSentence>>(1, one);
  const MarkedSentences cut = as_cut_by(s.document(), marked);
  REQUIRE(cut->size() == 1);
  CHECK(cut->front().tokens == std::vector<std::string>{"b", "a", "d", "▁", "c", "a", "b"});
  CHECK(cut->front().gold[0] == std::vector<GoldPair>{{6, 2}});
  CHECK(cut->front().own[0].pairs == std::vector<GoldPair>{{2, 6}});
  CHECK(as_cut_by(test::example("trained_grammar"), marked) == marked);
}

TEST_CASE("models: the dialog opens a model's folder from within it", "[app][models]") {
  ModelSession s("gpt2");
  s.ui.key(key::letter('o'), true);
  s.ui.frames(3);
  s.ui.key(key::letter('a'), true);
  s.ui.type(s.path() + "/");
  s.ui.frames(3);
  CHECK(s.ui.exists("file/entry/model.safetensors"));
  s.ui.click("file/ok");
  s.settle();
  REQUIRE(s.document().file);
  CHECK(s.document().notes.title == "model");
}

TEST_CASE("models: one that is opened has no names of the one before it", "[app][models]") {
  Session s(test::example("trained_grammar"), {1280, 800});
  s.set(s.view().view, ViewId::heads);
  s.settle();
  const std::shared_ptr<const RoleTable> before = s.app.made().of<HeadRoles>().table;
  REQUIRE(before);
  s.app.act(act::Open{test::data("checkpoints/gpt2"), false});
  int looked = 0;
  for (int k = 0; k < 5000; ++k) {
    s.ui.frames(1);
    const bool there = s.document().file && s.app.trace().tokens.size() == tokens_of(s.document()).size() &&
                       s.app.trace().X.cols() == s.document().d_model;
    if (!there) continue;
    ++looked;
    CHECK(s.app.made().of<HeadRoles>().table != before);
    if (s.app.made().of<HeadRoles>().table) break;
  }
  CHECK(looked > 0);
}
