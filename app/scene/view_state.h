// What is looked at, and how: apart from the document, never undone, never saved with it. A value that can be copied,
// compared and spelled. What is held, typed or under the pointer is none of it (own.h, glance.h).
#pragma once
#include "app/scene/choices.h"
#include "app/scene/made_cell.h"
#include "app/scene/sides.h"
#include "core/explain/quantity.h"

namespace hydra {

enum class ViewId { flow, heads, mixing, stream, likeness, tradeoff, roles, design, learn };
enum class Pattern { scores, attention, value_weighted };

// Where the window looks.
struct Place {
  ViewId view = ViewId::flow;
  int layer = 0, focused_head = 0;
  std::optional<int> head_beyond;       // was in focus before a model came that has not so many heads
  std::vector<bool> selected_heads;     // sized by the model; which heads take part in the average
  Site inspected{Quantity::W_Q, 0, 0};  // the matrix open in the inspector
  std::optional<Index> token;           // in view; none was chosen: token_in_view.h says which
  std::optional<Cell> selection;        // sticky; Esc clears. Its matrix is inspected or a step of the breadcrumb
  std::vector<Cell> breadcrumb;         // numbers opened on the way to the selection, outermost first
  std::optional<MadeCell> made;         // selected in the place of one of the model
  std::optional<Index> readout_column;  // of several questions, the one that views tell has it (questions.h)
  Sides sides;
  std::optional<ViewId> inspector_view;  // that the inspector has followed to; see inspector_follow.h
  bool inspector_kept = false;           // asked for where the view has no matrix of its own
  bool narrow = false;                   // the window has no room for panels at both sides
  bool operator==(const Place&) const = default;
};
HYDRA_NAMED(Place, view, layer, focused_head, head_beyond, selected_heads, inspected, token, selection, breadcrumb,
            made, readout_column, sides, inspector_view, inspector_kept, narrow)

struct Choices {
  bool average = false;  // Heads: the large pattern is the mean over the selected heads
  Pattern pattern = Pattern::attention;
  float arc_threshold = 0.05f;
  std::optional<Relation> shown_relation;  // outlined over the patterns, where the sentence is marked with it
  bool spectra_log = false;                // singular values on a logarithmic axis
  std::string shown_word;                  // open in the list of words, lower-case
  InspectorState inspector;
  MaskTool mask;
  MarkTool marking;
  FlowState flow;
  HeadsState heads;
  MixingState mixing;
  LikenessState likeness;
  BesideState beside;
  TradeoffState tradeoff;
  RolesState roles;
  StreamState stream;
  DesignState design;
  LearnState learn;
  ModelPanelState model_panel;
  WritingState writing;
  bool operator==(const Choices&) const = default;
};
HYDRA_NAMED(Choices, average, pattern, arc_threshold, shown_relation, spectra_log, shown_word, inspector, mask, marking,
            flow, heads, mixing, likeness, beside, tradeoff, roles, stream, design, learn, model_panel, writing)

// Of whoever looks.
struct Preferences {
  bool dark = false, presentation = false;
  bool theme_chosen = false;                // by the user; else it is the system's
  bool calm = false;                        // nothing moves that only shows the way from one state to the next
  bool guessing = false;                    // names of heads, and what their removal changes, are hidden
  bool marks_changes = true;                // what the last change moved is framed
  bool still = false;                       // a picture to keep: shows nothing that differs from run to run
  float text_scale = 1, display_scale = 1;  // the user's, and what the system enlarges text by
  bool model_panel_open = true, inspector_open = true, notes_open = false;
  // In units of the text size; 0: default for the window.
  float model_panel_width = 0, inspector_width = 0, notes_width = 0;
  bool operator==(const Preferences&) const = default;
};
HYDRA_NAMED(Preferences, dark, presentation, theme_chosen, calm, guessing, marks_changes, still, text_scale,
            display_scale, model_panel_open, inspector_open, notes_open, model_panel_width, inspector_width,
            notes_width)

struct ViewState : Place, Choices, Preferences {
  bool operator==(const ViewState&) const = default;
};

}  // namespace hydra
