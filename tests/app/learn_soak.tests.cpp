// An hour of Learn: a large run with branches, back and forth in time, heads silenced, other views and pages meanwhile,
// then one task after the other. Memory has a bound whatever is done, and a step that is gone back to has the bits that
// it had. HYDRA_SOAK_MINUTES says how long (scripts/soak --learn); HYDRA_MONKEY_SEED another course.
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

#include "app/platform/input.h"
#include "app/views/shell/views.h"
#include "core/learn/model.h"
#include "core/learn/run.h"
#include "core/learn/start.h"
#include "core/linalg/memory.h"
#include "tests/support/monkey.h"
#include "tests/support/sanitized.h"
#include "tests/support/session.h"

using namespace hydra;
using namespace hydra::test;

namespace {

using Clock = std::chrono::steady_clock;

struct Memory {
  double resident = 0, allocated = 0, undo = 0, timeline = 0;  // megabytes
  // What has no bound of its own; where the C library does not tell, of all that is resident.
  double rest() const { return (allocated > 0 ? allocated : resident) - undo - timeline; }
};

class Learning : Session {
 public:
  Learning(std::uint64_t seed, double minutes) : Session(default_document(), {1280, 800}), random_(seed) {
    seconds_ = 60 * minutes;
    reports_ = minutes > 0;
    if (reports_) app.set_patience(std::chrono::milliseconds(12));  // a window's, which waits for no names
  }

  // Of seconds in all, where they are counted; else of rounds.
  void run() {
    begin("grammar", 4, 4, reports_ ? 128 : 16);
    after_begin_ = memory();
    for (int round = 0; goes_on(round, 0.6, 4); ++round) act(reports_ ? 20 : 5);
    check_replay();
    const auto keys = learn::task_keys();
    for (int round = 0; goes_on(round, 1, 2); ++round) {
      const std::string key(keys[static_cast<std::size_t>(below(static_cast<int>(keys.size())))]);
      const Index width = Index{32} << below(reports_ ? 3 : 1);
      begin(key, 1 + below(4), 4, width);
      const auto until = Clock::now() + std::chrono::seconds(60);
      for (int k = 0; reports_ ? Clock::now() < until && goes_on(0, 1, 1) : k < 1; ++k) act(reports_ ? 10 : 3);
      check_replay();
    }
    pause();
    report();
  }

  Memory memory() {
    Memory now;
    std::ifstream file("/proc/self/statm");
    double total = 0;
    file >> total >> now.resident;
    now.resident *= static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
#ifdef __GLIBC__
    const struct mallinfo2 info = ::mallinfo2();
    now.allocated = static_cast<double>(info.uordblks + info.hblkhd) / (1 << 20);
#endif
    now.undo = static_cast<double>(app.history().bytes()) / (1 << 20);
    if (timeline()) now.timeline = static_cast<double>(timeline()->bytes()) / (1 << 20);
    return now;
  }
  const Memory& after_begin() const { return after_begin_; }
  long long taken() { return before_ + steps(); }
  double most_rest() const { return most_rest_; }

 private:
  const learn::Timeline* timeline() { return app.learn().timeline.get(); }
  int below(int n) { return static_cast<int>(random_.bits() % static_cast<std::uint64_t>(n)); }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  bool goes_on(int round, double part, int rounds) const {
    return reports_ ? seconds() < part * seconds_ : round < rounds;
  }

  // As a window would, some sixty frames a second, while minutes are counted.
  void frame() {
    ui.frames(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(reports_ ? 8 : 1));
    if (timeline()) {
      REQUIRE(timeline()->bytes() <= timeline()->most_bytes());
      REQUIRE(app.history().bytes() <= History::kMaxBytes);
    }
    if (reports_ && seconds() >= next_report_) report();
  }
  void report() {
    next_report_ = seconds() + 60;
    const Memory now = memory();
    most_rest_ = std::max(most_rest_, now.rest());
    if (!reports_) return;
    const learn::Timeline& of = *timeline();
    std::printf(
        "minute %4.1f: %s, %d layers of width %d, %d branches, %lld steps in this run, %lld in all, %lld gone "
        "back to; timeline %.0f MB of %.0f, undo %.0f MB, rest of the heap %.0f MB, resident %.0f MB\n",
        seconds() / 60, app.learn().task->info().key.c_str(), static_cast<int>(of.tracks().layers),
        static_cast<int>(document().d_model), of.size(), steps(), before_ + steps(), recalled_, now.timeline,
        static_cast<double>(of.most_bytes()) / (1 << 20), now.undo, now.rest(), now.resident);
    std::fflush(stdout);
  }
  long long steps() {
    long long all = 0;
    for (int k = 0; timeline() && k < timeline()->size(); ++k)
      all += timeline()->branch(k).last() - timeline()->branch(k).from;
    return all;
  }

  void show_run() {
    if (ui.exists("question/Stay")) ui.click("question/Stay");
    ui.key(key::escape);
    set(view().view, ViewId::learn);
    set(view().learn.page, LearnPage::run);
    set(view().selection, std::nullopt);
    ui.frames(3);
  }
  void pause() {
    show_run();
    for (int k = 0; k < 10000 && ui.exists("learn/pause"); ++k) {
      if (k % 200 == 0) ui.click("learn/pause");
      frame();
    }
    REQUIRE(ui.exists("learn/train"));
  }

  void begin(const std::string& key, Index layers, Index heads, Index width) {
    if (timeline()) pause();
    before_ += steps();
    const std::weak_ptr<const learn::Timeline> last = app.learn().timeline;
    show_run();
    ui.click("learn/task/" + key);
    ui.frames(2);
    learn::Recipe recipe = view().learn.setup.recipe;
    recipe.layers = layers, recipe.heads = heads, recipe.d_model = width;
    recipe.steps = 1'000'000;
    set(view().learn.setup.recipe, recipe);
    ui.frames(2);
    ui.click("learn/train");
    ui.frames(3);
    for (int k = 0; k < (reports_ ? 200 : 20) || (!timeline() && k < 10'000); ++k) frame();
    REQUIRE(timeline());
    // Nobody holds on to the run before but where it can be taken up again.
    CHECK((last.expired() || !app.learn().aside.empty()));
  }

  // Trains on for so many tenths of a second at the most while somebody looks around, then does one thing.
  void act(int tenths) {
    show_run();
    if (ui.exists("learn/train")) ui.click("learn/train");
    const auto until = Clock::now() + std::chrono::milliseconds(100 * (1 + below(tenths)));
    while (Clock::now() < until) {
      if (below(30) == 0) look_elsewhere();
      frame();
    }
    pause();
    switch (below(5)) {
      case 0:
        return;  // on from here
      case 1:
        go_back();
        return silence_a_head();
      case 2:
        go_back();
        set(view().learn.setup.seed, static_cast<std::uint64_t>(below(1000)));
        return;
      case 3:
        go_back();
        ui.key('Z', true);  // Undo has been somewhere else
        ui.frames(2);
        return;
      default:
        return tidy_up();
    }
  }
  void look_elsewhere() {
    const auto views = all_views();
    set(view().view, views[static_cast<std::size_t>(below(static_cast<int>(views.size())))].id);
    static constexpr LearnPage kPages[] = {LearnPage::run, LearnPage::gradients, LearnPage::pruning};
    set(view().learn.page, kPages[below(3)]);
    set(view().learn.chart, static_cast<LearnChart>(below(5)));
  }
  // To any step of any branch; now and then it is called off.
  void go_back() {
    const int k = below(timeline()->size());
    const std::string name = "learn/branch/" + std::to_string(k);
    if (!ui.exists(name)) return;
    ui.click(ui.rect(name).at(0.02f + 0.01f * static_cast<float>(below(96)), 0.5f));
    ui.frames(2);
    if (app.learn().recalled >= 0) ++recalled_;
    const bool waits = below(4) > 0;
    for (int n = 0; n < 100'000 && app.learn().recalled >= 0; ++n) {
      if (!waits && n == 20) ui.click("learn/pause");
      frame();
    }
    REQUIRE(app.learn().recalled < 0);
  }
  void silence_a_head() {
    const int layer = below(static_cast<int>(std::ssize(document().layers)));
    app.edit({SetGate{below(4), 0}, layer});
    ui.frames(2);
  }
  // Deletes branches from the last one on, so that there are never very many.
  void tidy_up() {
    for (int k = timeline()->size() - 1; k > 0 && timeline()->size() > 12; --k)
      if (const std::string name = "learn/remove/" + std::to_string(k); ui.exists(name)) ui.click(name), ui.frames(2);
  }

  // A step early in the first branch, as a run by itself comes to it.
  void check_replay() {
    pause();
    const learn::Timeline::Branch& first = timeline()->branch(0);
    set(view().learn.setup.recipe, first.recipe);
    set(view().learn.setup.seed, first.seed);
    ui.frames(2);
    const std::string name = "learn/branch/0";
    ui.click(ui.rect(name).at(0.03f, 0.5f));
    for (int n = 0; n < 100'000 && app.learn().recalled >= 0; ++n) frame();
    const int at = app.learn().step;
    if (at > (reports_ ? 400 : 60)) return;  // a long run's pixel: its steps again would take minutes
    learn::Run run(app.learn().task, learn::starting_document(*app.learn().task, first.recipe, 0), first.recipe,
                   first.seed);
    run.set_gates(first.gates);
    learn::RunState start = run.state();  // its moments are zeros
    start.parameters = *first.first();
    run.go_to(std::move(start));
    for (int k = 0; k < at; ++k) run.take_step(nullptr);
    const learn::Timeline::Kept kept = timeline()->at(0, at);
    REQUIRE(kept.step == at);
    CHECK(*kept.parameters == run.state().parameters);
  }

  Random random_;
  Clock::time_point start_ = Clock::now();
  double seconds_ = 0, next_report_ = 0, most_rest_ = 0;
  bool reports_ = false;
  long long before_ = 0, recalled_ = 0;
  Memory after_begin_;
};

}  // namespace

TEST_CASE("learning soak: runs with branches, for as long as it takes, have a bound", "[app][slow][learn]") {
  const char* given = std::getenv("HYDRA_SOAK_MINUTES");
  const OwnFolder folder;
  Learning learning(monkey_seed(20261125), given ? std::atof(given) : 0);
  learning.run();
  CHECK(learning.taken() > 0);  // whoever waits for what stands before a step takes none
  give_back_freed_memory();
  const Memory end = learning.memory();
  // Models, traces and what is measured of them; timeline and undo have bounds that hold at every frame. A sanitizer
  // keeps what is given back.
  if (!kSanitized) CHECK(std::max(end.rest(), learning.most_rest()) < learning.after_begin().rest() + 400);
}
