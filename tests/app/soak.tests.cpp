// Hours of use in minutes: random events over all views, window sizes, text scales, presentation mode and documents
// from the smallest to the largest. In the end memory has not grown, and a program that nobody touches does nothing.
// HYDRA_SOAK_EVENTS says how many (scripts/soak: 100,000); HYDRA_MONKEY_SEED another course.
#include <time.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <thread>

#include "app/app.h"
#include "app/views/shell/views.h"
#include "core/document/evaluate.h"
#include "core/io/file.h"
#include "core/linalg/memory.h"
#include "core/linalg/same_bits.h"
#include "core/text/wording.h"
#include "core/weights/config.h"
#include "tests/support/monkey.h"
#include "tests/support/sanitized.h"

using namespace hydra;
using namespace hydra::test;

namespace {

constexpr int kUsualEvents = kSanitized ? 1500 : 3000, kEventsOfADocument = 400;
constexpr Index kMostCells = 1'000'000;

int events_wanted() {
  const char* given = std::getenv("HYDRA_SOAK_EVENTS");
  return given ? std::max(1, std::atoi(given)) : kUsualEvents;
}

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

// Of all that was taken from the heap and not given back; 0 where the C library does not tell.
double allocated_megabytes() {
#ifdef __GLIBC__
  const struct mallinfo2 info = ::mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / (1024 * 1024);
#else
  return 0;
#endif
}

double processor_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

class Soak {
 public:
  explicit Soak(std::uint64_t seed, bool everything)
      : app_(default_document(), "", ui_.sink), monkey_(ui_, seed), random_(seed + 1), everything_(everything) {
    ui_.program = [this](ImVec2 size, float dt, InputQueue& input) { timed_frame(size, dt, input); };
    ui_.frames(2);
  }

  void run(int events) {
    for (int event = 0; event < events; ++event) {
      if (event % kEventsOfADocument == 0) open(random_document());
      if (event % 100 == 0) change_surroundings();
      monkey_.act();
      if (event % 3 == 0) ui_.frames(1);
      if (event % 2000 == 1999) check();
    }
    check();
  }

  // The opening document in a usual window, everything that was asked for done.
  void rest() {
    open(default_document());
    ui_.key(key::escape);
    ui_.key(key::escape);
    ui_.size = {1280, 800};
    app_.set(app_.view().view, ViewId::flow);
    app_.set(app_.view().presentation, false);
    app_.set(app_.view().text_scale, 1);
    ui_.leave();
    for (int k = 0; k < 4; ++k) {
      ui_.settle();
      app_.finish_names();
    }
    ui_.frames(200);  // notices and what moves come to their end
    app_.finish_names();
    ui_.frames(2);
    give_back_freed_memory();
  }
  // What undo keeps has a bound of its own.
  double undo_megabytes() const { return static_cast<double>(app_.history().bytes()) / (1 << 20); }
  bool at_rest() const { return !app_.wants_frame(); }
  // Of all frames so far, laid out and not drawn: for whoever looks for what freezes the window.
  std::string frame_times() const {
    std::string text = "frames: " + std::to_string(frames_) + ", " + std::to_string(long_frames_.size()) + " over " +
                       std::to_string(kLongFrame).substr(0, 3) + " s";
    auto longest = long_frames_;
    std::sort(longest.rbegin(), longest.rend());
    if (longest.size() > 12) longest.resize(12);
    for (const auto& [seconds, what] : longest) text += "\n  " + std::to_string(seconds).substr(0, 5) + " s: " + what;
    return text;
  }

 private:
  static constexpr double kLongFrame = 0.3;

  void timed_frame(ImVec2 size, float dt, InputQueue& input) {
    const auto start = std::chrono::steady_clock::now();
    const double before = processor_milliseconds();
    app_.frame(size, dt, input);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    ++frames_;
    if (took.count() < kLongFrame) return;
    const Document& document = app_.history().current();
    const auto view = static_cast<std::size_t>(app_.view().view);
    long_frames_.emplace_back(
        took.count(), wording(all_views()[view].label) + " after " + monkey_.last() + ", " +
                          std::to_string(tokens_of(document).size()) + " tokens, " +
                          std::to_string(document.layers.front().heads) + " heads, d_model " +
                          std::to_string(document.d_model) + ", " + std::to_string(static_cast<int>(size.x)) + " x " +
                          std::to_string(static_cast<int>(size.y)) + ", all threads " +
                          std::to_string((processor_milliseconds() - before) / 1e3).substr(0, 5) + " s");
  }

  int below(std::size_t n) { return static_cast<int>(random_.bits() % n); }

  Document random_document() {
    static constexpr Index kWidths[] = {1, 16, 64, 96, 128, 512, 1024}, kTokens[] = {1, 2, 7, 12, 40, 150, 400, 1024};
    const std::size_t most = everything_ ? 0 : 2;  // the short run stays quick
    const Index d_model = kWidths[below(std::size(kWidths) - most)], n = kTokens[below(std::size(kTokens) - most)];
    const std::vector<Index> counts = head_counts(d_model);
    const Index heads = counts[static_cast<std::size_t>(below(counts.size()))];
    Document document = hydra::apply(default_document(), SetEmbedding{Embedding::Kind::hashed, 7});
    document = hydra::apply(hydra::apply(document, SetHeads{1}), SetModelWidth{d_model});
    document = hydra::apply(document, SetHeads{heads});
    if (below(2) == 0) document = hydra::apply(document, SetMask{{Mask::Kind::causal, nullptr}});
    document.tokens.emplace();
    for (Index k = 0; k < n; ++k) document.tokens->push_back("w" + std::to_string(below(500)));
    return document;
  }

  void open(const Document& document) {
    write_document(document, "soak.json");
    app_.open("soak.json");
    ui_.frames(1);
    while (app_.notice().sentence.starts_with("opening") && !app_.front().question) ui_.frames(1);
  }

  void change_surroundings() {
    static const ImVec2 kSizes[] = {{320, 200}, {800, 600}, {1280, 800}, {1600, 1000}, {1920, 1080}, {2560, 1440}};
    ui_.size = kSizes[below(std::size(kSizes))];
    const ViewState& view = app_.view();
    app_.set(view.view, all_views()[static_cast<std::size_t>(below(all_views().size()))].id);
    app_.set(view.presentation, below(4) == 0);
    app_.set(view.dark, below(2) == 0);
    app_.set(view.text_scale, below(3) == 0 ? 1.5f : 1.0f);
    ui_.frames(1);
  }

  // Of large documents the frames are looked at alone: their measures take minutes.
  void check() {
    ui_.settle();
    const Document& document = app_.history().current();
    const auto n = static_cast<Index>(tokens_of(document).size());
    if (std::ssize(document.layers) * document.layers.front().heads * n * n > kMostCells) return;
    app_.finish_evaluation();
    CHECK(app_.failure().empty());
    CHECK(same_document(parse_document(document_text(document), "soak"), document));
    CHECK(same_bits<float>(evaluate(document)->layers.back().output, app_.trace().layers.back().output));
  }

  UiDriver ui_;
  App app_;
  Monkey monkey_;
  Random random_;
  bool everything_;
  std::int64_t frames_ = 0;
  std::vector<std::pair<double, std::string>> long_frames_;  // in seconds
};

}  // namespace

TEST_CASE("soak: random use of everything leaves no memory taken and nothing running", "[app][slow][soak]") {
  const int events = events_wanted();
  const std::uint64_t seed = monkey_seed(20261122);
  const OwnFolder folder;
  Soak soak(seed, events > kUsualEvents);
  soak.run(std::min(events / 3, 3000));  // what is made once and kept
  soak.rest();
  const double before = resident_megabytes(), allocated_before = allocated_megabytes() - soak.undo_megabytes();
  soak.run(events);
  soak.rest();
  const double after = resident_megabytes(), undo = soak.undo_megabytes();
  const double allocated = allocated_megabytes() - undo;
  CHECK(soak.at_rest());
  const double start = processor_milliseconds();
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const double busy = processor_milliseconds() - start;
  WARN("soak seed " << seed << ", " << events << " events: " << before << " MB before, " << after << " MB after, undo "
                    << undo << " MB of it; allocated without undo " << allocated_before << " MB before, " << allocated
                    << " MB after; idle for 2 s: " << busy << " ms of processor time; " << soak.frame_times());
  CHECK(allocated < allocated_before + 128);  // tools keep the weights that they began with, 16 MB at the most each
  CHECK(after - undo < before + 300);         // what is freed between what is kept stays with the process
  CHECK(busy < 100);
}
