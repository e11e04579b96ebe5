// What an App is made of. Private to app.cpp (life and commands) and frame.cpp (one frame).
#pragma once
#include "app/app.h"
#include "app/views/derived_cache.h"
#include "app/work/evaluator.h"
#include "app/work/likeness_keeper.h"
#include "app/work/mixing_keeper.h"
#include "app/work/role_keeper.h"
#include "app/work/sweep_keeper.h"
#include "app/work/ways_keeper.h"

namespace hydra {

struct App::State {
  State(Document document, std::string file, HeatmapSink& heatmap_sink)
      : history(document), evaluator(history.current()), path(std::move(file)), sink(heatmap_sink) {}

  History history;
  Evaluator evaluator;
  RoleKeeper roles;
  MixingKeeper mixing;
  LikenessKeeper likeness;
  SweepKeeper sweep;
  WaysKeeper ways;
  DerivedCache derived;
  ViewState view;
  Outbox outbox;
  std::optional<Edit> gesture;  // the last preview of the gesture under way
  std::string path;             // of the open file; empty: none yet
  HeatmapSink& sink;

  // Long enough that what is quick is shown in the frame that asked for it, short enough not to be felt.
  std::chrono::milliseconds frame_patience{12};

  Fonts fonts;
  float built_scale = 0;  // of the atlas and the style in use
  bool built_dark = false;
  bool fonts_changed = false;
  bool quit = false;
  std::optional<std::uint64_t> warned_version;  // of the history, when closing was refused for unsaved changes
  std::uint64_t evaluated_version = 0;          // of the history: what was last handed to the evaluator

  void prepare_style();                 // atlas and colours follow the view state
  void lay_out(ImVec2 size, float dt);  // NewFrame .. EndFrame
  bool apply_messages();                // true when the document, or what is drawn, changed
  void handle(Outbox::Message& message);
  void apply_edit(const Edit& edit, bool commit);
  bool update_trace(std::chrono::milliseconds patience);  // true when the trace changed
  bool update_roles(std::chrono::milliseconds patience);  // true when what the heads do changed
  // What the heads are together, for the view that shows it; true when that changed.
  bool update_together(std::chrono::milliseconds patience);
  bool update_ways();  // true when what is timed changed
  void adopt_trace();  // view state and caches follow the trace's sizes
  void open(const std::string& file);
  void save(const std::string& file);
  bool may_close();
  void notify(std::string sentence, bool error);
};

}  // namespace hydra
