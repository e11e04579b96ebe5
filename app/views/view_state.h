// What is selected, hovered, open, half-typed: apart from the document, never undone, never saved with it. What only
// one view knows stands in that view's folder.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/platform/heard.h"
#include "app/views/design/state.h"
#include "app/views/file_picking.h"
#include "app/views/flow/state.h"
#include "app/views/heads/state.h"
#include "app/views/inspector/state.h"
#include "app/views/learn/state.h"
#include "app/views/likeness/state.h"
#include "app/views/mask/mask_tool.h"
#include "app/views/mixing/state.h"
#include "app/views/model_panel_state.h"
#include "app/views/notes/state.h"
#include "app/views/parts.h"
#include "app/views/question.h"
#include "app/views/roles/state.h"
#include "app/views/sides.h"
#include "app/views/stream/state.h"
#include "app/views/tradeoff/state.h"
#include "core/analysis/quantity.h"
#include "core/analysis/role_label.h"

namespace hydra {

enum class ViewId { flow, heads, mixing, stream, likeness, tradeoff, roles, design, learn };
enum class Pattern { scores, attention, value_weighted };

// To be in focus.
struct LayerFocus {
  int layer, head;
};

struct MainPicture {
  Site site;
  bool in_focus = false;  // a pattern, of the head in focus or of several
  float area = 0;
};

struct ViewState {
  ViewId view = ViewId::flow;
  int layer = 0;
  std::optional<LayerFocus> next_focus;  // written by what is drawn this frame; taken when all is laid out
  std::optional<Cell> next_selection;    // of any layer, likewise; its focus goes before the other
  int layer_in_strip = -1;               // that the strip of layers was last scrolled to
  int focused_head = 0;
  bool low_room = false;             // the view that was drawn last has the pages of low rooms
  bool average = false;              // Heads: the large pattern is the mean over the selected heads
  std::vector<bool> selected_heads;  // sized by the frame; which heads take part in the average
  Pattern pattern = Pattern::attention;
  float arc_threshold = 0.05f;

  Site inspected{Quantity::W_Q, 0, 0};      // the matrix open in the inspector
  std::optional<Index> token;               // in view; none was chosen: token_in_view.h says which
  std::optional<Cell> selection;            // sticky; Esc clears. Its matrix is inspected or a step of the breadcrumb
  std::vector<Cell> breadcrumb;             // numbers opened on the way to the selection, outermost first
  std::optional<Cell> hover;                // of the last frame: what every view highlights
  std::optional<Cell> next_hover;           // written by the views this frame
  std::optional<MainPicture> main_picture;  // of the last layout: what keys select in first
  std::optional<Relation> shown_relation;   // outlined over the patterns, where the sentence is marked with it
  std::optional<Index> readout_column;      // of several questions, the one that views tell has it (questions.h)
  bool spectra_log = false;                 // singular values on a logarithmic axis

  Parts parts;
  InspectorState inspector;
  MaskTool mask;  // painting the mask
  FlowState flow;
  HeadsState heads;
  MixingState mixing;
  LikenessState likeness;
  TradeoffState tradeoff;
  RolesState roles;
  StreamState stream;
  DesignState design;
  NotesState notes;
  LearnState learn;
  std::string shown_word;  // open in the list of words, lower-case

  // Something moves without input: views set it while they draw, the frame clears it before.
  bool animating = false;

  std::string sentence_draft;
  bool typing_sentence = false, focus_sentence = false;
  std::string questions_draft;  // of the readout, in the model panel
  bool typing_questions = false;
  FileDialog file_dialog = FileDialog::none;  // asked for or open
  FilePicking picking;                        // in it
  std::size_t documents_aside = 0;            // unsaved ones of earlier windows, put aside
  std::optional<Question> question;           // must be answered before anything else
  bool examples_asked = false;                // by a key: their menu opens
  bool dark = false, presentation = false, show_help = false;
  bool narrow = false;                      // the window has no room for panels at both sides (sides.h)
  bool theme_chosen = false;                // by the user; else it is the system's
  bool calm = false;                        // nothing moves that only shows the way from one state to the next
  bool guessing = false;                    // names of heads, and what their removal changes, are hidden
  bool marks_changes = true;                // what the last change moved is framed
  bool still = false;                       // a picture to keep: shows nothing that differs from run to run
  float text_scale = 1, display_scale = 1;  // the user's, and what the system enlarges text by
  bool model_panel_open = true, inspector_open = true;
  ModelPanelState model_panel;
  Sides sides;
  std::optional<ViewId> inspector_view;              // that the inspector has followed to; see inspector_follow.h
  bool inspector_kept = false;                       // asked for where the view has no matrix of its own
  float model_panel_width = 0, inspector_width = 0;  // 0: default for the window; in units of the text size

  bool listening = false;  // somebody does, and is told:
  Heard heard;
  std::optional<std::pair<Heard::Kind, int>> asked;  // of what it offers (offered.h)

  std::string notice;  // one sentence for the status line; empty for none
  bool notice_is_error = false;
  double notice_until = 0;
  bool notice_insists = false;     // shown though something is pointed at
  bool notice_is_refusal = false;  // of an edit: goes with the next one that is accepted (notice.h)
};

inline void choose_theme(ViewState& view) { view.dark = !view.dark, view.theme_chosen = true; }

}  // namespace hydra
