#include "core/document/edits/history.h"

#include <catch2/catch.hpp>

#include "core/error.h"

using namespace hydra;

TEST_CASE("history: a gesture is one step", "[core][history]") {
  History history(default_document());
  for (int k = 1; k <= 10; ++k) history.preview(set_cell(Quantity::W_Q, 0, 0, static_cast<float>(k)));
  CHECK(history.in_gesture());
  CHECK((*history.current().layers[0].weights.W_Q)(0, 0) == 10);
  history.commit();
  CHECK_FALSE(history.in_gesture());
  CHECK(history.steps() == 1);
  CHECK(history.undo_label() == "W_Q[0, 0] = 10");
  history.undo();
  CHECK(same_document(history.current(), default_document()));
  CHECK_FALSE(history.can_undo());
  CHECK(history.redo_label() == "W_Q[0, 0] = 10");
  history.redo();
  CHECK((*history.current().layers[0].weights.W_Q)(0, 0) == 10);
  CHECK_FALSE(history.can_redo());
}

TEST_CASE("history: cancel, and undo within a gesture, drop the draft", "[core][history]") {
  for (const bool by_undo : {false, true}) {
    History history(default_document());
    history.apply(SetHeads{4});
    history.preview(SetHeads{2});
    by_undo ? history.undo() : history.cancel();
    CHECK(history.current().layers[0].heads == 4);
    CHECK(history.steps() == 1);
    history.commit();
    CHECK(history.steps() == 1);
  }
}

TEST_CASE("history: an edit that changes nothing makes no step and no version", "[core][history]") {
  History history(default_document());
  history.apply(SetHeads{8});
  const float same = (*history.current().layers[0].weights.W_K)(2, 2);
  history.apply(set_cell(Quantity::W_K, 2, 2, same));
  history.preview(SetHeads{2});
  history.preview(SetHeads{8});
  const auto version = history.version();
  history.commit();
  CHECK(history.steps() == 0);
  CHECK_FALSE(history.can_undo());
  CHECK(history.version() == version);
  CHECK_FALSE(history.modified());
}

TEST_CASE("history: what an edit recomputes keeps its stamps", "[core][history]") {
  History history(default_document());
  const auto stamp = [&] { return history.current().layers[0].weights.W_O.stamp(); };
  const Stamp first = stamp();
  const float was = (*history.current().layers[0].weights.W_O)(0, 0);
  history.preview(set_cell(Quantity::W_O, 0, 0, 2));
  const Stamp second = stamp();
  CHECK(second != first);
  history.preview(set_cell(Quantity::W_O, 0, 0, 2));
  CHECK(stamp() == second);
  history.preview(set_cell(Quantity::W_O, 0, 0, was));
  CHECK(stamp() == first);
  history.commit();
  CHECK(stamp() == first);
  history.apply(set_cell(Quantity::W_O, 0, 0, was));
  CHECK(stamp() == first);
}

TEST_CASE("history: a document stands as deep as steps led to it, however it is come to", "[core][history]") {
  History history(default_document());
  for (int k = 1; k <= 3; ++k) history.apply(set_cell(Quantity::W_Q, 0, 0, static_cast<float>(k)));
  CHECK(history.depth() == 3);
  history.preview(SetHeads{2});
  CHECK(history.depth() == 3);
  history.undo();
  history.undo();
  CHECK(history.depth() == 2);
  history.redo();
  CHECK(history.depth() == 3);
  for (int k = 0; k < 600; ++k) history.apply(set_cell(Quantity::W_K, 0, 0, static_cast<float>(k)));
  CHECK(history.steps() == History::kMaxSteps);
  CHECK(history.depth() == 603);
  history.undo();
  CHECK(history.depth() == 602);
}

TEST_CASE("history: a refused edit leaves everything as it was", "[core][history]") {
  History history(default_document());
  history.preview(SetHeads{4});
  const auto version = history.version();
  CHECK_THROWS_AS(history.preview(SetHeads{5}), InputError);
  CHECK(history.in_gesture());
  CHECK(history.current().layers[0].heads == 4);
  CHECK(history.version() == version);
  history.commit();
  CHECK_THROWS_AS(history.apply(SetSentence{""}), InputError);
  CHECK_FALSE(history.in_gesture());
  CHECK(history.steps() == 1);
}

TEST_CASE("history: a new step forgets what could be redone", "[core][history]") {
  History history(default_document());
  history.apply(SetHeads{4});
  history.undo();
  history.apply(SetHeads{2});
  CHECK_FALSE(history.can_redo());
  history.redo();
  CHECK(history.current().layers[0].heads == 2);
}

TEST_CASE("history: the version grows with every change, modified compares with the saved document",
          "[core][history]") {
  History history(default_document());
  CHECK(history.version() == 0);
  history.apply(SetHeads{4});
  CHECK(history.version() == 1);
  CHECK(history.modified());
  history.mark_saved({"lesson.json", {}});
  CHECK_FALSE(history.modified());
  history.undo();
  CHECK(history.version() == 2);
  CHECK(history.modified());
  history.apply(SetHeads{4});  // by another way back to what was saved
  CHECK(history.version() == 3);
  CHECK_FALSE(history.modified());
}

TEST_CASE("history: bounded by count", "[core][history]") {
  History history(default_document());
  const int edits = static_cast<int>(History::kMaxSteps) + 20;
  for (int k = 0; k < edits; ++k)
    history.apply(SetEmbedding{Embedding::Kind::hashed, static_cast<std::uint64_t>(100 + k)});
  CHECK(history.steps() == History::kMaxSteps);
  while (history.can_undo()) history.undo();
  CHECK(history.current().embedding.seed == 119);
}

TEST_CASE("history: bounded by bytes, shared matrices counted once", "[core][history]") {
  History history(apply(default_document(), SetModelWidth{1000}));
  constexpr std::size_t matrix = 1000 * 1000 * sizeof(float);  // smaller than what copies share pages of
  CHECK(history.bytes() < 4 * (matrix + 1000 * sizeof(Stamp)) + 24000);
  history.apply(SetHeads{4});
  CHECK(history.bytes() < 4 * (matrix + 1000 * sizeof(Stamp)) + 24000);
  for (int k = 0; k < 140; ++k) history.apply(set_cell(Quantity::W_Q, 0, 0, static_cast<float>(k)));
  CHECK(history.bytes() <= History::kMaxBytes);
  CHECK(history.bytes() > History::kMaxBytes - 2 * matrix);
  CHECK(history.steps() < 137);
  CHECK(history.steps() > 125);
  history.undo();
  CHECK((*history.current().layers[0].weights.W_Q)(0, 0) == 138);
}

TEST_CASE("history: the file belongs to the state, on both sides of an opened document", "[core][history]") {
  History history(default_document(), {"lesson.json", {}});
  history.apply(SetHeads{4});
  const Document lesson = history.current();
  const Document example = apply(default_document(), SetHeads{2});
  history.apply(ReplaceDocument{example, "an example"});
  CHECK(history.file().path.empty());
  CHECK_FALSE(history.modified());
  history.apply(SetHeads{1});
  CHECK(history.modified());
  history.undo();
  CHECK_FALSE(history.modified());
  history.undo();
  CHECK(history.file().path == "lesson.json");
  CHECK(same_document(history.current(), lesson));
  CHECK(history.modified());
  history.undo();
  CHECK_FALSE(history.modified());
  history.redo();
  history.redo();
  CHECK(history.file().path.empty());
  CHECK_FALSE(history.modified());
}

TEST_CASE("history: a document of the same content in another file is a step of its own", "[core][history]") {
  History history(default_document(), {"a.json", {}});
  history.apply(ReplaceDocument{default_document(), "b.json", {"b.json", {}}});
  CHECK(history.file().path == "b.json");
  CHECK_FALSE(history.modified());
  history.undo();
  CHECK(history.file().path == "a.json");
  history.redo();
  history.apply(ReplaceDocument{default_document(), "b.json", {"b.json", {}}});
  CHECK(history.steps() == 1);
}

TEST_CASE("history: saving renames a document with all its steps, and no other", "[core][history]") {
  History history(default_document(), {"a.json", {}});
  history.apply(ReplaceDocument{apply(default_document(), SetHeads{4}), "b.json", {"b.json", {}}});
  history.apply(SetHeads{2});
  history.mark_saved({"c.json", {}});
  CHECK(history.file().path == "c.json");
  CHECK_FALSE(history.modified());
  history.undo();
  CHECK(history.file().path == "c.json");
  CHECK(history.modified());
  history.undo();
  CHECK(history.file().path == "a.json");
  CHECK_FALSE(history.modified());
}

TEST_CASE("history: every step kept in a file is compared with what the file has now", "[core][history]") {
  const Document first = default_document(), second = apply(first, SetHeads{4}), third = apply(first, SetHeads{2});
  History history(first, {"a.json", {1, 1}});
  history.apply(ReplaceDocument{second, "an example"});
  SECTION("written under another document's name") {
    history.mark_saved({"./a.json", {2, 2}});
    history.undo();
    CHECK(history.modified());
    CHECK(history.file().content == Fingerprint{2, 2});
  }
  SECTION("opened again after something else wrote it") {
    history.apply(ReplaceDocument{third, "a.json", {"a.json", {3, 3}}});
    CHECK_FALSE(history.modified());
    history.undo();
    CHECK_FALSE(history.modified());
    history.undo();
    CHECK(history.modified());
    CHECK(history.file().content == Fingerprint{3, 3});
  }
}

TEST_CASE("history: unsaved work is the present document and those left by opening another", "[core][history]") {
  History history(default_document(), {"a.json", {}});
  CHECK(history.unsaved().empty());
  history.apply(SetHeads{4});
  const Document a = history.current();
  history.apply(ReplaceDocument{default_document(), "b.json", {"b.json", {}}});
  REQUIRE(history.unsaved().size() == 1);
  CHECK(history.unsaved()[0].file.path == "a.json");
  CHECK(history.unsaved()[0].undos == 1);
  history.apply(SetHeads{2});
  history.apply(SetHeads{1});
  const std::vector<History::Unsaved> both = history.unsaved();
  REQUIRE(both.size() == 2);
  CHECK(both[0].file.path == "b.json");
  CHECK(both[0].undos == 0);
  CHECK(both[1].undos == 3);
  CHECK(same_document(both[1].document, a));
  CHECK(both[0].lineage != both[1].lineage);
  SECTION("undone edits are no work to save") {
    for (int k = 0; k < 3; ++k) history.undo();
    REQUIRE(history.unsaved().size() == 1);
    CHECK(history.unsaved()[0].undos == 0);
    history.undo();
    CHECK(history.unsaved().empty());
  }
  SECTION("a document saved in the place of one that was left replaces it, until that is edited again") {
    history.mark_saved({"a.json", {}});
    CHECK(history.unsaved().empty());
    for (int k = 0; k < 3; ++k) history.undo();
    CHECK(history.unsaved().size() == 1);
    history.apply(SetSetting{LayerSetting::scale, false});
    history.apply(ReplaceDocument{default_document(), "an example"});
    CHECK(history.unsaved().size() == 1);
  }
  SECTION("it survives any number of steps") {
    for (std::size_t k = 0; k < History::kMaxSteps + 20; ++k)
      history.apply(SetEmbedding{Embedding::Kind::hashed, 100 + k});
    CHECK(history.steps() == History::kMaxSteps);
    const std::vector<History::Unsaved> later = history.unsaved();
    REQUIRE(later.size() == 2);
    CHECK(later[1].undos == History::kMaxSteps);
    for (std::size_t k = 0; k < later[1].undos; ++k) history.undo();
    CHECK(same_document(history.current(), a));
    CHECK(history.file().path == "a.json");
  }
}

TEST_CASE("history: what was recovered is unsaved, in the file it was meant for", "[core][history]") {
  History history(default_document());
  const Document found = apply(default_document(), SetHeads{4});
  history.apply(ReplaceDocument{found, "lesson.json", {"lesson.json", {5, 5}}, true});
  CHECK(history.modified());
  CHECK(history.file().path == "lesson.json");
  CHECK(history.file().content == Fingerprint{5, 5});
  history.mark_saved({"lesson.json", {6, 6}});
  CHECK_FALSE(history.modified());
}

TEST_CASE("history: a gesture, an undo and a redo are one step of the count each", "[core][history]") {
  History history(default_document());
  const std::uint64_t first = history.step();
  for (int k = 1; k <= 3; ++k) history.preview(set_cell(Quantity::W_Q, 0, 0, static_cast<float>(k)));
  CHECK(history.step() == first + 1);
  history.commit();
  CHECK(history.step() == first + 1);
  history.undo();
  CHECK(history.step() == first + 2);
  history.undo();  // nothing to undo
  CHECK(history.step() == first + 2);
  history.redo();
  CHECK(history.step() == first + 3);
  history.apply(SetHeads{4});
  CHECK(history.step() == first + 4);
}

TEST_CASE("history: weights that stand in one block hold all of it", "[core][history]") {
  // As training has them: whoever keeps a matrix of a step keeps all parameters of the step.
  const auto trained = [](float value) {
    const auto block = std::make_shared<const std::vector<float>>(1'000'000, value);
    Document document = default_document();
    for (Array<float>* weights : {&document.layers[0].weights.W_Q, &document.layers[0].weights.W_K}) {
      const Index rows = (*weights)->rows(), cols = (*weights)->cols();
      *weights = Array<float>({block, block->size() * sizeof(float)}, block->data(), rows, cols, cols, new_stamp());
    }
    return document;
  };
  History history(trained(0.1f));
  const std::size_t one = history.bytes();
  CHECK(one > 4'000'000);
  CHECK(one < 5'000'000);
  history.apply(ReplaceDocument{trained(0.2f), ""});
  CHECK(history.bytes() > one + 4'000'000);
  history.apply(SetSetting{LayerSetting::temperature, 2});  // shares its weights with the one before
  CHECK(history.bytes() < one + 5'000'000);
}

TEST_CASE("history: what was saved is what was written, however long that took", "[core][history]") {
  History history(default_document(), {"a.json", {}});
  history.apply(SetSetting{LayerSetting::temperature, 2});
  const Document written = history.current();
  const int lineage = history.lineage();
  SECTION("edited since: unsaved, until that is undone") {
    history.apply(SetSetting{LayerSetting::temperature, 3});
    history.mark_saved(lineage, written, {"a.json", {1, 1}});
    CHECK(history.modified());
    history.undo();
    CHECK_FALSE(history.modified());
    history.undo();
    CHECK(history.modified());
  }
  SECTION("another document opened since: its own file stays its own") {
    history.apply(ReplaceDocument{apply(default_document(), SetHeads{4}), "b.json", {"b.json", {2, 2}}});
    CHECK(history.unsaved().size() == 1);
    history.mark_saved(lineage, written, {"c.json", {1, 1}});
    CHECK(history.file().path == "b.json");
    CHECK_FALSE(history.modified());
    CHECK(history.unsaved().empty());
    history.undo();
    CHECK(history.file().path == "c.json");
    CHECK_FALSE(history.modified());
  }
  SECTION("taken back past its opening, and its steps dropped") {
    history.apply(ReplaceDocument{apply(default_document(), SetHeads{4}), "b.json", {"b.json", {2, 2}}});
    const int gone = history.lineage();
    history.undo();
    history.apply(SetSetting{LayerSetting::temperature, 4});
    history.mark_saved(gone, default_document(), {"b.json", {3, 3}});
    CHECK(history.file().path == "a.json");
    CHECK(history.modified());
  }
}
