// The page that lays out the arrays of a model that no family reads, driven by name and by keys.
#include <filesystem>

#include "app/views/mapping/layout_draft.h"
#include "core/checkpoints/open_model.h"
#include "core/document/model_file.h"
#include "core/files/whole_file.h"
#include "core/linalg/same_bits.h"
#include "tests/support/examples.h"
#include "tests/support/folder.h"
#include "tests/support/renamed_model.h"
#include "tests/support/session.h"

using namespace hydra;
using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

struct MappingSession : Session {
  explicit MappingSession(const std::string& without = "no such name")
      : Session(test::example("trained_grammar"), {1280, 800}) {
    write_renamed_model(path(), without);
  }
  std::string path() const { return folder.file("mine.safetensors"); }
  std::string layout_path() const { return path() + ".layout.json"; }
  void open() {
    app.act(act::Open{path(), false});
    settle();
  }
  void lay_out() {
    app.act(act::LayOut{path()});
    ui.frames(3);
    REQUIRE(app.front().layout);
  }
  void change(const std::string& key, const std::string& value) {
    app.act(act::SetLayout{key, value});
    ui.frames(2);
  }
  const LayoutDraft& draft() { return *app.front().layout; }
  std::string said() { return sentence_of(draft()); }
  Folder folder;
};

}  // namespace

TEST_CASE("mapping: a model that no family reads is offered to be laid out, and opens by what is saved",
          "[app][models][mapping]") {
  MappingSession s;
  s.open();
  REQUIRE(s.app.front().question);
  CHECK_THAT(s.app.front().question->lines.front(), Contains("which no family that is known here names so"));
  s.ui.click("question/Lay out its arrays…");
  s.ui.frames(3);
  REQUIRE(s.app.front().layout);
  CHECK_THAT(s.said(), Contains("the number of heads is not said"));
  CHECK(s.ui.exists("mapping/array/blocks.*.attention.qkv.weight"));
  CHECK(s.ui.exists("mapping/place/layers.*.W_Q"));
  s.ui.click("mapping/field/layer.heads");
  s.ui.type("3");
  s.ui.key(key::enter);
  s.ui.frames(3);
  CHECK(s.draft().layout.heads == 3);
  CHECK_THAT(s.said(), Contains("arrays are placed"));
  CHECK_THAT(s.said(), Contains("2 layers with 3 heads, is 12 wide"));
  s.ui.click("mapping/layer.feed_forward.activation/gelu_tanh");
  s.ui.click("mapping/save");
  s.settle();
  CHECK(fs::exists(s.layout_path()));
  CHECK_FALSE(s.app.front().layout);
  REQUIRE(s.document().file);
  CHECK(s.document().file->path == s.path());
  const Document gpt2 = open_model(test::data("checkpoints/gpt2")).document;
  CHECK(same_bits(s.document().layers[1].weights.W_Q, gpt2.layers[1].weights.W_Q));
  CHECK(s.document().layers[1].settings == gpt2.layers[1].settings);
}

TEST_CASE("mapping: a place that is wrong says so, and a suggestion, a click on an array, or a name puts it right",
          "[app][models][mapping]") {
  MappingSession s;
  s.lay_out();
  s.change("layer.heads", "3");
  CHECK(s.draft().check.is_whole());
  s.change("arrays.layers.*.W_1", "blocks.*.mlp.up.weight^T");
  CHECK_THAT(s.said(), Contains("W_1 gives 20 x 12, and the model has 12 x "));
  CHECK(s.ui.exists("mapping/fault/layers.*.W_1"));
  s.ui.click("mapping/take/layers.*.W_1/blocks.*.mlp.up.weight");
  s.ui.frames(2);
  CHECK(s.draft().check.is_whole());
  s.change("arrays.layers.*.W_2", "");
  CHECK_THAT(s.said(), Contains("nothing stands for W_2"));
  s.ui.click("mapping/place/layers.*.W_2");
  s.ui.click("mapping/array/blocks.*.mlp.down.weight");
  s.ui.frames(2);
  CHECK(s.draft().layout.arrays.at("layers.*.W_2") == "blocks.*.mlp.down.weight");
  CHECK(s.draft().check.is_whole());
  s.change("arrays.layers.*.W_2", "nowhere.*.w");
  CHECK_THAT(s.said(), Contains("names “nowhere.0.w”, and there is no array of that name in the file"));
  // What is suggested stands where nothing stands, and in the place of nothing that was said.
  s.change("arrays.layers.*.W_1", "");
  s.ui.click("mapping/suggest");
  s.ui.frames(2);
  CHECK(s.draft().layout.heads == 3);
  CHECK(s.draft().layout.arrays.at("layers.*.W_2") == "nowhere.*.w");
  CHECK(s.draft().layout.arrays.at("layers.*.W_1") == s.draft().suggested.arrays.at("layers.*.W_1"));
  s.change("layer.heads", "many");
  CHECK_THAT(s.app.notice().sentence, Contains("“layer.heads” must be a number"));
}

TEST_CASE("mapping: places are called as in the other pages", "[app][models][mapping]") {
  CHECK(place_called("E") == "W_E");
  CHECK(place_called("gain") == entry_of(Quantity::final_gain).letter);
  CHECK(place_called("layers.*.W_Q") == "W_Q");
  CHECK(place_called("layers.2.gain_1") == std::string(entry_of(Quantity::gain_1).letter) + " of layer 3");
  for (const char* other : {"layers.*.nothing", "layers.x.W_Q", "layers.", "layers", "", "arrays.W_Q"})
    CHECK(place_called(other) == other);
}

TEST_CASE("mapping: arrays that stand for nothing are ignored by a click, and used again", "[app][models][mapping]") {
  MappingSession s;
  s.lay_out();
  s.change("layer.heads", "3");
  s.change("arrays.layers.*.b_2", "");
  CHECK_THAT(s.said(), Contains("2 arrays stand for nothing"));
  s.ui.click("mapping/ignore/blocks.*.mlp.down.bias");
  s.ui.frames(2);
  CHECK(s.draft().check.is_whole());
  CHECK(s.draft().layout.ignored.back() == ".mlp.down.bias");
  s.ui.click("mapping/ignore/blocks.*.mlp.down.bias");
  s.ui.frames(2);
  CHECK_FALSE(s.draft().check.is_whole());
}

TEST_CASE("mapping: nothing is written over a layout that is there without a question", "[app][models][mapping]") {
  MappingSession s;
  write_whole(s.layout_path(), "mine");
  s.app.act(act::LayOut{s.path()});
  s.ui.frames(3);
  CHECK_FALSE(s.app.front().layout);  // it is no JSON, which is said
  CHECK(s.app.notice().is_error);
  fs::remove(s.layout_path());
  s.lay_out();
  s.app.act(act::SaveLayout{});
  s.ui.frames(2);
  CHECK_FALSE(fs::exists(s.layout_path()));  // it is not whole yet
  s.change("layer.heads", "3");
  write_whole(s.layout_path(), "mine");
  s.app.act(act::SaveLayout{});
  s.ui.frames(3);
  REQUIRE(s.app.front().question);
  CHECK_THAT(s.app.front().question->lines.front(), Contains("Replacing it loses"));
  s.app.act(act::Answer{1});
  s.ui.frames(3);
  CHECK(read_whole(s.layout_path()) == "mine");
  REQUIRE(s.app.front().layout);
  s.app.act(act::SaveLayout{});
  s.ui.frames(2);
  s.app.act(act::Answer{0});
  s.settle();
  CHECK_THAT(read_whole(s.layout_path()), Contains("hydrascope_layout"));
  CHECK(s.document().file);
  s.app.act(act::LayOut{s.path()});  // begins with what was saved
  s.ui.frames(3);
  CHECK(s.draft().layout.heads == 3);
}

TEST_CASE("mapping: the page works by keys alone, and Esc leaves it", "[app][models][mapping]") {
  MappingSession s;
  s.lay_out();
  s.change("layer.heads", "3");
  for (int k = 0; k < 3; ++k) {
    s.ui.key(key::tab);
    s.ui.frames(2);
  }
  s.ui.key(key::space);  // the first of the buttons: save
  s.settle();
  CHECK(fs::exists(s.layout_path()));
  s.lay_out();
  s.ui.key(key::escape);
  s.ui.frames(2);
  CHECK_FALSE(s.app.front().layout);
}

TEST_CASE("mapping: in a presentation both lists and the buttons stand in the window", "[app][models][mapping]") {
  MappingSession s;
  s.lay_out();
  for (const bool dark : {false, true}) {
    s.set(s.view().dark, dark);
    s.set(s.view().presentation, true);
    s.ui.frames(4);
    const UiDriver::Rect save = s.ui.rect("mapping/save"), sentence = s.ui.rect("mapping/sentence");
    CHECK(save.max.y <= 800);
    CHECK(sentence.min.y >= 0);
    int arrays = 0, places = 0;
    for (const std::string& name : s.ui.names()) {
      const auto seen = s.ui.seen(name);
      if (!seen) continue;
      CHECK(seen->max.x <= 1280);
      if (name.starts_with("mapping/array/")) ++arrays;
      if (name.starts_with("mapping/place/")) ++places;
    }
    CHECK(arrays >= 5);
    CHECK(places >= 5);
  }
}
