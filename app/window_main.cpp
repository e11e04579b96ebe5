// Frames on demand: nothing is laid out, drawn or presented while nothing changes.
#include "app/window_main.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "app/app.h"
#include "app/gl/heatmap_renderer.h"
#include "app/gl/imgui_renderer.h"
#include "app/platform/files.h"
#include "app/platform/imgui_session.h"
#include "app/platform/loop.h"
#include "app/platform/page.h"
#include "app/platform/window.h"
#include "app/views/shell/parts.h"
#include "app/work/runs_keeper.h"
#include "core/checkpoints/stored.h"
#include "core/io/file.h"
#include "core/text/wording.h"

namespace hydra {
namespace {

constexpr int kFramesAfterInput = 3;  // hover, popups and sizes that follow each other settle within as many
constexpr double kCaretPeriod = 0.5;  // ImGui's caret is on for 0.8 s of 1.2
// Of frames that no input asks for; presenting need not wait for the display. A little less than a sixtieth of a
// second, so that where frames are called at the display's pace none is found to be too early.
constexpr double kFrameTime = 1.0 / 66;
constexpr double kLongSleep = 60;  // until an event

std::string title_of(const std::string& file, bool modified) {
  const std::string name =
      file.empty() ? wording("frame:window.untitled") : std::filesystem::path(file).filename().string();
  return (modified ? "* " : "") + (file.empty() && !modified ? "" : name + " - ") + "Hydrascope";
}

// The window, and all that is in it.
class Program {
 public:
  Program(OpenedDocument opened, std::function<bool()> after_frame)
      : window_(1600, 1000, title_of(opened.file.path, false)),
        app_(std::move(opened), heatmaps_),
        after_frame_(std::move(after_frame)),
        last_(window_.seconds()) {
    app_.set_page(page_address());
    app_.on_background_done(wake_loop);
    app_.set_patience(turn_patience());
    window_.on_file_dropped([this](const std::string& path) { app_.open(path); });
    window_.on_asked({[this](Heard::Kind kind, int index) { app_.choose(kind, index); },
                      [this](const std::string& text) { app_.edit({SetSentence{text}}); },
                      [this](int by) { enter_parts(app_.hands().of<Parts>(), by); }});
    window_.on_refused([this](const std::string& why) { app_.say(why, true); });
  }

  Window& window() { return window_; }
  void begin() { app_.begin(); }
  void open(const std::string& file) { app_.open(file); }

  void keep_recovery() {
    const std::string folder = unsaved_work_folder();
    if (!folder.empty()) app_.keep_recovery_in(folder);
    if (const std::string runs = kept_runs_folder(); !runs.empty()) app_.keep_runs_in(runs);
  }

  std::optional<double> turn(const News& news) {
    if (news.ending) {
      app_.hide();
      app_.finish_recovery();
      frames_left_ = kFramesAfterInput;  // for who comes back
      return std::nullopt;
    }
    bool go_on = true;
    try {
      if (news.fault) std::rethrow_exception(news.fault);
      go_on = take_turn(news.redraw);
    } catch (const std::bad_alloc&) {  // while input came, or the frame was drawn
      app_.failed(std::current_exception());
      frames_left_ = kFramesAfterInput;
    }
    if (!go_on || app_.quit_requested()) return std::nullopt;
    return std::max(0.0, due() - window_.seconds());
  }

 private:
  // False: it was the last.
  bool take_turn(bool redraw) {
    if (redraw) frames_left_ = kFramesAfterInput;
    if (!window_.minimized() && (frames_left_ > 0 || window_.seconds() >= due())) {
      frame();
      if (after_frame_ && !after_frame_()) return false;
    }
    if (window_.should_close()) {
      window_.stay_open();
      app_.close();
      frames_left_ = kFramesAfterInput;
    }
    if (frames_left_ <= 0 && !app_.wants_frame()) app_.rest();
    return true;
  }

  // When the next frame must come if nothing happens before.
  double due() {
    double due = last_ + kLongSleep;
    if (window_.minimized()) return due;
    const Notice& notice = app_.notice();
    if (!notice.sentence.empty()) due = std::min(due, last_ + std::max(kFrameTime, notice.left));
    if (app_.wants_caret_blink()) due = std::min(due, last_ + kCaretPeriod);
    // A held button may repeat.
    if (frames_left_ > 0 || app_.wants_frame() || ImGui::IsAnyMouseDown()) due = last_ + kFrameTime;
    return due;
  }

  void frame() {
    const double now = window_.seconds();
    if (window_.take_restored()) make_pictures_anew();
    app_.set(app_.view().display_scale, window_.content_scale());
    app_.listen(window_.listens());
    app_.set(app_.view().calm, window_.prefers_calm());
    if (!app_.view().theme_chosen) app_.set(app_.view().dark, window_.prefers_dark());
    ImGui::GetIO().DisplayFramebufferScale = window_.framebuffer_scale();
    app_.frame(window_.size(), static_cast<float>(now - last_), window_.input());
    last_ = now;
    --frames_left_;
    if (app_.take_fonts_changed()) imgui_->upload_fonts();
    imgui_->draw(theme(app_.view().dark).ground);
    window_.show_cursor();
    window_.set_title(title_of(app_.history().file().path, app_.history().modified()));
    if (said_unsaved_ != app_.unsaved_version()) window_.set_unsaved(app_.has_unsaved());
    said_unsaved_ = app_.unsaved_version();
    if (window_.listens()) window_.tell(app_.heard());
    window_.present();
    if (heatmaps_.take_refusals_changed()) frames_left_ = std::max(frames_left_, 1);
  }

  // What the lost context had.
  void make_pictures_anew() {
    imgui_.reset();
    imgui_.emplace();
    heatmaps_ = gl::HeatmapRenderer();
  }

  ImGuiSession session_;  // first: all of the others need it
  Window window_;         // its context is that of the renderers
  std::optional<gl::ImGuiRenderer> imgui_{std::in_place};
  gl::HeatmapRenderer heatmaps_;
  App app_;
  std::function<bool()> after_frame_;
  double last_;                     // when the last frame began
  std::uint64_t said_unsaved_ = 0;  // the version of it
  int frames_left_ = kFramesAfterInput;
};

// The document to begin with, and whether the file is then opened over it: a run is, and a document whose model is not
// where it was, or a model that no family reads, so that the window asks what to do.
std::pair<OpenedDocument, bool> first_document(const std::string& file) {
  if (learn::is_run_path(file)) return {open_document(""), true};
  try {
    return {open_document(file), false};
  } catch (const MissingModel&) {
    return {open_document(""), true};
  } catch (const UnreadModel&) {
    return {open_document(""), true};
  }
}

}  // namespace

int run_window(const std::string& file, const std::function<bool()>& after_frame) {
  auto [first, over] = first_document(file);
  auto program = std::make_shared<Program>(std::move(first), after_frame);
  if (file.empty() || over) program->begin();
  if (over) program->open(file);
  if (!after_frame) program->keep_recovery();  // who only measures leaves no traces
  Window& window = program->window();
  run_loop(window, [program = std::move(program)](const News& news) { return program->turn(news); });
  return 0;
}

}  // namespace hydra
