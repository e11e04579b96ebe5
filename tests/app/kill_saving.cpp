// kill_saving COUNT [SECONDS]: the program without its window is killed (SIGKILL) COUNT times while it saves; the file
// must be the old one or the new one, whole. Then COUNT / 10 times while it is edited; all edits but those of the last
// SECONDS (2) must be offered for recovery. Exit code 0: nothing was lost.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>

#include "app/app.h"
#include "app/platform/imgui_session.h"
#include "core/io/file.h"
#include "core/io/recovery.h"
#include "tests/support/folder.h"

using namespace hydra;

namespace {

using Clock = std::chrono::steady_clock;

// The program under test, in a process of its own.
class Program {
 public:
  explicit Program(const std::string& lesson) : app_(open_document(lesson), pictures_) {
    app_.set_patience(std::chrono::milliseconds(0));
    frame();
  }
  App& app() { return app_; }
  void press(int code, bool ctrl = false) {
    using Kind = InputEvent::Kind;
    if (ctrl) input_.push({.kind = Kind::key, .code = key::left_control, .down = true});
    input_.push({.kind = Kind::key, .code = code, .down = true});
    input_.push({.kind = Kind::key, .code = code, .down = false});
    if (ctrl) input_.push({.kind = Kind::key, .code = key::left_control, .down = false});
    while (!input_.empty()) frame();
    frame();
  }
  void wait_a_frame() {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    frame();
  }

 private:
  void frame() { app_.frame({640, 480}, 1.f / 60, input_); }
  ImGuiSession session_;
  NoPictures pictures_;
  InputQueue input_;
  App app_;
};

struct Event {
  enum class Kind { saving, saved, edited } kind;
  int number;
  Clock::time_point when;
};

// Forks, runs the child, and kills it so long after its first event; returns its events.
template <class Child>
std::vector<Event> run_and_kill(const Child& child, std::chrono::microseconds after) {
  int ends[2];
  if (::pipe(ends) != 0) std::abort();
  const pid_t process = ::fork();
  if (process == 0) {
    ::close(ends[0]);
    child([&](Event::Kind kind, int number) {
      const Event event{kind, number, Clock::now()};
      if (::write(ends[1], &event, sizeof event) != sizeof event) std::_Exit(3);
    });
    std::_Exit(4);
  }
  ::close(ends[1]);
  std::vector<Event> events(1);
  if (::read(ends[0], events.data(), sizeof(Event)) != sizeof(Event)) events.clear();
  std::thread reader([&] {
    for (Event event; ::read(ends[0], &event, sizeof event) == sizeof event;) events.push_back(event);
  });
  std::this_thread::sleep_for(after);
  ::kill(process, SIGKILL);
  int status = 0;
  ::waitpid(process, &status, 0);
  reader.join();
  ::close(ends[0]);
  if (events.empty() || !WIFSIGNALED(status)) {
    std::printf("the program ended by itself\n");
    std::exit(1);
  }
  return events;
}

// Two documents of some megabytes that the key C turns into each other.
Document large_document(bool causal) {
  Document document = apply(default_document(), SetModelWidth{256});
  document.layers[0].source.kind = WeightSource::Kind::explicit_values;
  if (causal) document.layers[0].mask.kind = Mask::Kind::causal;
  return document;
}

bool saved_whole(int count, std::mt19937& random) {
  const std::string texts[] = {document_text(large_document(false)), document_text(large_document(true))};
  int within = 0, news = 0;
  for (int run = 0; run < count; ++run) {
    const Folder folder;
    const std::string lesson = folder.file("lesson.json");
    write_document(large_document(false), lesson);
    const auto child = [&](const auto& tell) {
      Program program(lesson);
      for (int k = 1;; ++k) {
        program.press(key::letter('c'));
        tell(Event::Kind::saving, k);
        program.press(key::letter('s'), true);
        for (int frame = 0; program.app().history().modified(); ++frame) {
          if (frame > 10000) std::_Exit(5);
          program.wait_a_frame();
        }
        tell(Event::Kind::saved, k);
      }
    };
    const std::vector<Event> events = run_and_kill(child, std::chrono::microseconds(random() % 300000));
    const Event last = events.back();
    const bool during = last.kind == Event::Kind::saving;
    const std::string content = content_of(lesson);
    const bool is_new = content == texts[last.number % 2], is_old = content == texts[(last.number + 1) % 2];
    within += during;
    news += during && is_new;
    if (is_new || (during && is_old)) continue;
    std::printf("run %d: the file of %zu bytes is neither the old nor the new one (%zu, %zu)\n", run, content.size(),
                texts[0].size(), texts[1].size());
    return false;
  }
  std::printf("killed %d times, %d of them within saving: %d times the old file was there, %d times the new one\n",
              count, within, within - news, news);
  return true;
}

// In seconds: how long before the kill the oldest edit was made that is not offered; nothing when the work is not
// whole.
std::optional<double> lost_by_a_kill(std::mt19937& random) {
  const Folder folder;
  const std::string lesson = folder.file("lesson.json"), state = folder.file("state");
  write_document(default_document(), lesson);
  const auto child = [&](const auto& tell) {
    Program program(lesson);
    program.app().keep_recovery_in(state);
    for (int k = 1;; ++k) {
      program.press(key::letter('r'));
      tell(Event::Kind::edited, k);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  };
  const std::vector<Event> events = run_and_kill(child, std::chrono::microseconds(random() % 4000000));
  const Clock::time_point killed = Clock::now();
  std::vector<std::string> faults;
  const std::vector<RecoveryStore::Found> found = RecoveryStore(state).claim(faults);
  if (!faults.empty() || found.size() > 1) return std::nullopt;
  if (!found.empty() && found[0].recovery.file.path != lesson) return std::nullopt;
  const std::uint64_t before = default_document().layers[0].source.seed;
  const std::uint64_t edits = found.empty() ? 0 : found[0].recovery.document.layers[0].source.seed - before;
  double lost = 0;
  for (const Event& event : events)
    if (static_cast<std::uint64_t>(event.number) > edits)
      lost = std::max(lost, std::chrono::duration<double>(killed - event.when).count());
  return lost;
}

bool work_survives(int count, double seconds, std::mt19937& random) {
  double most = 0;
  for (int run = 0; run < count; ++run) {
    const std::optional<double> lost = lost_by_a_kill(random);
    if (!lost) {
      std::printf("run %d: what was kept for recovery is not whole\n", run);
      return false;
    }
    most = std::max(most, *lost);
  }
  std::printf("killed %d times while it was edited: no edit older than %.2f s was lost\n", count, most);
  return most <= seconds;
}

}  // namespace

int main(int count, char** arguments) {
  const int runs = count > 1 ? std::atoi(arguments[1]) : 200;
  const double seconds = count > 2 ? std::atof(arguments[2]) : 2;
  std::mt19937 random(20261122);
  return saved_whole(runs, random) && work_survives((runs + 9) / 10, seconds, random) ? 0 : 1;
}
