#include "core/document/history.h"

#include <unordered_map>
#include <utility>

namespace hydra {

namespace {

// Calls visit(address, bytes) for everything of a document that takes room; shared matrices have the same address.
template <class Visit>
void for_each_part(const Document& document, const Visit& visit) {
  const auto matrix = [&](const auto& values) {
    if (values) visit(values.get(), static_cast<std::size_t>(values->size()) * sizeof(*values->data()));
  };
  visit(&document, document.sentence.size() + document.embedding.edits.size() * sizeof(CellValue));
  matrix(document.embedding.X);
  for (const Layer& layer : document.layers) {
    const AttentionWeights<float>& w = layer.weights;
    matrix(layer.mask.allowed);
    for (const PaintedHead<float>& head : layer.painted)
      for (const auto* rows : {&head.attention, &head.values})
        for (const PaintedRow<float>& painted : *rows) matrix(painted.values);
    for (const auto& W : {w.W_Q, w.W_K, w.W_V, w.W_O}) matrix(W);
    for (const auto& b : {w.b_Q, w.b_K, w.b_V, w.b_O}) matrix(b);
  }
}

}  // namespace

History::History(Document first) : present_(std::move(first)), saved_(present_) {}

const Document& History::current() const { return drafting_ ? draft_ : present_; }

void History::changed() {
  ++version_;
  modified_ = !same_document(current(), saved_);
}

void History::preview(const Edit& edit) {
  Document next = hydra::apply(present_, edit);
  const bool differs = !same_document(next, current());
  draft_ = std::move(next);
  draft_label_ = describe(edit);
  drafting_ = true;
  if (differs) changed();
}

void History::commit() {
  if (!drafting_) return;
  drafting_ = false;
  Document draft = std::exchange(draft_, {});
  if (same_document(draft, present_)) return;
  past_.push_back({std::move(present_), draft_label_});
  present_ = std::move(draft);
  future_.clear();
  trim();
}

void History::cancel() {
  if (!drafting_) return;
  drafting_ = false;
  const Document draft = std::exchange(draft_, {});
  if (!same_document(draft, present_)) changed();
}

void History::apply(const Edit& edit) {
  preview(edit);
  commit();
}

void History::undo() {
  if (drafting_) return cancel();
  if (past_.empty()) return;
  Step step = std::move(past_.back());
  past_.pop_back();
  future_.push_back({std::exchange(present_, std::move(step.document)), std::move(step.label)});
  changed();
}

void History::redo() {
  if (!can_redo()) return;
  Step step = std::move(future_.back());
  future_.pop_back();
  past_.push_back({std::exchange(present_, std::move(step.document)), std::move(step.label)});
  changed();
}

std::string History::undo_label() const { return drafting_ ? draft_label_ : past_.empty() ? "" : past_.back().label; }

std::string History::redo_label() const { return can_redo() ? future_.back().label : ""; }

void History::mark_saved() {
  saved_ = current();
  modified_ = false;
}

std::size_t History::bytes() const {
  std::unordered_map<const void*, std::size_t> parts;
  const auto note = [&](const void* address, std::size_t size) { parts[address] = size; };
  for (const std::deque<Step>* steps : {&past_, &future_})
    for (const Step& step : *steps) for_each_part(step.document, note);
  for_each_part(present_, note);
  std::size_t sum = 0;
  for (const auto& [address, size] : parts) sum += size;
  return sum;
}

// Called by commit, when there is nothing to redo.
void History::trim() {
  while (past_.size() > kMaxSteps) past_.pop_front();
  std::size_t total = bytes();
  if (total <= kMaxBytes) return;
  // How many documents hold a part: dropping a step frees what it alone holds.
  std::unordered_map<const void*, int> owners;
  const auto note = [&](const void* address, std::size_t) { ++owners[address]; };
  for (const Step& step : past_) for_each_part(step.document, note);
  for_each_part(present_, note);
  while (total > kMaxBytes && past_.size() > 1) {
    for_each_part(past_.front().document, [&](const void* address, std::size_t size) {
      if (--owners[address] == 0) total -= size;
    });
    past_.pop_front();
  }
}

}  // namespace hydra
