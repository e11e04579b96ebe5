#include "core/document/history.h"

#include <catch2/catch.hpp>

#include "core/error.h"

using namespace hydra;

TEST_CASE("history: a gesture is one step", "[core][history]") {
  History history(default_document());
  for (int k = 1; k <= 10; ++k) history.preview(set_cell(Parameter::W_Q, 0, 0, static_cast<float>(k)));
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
  history.apply(set_cell(Parameter::W_K, 2, 2, same));
  history.preview(SetHeads{2});
  history.preview(SetHeads{8});
  const auto version = history.version();
  history.commit();
  CHECK(history.steps() == 0);
  CHECK_FALSE(history.can_undo());
  CHECK(history.version() == version);
  CHECK_FALSE(history.modified());
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
  history.mark_saved();
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
  History history(apply(default_document(), SetModelWidth{1024}));
  constexpr std::size_t matrix = 1024 * 1024 * sizeof(float);
  CHECK(history.bytes() < 4 * matrix + 1000);
  history.apply(SetHeads{4});
  CHECK(history.bytes() < 4 * matrix + 1000);
  for (int k = 0; k < 140; ++k) history.apply(set_cell(Parameter::W_Q, 0, 0, static_cast<float>(k)));
  CHECK(history.bytes() <= History::kMaxBytes);
  CHECK(history.bytes() > History::kMaxBytes - 2 * matrix);
  CHECK(history.steps() < 130);
  CHECK(history.steps() > 120);
  history.undo();
  CHECK((*history.current().layers[0].weights.W_Q)(0, 0) == 138);
}
