#include "core/document/edits/padding.h"

#include <algorithm>

#include "core/document/limits.h"
#include "core/document/model.h"
#include "core/document/models.h"
#include "core/document/text/marks.h"
#include "core/error.h"
#include "core/text/embedding.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

// The values with so many rows and columns more in front of them, or fewer; what is new is that.
template <class S>
Array<S> moved(const Array<S>& values, Index rows, Index cols, S fresh) {
  Mat<S> all = Mat<S>::Constant(values.rows() + rows, values.cols() + cols, fresh);
  const Index kept_rows = values.rows() + std::min<Index>(0, rows),
              kept_cols = values.cols() + std::min<Index>(0, cols);
  all.bottomRightCorner(kept_rows, kept_cols) = values->bottomRightCorner(kept_rows, kept_cols);
  return share(std::move(all));
}

// Rows and columns by their tokens; of pads that are gone nothing stays.
template <class Cell>
void move_rows(std::vector<Cell>& cells, Index by) {
  for (Cell& cell : cells) cell.row += by;
  std::erase_if(cells, [](const Cell& cell) { return cell.row < 0; });
}

void move_layer(Layer& layer, Index by) {
  if (layer.mask.kind == Mask::Kind::custom) layer.mask.allowed = moved<std::uint8_t>(layer.mask.allowed, by, by, 1);
  for (PaintedHead<float>& head : layer.painted) {
    move_rows(head.attention, by);
    for (PaintedRow<float>& row : head.attention) row.values = moved(row.values, 0, by, 0.0f);
    move_rows(head.values, by);
  }
  const auto empty = [](const PaintedHead<float>& head) { return head.empty(); };
  if (std::ranges::all_of(layer.painted, empty)) layer.painted.clear();
}

// Of the model in use, after the document has other pads, so many more.
void move_model(Document& document, Index by) {
  Embedding& e = document.embedding;
  if (e.kind == Embedding::Kind::explicit_values) {
    Mat<float> X = *moved(e.X, by, 0, 0.0f);
    if (by > 0)
      X.topRows(by) = hashed_embedding(std::vector<std::string>(static_cast<std::size_t>(by), pad_token(document)),
                                       X.cols(), e.seed);
    e.X = share(std::move(X));
  }
  move_rows(e.edits, by);
  for (Layer& layer : document.layers) {
    check_patterns(static_cast<Index>(tokens_of(document).size()), layer.heads);
    move_layer(layer, by);
  }
  fit_model(document);
  draw_places(document);
}

// What is marked in the text goes with its words. Where the text with its pads is marked already, both stay.
void move_marks(Document& document, const std::vector<std::string>& before, int by) {
  const std::vector<std::string> now = tokens_of(document);
  const auto text = std::ranges::find(document.marks, before, &MarkedText::tokens);
  if (text == document.marks.end() || marks_of(document.marks, now) || now.size() > kMostMarkedTokens) return;
  text->tokens = now;
  for (MarkedRelation& relation : text->relations) {
    for (GoldPair& pair : relation.pairs) pair.from += by, pair.to += by;
    std::erase_if(relation.pairs, [](const GoldPair& pair) { return pair.from < 0 || pair.to < 0; });
  }
  std::erase_if(text->relations, [](const MarkedRelation& relation) { return relation.pairs.empty(); });
  if (text->relations.empty()) document.marks.erase(text);
}

}  // namespace

void change(Document& document, const SetPads& edit) {
  check_pads(edit.pads, static_cast<Index>(tokens_without_pads(document).size()));
  const Index by = edit.pads.count - document.pads.count;
  const std::vector<std::string> before = tokens_of(document);
  document.pads = edit.pads;
  if (edit.pads.count == 0) document.pads.placed = false;
  if (by == 0) return;
  move_marks(document, before, static_cast<int>(by));
  move_model(document, by);
  for (Model& model : document.aside) {
    Document with = with_model(document, model);
    move_model(with, by);
    model = std::move(static_cast<Model&>(with));
  }
}

}  // namespace hydra
