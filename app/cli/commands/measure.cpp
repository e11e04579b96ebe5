// `hydrascope measure`: how fast the interface is on this machine, as JSON lines for scripts/bench. Not in the help.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/draw/probe.h"
#include "app/offscreen_frame.h"
#include "app/platform/process.h"
#include "app/views/likeness/likeness_parts.h"
#include "app/views/shell/views.h"
#include "app/window_main.h"
#include "core/analysis/cost/timing.h"
#include "core/document/edits/edit.h"
#include "core/io/file.h"
#include "core/io/opening.h"
#include "core/text/wording.h"

namespace hydra {
namespace {

struct MeasureOptions {
  bool window = false;  // only the time to the first frame in a real window, which is closed again
  bool views = false;   // instead, of every view: a frame at rest, one of a drag, one of a click
  std::string model;    // instead, of a model's folder or file: how long it takes to be there, in focus, and edited
};

constexpr int kWidth = 1600, kHeight = 1000, kFrames = 100, kWarmUp = 5;

// Of this moment, in milliseconds: by the clock, and of the processor's time that all threads have taken.
double clock_time() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
double processor_time() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Times {
  double wall = 0, cpu = 0;  // milliseconds; cpu: of all threads, so that a busy machine can be told from slow code
  double computing = 0;      // of wall: all but the drawing by OpenGL
};

Times medians(const std::vector<Times>& times) {
  std::vector<double> wall, cpu, computing;
  for (const Times& t : times) {
    wall.push_back(t.wall);
    cpu.push_back(t.cpu);
    computing.push_back(t.computing);
  }
  return {median(wall), median(cpu), median(computing)};
}

void print(const char* what, Times times) {
  std::printf("{\"measure\": \"%s\", \"ms\": %.2f, \"cpu_ms\": %.2f, \"computing_ms\": %.2f}\n", what, times.wall,
              times.cpu, times.computing);
  std::fflush(stdout);
}

void print(const char* what, const char* unit, double value) {
  std::printf("{\"measure\": \"%s\", \"%s\": %.2f}\n", what, unit, value);
  std::fflush(stdout);
}

// An app, drawn frame by frame.
class TimedScene {
 public:
  TimedScene(gl::OffscreenStage& stage, Document document, ViewId view)
      : stage_(stage), app_(std::move(document), "", stage.heatmaps()) {
    app_.set(app_.view().view, view);
    app_.on_background_done([this] { woken_ = true; });
  }
  void show(TradeoffPage page) { app_.set(app_.view().tradeoff.page, page); }

  Times frame() {  // until the GPU is done
    const double start = clock_time(), cpu_start = processor_time();
    lay_out_frame(app_, kWidth, kHeight, input_);
    const double computed = clock_time();
    draw_frame(app_, stage_);
    stage_.finish();
    return {clock_time() - start, processor_time() - cpu_start, computed - start};
  }

  // Until the likeness of all marked sentences is shown: the whole time, and the median of the frames meanwhile.
  // Frames that are quicker than a display shows them wait for it.
  std::pair<double, Times> pooling() {
    app_.set(app_.view().likeness.pooled, true);
    const double start = clock_time();
    std::vector<Times> times;
    const auto pooled = [&] { return !app_.made().of<LikenessPictures>().motion.table()->sentences.empty(); };
    while (!pooled() && times.size() < 10'000) {
      times.push_back(frame());
      const double rest = 1e3 / 60 - times.back().wall;
      if (rest > 0 && !pooled()) std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(rest));
    }
    return {clock_time() - start, medians(times)};
  }

  // Until the document's trace is there, with the layer in focus whole, and drawn: since it was asked for. What is
  // measured of it in the background goes on. computing: without the drawing, which is the processor's where there is
  // no graphics card.
  // the_rest: not the layer in focus alone.
  Times shown(bool the_rest = true) {
    const double start = clock_time(), cpu_start = processor_time();
    const auto is_there = [&] {
      const Trace& trace = app_.trace();
      if (!the_rest && trace.is_beginning()) return true;
      const int layer = app_.view().layer;
      return trace.document == stamp_of(app_.history().current()) && !trace.older_from &&
             trace.layer(std::min(layer, static_cast<int>(trace.layers.size()) - 1)).is_whole();
    };
    lay_out_frame(app_, kWidth, kHeight, input_);
    while (!is_there()) {  // no frame comes while nothing is new
      while (!woken_.exchange(false)) std::this_thread::sleep_for(std::chrono::microseconds(200));
      lay_out_frame(app_, kWidth, kHeight, input_);
    }
    const double computed = clock_time();
    draw_frame(app_, stage_);
    stage_.finish();
    return {clock_time() - start, processor_time() - cpu_start, computed - start};
  }
  Times focus(int layer) {
    app_.set(act::GoTo{layer, 0});
    return shown();
  }
  // A weight of the layer, and what is read out behind it.
  Times edit(int layer, float value) {
    app_.edit(Edit(SetBlock{Quantity::W_Q, 0, 0, share(Mat<float>(Mat<float>::Constant(1, 1, value)))}, layer));
    return shown();
  }
  void read(std::string sentence) { app_.edit(SetSentence{std::move(sentence)}); }
  bool has_layers_to_come() const { return app_.trace().is_beginning(); }
  Index tokens() const { return std::ssize(app_.trace().tokens); }

  Times steady() {
    for (int k = 0; k < kWarmUp; ++k) frame();  // in which it is asked for what the view shows
    app_.finish_evaluation();
    for (int k = 0; k < kWarmUp; ++k) frame();
    std::vector<Times> times;
    for (int k = 0; k < kFrames; ++k) times.push_back(frame());
    return medians(times);
  }

  // A model of the task is trained as fast as it goes: the frames meanwhile, no more than a display shows, and how many
  // steps it takes a second. Then the frames at rest, of the same view.
  struct Training {
    Times frames, rest;
    double steps = 0;
  };
  Training training(const std::string& task) {
    for (int k = 0; k < kWarmUp; ++k) frame();
    press("learn/task/" + task);
    app_.set(app_.view().learn.setup.recipe.steps, 1'000'000);
    press("learn/train");
    const auto taken = [&] { return app_.learn().timeline ? app_.learn().timeline->branch(0).last() : 0; };
    while (taken() < 100) frame();
    std::vector<Times> times;
    const int before = taken();
    const double start = clock_time();
    while (clock_time() - start < 4000) {
      times.push_back(frame());
      const double rest = 1e3 / 60 - times.back().wall;
      if (rest > 0) std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(rest));
    }
    const double seconds = 1e-3 * (clock_time() - start);
    Training made{medians(times), {}, (taken() - before) / seconds};
    press("learn/pause");
    made.rest = steady();
    return made;
  }

  // The cell of this name is dragged up and down, a pixel a frame, each an edit and a recompute.
  Times dragging(const std::string& cell) {
    // Opens the inspector where the view folds it away.
    app_.set(act::Select{{{Quantity::W_Q, app_.view().layer, 0}, 0, 0}});
    for (int k = 0; k < 3; ++k) frame();
    const ImVec2 at = place_of(cell);
    if (at.x < 0) throw std::runtime_error("measure: there is no " + cell + " on the screen to drag");
    input_.push({InputEvent::Kind::move, at.x, at.y});
    frame();
    input_.push({InputEvent::Kind::button, 0, 0, 0, true});
    frame();
    const std::uint64_t before = app_.history().version();
    std::vector<Times> times;
    for (int k = 0; k < kFrames + kWarmUp; ++k) {
      const float offset = 5 + static_cast<float>(k % 40 < 20 ? k % 20 : 20 - k % 20);
      input_.push({InputEvent::Kind::move, at.x, at.y + offset});
      times.push_back(frame());
    }
    const std::uint64_t edits = app_.history().version() - before;
    input_.push({InputEvent::Kind::button, 0, 0, 0, false});
    frame();
    if (edits < kFrames) throw std::runtime_error("measure: dragging " + cell + " edited in too few of the frames");
    return medians({times.begin() + kWarmUp, times.end()});
  }

  // A number and another are clicked in turn: the frame in which the button goes down, and with it the selection.
  Times clicking(const std::string& one, const std::string& other) {
    std::vector<Times> times;
    for (int k = 0; k < kFrames; ++k) {
      const ImVec2 at = place_of(k % 2 ? other : one);
      input_.push({InputEvent::Kind::move, at.x, at.y});
      frame();
      input_.push({InputEvent::Kind::button, 0, 0, 0, true});
      times.push_back(frame());
      input_.push({InputEvent::Kind::button, 0, 0, 0, false});
      frame();
    }
    return medians(times);
  }

 private:
  void press(const std::string& name) {
    const ImVec2 at = place_of(name);
    if (at.x < 0) throw std::runtime_error("measure: there is no " + name + " on the screen to press");
    input_.push({InputEvent::Kind::move, at.x, at.y});
    frame();
    for (const bool down : {true, false}) input_.push({InputEvent::Kind::button, 0, 0, 0, down}), frame();
    for (int k = 0; k < kWarmUp; ++k) frame();
  }
  ImVec2 place_of(const std::string& name) {
    ui::ProbeRecorder recorder;
    ui::probe_recorder() = &recorder;
    frame();
    ui::probe_recorder() = nullptr;
    const auto found = recorder.entries.find(name);
    if (found == recorder.entries.end()) return {-1, -1};
    return {0.5f * (found->second.min.x + found->second.max.x), 0.5f * (found->second.min.y + found->second.max.y)};
  }

  gl::OffscreenStage& stage_;
  std::atomic<bool> woken_ = false;
  App app_;
  InputQueue input_;
};

// 96 heads on so many tokens, d_model 768.
Document large_document(int count) {
  Document document = apply(apply(default_document(), SetModelWidth{768}), SetHeads{96});
  std::vector<std::string> tokens;
  for (int k = 0; k < count; ++k) tokens.push_back("w" + std::to_string(k));
  document.tokens = tokens;
  return document;
}

void measure_likeness(gl::OffscreenStage& stage) {
  TimedScene likeness(stage, large_document(128), ViewId::likeness);
  print("frame, Likeness, 96 heads, n = 128", likeness.steady());
  print("frame while dragging a weight, Likeness, 96 heads, n = 128", likeness.dragging("inspector/cell/0,0"));
  Document features = apply(apply(default_document(), SetModelWidth{768}), SetHeads{96});
  TimedScene pooled(stage, std::move(features), ViewId::likeness);
  pooled.steady();
  const auto [whole, frames] = pooled.pooling();
  print("Likeness pooled over all marked sentences, 96 heads", "ms", whole);
  print("frame meanwhile, Likeness, 96 heads", frames);
}

void measure_training(gl::OffscreenStage& stage) {
  for (const char* task : {"induction", "students", "grammar"}) {
    TimedScene learn(stage, default_document(), ViewId::learn);
    const TimedScene::Training training = learn.training(task);
    print((std::string("frame, Learn, ") + task + ", while it trains").c_str(), training.frames);
    print((std::string("frame, Learn, ") + task + ", at rest").c_str(), training.rest);
    print((std::string("steps of training in the background, ") + task).c_str(), "per_second", training.steps);
  }
}

// What a change that should not be seen must not make slower.
void measure_views(gl::OffscreenStage& stage) {
  for (const ViewEntry& entry : all_views()) {
    TimedScene scene(stage, opening_document(), entry.id);
    const std::string in = ", " + wording(entry.label);
    print(("frame at rest" + in).c_str(), scene.steady());
    print(("frame of a drag" + in).c_str(), scene.dragging("inspector/cell/0,0"));
    print(("frame of a click" + in).c_str(), scene.clicking("inspector/cell/2,1", "inspector/cell/3,1"));
  }
}

// Of a published model, from a cold start. Its first picture is Heads' of the sentence that it opens with; then it
// reads a longer text. What is measured of heads in the background has not begun yet, but for the last line.
void measure_model(gl::OffscreenStage& stage, const std::string& path) {
  Document document = read_document(path, {});
  const int layers = static_cast<int>(document.layers.size());
  print("model opened", "ms", 1e3 * seconds_since_start());
  TimedScene scene(stage, std::move(document), ViewId::heads);
  scene.shown(false);
  print("first picture of the model", "ms", 1e3 * seconds_since_start());
  print("memory beyond the mapping, first picture", "MB", anonymous_megabytes());
  if (scene.has_layers_to_come()) std::_Exit(0);  // which take as long as they take to read
  print("the last layer in focus", scene.focus(layers - 1));
  print("the first layer in focus", scene.focus(0));
  constexpr Index kTokens = 128;
  const std::vector<std::string> words = {"Once", "upon", "a", "time", "there", "was", "a", "little", "girl", "and"};
  std::string text = words.front();
  for (std::size_t count = 1; scene.tokens() < kTokens || count == 1;) {
    for (Index k = std::max<Index>(1, (kTokens - scene.tokens()) / 2); k > 0; --k) text += " " + words[count++ % 10];
    scene.read(text);
    scene.shown();
  }
  std::vector<Times> edits;
  for (int k = 1; k <= 9; ++k) edits.push_back(scene.edit(layers / 2, 0.01f * static_cast<float>(k)));
  print(("edit of the middle layer to the next words, n = " + std::to_string(scene.tokens())).c_str(), medians(edits));
  print("memory beyond the mapping, after edits", "MB", anonymous_megabytes());
}

// Exit code 0. Call it early: the first line is the time since the process began.
int run_measure(const MeasureOptions& options) {
  if (options.window) {
    run_window("", [] {
      print("first frame, window", "ms", 1e3 * seconds_since_start());
      return false;
    });
    return 0;
  }
  gl::OffscreenStage stage;
  if (options.views || !options.model.empty()) {
    options.views ? measure_views(stage) : measure_model(stage, options.model);
    return 0;
  }
  {
    TimedScene flow(stage, default_document(), ViewId::flow);
    flow.frame();
    print("first frame, offscreen", "ms", 1e3 * seconds_since_start());
    print("frame, Flow, opening document", flow.steady());
    print("frame while dragging a weight, Flow, opening document", flow.dragging("inspector/cell/0,0"));
    print("resident memory, opening document", "MB", resident_megabytes());
  }
  TimedScene heads(stage, large_document(512), ViewId::heads);
  print("frame, Heads, 96 heads, n = 512", heads.steady());
  print("frame while dragging a weight, Heads, 96 heads, n = 512", heads.dragging("inspector/cell/0,0"));
  print("resident memory, 96 heads, n = 512", "MB", resident_megabytes());
  measure_likeness(stage);
  measure_training(stage);
  TimedScene tradeoff(stage, default_document(), ViewId::tradeoff);
  print("frame, Trade-off, opening document", tradeoff.steady());
  print("frame while dragging a weight, Trade-off, opening document", tradeoff.dragging("inspector/cell/0,0"));
  tradeoff.show(TradeoffPage::sharing);
  print("frame, Trade-off, shared keys, opening document", tradeoff.steady());
  print("frame while dragging a weight, Trade-off, shared keys, opening document",
        tradeoff.dragging("inspector/cell/0,0"));
  return 0;
}

}  // namespace

CliCommand add_measure(CLI::App& app) {
  const auto kept = std::make_shared<MeasureOptions>();
  MeasureOptions& options = *kept;
  CLI::App& command = *app.add_subcommand("measure", "Times the interface, for scripts/bench");
  command.group("");  // not in the help
  command.add_flag("--window", options.window, "Only the time to the first frame in a window");
  command.add_flag("--views", options.views, "Of every view a frame at rest, of a drag and of a click");
  command.add_option("--model", options.model, "Of a published model: until it is seen, in focus, and edited");
  return {&command, [kept] { return run_measure(*kept); }};
}

}  // namespace hydra
