// Undo and redo over whole documents (snapshots share their matrices). A gesture previews into a draft that replaces
// itself; commit makes the draft one undo step, cancel drops it.
#pragma once
#include <deque>
#include <string>

#include "core/document/edit.h"

namespace hydra {

class History {
 public:
  explicit History(Document first);

  const Document& current() const;  // the draft while a gesture lasts
  bool in_gesture() const { return drafting_; }

  void preview(const Edit& edit);  // applied to the document before the gesture; throws InputError, draft unchanged
  void commit();                   // ends the gesture; without a draft, or one that changed nothing, no step is made
  void cancel();
  void apply(const Edit& edit);    // preview and commit

  bool can_undo() const { return drafting_ || !past_.empty(); }
  bool can_redo() const { return !drafting_ && !future_.empty(); }
  void undo();                     // in a gesture: cancels it
  void redo();
  std::string undo_label() const;  // what undo would take back; empty when nothing
  std::string redo_label() const;

  // Grows by one with every change of current(): cheap to compare.
  std::uint64_t version() const { return version_; }
  // Whether current() differs from the document last marked as saved.
  bool modified() const;
  void mark_saved();

 private:
  struct Step {
    Document document;
    std::string label;  // of the edit that led away from (past) or to (future) this document
  };
  Document present_, draft_;
  std::string draft_label_;
  bool drafting_ = false;
  std::deque<Step> past_, future_;
  std::uint64_t version_ = 0, saved_version_ = 0;
};

}  // namespace hydra
