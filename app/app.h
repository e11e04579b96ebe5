// The program without its window: document, history, trace, view state, and one frame of the interface. Knows ImGui,
// but neither GLFW nor OpenGL, so that tests and the render command run the same frames as the window does.
#pragma once
#include <chrono>
#include <exception>
#include <memory>
#include <string>
#include <type_traits>

#include "app/draw/heatmap.h"
#include "app/draw/recording.h"
#include "app/platform/heard.h"
#include "app/platform/input.h"
#include "app/scene/choose.h"
#include "app/views/frame/context.h"
#include "core/document/edits/history.h"
#include "core/io/file.h"

namespace hydra {

class App {
 public:
  // Needs a current ImGui context. sink must outlive the app.
  App(OpenedDocument opened, HeatmapSink& sink);
  App(Document document, std::string path, HeatmapSink& sink);  // as if read from path
  ~App();

  // One frame: pump input, lay out, apply the edits, evaluate; when that changed anything, lay out once more, so that
  // what is presented never lags behind the input. Ends with ImGui::Render (draw data ready). dt in seconds.
  void frame(ImVec2 size, float dt, InputQueue& input);

  // What is done with a frame has failed: a notice says it, and what can be recomputed is let go.
  void failed(const std::exception_ptr& fault);

  // While it is set, frames draw the view alone into it, as large as the frame, without what stands around it (or with
  // the window around it); each layout begins it anew. What has no window of its own (figures, tests) reads it. null:
  // the screen again.
  void record_in(Recording* recording, bool with_window = false);

  // True once after the font atlas was rebuilt (text scale): the caller uploads it again.
  bool take_fonts_changed();
  // Something moves without input: an animation, a caret, a background evaluation that just finished.
  bool wants_frame() const;
  bool wants_caret_blink() const;
  bool pictures_pending() const;  // some pictures of the last frame were too many for it, and come in the next
  void rest();                    // nothing moves for a while: memory of large traces that are gone is given back
  bool quit_requested() const;
  // As Ctrl Q: quit_requested, at once or when the user has said what becomes of unsaved work.
  void close();
  // Called from any thread when a background evaluation is done; the window sets it to wake its event loop.
  void on_background_done(std::function<void()> wake);
  // How long a frame waits for what it asked for, 12 ms unless said otherwise: tests wait until it is there, however
  // busy the machine.
  void set_patience(std::chrono::milliseconds patience);
  // Blocks until the trace and the measures of the heads belong to the document (tests); finish_names also until the
  // heads have their names (render command).
  void finish_evaluation();
  void finish_names();
  void keep_at_most(double bytes);            // of the next traces: Keeping in core/document/evaluate.h (tests)
  void keep_done_at_most(std::size_t bytes);  // of what has been done (tests)
  // What a cold start shows: the first head's pattern large, and in the inspector, framed, the number of its weights
  // that offered_weight gives, so that there is something to drag at once. Nothing is selected; whenever nothing is
  // again, the weight of the head in focus is offered.
  void begin();
  void open(const std::string& path);                 // as a file dropped on the window; a fault becomes a notice
  void set_page(std::string address);                 // what links that are copied begin with (app/platform/page.h)
  void say(const std::string& sentence, bool error);  // as a notice
  void edit(const Edit& edit);                        // as a view asks for it: the next frame takes it
  void act(Action action);                            // the same of anything a user can do
  void withhold(std::vector<Cell> cells);             // from now on they are nowhere to be seen (withheld.h)
  void choose(Heard::Kind kind, int index);           // as its tab or button: the same
  bool is_acting() const;                             // what was asked for is not done yet, or runs in time
  void hurry();                                       // nobody looks: what runs in time waits for no eye
  // What has been done, as a list that can be played (action_list.h), as far back as it is kept; from what it began
  // with on, which its first lines are.
  std::vector<Action> done() const;
  std::vector<Action> done_from_nothing() const;

  // From now on unsaved work is kept in this folder as well, until it is saved or not wanted any more, and what windows
  // that died have left there is offered. Call on_background_done first.
  void keep_recovery_in(const std::string& folder);
  // The same of Learn's runs, which earlier windows have left there as well.
  void keep_runs_in(const std::string& folder);
  void hide();             // nobody sees the page: training waits, unless it was asked to go on
  void finish_recovery();  // returns when all of it is on the disk

  const History& history() const;
  bool has_unsaved() const;               // work that stands in no file: the history's, or a model that was kept
  std::uint64_t unsaved_version() const;  // grows whenever that may have changed
  const std::string& failure() const;     // why the document has no trace; empty: it has, or is being computed
  const Trace& trace() const;             // the newest; a large document's first takes a moment (finish_evaluation)
  const ViewState& view() const;
  // What an action does to the view state, at once and in no list of what was done: of what no user does (a command's
  // options, what the system prefers, tests). Of any other action nothing is done.
  void set(const Action& action);
  template <class T>
  void set(const T& field, const std::type_identity_t<T>& value) {  // of the view state
    if (!(field == value)) set(chosen(view(), field, value));
  }
  const Glance& was() const;  // under the pointer in the last layout
  Hands& hands();
  Made& made();
  Notice& notice();
  Front& front();
  ToolsTold tools() const;
  const std::optional<Cell>& offered() const;  // FrameStatus::offered
  void listen(bool somebody_does);
  const Heard& heard() const;
  const KnownSentences& sentences() const;
  const LearnTold& learn() const;
  const Fonts& fonts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hydra
