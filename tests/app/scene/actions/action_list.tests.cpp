// What was done, as a list: what stands for several, and how long it may become.
#include "app/scene/actions/action_list.h"

#include <catch2/catch.hpp>

#include "app/scene/actions/action_spelling.h"
#include "app/scene/actions/apply.h"
#include "core/io/opening.h"

using namespace hydra;

namespace {

// Of a document that stays; a list as the window keeps it.
struct Kept {
  Document document = default_document();
  ViewState view;
  ActionList list{document};
  std::size_t depth = 0;

  void look(const Action& action) {
    list.find(document, view, depth, true);
    const ViewState from = view;
    apply_if_of_view(view, action);
    list.note_look(action, from, view);
    list.leave(view, depth);
  }
  void choose(const std::string& key, const std::string& value) { look(act::Choose{key, value}); }
  void edit() {
    list.find(document, view, depth, true);
    list.note(act::Do{Edit(SetGate{0, 0.5f}, 0)});
    list.leave(view, ++depth);
  }
  void undo() {
    list.find(document, view, depth, true);
    list.note(act::Undo{});
    list.leave(view, --depth);
  }
  void redo() {
    list.find(document, view, depth, true);
    list.note(act::Redo{});
    list.leave(view, ++depth, true);
  }
};

}  // namespace

TEST_CASE("action list: of looks one after the other the last one stands, where it leads there alone", "[scene]") {
  Kept kept;
  for (const char* value : {"0.1", "0.2", "0.3"}) kept.choose("arc_threshold", value);
  kept.choose("stream.strips", "\"heads\"");
  kept.choose("stream.strips", "\"cosine\"");
  for (int head : {1, 2, 3}) kept.look(act::GoTo{{}, head});
  // A number brings its head into focus.
  for (Index row : {1, 2, 3}) kept.look(act::Select{{{Quantity::scores, 0, 1}, row, 0}});
  CHECK(spelled(kept.list.actions()) ==
        "{\"Choose\":{\"key\":\"arc_threshold\",\"value\":\"0.3\"}}\n"
        "{\"Choose\":{\"key\":\"stream.strips\",\"value\":\"\\\"cosine\\\"\"}}\n"
        "{\"Select\":{\"cell\":\"layers.0.heads.1.scores[3,0]\",\"by\":[]}}\n");
  SECTION("an edit stands between") {
    kept.edit();
    kept.look(act::Select{{{Quantity::scores, 0, 1}, 0, 0}});
    CHECK(kept.list.actions().size() == 5);
  }
  SECTION("another view is come to, and its matrix opens") {
    kept.choose("view", "\"heads\"");
    kept.choose("view", "\"roles\"");
    CHECK(kept.list.actions().size() == 5);
  }
}

TEST_CASE("action list: a day's work is bounded, and of its last half nothing is gone", "[scene]") {
  Kept kept;
  std::size_t most = 0;
  for (int k = 0; k < 100000; ++k) {
    k % 3 == 0 ? kept.edit()
               : kept.choose("shown_word", "\"" + std::string(static_cast<std::size_t>(k % 40), 'a') + "\"");
    if (k % 7 == 0) kept.look(act::GoTo{{}, k % 4});
    most = std::max(most, kept.list.bytes());
  }
  CHECK(most <= ActionList::kMostBytes);
  CHECK(kept.list.begins_later());
  CHECK(kept.list.bytes() > ActionList::kMostBytes / 3);
  std::size_t bytes = 0;
  for (const Action& action : kept.list.actions()) bytes += bytes_of(action);
  CHECK(bytes == kept.list.bytes());
  CAPTURE(sizeof(Action), kept.list.actions().size());
  CHECK(kept.list.actions().size() > 2000);
}

TEST_CASE("action list: what only what is gone can tell makes it begin again", "[scene]") {
  Kept kept;
  kept.list.keep_at_most(40 * sizeof(Action));
  for (int k = 0; k < 100; ++k) kept.edit();
  const std::size_t left = kept.list.actions().size();
  REQUIRE(kept.list.begins_later());
  REQUIRE(left >= 15);
  SECTION("undo within it is of it, beyond it not") {
    std::size_t undone = 0;
    for (; undone < 90 && !kept.list.actions().empty(); ++undone) kept.undo();
    CHECK(undone > 10);
    CHECK(undone < 90);
    kept.edit();
    CHECK(kept.list.actions().size() == 1);
    kept.undo();
    kept.redo();
    CHECK(kept.list.actions().size() == 3);
  }
  SECTION("redo of what was undone before it begins") {
    Kept other;
    other.list.keep_at_most(10 * sizeof(Action));
    for (int k = 0; k < 4; ++k) other.edit();
    for (int k = 0; k < 4; ++k) other.undo();
    for (int k = 0; k < 20; ++k) other.choose(k % 2 ? "shown_word" : "arc_threshold", k % 2 ? "\"a\"" : "0.5");
    REQUIRE(other.list.begins_later());
    other.redo();
    CHECK(other.list.actions().empty());
  }
  SECTION("Learn was used before") {
    kept.choose("view", "\"learn\"");
    CHECK(kept.list.actions().size() > 1);  // it was not
    for (int k = 0; k < 100; ++k) kept.edit();
    CHECK(kept.list.actions().empty());
    kept.choose("view", "\"flow\"");
    kept.edit();
    CHECK(kept.list.actions().size() == 1);
    kept.list.find(kept.document, kept.view, kept.depth, true);
    kept.list.note(act::LearnTrain{3});
    kept.list.begin_training();
    kept.list.end_training(3);
    CHECK(kept.list.actions().empty());
  }
}
