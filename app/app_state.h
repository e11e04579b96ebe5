// What an App is made of. Private to the files that are its parts: app.cpp (life, and what runs in the background),
// app_actions.cpp, frame.cpp (one frame) and those named below.
#pragma once
#include "app/app.h"
#include "app/draw/screen_canvas.h"
#include "app/measures/beside.h"
#include "app/platform/glyphs.h"
#include "app/platform/heard.h"
#include "app/scene/actions/action_list.h"
#include "app/scene/actions/apply.h"
#include "app/scene/layer_moves.h"
#include "app/tools/collapse_tool.h"
#include "app/tools/learn_tool.h"
#include "app/tools/repel_tool.h"
#include "app/tools/solve_tool.h"
#include "app/tools/write_tool.h"
#include "app/views/change/changes.h"
#include "app/views/mapping/layout_draft.h"
#include "app/views/shell/place.h"
#include "app/work/evaluator.h"
#include "app/work/file_keeper.h"
#include "app/work/recovery_keeper.h"
#include "app/work/runs_keeper.h"
#include "core/document/model_file.h"
#include "core/measures/known_bounds.h"
#include "core/measures/sentence_folder.h"
#include "core/model/one_of.h"

namespace hydra {

struct App::State {
  State(OpenedDocument opened, HeatmapSink& sink)
      : history(std::move(opened.document), std::move(opened.file)), evaluator(history.current()), screen(sink) {
    evaluated_layers = layers_of(history.current());
    sentences = {shipped_sentences(), folder.sentences(), folder.skipped(), {}, nullptr};
    if (opened.place) look_at(*opened.place);
    if (const auto& file = history.current().file) series = series_of(file->path);
  }

  History history;
  Evaluator evaluator;
  FileKeeper files;
  Measures measures;
  ModelsBeside beside;
  KnownSentences sentences;
  Stamp sentences_cut{};  // by what they are (cut_sentences.h)
  SentenceFolder folder;
  double folder_seen = 0;                              // when it was last looked at
  std::weak_ptr<const Trace> marked_trace;             // whose marks those are
  std::pair<std::uint64_t, bool> marked_of{0, false};  // the document of this version, or the one before
  const std::shared_ptr<KnownBounds> bounds = std::make_shared<KnownBounds>();
  CollapseTool collapse;
  RepelTool repel;
  SolveTool solve;
  WriteTool write_on;
  LearnTool learn;
  // What is done in the background, by jobs.
  struct Work {
    BackgroundWork* background;
    const char* failed;  // a text, how a notice of its failure begins; null: whoever asked says it
  };
  const std::vector<Work> jobs = all_jobs();
  std::vector<Cell> withheld;
  mutable std::shared_ptr<const Trace> without_them;  // the trace
  mutable std::weak_ptr<const Trace> made_from;       // which is made of this one
  DerivedCache derived;
  Changes changes{derived, {measures, sentences.marked, bounds}};
  ViewState view;
  Glance glance, next_glance;  // what the last layout found under the pointer, and the one under way
  Hands hands;
  Made made;
  Notice notice;
  Front front;
  bool listening = false;  // somebody does, and is told:
  Heard heard;
  std::optional<std::pair<Heard::Kind, int>> asked_for;  // of what it offers (offered.h)
  bool offers = false;                                   // FrameStatus::offers, offered
  std::optional<Cell> offered;
  std::optional<ViewState> unpeeked;  // the view state to come back to, where the state before has other sizes
  Outbox outbox;
  std::size_t actions_of_tools = 0;  // the first ones in it
  bool by_tool = false;              // what is performed is one of those
  ActionList done{history.current()};
  bool plays_run = false;          // Learn's, which is noted when that ends
  int trained_from = 0;            // the step of a run that is noted when it ends
  std::optional<Edit> unanswered;  // an edit that needs more memory than there may be, until it is agreed to
  bool agreed = false;
  std::optional<Edit> gesture;  // the last preview of the gesture under way
  ScreenCanvas screen;
  Recording* recording = nullptr;  // App::record_in
  bool records_window = false;

  // Long enough that what is quick is shown in the frame that asked for it, short enough not to be felt.
  std::chrono::milliseconds frame_patience{12};

  Fonts fonts;
  Glyphs glyphs;          // what the fonts do not have
  float built_scale = 0;  // of the atlas and the style in use
  float built_finger = 0;
  bool built_dark = false;
  bool fonts_changed = false;
  bool quit = false;
  float asked_seconds = 0;                                 // since a question, or the help, stands over the window
  std::weak_ptr<const Trace> rested;                       // the trace when memory was last given back
  std::vector<std::string> told_failures;                  // of work in the background
  int told_cut = 0;                                        // mapped_file.h
  std::optional<std::pair<std::uint64_t, Stamp>> stamped;  // a version of the history, and its document's stamp
  std::uint64_t evaluated_version = 0;                     // of the history: what was last handed to the evaluator
  std::uint64_t followed_by_learn = ~std::uint64_t{0};     // and what training has last seen

  struct Closing {
    std::vector<int> discarded;   // lineages that may be lost
    int undone = 0;               // steps taken back to show what was asked about
    bool kept_discarded = false;  // models that were kept may be lost
  };
  std::optional<Closing> closing;                  // asked for, until it is answered
  std::optional<FileKeeper::Writing> overwriting;  // what waits for the question whether it may
  std::string unread;                              // a model whose arrays no family reads, which is asked about
  std::shared_ptr<const LayoutDraft> left_layout;  // closed before it was saved
  std::optional<CheckpointSeries> series;          // of the document's model, as it was last looked for
  std::optional<act::GoToCheckpoint> going;        // which waits for the question of edits, or for its file
  std::uint64_t going_from = 0;                    // the history's version then

  std::string page_address;  // before the # of links
  std::function<void()> wake;
  std::vector<RecoveryKeeper::Found> found;  // not yet answered for, the latest first
  std::uint64_t kept_version = 0;            // of unsaved work: what the keeper has
  struct RecoveredLook {
    int lineage;
    ViewState view;
  };
  std::optional<RecoveredLook> recovered_look;  // a document, which is to be looked at so when its trace is there
  std::optional<RecoveryKeeper> recovery;       // in a window only
  std::optional<RunsKeeper> runs;               // the same

  std::optional<int> begun;  // the lineage of the document that a cold start showed
  Notes followed_notes;
  std::optional<int> followed_lineage;  // of the document whose panels are shown
  struct Offer {
    Stamp of;
    std::optional<Cell> cell;
  } offer;                             // what was last worked out for view.inspector.offered
  std::weak_ptr<const Trace> adopted;  // whose sizes the view state has
  int adopted_layer = 0;               // of which layer
  LayerStamps evaluated_layers;        // of the document that was last handed to the evaluator
  LayerStamps adopted_layers;          // of the adopted trace, like its words:
  std::vector<std::string> adopted_tokens;
  std::optional<int> wished_layer;  // to be in focus when the trace has the document's layers
  bool drew_view = false;           // a layout of this frame did, and all of it
  bool let_go_caches = false;       // before the next layout: something has failed in a frame

  std::vector<Work> all_jobs();
  void prepare_style();                 // atlas and colours follow the view state
  void lay_out(ImVec2 size, float dt);  // NewFrame .. EndFrame
  void fill_window(ImVec2 size);
  FrameStatus frame_status() const;
  bool keep_up(std::chrono::milliseconds patience);
  bool keep_recovery();
  bool has_style();
  // What a step of a frame throws does not end the program: false, and a notice begins with what, a text.
  template <class Step>
  bool attempt(const char* what, const Step& step) {
    try {
      step();
      return true;
    } catch (...) {
      failed(what, std::current_exception());
      return false;
    }
  }
  void failed(const char* what, const std::exception_ptr& fault) noexcept;
  void let_go() noexcept;
  void show_sentence();    // in its field, unless it is being typed
  bool perform_actions();  // true when the document, or what is drawn, changed
  struct Perform;
  // What a tool asks for of itself; a list has what was asked of the tool.
  void choose(const std::vector<act::Choose>& choices);
  // The same of a field that goes with what is being done.
  template <class T>
  void set(const T& field, const std::type_identity_t<T>& value) {
    if (!(field == value)) hydra::apply(view, chosen(view, field, value));
  }
  void train(const Action& action);                // the run that there is
  void note(const Action& action);                 // it has been done
  bool at_rest() const;                            // nothing is under way
  void end_run_in(ActionList& list) const;         // by what it has come to
  void note_run();                                 // the same of what was done
  ActionList done_by_now() const;                  // with the run that is under way, as if it ended here
  std::vector<Action> done_from_nothing() const;   // after what it began with
  bool apply_edit(const Edit& edit, bool commit);  // false: refused, or asked about first
  void tell_of(const Edit& edit, Index group_before, std::size_t painted_before,
               double bytes_before);  // what it took along, and takes
  bool asks_first(const Edit& edit);
  void answer_memory(bool go_on);
  bool update_trace(std::chrono::milliseconds patience);     // true when the trace changed
  bool update_measures(std::chrono::milliseconds patience);  // true when one that is drawn changed
  void update_tools(float seconds);                          // once a frame
  void look_at_learn();                                      // its controls, after each action
  bool in_focus() const;  // there is a trace to be shown, and its layer in focus is whole
  // The view state follows the trace (app_follow.cpp).
  bool has_layers() const;  // what is to be shown has the layers of its document
  void wish_layer();        // in focus after the last change of the document
  void adopt_trace();       // view state and caches follow the trace's layers and sizes
  void adopt_layers(const Trace& trace);
  void adopt_sizes();
  void put_right();        // what a list may choose and no control offers
  void follow_document();  // panels of a presentation are as low as they begin in another one
  // The page opens when a document comes that has another one, but not that of the opening document, and closes with
  // one that has none.
  void follow_notes();
  void follow_window(float width, float em);  // the room that it leaves to panels
  void follow_offer();                        // the weight to drag is of the head whose query weights are open
  // What the views show: the document, or while its key is held the state before the last change.
  struct Shown {
    const std::shared_ptr<const Trace>& trace;
    const Document& document;
  };
  // The newest, without what is withheld.
  const std::shared_ptr<const Trace>& newest_trace() const;
  Stamp stamp_of_now();
  Shown shown() const;
  void follow_sentences(const Shown& now);
  Moment moment();  // holds until the document or the trace is another
  DerivedCache& shown_derived() { return changes.peeking() ? changes.before_derived() : derived; }
  void follow_peek_key();
  void hold_back_edits();  // of this frame: they would change what is not shown
  // In focus, as it stands in the document.
  const Layer& focused_layer() const {
    const Document& document = history.current();
    return document.layer(std::min(view.layer, static_cast<int>(document.layers.size()) - 1));
  }
  void notify(std::string sentence, bool error);
  void report_failures();  // of work in the background, each once

  // Files (app_files.cpp): what a user made goes only where it was asked to go.
  void open(const act::Open& asked);
  void ask_for_model(const FileKeeper::Read& lacking);
  void open_example(const std::string& file);
  bool may_read(const std::string& name);  // false, with a notice: not now
  void read(FileKeeper::Reading reading);
  void learn_from(const std::string& path, std::string text);
  void open_run(const std::string& path, learn::RunFile run);
  void save_run(const std::string& file);
  void save_done(const std::string& file);
  // A layout of one's own (app_layout.cpp).
  void offer_layout(const FileKeeper::Read& unreadable);
  void answer_arrays(int choice);
  void begin_layout(const std::string& path);
  void change_layout(const std::function<void(LayoutDraft&)>& change);
  void save_layout();
  void write_layout();
  // Checkpoints of one training (app_checkpoints.cpp).
  const CheckpointSeries* series_here() const;  // null: the document's model is none of them
  void go_to_checkpoint(const act::GoToCheckpoint& asked);
  void go_on_over(FileKeeper::Read& read);
  void answer_checkpoint(int choice);
  bool replace_document(ReplaceDocument replacement);  // false: refused
  void step_through_history(void (History::*step)());  // undo or redo
  void save(const std::string& file);                  // empty: where it is kept
  void write(FileKeeper::Writing writing);
  void take_opened();
  void put_beside(const std::string& file);  // a document, or by its file an example
  void keep_beside();
  void put_kept(int which);
  void take_away();
  void open_beside();
  void lay_beside(std::shared_ptr<const ModelBeside> model);
  bool ask_of_kept();
  void answer_kept(int choice);
  void copy_link();
  void look_at(const LinkPlace& place);  // of the document that is current by now
  void take_written();
  bool update_files();  // true when the document, its file, a notice or a question changed
  void say_what_files_do();
  void close();
  void ask_before_closing();  // about the next unsaved document; without one, quits
  void stay_open();
  void answer(int choice);
  void answer_recovering(int choice);
  void recover(RecoveryKeeper::Found one);
  void look_as_recovered();

  // Unsaved work survives the program (app_recovery.cpp).
  bool update_recovery();  // true when it asks or says something
  bool update_runs();      // the same
};

std::string name_of(const KeptFile& file);  // "lesson.json", "the untitled document"
// An example of a page, which has them beside itself: true when it is at hand now, or never will be.
bool has_example(const std::string& file);
std::string first_words(const Document& document);  // what a document without a name is known by, quoted

}  // namespace hydra
