#include "core/document/edits/history.h"

#include <algorithm>
#include <new>
#include <unordered_map>
#include <utility>

#include "core/document/fields.h"

namespace hydra {

namespace {

// Calls visit(address, bytes) for everything of a document that takes room; shared matrices have the same address.
template <class Visit>
void for_each_part(const Document& document, const Visit& visit) {
  visit(&document, sizeof document + held_bytes(document, visit));
}

}  // namespace

History::History(Document first, KeptFile file) {
  present_ = {first, std::make_shared<Lineage>(Lineage{lineages_++, std::move(file), std::move(first)}), 0};
}

const Document& History::current() const { return now().document; }

void History::changed() {
  ++version_;
  compare_with_file();
}

bool History::differs_from_file(const Snapshot& snapshot) {
  const std::optional<Document>& kept = snapshot.lineage->kept;
  return !kept || !same_document(snapshot.document, *kept);
}

void History::compare_with_file() {
  ++unsaved_version_;
  modified_ = differs_from_file(now());
}

// --- edits: all that memory can be out for comes first, so that a fault leaves what was there

std::shared_ptr<History::Lineage> History::opened(const ReplaceDocument& edit) {
  if (edit.goes_on) {  // what was never changed is unchanged there, too
    const bool untouched = present_.lineage->file.path.empty() && !differs_from_file(present_);
    if (!untouched) return present_.lineage;
    return std::make_shared<Lineage>(Lineage{present_.lineage->id, {}, edit.document});
  }
  Lineage lineage{lineages_++, edit.file, std::nullopt};
  if (!edit.unsaved) lineage.kept = edit.document;
  return std::make_shared<Lineage>(std::move(lineage));
}

void History::preview(const Edit& edit) {
  Document next = hydra::apply(present_.document, edit);
  const bool differs = !same_document(next, current());
  // What is there already keeps its stamps, as it keeps its version: by them its trace is known.
  if (same_document(next, present_.document))
    next = present_.document;
  else if (!differs)
    next = current();
  const auto* replacement = std::get_if<ReplaceDocument>(&edit.what);
  std::shared_ptr<Lineage> lineage = replacement ? opened(*replacement) : present_.lineage;
  std::string label = describe(edit);
  if (!drafting_) ++step_;
  draft_ = {std::move(next), std::move(lineage), present_.depth + 1};
  draft_label_ = std::move(label);
  drafting_ = true;
  if (differs) changed();
}

void History::commit() {
  if (!drafting_) return;
  const bool another = draft_.lineage != present_.lineage;
  if (another && !draft_.lineage->file.path.empty() && draft_.lineage->kept) learn(*draft_.lineage);
  const bool same_place = !another || same_file(draft_.lineage->file.path, present_.lineage->file.path);
  const bool same = same_place && same_document(draft_.document, present_.document);
  if (!same) past_.push_back({present_, draft_label_});
  drafting_ = false;
  Snapshot draft = std::exchange(draft_, {});
  if (!same) {
    draft.lineage->given_up = false;
    present_ = std::move(draft);
    future_.clear();
    trim();
  }
  if (another) compare_with_file();
}

void History::cancel() {
  if (!drafting_) return;
  drafting_ = false;
  const Snapshot draft = std::exchange(draft_, {});
  if (!same_document(draft.document, present_.document)) return changed();
  if (draft.lineage != present_.lineage) compare_with_file();
}

void History::apply(const Edit& edit) {
  preview(edit);
  try {
    commit();
  } catch (...) {
    cancel();
    throw;
  }
}

void History::undo() {
  if (drafting_) return cancel();
  if (past_.empty()) return;
  future_.push_back({present_, past_.back().label});
  ++step_;
  present_ = std::move(past_.back().snapshot);
  past_.pop_back();
  changed();
}

void History::redo() {
  if (!can_redo()) return;
  past_.push_back({present_, future_.back().label});
  ++step_;
  present_ = std::move(future_.back().snapshot);
  future_.pop_back();
  changed();
}

std::string History::undo_label() const { return drafting_ ? draft_label_ : past_.empty() ? "" : past_.back().label; }

std::string History::redo_label() const { return can_redo() ? future_.back().label : ""; }

// --- files

template <class Visit>
void History::for_each_lineage(const Visit& visit) {
  for (std::deque<Step>* steps : {&past_, &future_})
    for (Step& step : *steps) visit(*step.snapshot.lineage);
  visit(*present_.lineage);
}

void History::learn(const Lineage& lineage) {
  for_each_lineage([&](Lineage& other) {
    if (&other == &lineage || !same_file(other.file.path, lineage.file.path)) return;
    other.file.content = lineage.file.content;
    other.kept = lineage.kept;
  });
}

History::Lineage* History::find_lineage(int id) {
  if (lineage() == id) return now().lineage.get();
  Lineage* found = nullptr;
  for_each_lineage([&](Lineage& one) {
    if (one.id == id) found = &one;
  });
  return found;
}

void History::mark_saved(int lineage, const Document& document, KeptFile file) {
  Lineage saved{lineage, std::move(file), document};
  Lineage* own = find_lineage(lineage);
  if (own != nullptr) *own = Lineage(saved);  // all of it, or nothing
  learn(saved);
  for_each_lineage([&](Lineage& other) {
    if (&other != own && !saved.file.path.empty() && same_file(other.file.path, saved.file.path)) other.given_up = true;
  });
  compare_with_file();
}

bool History::left_unsaved(std::size_t step) const {
  const Snapshot& snapshot = past_[step].snapshot;
  const Snapshot& next = step + 1 < past_.size() ? past_[step + 1].snapshot : present_;
  return snapshot.lineage != next.lineage && !snapshot.lineage->given_up && differs_from_file(snapshot);
}

std::vector<History::Unsaved> History::unsaved() const {
  std::vector<Unsaved> all;
  const auto add = [&](const Snapshot& snapshot, std::size_t undos) {
    all.push_back({snapshot.lineage->id, snapshot.document, snapshot.lineage->file, undos});
  };
  const std::size_t draft = drafting_ ? 1 : 0;  // the first undo takes it back
  if (modified_) add(now(), 0);
  for (std::size_t step = past_.size(); step-- > 0;)
    if (left_unsaved(step)) add(past_[step].snapshot, past_.size() - step + draft);
  return all;
}

// --- memory

template <class Visit>
void History::for_each_part_of(const Snapshot& snapshot, const Visit& visit) {
  for_each_part(snapshot.document, visit);
  if (snapshot.lineage->kept) for_each_part(*snapshot.lineage->kept, visit);
}

std::size_t History::bytes() const {
  std::unordered_map<const void*, std::size_t> parts;
  const auto note = [&](const void* address, std::size_t size) { parts[address] = size; };
  for (const std::deque<Step>* steps : {&past_, &future_})
    for (const Step& step : *steps) for_each_part_of(step.snapshot, note);
  for_each_part_of(present_, note);
  std::size_t sum = 0;
  for (const auto& [address, size] : parts) sum += size;
  return sum;
}

// Called by commit, when there is nothing to redo. Without memory to count what is held, the next commit does it.
void History::trim() try {
  std::size_t total = bytes();
  if (past_.size() <= kMaxSteps && total <= kMaxBytes) return;
  // The step before the present one stays, and what would be lost. How many documents hold a part: dropping a step
  // frees what it alone holds.
  std::unordered_map<const void*, int> owners;
  const auto note = [&](const void* address, std::size_t) { ++owners[address]; };
  for (const Step& step : past_) for_each_part_of(step.snapshot, note);
  for_each_part_of(present_, note);
  for (std::size_t oldest = 0; past_.size() > kMaxSteps || total > kMaxBytes;) {
    while (oldest < past_.size() && left_unsaved(oldest)) ++oldest;
    if (oldest + 1 >= past_.size()) return;
    for_each_part_of(past_[oldest].snapshot, [&](const void* address, std::size_t size) {
      if (--owners[address] == 0) total -= size;
    });
    past_.erase(past_.begin() + static_cast<std::ptrdiff_t>(oldest));
  }
} catch (const std::bad_alloc&) {
}

}  // namespace hydra
