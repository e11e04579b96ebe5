// What the last change of the document did: the state before it, and by how much every matrix differs from it. One
// change is one step of the history: a whole drag, a typed value, a solved W_O, an undo. The frame tells of each step;
// the pictures ask. Another model, seed or step of training changes everything, and another sentence has other rows:
// of these nothing is marked, but of the same words in another order, which are compared word by word.
#pragma once
#include <imgui.h>

#include <functional>
#include <map>
#include <tuple>

#include "app/views/frame/derived_cache.h"
#include "core/document/document.h"

namespace hydra {

// A matrix against itself before the change. A number that is finite on one side only counts as the largest change.
struct MatrixChange {
  double relative = 0;  // ‖now − before‖ / ‖before‖ (Frobenius) over what is finite in both; infinite from all zeros
  float largest = 0;  // |now − before| of one number
  // What stands out has changed by more than this: at most an eighth of the numbers (or eight), so that where
  // everything changes the picture itself can still be seen. For large matrices about an eighth, from a sample.
  float outstanding = 0;
  Array<float> size;  // |now − before|; null: unchanged, or not to be compared
};
MatrixChange change_between(const Backing& before, const Backing& now);

class Changes {
 public:
  // What is kept of the state before may hold so much memory that nothing else holds.
  static constexpr std::size_t kMaxBytes = std::size_t{256} << 20;

  struct State {
    Document document;
    std::shared_ptr<const Trace> trace;  // of the document
    std::uint64_t version = 0;           // of the history
  };

  // What is measured of both sides, and is known for it.
  struct Measuring {
    Measures& measures;
    const MarkedSentences& marked;
    const std::shared_ptr<KnownBounds>& bounds;
  };
  Changes(DerivedCache& now, const Measuring& measuring) : now_(now), measuring_(measuring) {}

  // What the frame tells.
  // The document has changed in this step, and is not evaluated yet; what is selected meanwhile does not end the marks.
  void follow(std::uint64_t step, const std::optional<Cell>& selection);
  void settle(State now);                       // evaluated
  void forget() { forgetting_ = true; }         // the step under way opens another document: nothing to compare with
  void set_gesture(bool on) { gesture_ = on; }  // the step is not over yet
  void set_peeking(bool on) { peeking_ = on && before_; }
  void note_selection(const std::optional<Cell>& selection);  // another number: the marks go
  void dismiss() { marked_ = false; }
  void set_shown(bool on) { shown_ = on; }  // ViewState::marks_changes
  bool has_settled(std::uint64_t version, const std::shared_ptr<const Trace>& trace) const {
    return settled_ && settled_->version == version && settled_->trace == trace;
  }
  void look_at(int layer);  // it is whole in the state before, too

  // Cells that are compared within one layout; more come in the next frame.
  static constexpr Index kMostCompared = 8'000'000;
  void begin_layout() { compared_ = 0, pending_ = false, drawn_ = false; }
  bool pending() const { return pending_; }  // some marks of the last layout wait for another frame

  // What the pictures ask.
  const std::optional<State>& before() const { return before_; }
  DerivedCache& before_derived() { return before_derived_; }
  bool same_sizes() const { return comparable_; }
  bool too_large() const { return too_large_; }  // the state before was given up, see kMaxBytes
  bool peeking() const { return peeking_; }      // what is shown is the state before
  bool marked() const { return shown_ && marked_ && comparable_ && tells_; }
  // Where what stands at a cell stood before.
  Cell before_cell(const Cell& now) const;
  void note_drawn() { drawn_ = true; }
  bool drawn() const { return drawn_; }  // some of the marks, in this layout
  // Of what is shown; all 0 while not marked, and where it comes in a later frame.
  const MatrixChange& of(const ViewState& view, const Site& ref);
  // Of what a view has worked out of the traces, under its name and the stamps of what it is made of.
  const MatrixChange& of_made(const std::string& name, Stamp before, Stamp now,
                              const std::function<MatrixChange()>& make);
  // Where a picture's number stands, by its upper right corner; null: nowhere.
  void put_badge(const std::string& picture, ImVec2 corner) { badges_[picture] = corner; }
  void leave_badge(const std::string& picture) { badges_.erase(picture); }  // where there is no room for it
  const ImVec2* badge_of(const std::string& picture) const {
    const auto at = badges_.find(picture);
    return at == badges_.end() ? nullptr : &at->second;
  }
  // What fits the ranges of colours: what is shown, but during a gesture, which must not move them, the state before,
  // and while that is looked at, the present one, so that colours can be compared.
  Source ranges(const Source& shown);
  // Both sides of the change, where there is one to be compared.
  std::optional<Source> before_source();
  std::optional<Source> now_source();

 private:
  struct Entry {
    Stamp before, now;
    MatrixChange change;
  };
  void release();

  Source source_of(const State& state, const State& other, DerivedCache& derived) const;

  DerivedCache& now_;
  Measuring measuring_;
  DerivedCache before_derived_;
  std::optional<State> before_, settled_;
  std::optional<std::uint64_t> step_;
  std::optional<Cell> selection_;
  bool shown_ = true, marked_ = false, gesture_ = false, peeking_ = false, comparable_ = false, forgetting_ = false,
       too_large_ = false;
  bool tells_ = false;                                       // marks say something
  std::vector<Index> order_;                                 // where each token stood before; empty: where it stands
  std::map<std::tuple<Quantity, int, int>, Entry> entries_;  // of the present pair of traces
  Index compared_ = 0;
  bool pending_ = false, drawn_ = false;
  std::map<std::string, Entry> made_;
  std::map<std::string, ImVec2> badges_;
};

}  // namespace hydra
