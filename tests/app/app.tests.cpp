// The whole program, driven by name: what a newcomer would do with mouse and keyboard.
#include "app/app.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "app/views/model_panel/sentence_field.h"
#include "app/views/shell/commands.h"
#include "core/design/head_design.h"
#include "core/document/evaluate.h"
#include "core/io/opening.h"
#include "core/linalg/same_bits.h"
#include "core/text/wording.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

bool same_as_scratch(const App& app) {
  const auto scratch = evaluate(app.history().current());
  const LayerTrace<float>&a = app.trace().layers.front(), &b = scratch->layers.front();
  if (app.trace().tokens != scratch->tokens || *a.input.X != *b.input.X || a.heads.size() != b.heads.size())
    return false;
  for (std::size_t h = 0; h < a.heads.size(); ++h)
    if (*a.heads[h].attention != *b.heads[h].attention || *a.heads[h].contribution != *b.heads[h].contribution)
      return false;
  return *a.output == *b.output;
}

}  // namespace

TEST_CASE("app: opens on the animal sentence with 8 heads at d_model 64", "[app]") {
  Session s;
  CHECK(s.app.trace().tokens.size() == 12);
  CHECK(s.trace().heads.size() == 8);
  CHECK(s.trace().input.d_model() == 64);
  for (const char* name :
       {"sentence", "flow/X", "flow/W_Q", "flow/Q", "flow/K", "flow/V", "flow/scores", "flow/attention", "flow/output",
        "flow/heads/1", "flow/heads/8", "flow/concat", "flow/W_O", "flow/Y", "model/heads/4", "status"})
    CHECK(s.ui.exists(name));
}

TEST_CASE("app: every view opens from its tab and by its key", "[app]") {
  Session s;
  s.ui.click("tabs/heads");
  CHECK(s.view().view == ViewId::heads);
  CHECK_FALSE(s.ui.exists("flow/X"));
  s.ui.click("tabs/flow");
  CHECK(s.view().view == ViewId::flow);
  s.ui.key(key::letter('h'));
  CHECK(s.view().view == ViewId::heads);
  s.ui.key(key::letter('f'));
  CHECK(s.ui.exists("flow/X"));
}

TEST_CASE("app: clicking a head focuses it, clicking a matrix opens it in the inspector", "[app]") {
  Session s;
  s.ui.click("flow/heads/5");
  CHECK(s.view().focused_head == 4);
  s.ui.click("flow/attention");
  CHECK(s.view().inspected == Site{Quantity::attention, 0, 4});
  REQUIRE(s.view().selection);
  s.ui.key('2');
  CHECK(s.view().focused_head == 1);
  CHECK(s.view().inspected.head == 1);
  s.ui.key(key::right_bracket);
  CHECK(s.view().focused_head == 2);
  s.ui.click("flow/W_O");
  CHECK(s.view().inspected == Site{Quantity::W_O, 0, kNoHead});
  s.ui.key(key::escape);
  CHECK_FALSE(s.view().selection);
}

TEST_CASE("app: head counts re-cut the same combined weights and can be undone", "[app]") {
  Session s;
  const Array<float> W_Q = s.layer().weights.W_Q;
  s.ui.click("model/heads/4");
  CHECK(s.trace().heads.size() == 4);
  CHECK(s.layer().weights.W_Q == W_Q);
  CHECK(same_as_scratch(s.app));
  s.ui.key(key::letter('z'), true);
  CHECK(s.trace().heads.size() == 8);
  s.ui.key(key::letter('y'), true);
  CHECK(s.trace().heads.size() == 4);
  CHECK_FALSE(s.ui.exists("model/heads/3"));  // no divisor of 64
}

TEST_CASE("app: a sentence is typed and runs with every letter, as one undo step", "[app]") {
  Session s;
  s.ui.click("sentence");
  s.ui.key(key::letter('a'), true);
  s.ui.type("The cat");
  CHECK(s.app.trace().tokens == std::vector<std::string>{"The", "cat"});
  s.ui.type(" sat");
  CHECK(s.app.trace().tokens.size() == 3);
  s.ui.key(key::enter);
  CHECK(s.app.history().undo_label() != "");
  s.ui.key(key::letter('z'), true);
  CHECK(s.app.trace().tokens.size() == 12);
  CHECK(s.app.hands().of<SentenceField>().draft == s.app.history().current().sentence);
}

TEST_CASE("app: an empty sentence is refused and nothing is lost", "[app]") {
  Session s;
  s.ui.click("sentence");
  s.ui.key(key::letter('a'), true);
  s.ui.key(key::backspace);
  CHECK(s.app.trace().tokens.size() >= 1);
  CHECK(s.app.notice().sentence != "");
  s.ui.key(key::enter);
  CHECK(s.app.hands().of<SentenceField>().draft == s.app.history().current().sentence);
}

TEST_CASE("app: what was said of a refused edit goes with the next one that is accepted", "[app]") {
  Session s;
  SECTION("a sentence typed on") {
    s.ui.click("sentence");
    s.ui.key(key::letter('a'), true);
    s.ui.key(key::backspace);
    CHECK(s.notice().is_error);
    CHECK(s.notice().sentence != "");
    s.ui.type("The");
    CHECK(s.notice().sentence == "");
  }
  SECTION("a sentence given up") {
    s.ui.click("sentence");
    s.ui.key(key::letter('a'), true);
    s.ui.key(key::backspace);
    s.ui.key(key::enter);
    s.ui.frames(2);
    CHECK(s.notice().sentence == "");
  }
  SECTION("a number") {
    s.open({{Quantity::W_Q, 0, 0}, 0, 0});
    s.ui.key(key::enter);
    s.ui.key(key::letter('a'), true);
    s.ui.type("abc");
    s.ui.key(key::enter);
    s.ui.frames(2);
    CHECK(s.notice().sentence.find("abc") != std::string::npos);
    s.ui.key(key::enter);  // typing anew
    s.ui.frames(2);
    CHECK(s.notice().sentence == "");
    s.ui.key(key::letter('a'), true);
    s.ui.type("2");
    s.ui.key(key::enter);
    s.ui.frames(2);
    CHECK(s.notice().sentence == "");
    CHECK((*s.weights().W_Q)(0, 0) == 2);
  }
  SECTION("a fault of a file stays") {
    s.app.open("/no/such/file.json");
    CHECK(s.notice().is_error);
    s.ui.key(key::letter('c'));
    CHECK(s.notice().sentence.find("file.json") != std::string::npos);
  }
}

TEST_CASE("app: the model panel's controls change the document", "[app]") {
  Session s;
  s.ui.click("model/mask/causal");
  CHECK(s.layer().mask.kind == Mask::Kind::causal);
  CHECK((*s.trace().heads[0].attention)(0, 1) == 0);
  s.ui.click("model/mask/none");
  s.ui.click("model/scale");
  CHECK_FALSE(s.layer().settings.scale);
  s.ui.click("model/positions");
  CHECK(s.app.history().current().embedding.positions == Embedding::Positions::none);
  s.ui.click("model/init/identity");
  CHECK((*s.layer().weights.W_Q)(3, 3) == 1);
  s.ui.click("model/init/xavier");
  const std::uint64_t seed = s.layer().source.seed;
  s.ui.click("model/reroll");
  CHECK(s.layer().source.seed == seed + 1);
  s.ui.drag("model/temperature", 40, 0);
  CHECK(s.layer().settings.temperature != 1);
  CHECK(same_as_scratch(s.app));
}

TEST_CASE("app: theme, text scale and presentation", "[app]") {
  Session s;
  s.ui.click("theme");
  CHECK(s.view().dark);
  const float before = s.app.fonts().text->FontSize;
  s.ui.key(key::equal, true);
  CHECK(s.app.fonts().text->FontSize > before);
  s.ui.key('0', true);
  CHECK(s.app.fonts().text->FontSize == before);
  s.ui.key(key::f5);
  CHECK(s.view().presentation);
  CHECK_FALSE(s.ui.exists("model/scale"));
  CHECK(s.ui.exists("flow/attention"));
  s.ui.key(key::f5);
  CHECK(s.ui.exists("model/scale"));
}

TEST_CASE("app: every key of the help does something, or says what it is for", "[app]") {
  for (const Command& command : commands()) {
    if (!command.run) continue;
    for (int k = 0; k < command.count; ++k) {
      INFO(command.keys << " (" << k << ")");
      Session s;
      if (command.key != 0)
        s.ui.key(command.key + k, command.ctrl, command.shift);
      else
        s.ui.type(std::string(1, command.typed));
      s.ui.frames(3);
      CHECK(same_as_scratch(s.app));
    }
  }
  Session s;
  s.ui.type("?");
  CHECK(s.app.front().help);
  CHECK(s.ui.exists("help/close"));
  s.ui.key(key::escape);
  CHECK_FALSE(s.app.front().help);
}

TEST_CASE("app: no key does two things", "[app]") {
  std::set<std::tuple<int, bool, bool>> keys;
  for (const Command& command : commands())
    for (int k = 0; command.key != 0 && command.run && k < command.count; ++k) {
      INFO(command.keys << " (" << k << ")");
      CHECK(keys.emplace(command.key + k, command.ctrl, command.shift).second);
    }
}

TEST_CASE("app: a key that cuts or draws weights anew which no seed gives back says so", "[app]") {
  Session s;
  s.ui.key(key::letter('r'));
  CHECK(s.app.notice().sentence.empty());  // of a seed
  s.app.edit(DesignHead{0, preset_design(HeadPreset::previous)});
  s.ui.settle();
  s.ui.type("-");
  s.ui.frames(2);
  CHECK_THAT(s.app.notice().sentence, Catch::Contains("Layer 1 has 4 heads now") && Catch::Contains("Ctrl Z"));
}

TEST_CASE("app: a key that can do nothing says why, and its button is disabled", "[app]") {
  Session s;
  const auto said = [&](int key, bool ctrl = false) {
    s.app.notice().sentence.clear();
    s.ui.key(key, ctrl);
    return s.app.notice().sentence;
  };
  CHECK(said(key::letter('z'), true) == "There is nothing to undo.");
  CHECK(said(key::letter('y'), true) == "There is nothing to redo.");
  CHECK(said(key::enter, true) == "Ways to compute attention are timed in Trade-off, How it is computed.");
  s.app.edit(SetHeads{4});
  s.settle();
  CHECK(said('9') == "This layer has 4 heads.");
  CHECK(said('4').empty());
  CHECK(s.app.view().focused_head == 3);
  CHECK(said(key::letter('z'), true).empty());
  CHECK(s.app.history().current().layer(0).heads == 8);
  int named = 0;
  for (const Command& c : commands()) {
    if (!c.name) continue;
    ++named;
    INFO(c.name);
    CHECK(&command(c.name) == &c);
    CHECK(wording(c.keys).find(tip_of(c).substr(tip_of(c).rfind("Key: ") + 5)) != std::string::npos);
  }
  CHECK(named > 12);
}

TEST_CASE("app: new random weights are random, whatever they were", "[app]") {
  for (const Init init : {Init::zero, Init::identity, Init::xavier}) {
    Session s;
    s.app.edit(SetWeightSource{init, 7});
    s.settle();
    s.ui.key(key::letter('r'));
    s.settle();
    CHECK(
        same_bits(s.app.history().current().layer(0).weights.W_Q, initial_weights({64, 64, 64}, Init::xavier, 8).W_Q));
  }
}

TEST_CASE("app: Ctrl C copies the number, once more its matrix, and else the sentence", "[app]") {
  Session s(opening_document());
  s.settle();
  const auto copied = [&] {
    s.ui.key(key::letter('c'), true);
    s.ui.frames(2);
    return std::string(ImGui::GetClipboardText());
  };
  CHECK(copied() == s.document().sentence);
  s.open({{Quantity::attention, 0, 0}, 6, 4});
  const Array<float> A = s.head(0).attention;
  CHECK(std::stof(copied()) == (*A)(6, 4));
  std::istringstream table(copied());
  std::string line;
  Index row = 0;
  for (; std::getline(table, line); ++row) {
    CHECK(std::ranges::count(line, '\t') == A->cols() - 1);
    CHECK(std::stof(line) == (*A)(row, 0));
  }
  CHECK(row == A->rows());
  CHECK(std::stof(copied()) == (*A)(6, 4));  // and the number again
  s.ui.key(key::letter('s'));                // a field's own text
  s.ui.key(key::letter('a'), true);
  CHECK(copied() == s.document().sentence);
}

TEST_CASE("app: + and - go through the numbers of heads, and stop at the ends", "[app]") {
  Session s;  // 8 heads of 64 numbers
  REQUIRE(s.trace().input.heads == 8);
  const auto press = [&](const char* character, Index heads) {
    s.ui.type(character);
    s.settle();
    CHECK(s.trace().input.heads == heads);
  };
  press("+", 16);
  press("-", 8);
  press("-", 4);
  press("-", 2);
  press("-", 1);
  press("-", 1);
  s.ui.key(key::letter('s'));
  press("+", 1);  // a character of the sentence
}

TEST_CASE("app: an example is opened by keys alone, and arrows are the view's again", "[app]") {
  Session s(default_document(), {1280, 800});
  s.ui.key(key::letter('y'));
  s.ui.frames(3);
  REQUIRE(s.ui.exists("examples/group/Designed heads"));
  for (const int k : {key::right, key::down, key::enter}) {
    s.ui.key(k);
    s.ui.frames(3);
  }
  s.settle();
  CHECK_FALSE(s.ui.exists("examples/group/Designed heads"));
  CHECK_FALSE(same_document(s.document(), default_document()));
  CHECK_FALSE(s.document().notes.title.empty());
  CHECK((ImGui::GetIO().ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) == 0);
}

TEST_CASE("app: pages of a view are turned by keys, from the last to the first", "[app]") {
  Session s(default_document(), {1280, 800});
  s.set(s.view().view, ViewId::mixing);
  for (const bool low : {false, true}) {  // a low room has a page more
    s.set(s.view().presentation, low);
    s.set(s.view().mixing.page, MixingPage::output);
    s.ui.frames(3);
    std::vector<MixingPage> pages{MixingPage::output, MixingPage::shares};
    if (low) pages.push_back(MixingPage::silencing);
    for (std::size_t k = 1; k <= pages.size(); ++k) {
      s.ui.key(key::period);
      s.ui.frames(2);
      CHECK(s.view().mixing.page == pages[k % pages.size()]);
    }
    s.ui.key(key::comma);
    s.ui.frames(2);
    CHECK(s.view().mixing.page == pages.back());
  }
}

TEST_CASE("app: the examples open within the window", "[app]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}}) {
    Session s(default_document(), size);
    s.ui.click("examples");
    for (const char* group : {"examples/group/Pronouns", "examples/group/Designed stacks"})
      CHECK(s.ui.rect(group).max.x <= size.x);
  }
}

TEST_CASE("app: examples run sentences and open documents", "[app]") {
  Session s;
  s.ui.click("examples");
  s.ui.click("examples/group/Pronouns");
  s.ui.click("examples/sentence/2");
  CHECK(s.app.trace().tokens.front() == "The");
  CHECK(s.app.history().current().sentence.find("cat") != std::string::npos);
  s.ui.click("examples");
  s.ui.click("examples/two_heads_by_hand.json");
  CHECK(s.trace().heads.size() == 2);
  CHECK(*s.trace().heads[0].Q == Mat<float>((Mat<float>(1, 2) << 5, 2).finished()));
}

TEST_CASE("app: the same pointer in a frame without changes: nothing is recomputed", "[app]") {
  Session s;
  const Trace* before = &s.app.trace();
  s.ui.move("flow/attention");
  s.ui.frames(10);
  CHECK(&s.app.trace() == before);
  REQUIRE(s.app.was().cell);
  CHECK(s.app.was().cell->site == Site{Quantity::attention, 0, 0});
}

TEST_CASE("app: a head of a document before is neither focused nor selected", "[app]") {
  Session s;  // of 8 heads; a table of 64 may still be shown
  s.set(act::GoTo{{}, 63});
  CHECK(s.view().focused_head == 0);
  s.set(act::Select{{{Quantity::scores, 0, 63}, 0, 0}});
  CHECK(s.view().focused_head == 0);
  CHECK_FALSE(s.view().selection);
  s.set(act::GoTo{{}, 7});
  CHECK(s.view().focused_head == 7);
}

TEST_CASE("app: a notice is gone from the first picture after its time", "[app]") {
  Session s;
  s.app.listen(true);
  s.app.say("The lesson is saved.", false);
  s.ui.frames(1);
  CHECK(s.app.heard().status == "The lesson is saved.");
  s.app.frame(s.ui.size, 60, s.ui.input);  // the only one: nothing else asks for a picture
  CHECK(s.app.heard().status != "The lesson is saved.");
}
