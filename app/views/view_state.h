// What is selected, hovered, open, half-typed: apart from the document, never undone, never saved with it.
#pragma once
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "app/views/drawers.h"
#include "app/views/file_picking.h"
#include "app/views/likeness/likeness_motion.h"
#include "app/views/mask/mask_tool.h"
#include "app/views/question.h"
#include "app/views/tradeoff/tiles_motion.h"
#include "core/analysis/cost.h"
#include "core/analysis/likeness.h"
#include "core/analysis/quantity.h"
#include "core/analysis/role_label.h"
#include "core/design/collapse.h"

namespace hydra {

struct MixingNumbers;
struct TileNumbers;

enum class ViewId { flow, heads, mixing, likeness, tradeoff, roles, design };
enum class TradeoffPage { columns, cost, sharing, published, computed };
enum class ComputedPart { timing, tiles };  // of the page "how it is computed"
enum class Pattern { scores, attention, value_weighted };
// Two heads, from 0; -1: none.
struct HeadPair {
  int first = -1, second = -1;
  bool has(int head) const { return head >= 0 && (head == first || head == second); }
};

enum class MixingPage { output, shares, silencing };  // silencing: with shares where there is room for both

struct ViewState {
  ViewId view = ViewId::flow;
  int layer = 0;
  int focused_head = 0;
  bool average = false;              // Heads: the large pattern is the mean over the selected heads
  std::vector<bool> selected_heads;  // sized by the frame; which heads take part in the average
  Pattern pattern = Pattern::attention;
  float arc_threshold = 0.05f;

  Site inspected{Quantity::W_Q, 0, 0};  // the matrix open in the inspector
  std::optional<Cell> selection;        // sticky; Esc clears. Its matrix is inspected or a step of the breadcrumb
  std::vector<Cell> breadcrumb;         // numbers opened on the way to the selection, outermost first
  std::optional<Cell> hover;            // of the last frame: what every view highlights
  std::optional<Cell> next_hover;       // written by the views this frame

  struct Ghost {
    Cell cell;
    float before;
  };
  std::optional<Ghost> ghost;  // value before the last edit, until the next selection

  struct Drag {  // a cell held by the pointer
    Cell cell;
    float start = 0, range = 1;  // its value when it was taken; of the colours then
    float travelled = 0;         // upwards, in pixels of a plain drag at text scale 1
    bool moved = false;          // far enough to be a drag and not a click
    bool dropped = false;        // Esc: over, though the button is still down
  };
  std::optional<Drag> drag;
  struct BarDrag {  // a bar of a painted row held by the pointer
    Cell cell;
    Array<float> start;    // the row when it was taken
    bool dropped = false;  // Esc: over, though the button is still down
  };
  std::optional<BarDrag> bar_drag;
  MaskTool mask;                   // painting the mask
  float inspector_height = 0;      // of its content before the drag
  bool painting_open = false;      // the inspector shows how to set the selected row by hand
  std::optional<Index> typed_bar;  // whose number is being typed, in cell_draft
  bool bar_typing_starts = false;
  std::string row_draft;   // a whole row being typed
  std::string cell_draft;  // text being typed into a cell
  bool typing_in_cell = false, typing_starts = false;
  std::optional<Cell> revealed;                  // the selection that the inspector's grid last scrolled to
  bool terms_by_size = true, all_terms = false;  // how long sums are listed

  bool roles_pooled = true;                // what heads do: over all marked sentences, not over this one
  std::optional<int> roles_sorted;         // by this column of the role table, the highest first
  float role_threshold = kRoleThreshold;   // below it a head is "mixed"
  std::optional<Relation> shown_relation;  // outlined over the patterns, where the sentence is marked with it

  bool design_all_columns = false;  // Design: not only the named features
  bool design_writes = false;       // where only one form fits: what is written, not what is asked for
  std::string shown_word;           // open in the list of words, lower-case

  MixingPage mixing_page = MixingPage::output;
  bool mixing_by_size = false;           // Mixing: shares as squared lengths, not along Y
  Index mixing_token = 0;                // whose row is shown large, when no token's row is selected
  bool mixing_token_directions = false;  // where heads write: for that token, not for all
  std::optional<int> held_gate;          // the head whose gate the pointer holds
  struct OutputSolving {                 // a W_O from a target
    bool open = false;
    enum class Target { reproduce, attended_feature } target = Target::reproduce;
    int feature = -1;            // of the lexicon; -1: the one offered first
    bool all_sentences = false;  // the marked ones, not only this one
    Array<float> W_O;            // what was found; null: nothing yet. What follows is said of it
    std::string result, remark;
    struct Found;                                    // mixing_solve.h
    std::shared_future<std::shared_ptr<Found>> run;  // under way, beside the frame
    Array<float> replaces;                           // the W_O that it began with
  } solving;
  std::shared_ptr<MixingNumbers> mixing_numbers;  // what the view has worked out of the measures it last met

  struct Collapse {                    // Likeness: how far the slider has moved the heads towards their mean
    AttentionWeights<float> from, to;  // the weights when it was taken; what it has made of them
    float amount = 0;
  };
  std::optional<Collapse> collapse;
  struct Repelling {                    // Likeness: steps that drive the heads apart, one after the other
    int steps = 0;                      // done
    double before = 0, after = 0;       // the mean cosine
    AttentionWeights<float> made;       // by the last step
    std::shared_future<Repelled> step;  // under way
    float rested = 0;                   // seconds since the last
    bool over = false;
  };
  std::optional<Repelling> repelling;
  Likeness likeness = Likeness::cosine;               // the matrix shown large, by which heads are ordered
  std::optional<std::pair<int, int>> compared_heads;  // side by side
  bool pair_offered = false;                          // the most alike ones stood there once without being asked for
  bool likeness_pooled = false;                       // over all marked sentences, not over this one
  bool likeness_fitted = false;                       // colours fitted to the values
  bool likeness_ranks = false;                        // the page of ranks
  bool patterns_fitted = false;                       // colours fitted to the largest weight side by side
  bool spectra_log = false;                           // singular values on a logarithmic axis
  HeadPair likeness_hover;                            // heads under the pointer in the last frame
  LikenessMotion likeness_motion;
  PatternDifference compared_difference;

  TradeoffPage tradeoff_page = TradeoffPage::columns;
  struct HeadCounts {
    Index d_model = 0;  // for which they were chosen
    std::vector<Index> counts;
  };
  std::optional<HeadCounts> compared_counts;  // Trade-off: head counts side by side; none chosen: the usual ones
  std::optional<Index> query;                 // Trade-off: the row of a query that every pattern outlines
  bool query_kept = false;                    // by a click; else it is that under the pointer
  Index pointed_heads = 0;                    // Trade-off: the head count under the pointer in the last frame; 0: none
  double context_length = kUsualContext;      // Trade-off: of published models, and of shared keys and values
  double bytes_per_number = kUsualBytes;
  std::optional<int> published_sorted;  // by this column of the table, the highest first; none: by year

  ComputedPart computed_part = ComputedPart::timing;                // How it is computed
  enum class Timing { none, start, cancel } timing = Timing::none;  // asked for this frame
  std::vector<Index> timing_lengths;                                // empty: the usual ones
  Index timed_length = 0;                                           // under the pointer in the last frame; 0: none
  TilesMotion tiles;
  std::shared_ptr<TileNumbers> tile_numbers;  // what the tiles have come to for the query last shown

  // Something moves without input: views set it while they draw, the frame clears it before.
  bool animating = false;

  std::string sentence_draft;
  bool typing_sentence = false, focus_sentence = false;
  FileDialog file_dialog = FileDialog::none;  // asked for or open
  FilePicking picking;                        // in it
  std::optional<Question> question;           // must be answered before anything else
  bool dark = false, presentation = false, show_help = false;
  bool still = false;                       // a picture to keep: shows nothing that differs from run to run
  float text_scale = 1, display_scale = 1;  // the user's, and what the system enlarges text by
  bool model_panel_open = true, inspector_open = true;
  Drawers drawers;
  std::optional<ViewId> inspector_view;              // that the inspector has followed to; see inspector_follow.h
  bool inspector_kept = false;                       // asked for where the view has no matrix of its own
  float model_panel_width = 0, inspector_width = 0;  // 0: default for the window; in units of the text size

  std::string memory_question;  // before a change that may need more memory than there is; empty: none
  std::string notice;           // one sentence for the status line; empty for none
  bool notice_is_error = false;
  double notice_until = 0;
  bool notice_insists = false;     // shown though something is pointed at
  bool notice_is_refusal = false;  // of an edit: goes with the next one that is accepted (notice.h)
};

}  // namespace hydra
