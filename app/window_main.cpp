// Frames on demand: nothing is laid out, drawn or presented while nothing changes.
#include "app/window_main.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <utility>

#include "app/app.h"
#include "app/gl/heatmap_renderer.h"
#include "app/gl/imgui_renderer.h"
#include "app/platform/end_signals.h"
#include "app/platform/imgui_session.h"
#include "app/platform/window.h"
#include "core/document/file.h"
#include "core/document/recovery.h"

namespace hydra {
namespace {

constexpr int kFramesAfterInput = 3;     // hover, popups and sizes that follow each other settle within as many
constexpr double kCaretPeriod = 0.5;     // ImGui's caret is on for 0.8 s of 1.2
constexpr double kFrameTime = 1.0 / 60;  // of frames that no input asks for; presenting need not wait for the display
constexpr double kLongSleep = 60;        // until an event

std::string title_of(const std::string& file, bool modified) {
  const std::string name = file.empty() ? "Untitled" : std::filesystem::path(file).filename().string();
  return (modified ? "* " : "") + (file.empty() && !modified ? "" : name + " - ") + "Hydrascope";
}

class Loop {
 public:
  Loop(Window& window, OpenedDocument opened)
      : window_(window), app_(std::move(opened), heatmaps_), last_(window.seconds()) {
    app_.view().display_scale = window.content_scale();
    app_.on_background_done(Window::wake);
    window_.on_file_dropped([this](const std::string& path) { app_.open(path); });
  }

  void keep_recovery() {
    const std::string folder = recovery_folder();
    if (!folder.empty()) app_.keep_recovery_in(folder);
  }

  void offer_weight() { app_.offer_weight(); }

  void run(const EndSignals& signals, const std::function<bool()>& after_frame) {
    bool go_on = true;
    while (go_on && !app_.quit_requested()) {
      if (signals.received() != 0) return app_.finish_recovery();
      try {
        if (wait_for_frame()) {
          frame();
          if (after_frame) go_on = after_frame();
        }
      } catch (const std::bad_alloc&) {  // while input came, or the frame was drawn
        app_.failed(std::current_exception());
        frames_left_ = kFramesAfterInput;
      }
    }
  }

 private:
  // False: it is not due yet.
  bool wait_for_frame() {
    if (window_.should_close()) {
      window_.stay_open();
      app_.close();
      frames_left_ = kFramesAfterInput;
    }
    if (frames_left_ <= 0 && !app_.wants_frame()) app_.rest();
    if (window_.wait(std::max(0.0, due() - window_.seconds()))) frames_left_ = kFramesAfterInput;
    return !window_.minimized() && (frames_left_ > 0 || window_.seconds() >= due());
  }

  // When the next frame must come if nothing happens before.
  double due() {
    const ViewState& view = app_.view();
    double due = last_ + kLongSleep;
    if (window_.minimized()) return due;
    if (!view.notice.empty()) due = std::min(due, last_ + std::max(kFrameTime, view.notice_until - ImGui::GetTime()));
    if (app_.wants_caret_blink()) due = std::min(due, last_ + kCaretPeriod);
    // A held button may repeat.
    if (frames_left_ > 0 || app_.wants_frame() || ImGui::IsAnyMouseDown()) due = last_ + kFrameTime;
    return due;
  }

  void frame() {
    const double now = window_.seconds();
    ImGui::GetIO().DisplayFramebufferScale = window_.framebuffer_scale();
    app_.frame(window_.size(), static_cast<float>(now - last_), window_.input());
    last_ = now;
    --frames_left_;
    if (app_.take_fonts_changed()) imgui_.upload_fonts();
    imgui_.draw(theme(app_.view().dark).ground);
    window_.show_cursor();
    window_.set_title(title_of(app_.history().file().path, app_.history().modified()));
    window_.present();
    if (heatmaps_.take_refusals_changed()) frames_left_ = std::max(frames_left_, 1);
  }

  Window& window_;
  gl::ImGuiRenderer imgui_;
  gl::HeatmapRenderer heatmaps_;
  App app_;
  double last_;  // when the last frame began
  int frames_left_ = kFramesAfterInput;
};

}  // namespace

int run_window(const std::string& file, const std::function<bool()>& after_frame) {
  OpenedDocument opened = open_document(file);
  ImGuiSession session;
  Window window(1600, 1000, title_of(opened.file.path, false));
  int signal = 0;
  {
    Loop loop(window, std::move(opened));
    if (file.empty()) loop.offer_weight();
    const EndSignals signals(Window::wake);
    if (!after_frame) loop.keep_recovery();  // who only measures leaves no traces
    loop.run(signals, after_frame);
    signal = signals.received();
  }
  if (signal != 0) end_by(signal);
  return 0;
}

}  // namespace hydra
