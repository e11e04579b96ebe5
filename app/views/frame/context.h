// What a view gets: const data in, edits and view changes out. Views draw within the ImGui window or child they are
// called in, and may run in any order.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/platform/fonts.h"
#include "app/platform/theme.h"
#include "app/scene/actions/actions.h"
#include "app/scene/choose.h"
#include "app/scene/glance.h"
#include "app/scene/notice.h"
#include "app/scene/own.h"
#include "app/scene/view_state.h"
#include "app/views/frame/front.h"
#include "app/views/frame/learn_told.h"
#include "app/views/frame/source.h"
#include "app/views/frame/tools_told.h"
#include "app/widgets/matrix/heatmap.h"
#include "app/widgets/matrix/token_axis.h"
#include "core/document/text/known_words.h"
#include "core/explain/quantity.h"

namespace hydra {

// The marked sentences that there are.
struct KnownSentences {
  MarkedSentences marked;                    // that ship
  MarkedSentences folder;                    // of the user's folder
  std::vector<std::string> skipped;          // a sentence for each of the files there that could not be read
  std::optional<AnnotatedSentence> here;     // the one that the trace runs, with what the document marks
  const AnnotatedSentence* marks = nullptr;  // that; null: nothing is marked in it
};

struct FrameStatus {
  double evaluate_ms = 0;  // of the last recompute
  bool computing = false;  // the trace is older than the document: a background evaluation is under way
  bool ready = true;       // false: no trace yet, the one at hand only stands in
  std::string failure;     // why the document has no trace, and what is shown is older; else empty
  bool can_undo = false, can_redo = false, modified = false;
  std::string undo_label, redo_label;
  std::string file_name;        // empty: not saved yet
  bool offers = false;          // the document is one that opens with a weight worth dragging
  std::optional<Cell> offered;  // that of the open matrix, framed while no number is selected
};

class Changes;
struct ModelsBeside;  // app/measures/beside.h

struct Frame {
  const Source& now;  // what is shown: the present state, or while it is asked for the one before the last step
  const ViewState& view;
  const Glance& was;  // under the pointer in the last layout
  Glance& next;       // and in this one
  Hands& hands;       // what is held and typed
  Made& made;         // what is worked out of what is shown
  Outbox& out;
  Notice& notice;
  Front& front;
  Canvas& canvas;
  const Theme& theme;
  const Fonts& fonts;
  const FrameStatus& status;
  const ToolsTold& tools;
  const KnownSentences& sentences;
  const ModelsBeside& beside;
  const LearnTold& learn;  // a training run, and the controls' task while the Learn view is open
  Changes& changes;        // what the last edit did; see change/changes.h
  float unit = 4;          // the spacing unit in pixels, scaled with the text

  // Of what is shown.
  const Document& document = now.document;  // what edits refer to
  const Trace& trace = now.trace;           // may be a moment older than the document
  Derived& derived = now.derived;

  // Gives a field of the view state another value, by an action.
  template <class T>
  void choose(const T& field, const std::type_identity_t<T>& value) const {
    if (!(field == value)) out.act(chosen(view, field, value));
  }
};

// What is done with a click: see act::.
inline void select(Frame& frame, const Cell& cell) { frame.out.act(act::Select{cell}); }
inline void inspect(Frame& frame, const Site& site) { frame.out.act(act::Inspect{site}); }
void step_into(Frame& frame, const Cell& cell);  // from the explanation of the selected one
inline void focus_head(Frame& frame, int head) { frame.out.act(act::GoTo{{}, head}); }

inline void toggle(const Frame& frame, Side side) { frame.out.act(act::Show{side, !is_open(frame.view, side)}); }
inline void choose_theme(const Frame& frame) {
  frame.choose(frame.view.dark, !frame.view.dark);
  frame.choose(frame.view.theme_chosen, true);
}

// The layer in focus: as it is drawn, as it stands in the document. While the trace still has other layers than the
// document, the second is the one that edits are of.
const LayerTrace<float>& layer_of(const Frame& frame);
const Layer& document_layer(const Frame& frame);

// Whether what can be shown of the layer in focus or of all layers, as was chosen, is of all: there are several.
inline bool is_of_all_layers(bool chosen, const Trace& trace) { return chosen && trace.layers.size() > 1; }

// The text in the characters that the fonts have: plain where there are no others.
std::string spelled(const Frame& frame, const std::string& text);

// Whether the matrix is over pairs of tokens: row = query, column = key.
bool is_pair(Quantity quantity);
// The pairs of the sentence marked with ViewState::shown_relation, else with the relation of one's own that is chosen;
// empty for none.
const std::vector<GoldPair>& shown_gold(const Frame& frame);

// The colour scale a quantity is drawn with: attention-like 0..1 sequential, everything else diverging with the range
// all heads share. It stands still during a gesture.
ValueScale scale_for(const Frame& frame, const Site& ref);
ValueScale scale_of(const Source& source, const ViewState& view, const Site& ref);

// The shared matrix and block for a ref, including value_weighted and mean_attention.
Backing picture_of(const Frame& frame, const Site& ref);
Backing picture_of(const Source& source, const ViewState& view, const Site& ref);

// Whether the matrix is a W_Q, W_K or W_V of which slices of X leave a part uncounted.
bool is_sliced(const Frame& frame, const Site& ref);
// Whether the head's slice of X leaves this weight (of a block or of the combined matrix) uncounted.
bool is_unread(const Frame& frame, const Cell& cell);

// Where a heatmap of a whole large matrix has less than half a pixel for a cell: its strongest cells in their place, so
// that no more than what is seen becomes a texture. False: they come in a later frame.
bool use_strongest(Derived& derived, Heatmap& heatmap);

// A matrix drawn with everything linked: heatmap, highlight of the hovered and the selected cell's regions, values
// where they fit, hover and click. Used by every view that shows a matrix. Probe name: name; cells are found by
// arithmetic.
struct PictureOptions {
  bool square_cells = true;  // else cells stretch to fill the size
  bool values = true;        // numbers in cells when they fit
  bool clickable = true;     // click selects the cell and opens its matrix in the inspector
  bool edits = true;         // and a drag up and down on a number that can be edited changes it
  bool transposed = false;   // drawn transposed; hits and links still speak of the matrix itself
  bool main = true;          // it may be the view's main picture
  Index first = 0;           // of a square matrix: only this many of its first rows and columns; 0: all
  float alpha = 1;
  ImFont* value_font = nullptr;  // default: fonts.mono_small
};
// Of those of a layout that can be clicked, the main picture is the largest pattern in focus, else the largest.
struct PictureResult {
  CellHit hit;
  Heatmap heatmap;  // where it was drawn
};
PictureResult matrix_picture(Frame& frame, const char* name, const Site& ref, ImVec2 pos, ImVec2 size,
                             const PictureOptions& options = {});

}  // namespace hydra
