// What a user can do, as data: buttons, keys, menus, links, touch and tests send the same. An action says what is to
// be, never "the next": whoever sends it has resolved what depends on what is drawn.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/scene/actions/learn_actions.h"
#include "app/scene/made_cell.h"
#include "app/scene/sides.h"
#include "core/document/edits/edit.h"
#include "core/learn/opened/head_counts.h"
#include "core/model/one_of.h"
#include "core/model/site.h"

namespace hydra {

enum class SolveTarget { reproduce, attended_feature };  // what Y is to be brought to

namespace act {

struct GoTo {  // in focus
  std::optional<int> layer, head;
};
struct Select {
  Cell cell;                  // of any layer, open in the inspector
  std::vector<Cell> by = {};  // numbers that were opened on the way, outermost first
};
struct SelectMade {
  MadeCell cell;  // of a matrix that is worked out of the model
};
struct Unselect {};
struct Inspect {
  Site site;
};
struct Show {  // a panel, or it is closed
  Side side;
  bool open = true;
};
struct Choose {       // anything else in the view state
  std::string key;    // by the names of its fields: "stream.strips"
  std::string value;  // as JSON
};

// Of a gesture, which is one step of the history.
struct Try {
  Edit edit;
};                 // replaces the draft
struct Collapse {  // a try: the heads of the layer in focus towards their mean
  float amount;
  bool anew = false;  // from the weights as they are; else, where those are what it has made, from where it began
};
struct Keep {};  // ends it
struct TakeBack {};

struct Do {
  Edit edit;
};  // one that is kept at once
struct Undo {};
struct Redo {};

struct Open {
  std::string path;
  bool as_text = false;    // to learn from; a document else, unless it is named like a text
  std::string model = {};  // where the document's model is; empty: where it says
};
struct OpenExample {
  std::string file;
};  // of those that ship
// Another model beside the one that is shown.
struct PutBeside {
  std::string path;  // a document, or by its file an example
};
struct KeepBeside {};  // the one that is shown, as it is now
struct PutKept {
  int which;
};                     // of those that were kept
struct TakeAway {};    // none is beside it
struct OpenBeside {};  // that which is, as the document

struct Save {
  std::string path;
};  // empty: where it came from; an untitled document is asked for its name
struct SaveRun {
  std::string path;
};  // Learn's, as a file
struct SaveDone {
  std::string path;
};                   // what was done, as a list that can be played
struct Recover {};   // what was put aside is asked about again
struct CopyLink {};  // to the document and the present place
struct Quit {};
struct Answer {
  int answer;
};  // of the question that stands over the window

// A layout of one's own for a model's arrays (core/checkpoints/layouts/layout.h), on the page that makes it.
struct LayOut {
  std::string path;  // of the model; empty: the page closes
};
struct SetLayout {         // one thing of it
  std::string key, value;  // "layer.heads", "12"; "arrays.layers.*.W_Q", "h.*.q^T"
};
struct SuggestLayout {};  // where nothing stands, by the names and shapes of the arrays
struct SaveLayout {};     // beside the model, which is opened by it

// The document goes on over another checkpoint of its training.
struct GoToCheckpoint {
  std::string path;
  std::optional<bool> with_edits = {};  // nothing: asked, where edits do not go with it
};

// What takes time, in the background.
struct Repel {    // the heads of the layer in focus, step by step
  int steps = 0;  // at most; 0: as many as there are
};
struct Write {             // the model goes on with the text, word by word
  int words = 0;           // 0: as many as there is room for
  double temperature = 0;  // 0: the likeliest
  std::uint64_t seed = 1;  // of what is drawn
};
struct StopWriting {};
struct Solve {  // for the W_O of the layer in focus
  SolveTarget target;
  int feature, head;          // of the lexicon; what this head attends to
  bool all_sentences = true;  // the marked ones, or the one that is shown
};
struct MeasureWays {
  std::vector<Index> lengths;  // ascending
};                             // the time that ways to compute attention take
struct StopWays {};
struct TrainCounts {
  learn::CountsAsked asked;
};  // models of several numbers of heads
struct StopCounts {};
struct Fit {};  // heads to what is asked for, once more
struct StopFit {};

}  // namespace act

using ActionKinds =
    std::variant<act::GoTo, act::Select, act::SelectMade, act::Unselect, act::Inspect, act::Show, act::Choose, act::Try,
                 act::Collapse, act::Keep, act::TakeBack, act::Do, act::Undo, act::Redo, act::Open, act::OpenExample,
                 act::PutBeside, act::KeepBeside, act::PutKept, act::TakeAway, act::OpenBeside, act::Save, act::SaveRun,
                 act::SaveDone, act::Recover, act::CopyLink, act::Quit, act::Answer, act::LayOut, act::SetLayout,
                 act::SuggestLayout, act::SaveLayout, act::GoToCheckpoint, act::Repel, act::Write, act::StopWriting,
                 act::Solve, act::LearnTrain, act::LearnBegin, act::LearnPause, act::LearnStep, act::LearnReset,
                 act::LearnGoTo, act::LearnPlay, act::LearnRemove, act::LearnRename, act::LearnChoose, act::LearnTry,
                 act::LearnTakeUp, act::LearnCopyCommand, act::MeasureWays, act::StopWays, act::TrainCounts,
                 act::StopCounts, act::Fit, act::StopFit>;
extern template class OneOf<ActionKinds>;
using Action = OneOf<ActionKinds>;

// The actions of a frame, performed in order when all views have drawn.
class Outbox {
 public:
  int layer = 0;  // edits that name no layer are of this one
  void preview(Edit edit) { act(act::Try{placed(std::move(edit))}); }
  void commit() { act(act::Keep{}); }
  void cancel() { act(act::TakeBack{}); }
  void apply(Edit edit) { act(act::Do{placed(std::move(edit))}); }
  void act(Action action);

  std::vector<Action> actions;

 private:
  Edit placed(Edit edit) const;
};

}  // namespace hydra
