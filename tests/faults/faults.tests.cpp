// Whatever fails in the middle: the old file or the new one is there, whole; the document is the old or the new one;
// and the program lives. Every call of a kind is made to fail in turn, or every k-th where they are many;
// HYDRA_ALL_FAULTS in the environment makes it every one.
#include "tests/faults/faults.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <new>

#include "core/document/edits/edit.h"
#include "core/document/edits/history.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/files/replacement.h"
#include "core/io/file.h"
#include "tests/support/folder.h"

using namespace hydra;
using faults::Fault;
using faults::Kind;

namespace {

namespace fs = std::filesystem;

constexpr long kMostTried = 300;

std::ptrdiff_t files_in(const Folder& folder) { return std::distance(fs::directory_iterator(folder.path), {}); }

// A fault that is told: what the commands print and the window shows.
enum class End { done, told };
End ended(const std::function<void()>& work) {
  try {
    work();
    return End::done;
  } catch (const InputError&) {
    return End::told;
  } catch (const std::bad_alloc&) {
    return End::told;
  }
}

// Work with each call of the kind failing in turn; prepare is called before each, and look after it with how it ended.
// Returns how many were.
long with_each_failing(
    Kind kind, const std::function<void()>& work, const std::function<void(End)>& look,
    const std::function<void()>& prepare = [] {}) {
  long calls = 0;
  prepare();
  {
    const Fault none(kind, -1);
    work();
    calls = none.calls();
  }
  const long step = std::getenv("HYDRA_ALL_FAULTS") ? 1 : 1 + calls / kMostTried;
  long tried = 0;
  for (long call = 0; call < calls; call += step) {
    End end = End::done;
    prepare();
    {
      const Fault fault(kind, call);
      end = ended(work);
    }
    CAPTURE(name_of(kind), call, calls);
    look(end);
    ++tried;
  }
  return tried;
}

Document edited(int number) {
  return apply(default_document(), SetSetting{LayerSetting::temperature, 0.5f + 0.001f * static_cast<float>(number)});
}

}  // namespace

TEST_CASE("faults: while a document is saved, the old file or the new one is there, whole", "[faults]") {
  const bool named = GENERATE(false, true);
  const Folder folder;
  const std::string path = folder.file("a.json");
  name_every_temporary(named);
  for (const Kind kind : faults::kKinds) {
    write_document(edited(0), path);
    const std::string old_text = document_text(edited(0)), new_text = document_text(edited(1));
    const long tried = with_each_failing(
        kind, [&] { write_document(edited(1), path); },
        [&](End end) {
          const std::string text = read_whole(path);
          REQUIRE((text == old_text || text == new_text));
          if (end == End::done) REQUIRE(text == new_text);
          REQUIRE(files_in(folder) == 1);
        },
        [&] { write_whole(path, old_text); });
    const bool needed = kind != Kind::link || !named;
    CAPTURE(named, name_of(kind));
    CHECK((tried > 0) == needed);
  }
  name_every_temporary(false);
}

TEST_CASE("faults: while a document is opened, it is whole or a fault is told", "[faults]") {
  const Folder folder;
  const Document document =
      apply(apply(default_document(), SetModelWidth{32}), DesignHead{0, preset_design(HeadPreset::previous)});
  write_document(document, folder.file("a.json"));
  std::optional<Document> read;
  CHECK(with_each_failing(
            Kind::allocation, [&] { read = read_document(folder.file("a.json")); },
            [&](End end) {
              if (end == End::done) REQUIRE(same_document(*read, document));
              REQUIRE(same_document(read_document(folder.file("a.json")), document));
            }) > 100);
}

TEST_CASE("faults: while a document is evaluated, the trace before stays and the next one is right", "[faults]") {
  ThreadPool pool(2);
  const Document document = default_document(), next = apply(document, set_cell(Quantity::W_Q, 3, 4, 0.5f));
  const auto before = evaluate(document);
  const std::string old_trace = trace_text(*before), new_trace = trace_text(*evaluate(next));
  for (const Trace* previous : {static_cast<const Trace*>(nullptr), before.get()}) {
    std::shared_ptr<const Trace> trace;
    CHECK(with_each_failing(
              Kind::allocation, [&] { trace = evaluate(next, previous, &pool); },
              [&](End end) {
                if (end == End::done) REQUIRE(trace_text(*trace) == new_trace);
                REQUIRE(trace_text(*before) == old_trace);
              }) > 10);
  }
  CHECK(trace_text(*evaluate(next, before.get(), &pool)) == new_trace);
}

TEST_CASE("faults: an edit, an undo and a gesture leave a document that was there, or the new one", "[faults]") {
  const std::vector<std::pair<const char*, std::function<void(History&)>>> steps = {
      {"apply", [](History& h) { h.apply(set_cell(Quantity::W_Q, 1, 1, 0.25f)); }},
      {"preview",
       [](History& h) {
         h.preview(SetSetting{LayerSetting::temperature, 2});
       }},
      {"commit", [](History& h) { h.commit(); }},
      {"undo", [](History& h) { h.undo(); }},
      {"redo", [](History& h) { h.redo(); }}};
  // Two steps done, one of them undone, a gesture begun for what commits it.
  const auto fresh = [](const std::string& step) {
    History history(default_document());
    history.apply(SetSetting{LayerSetting::temperature, 3});
    history.apply(SetSetting{LayerSetting::temperature, 4});
    history.undo();
    if (step == "commit") history.preview(SetSetting{LayerSetting::temperature, 5});
    return history;
  };
  const auto text = [](const History& history) { return document_text(history.current()); };
  for (const auto& [name, step] : steps) {
    CAPTURE(name);
    History history = fresh(name);
    const std::string before = text(history);
    step(history);
    const std::string after = text(history);
    history = fresh(name);
    const History start = history;
    with_each_failing(
        Kind::allocation, [&, &step = step] { step(history); },
        [&](End end) {
          const std::string now = text(history);
          REQUIRE((now == after || (end == End::told && now == before)));
          // And it goes on: to the first document and back.
          while (history.can_undo()) history.undo();
          REQUIRE(text(history) == document_text(default_document()));
          while (history.can_redo()) history.redo();
        },
        [&] { history = start; });
  }
}
