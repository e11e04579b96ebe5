// Undo and redo over whole documents (snapshots share their matrices). A gesture previews into a draft that replaces
// itself; commit makes the draft one undo step, cancel drops it. The oldest steps go when there are more than
// kMaxSteps, or when all snapshots together hold more than kMaxBytes; the last one always stays.
#pragma once
#include <deque>
#include <string>

#include "core/document/edit.h"

namespace hydra {

class History {
 public:
  static constexpr std::size_t kMaxSteps = 500;
  static constexpr std::size_t kMaxBytes = std::size_t{512} << 20;

  explicit History(Document first);  // counts as saved

  const Document& current() const;  // the draft while a gesture lasts
  bool in_gesture() const { return drafting_; }

  void preview(const Edit& edit);  // applied to the document before the gesture; throws InputError, draft unchanged
  void commit();                   // ends the gesture; without a draft, or one that changed nothing, no step is made
  void cancel();
  void apply(const Edit& edit);  // preview and commit

  bool can_undo() const { return drafting_ || !past_.empty(); }
  bool can_redo() const { return !drafting_ && !future_.empty(); }
  void undo();  // in a gesture: cancels it
  void redo();
  std::string undo_label() const;  // what undo would take back; empty when nothing
  std::string redo_label() const;

  // Grows by one with every change of current(): cheap to compare.
  std::uint64_t version() const { return version_; }
  // Whether current() differs from the document last marked as saved.
  bool modified() const { return modified_; }
  void mark_saved();

  std::size_t steps() const { return past_.size(); }  // how many times undo could go back
  std::size_t bytes() const;                          // held by all snapshots; what they share is counted once

 private:
  struct Step {
    Document document;
    std::string label;  // of the edit that led away from (past) or to (future) this document
  };
  void changed();
  void trim();

  Document present_, draft_, saved_;
  std::string draft_label_;
  bool drafting_ = false;
  std::deque<Step> past_, future_;
  std::uint64_t version_ = 0;
  bool modified_ = false;
};

}  // namespace hydra
