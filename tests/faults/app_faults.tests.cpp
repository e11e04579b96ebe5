// The window lives, whatever fails while it opens, saves, computes and is laid out. Spared are ImGui's own allocations:
// it writes to what it is given without a look, so that nothing of ours could end such a frame.
#include "app/views/shell/views.h"
#include "core/document/evaluate.h"
#include "core/io/file.h"
#include "tests/faults/faults.h"
#include "tests/support/folder.h"
#include "tests/support/sanitized.h"
#include "tests/support/session.h"

using namespace hydra;
using faults::Fault;
using faults::Kind;
using faults::Threads;

namespace {

const long kMostTried = test::cases(60, 24, 12);

Document other_document() { return apply(default_document(), SetSentence{"It was tired."}); }

bool trace_is_right(const App& app) {
  return trace_text(app.trace()) == trace_text(*evaluate(app.history().current()));
}

}  // namespace

TEST_CASE("faults: opening a file in the window opens it or says why not", "[faults][app]") {
  const Folder folder;
  const std::string path = folder.file("a.json");
  write_document(other_document(), path);
  Session s;
  const std::string old_text = document_text(s.document()), new_text = document_text(other_document());
  long calls = 0;
  {
    const Fault none(Kind::allocation, -1);
    s.app.open(path);
    calls = none.calls();
  }
  REQUIRE(calls > 100);
  int refused = 0;
  for (long call = 0; call < calls; call += 1 + calls / kMostTried) {
    Session fresh;
    {
      const Fault fault(Kind::allocation, call);
      fresh.app.open(path);
    }
    CAPTURE(call, calls, fresh.notice().sentence);
    const std::string now = document_text(fresh.document());
    REQUIRE((now == old_text || now == new_text));
    REQUIRE_FALSE(fresh.notice().sentence.empty());
    refused += now == old_text;
    fresh.app.open(path);
    fresh.ui.frames(2);
    fresh.app.finish_evaluation();
    fresh.ui.frames(1);
    REQUIRE(document_text(fresh.document()) == new_text);
    REQUIRE(trace_is_right(fresh.app));
  }
  CHECK(refused > kMostTried / 6);
}

TEST_CASE("faults: saving in the window leaves the old file or the new one, and says which", "[faults][app]") {
  const Folder folder;
  const std::string path = folder.file("a.json");
  for (const Kind kind : {Kind::write, Kind::fsync, Kind::rename, Kind::link, Kind::chmod}) {
    for (long call = 0; call < 4; ++call) {
      write_document(other_document(), path);
      const std::string old_text = document_text(other_document());
      Session s;
      s.app.open(path);
      s.ui.frames(2);
      s.ui.click("model/mask/causal");
      const std::string new_text = document_text(s.document());
      REQUIRE(new_text != old_text);
      {
        const Fault fault(kind, call);
        s.ui.key(key::letter('s'), true);
        s.ui.frames(2);
      }
      CAPTURE(faults::name_of(kind), call, s.notice().sentence);
      const std::string now = read_whole(path);
      REQUIRE((now == old_text || now == new_text));
      CHECK(s.app.history().modified() == (now == old_text));
      s.ui.key(key::letter('s'), true);
      s.ui.frames(2);
      REQUIRE(read_whole(path) == new_text);
      CHECK_FALSE(s.app.history().modified());
    }
  }
}

TEST_CASE("faults: what cannot be computed in the background is said, and the next edit is computed", "[faults][app]") {
  Session s;
  const auto edit = [&](bool causal) {
    s.ui.click(causal ? "model/mask/causal" : "model/mask/none");
    s.app.finish_evaluation();
    s.ui.frames(2);
  };
  for (const bool causal : {true, false}) {  // what random layers reach is known then, so that it is not measured below
    edit(causal);
    s.app.finish_names();
  }
  long calls = 0;
  {
    const Fault none(Kind::allocation, -1, Threads::others);
    edit(true);
    calls = none.calls();
  }
  REQUIRE(calls > 0);
  int told = 0;
  for (long call = 0; call < calls; call += 1 + calls / kMostTried) {
    edit(false);
    {
      const Fault fault(Kind::allocation, call, Threads::others);
      edit(true);
    }
    CAPTURE(call, calls, s.app.failure());
    told += !s.app.failure().empty();
    REQUIRE((!s.app.failure().empty() || trace_is_right(s.app)));
    edit(false);
    REQUIRE(s.app.failure().empty());
    REQUIRE(trace_is_right(s.app));
  }
  CHECK(told > 0);
}

TEST_CASE("faults: a frame that runs out of memory ends, says so, and loses nothing", "[faults][app]") {
  ImGui::SetAllocatorFunctions([](std::size_t size, void*) { return faults::take_spared(size); },
                               [](void* memory, void*) { faults::give_spared(memory); });
  const Folder folder;
  Session s;
  s.app.keep_recovery_in(folder.file("recovery"));
  for (const ViewEntry& entry : all_views()) {
    const ViewId view = entry.id;
    s.set(s.view().view, view);
    const auto settle = [&] {
      s.ui.frames(2);
      s.app.finish_evaluation();
      s.ui.frames(2);
    };
    settle();
    // The key C turns the mask on, or off again, and the view is laid out after it.
    const auto edit = [&] {
      s.ui.input.push({.kind = InputEvent::Kind::key, .code = key::letter('c'), .down = true});
      s.ui.input.push({.kind = InputEvent::Kind::key, .code = key::letter('c'), .down = false});
    };
    long calls = 0;
    {
      edit();
      const Fault none(Kind::allocation, -1, Threads::own);
      s.ui.frames(3);
      calls = none.calls();
    }
    REQUIRE(calls > 100);
    int said = 0, undone = 0;
    for (long call = 0; call < calls; call += std::getenv("HYDRA_ALL_FAULTS") ? 1 : 1 + calls / kMostTried) {
      CAPTURE(static_cast<int>(view), call, calls);
      settle();
      const std::string old_text = document_text(s.document());
      const bool causal = s.layer().mask.kind == Mask::Kind::causal;
      const std::string new_text =
          document_text(apply(s.document(), SetMask{{causal ? Mask::Kind::none : Mask::Kind::causal, nullptr}}));
      s.notice().sentence.clear();
      {
        edit();
        const Fault fault(Kind::allocation, call, Threads::own);
        s.app.frame(s.ui.size, UiDriver::dt, s.ui.input);
        s.app.frame(s.ui.size, UiDriver::dt, s.ui.input);
        s.app.frame(s.ui.size, UiDriver::dt, s.ui.input);
      }
      const std::string now = document_text(s.document());
      REQUIRE((now == old_text || now == new_text));
      said += s.notice().sentence.find("memory") != std::string::npos;
      undone += now == old_text;
      settle();
      REQUIRE(document_text(s.document()) == now);
      REQUIRE(trace_is_right(s.app));
      REQUIRE(s.ui.exists("status"));
    }
    CAPTURE(static_cast<int>(view), calls, said, undone);
    CHECK(said > kMostTried / 4);
  }
  if (!s.app.history().modified()) s.ui.key(key::letter('c'));
  s.app.finish_recovery();
  CHECK_FALSE(std::filesystem::is_empty(folder.path / "recovery"));
}
