// Undo and redo over whole documents (snapshots share their matrices). A gesture previews into a draft that replaces
// itself; commit makes the draft one undo step, cancel drops it. The oldest steps go when there are more than
// kMaxSteps, or when all snapshots together hold more than kMaxBytes; the last one always stays, and so does unsaved
// work that was left by opening another document.
#pragma once
#include <deque>
#include <memory>
#include <string>

#include "core/document/edits/edit.h"

namespace hydra {

class History {
 public:
  static constexpr std::size_t kMaxSteps = 500;
  static constexpr std::size_t kMaxBytes = std::size_t{512} << 20;

  explicit History(Document first, KeptFile file = {});  // counts as saved

  const Document& current() const;  // the draft while a gesture lasts
  bool in_gesture() const { return drafting_; }

  void preview(const Edit& edit);  // applied to the document before the gesture; throws InputError, draft unchanged
  void commit();                   // ends the gesture; without a draft, or one that changed nothing, no step is made
  void cancel();
  void apply(const Edit& edit);  // preview and commit; all of it or, when it throws, nothing

  bool can_undo() const { return drafting_ || !past_.empty(); }
  bool can_redo() const { return !drafting_ && !future_.empty(); }
  void undo();  // in a gesture: cancels it
  void redo();
  std::string undo_label() const;  // what undo would take back; empty when nothing
  std::string redo_label() const;

  // Grows by one with every change of current(): cheap to compare.
  std::uint64_t version() const { return version_; }
  // Grows by one with every gesture begun and every step taken back or forth: what happens under one number is one
  // change of the document.
  std::uint64_t step() const { return step_; }

  // The file that current() is kept in: undoing past an opened document brings the one before back with its file.
  const KeptFile& file() const { return now().lineage->file; }
  int lineage() const { return now().lineage->id; }  // the same for all steps from one opening to the next
  // Whether current() differs from what its file has, or from what an untitled document began as.
  bool modified() const { return modified_; }
  // current() stands in this file now, which is its own from here on.
  void mark_saved(KeptFile file) { mark_saved(lineage(), current(), std::move(file)); }
  // The same of a document that was current() in that lineage a while ago: what was done since stays unsaved.
  void mark_saved(int lineage, const Document& document, KeptFile file);

  // Work that stands in no file: current() when it is modified, then what was left when another document was opened,
  // the latest first.
  struct Unsaved {
    int lineage;
    Document document;
    KeptFile file;
    std::size_t undos;  // how many bring it back
  };
  std::vector<Unsaved> unsaved() const;
  // Grows whenever unsaved() may have changed.
  std::uint64_t unsaved_version() const { return unsaved_version_; }

  std::size_t steps() const { return past_.size(); }  // how many times undo could go back
  // How many steps led to the document without its draft, those that are gone too: the same whenever it is come to
  // again.
  std::size_t depth() const { return present_.depth; }
  std::size_t bytes() const;  // held by all snapshots; what they share is counted once

 private:
  // A document from its opening on: its steps are kept in one file, and saving it under another name renames it as a
  // whole.
  struct Lineage {
    int id;
    KeptFile file;
    std::optional<Document> kept;  // what the file has, or what an untitled document began as; nothing: unknown
    bool given_up = false;         // another document was saved in its place
  };
  struct Snapshot {
    Document document;
    std::shared_ptr<Lineage> lineage;
    std::size_t depth = 0;
  };
  struct Step {
    Snapshot snapshot;
    std::string label;  // of the edit that led away from (past) or to (future) this document
  };
  const Snapshot& now() const { return drafting_ ? draft_ : present_; }
  template <class Visit>
  static void for_each_part_of(const Snapshot& snapshot, const Visit& visit);
  template <class Visit>
  void for_each_lineage(const Visit& visit);
  Lineage* find_lineage(int id);  // null: its steps are gone
  std::shared_ptr<Lineage> opened(const ReplaceDocument& edit);
  // Every lineage kept in the file knows what it has now.
  void learn(const Lineage& lineage);
  static bool differs_from_file(const Snapshot& snapshot);
  bool left_unsaved(std::size_t step) const;  // of the past: the last of a lineage whose work stands in no file
  void changed();
  void compare_with_file();
  void trim();

  Snapshot present_, draft_;
  std::string draft_label_;
  bool drafting_ = false;
  std::deque<Step> past_, future_;
  std::uint64_t version_ = 0, step_ = 0, unsaved_version_ = 0;
  int lineages_ = 0;  // so far
  bool modified_ = false;
};

}  // namespace hydra
