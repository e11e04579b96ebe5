#include "core/document/edits/painting.h"
#include "core/document/limits.h"
#include "core/document/models.h"

#include <algorithm>
#include <cassert>

#include "core/error.h"
#include "core/linalg/same_bits.h"

namespace hydra {

namespace {

using Rows = std::vector<PaintedRow<float>>;

// The list is empty when no head is painted, so that the same painting is the same list.
void tidy(Layer& layer) {
  const auto empty = [](const PaintedHead<float>& head) { return head.empty(); };
  if (std::all_of(layer.painted.begin(), layer.painted.end(), empty)) layer.painted.clear();
}

PaintedHead<float>& head_to_paint(Layer& layer, Index head) {
  layer.painted.resize(static_cast<std::size_t>(layer.heads));
  return layer.painted[static_cast<std::size_t>(head)];
}

void check_place(const Document& document, const Layer& layer, Index head, Index row) {
  const Index heads = layer.heads, n = static_cast<Index>(tokens_of(document).size());
  if (head < 0 || head >= heads)
    throw InputError("head " + std::to_string(head) + " cannot be painted; there are " + std::to_string(heads));
  if (row < 0 || row >= n)
    throw InputError("row " + std::to_string(row) + " cannot be painted; there are " + std::to_string(n) + " tokens");
}

void check_row(const Array<float>& values, Index size, const char* what) {
  if (!values || values.size() != size)
    throw InputError(std::string("a painted row of ") + what + " must have " + std::to_string(size) + " numbers");
}

void check_values(const RowVec<float>& values) {
  if (!values.array().isFinite().all()) throw InputError("a painted row of values must have finite numbers only");
}

void set_row(Rows& rows, Index row, Array<float> values) {
  const auto at =
      std::lower_bound(rows.begin(), rows.end(), row, [](const PaintedRow<float>& r, Index k) { return r.row < k; });
  const bool there = at != rows.end() && at->row == row;
  if (there && same_bits(at->values, values)) return;
  if (there)
    at->values = std::move(values);
  else
    rows.insert(at, {row, std::move(values)});
}

void remove_row(Rows& rows, Index row) {
  std::erase_if(rows, [&](const PaintedRow<float>& painted) { return painted.row == row; });
}

template <class Check>
void check_rows(const Rows& rows, Index n, Index size, const char* what, const Check& check) {
  Index last = -1;
  for (const PaintedRow<float>& painted : rows) {
    if (painted.row <= last || painted.row >= n)
      throw InputError("painted rows must be sorted, each once, from 0 to " + std::to_string(n - 1));
    last = painted.row;
    check_row(painted.values, size, what);
    check(painted);
  }
}

}  // namespace

void check_painted_count(const Document& document) {
  Index numbers = 0;
  for_each_model(document, [&](const Model& model) {
    for (const Layer& layer : model.layers)
      for (const PaintedHead<float>& head : layer.painted)
        for (const Rows* rows : {&head.attention, &head.values})
          for (const PaintedRow<float>& painted : *rows) numbers += painted.values.size();
  });
  if (numbers > kMaxPaintedNumbers)
    throw InputError("the painted rows have " + std::to_string(numbers) + " numbers; at most " +
                     std::to_string(kMaxPaintedNumbers) + " are possible");
}

void change(Document& document, Layer& layer, const PaintAttention& edit) {
  check_place(document, layer, edit.head, edit.row);
  check_row(edit.values, static_cast<Index>(tokens_of(document).size()), "attention");
  RowVec<float> weights = normalized(*edit.values);
  check_painted_attention(layer.seen_by(edit.head, document.pads.count), edit.row, weights);
  set_row(head_to_paint(layer, edit.head).attention, edit.row, share(std::move(weights)));
  check_painted_count(document);
}

void change(Document& document, Layer& layer, const PaintValue& edit) {
  check_place(document, layer, edit.head, edit.row);
  check_row(edit.values, layer.d_k(document.d_model), "values");
  check_values(*edit.values);
  set_row(head_to_paint(layer, edit.head).values, edit.row, edit.values);
  check_painted_count(document);
}

void change(Document& document, Layer& layer, const Unpaint& edit) {
  check_place(document, layer, edit.head, edit.row.value_or(0));
  PaintedHead<float>& head = head_to_paint(layer, edit.head);
  for (const auto& [part, rows] :
       {std::pair{Unpaint::Part::attention, &head.attention}, std::pair{Unpaint::Part::values, &head.values}}) {
    if (edit.part != Unpaint::Part::all && edit.part != part) continue;
    if (edit.row)
      remove_row(*rows, *edit.row);
    else
      rows->clear();
  }
  tidy(layer);
}

void keep_painting_of(Layer& layer, const std::vector<std::string>& before, const std::vector<std::string>& after) {
  if (before == after) return;
  const auto moved = [&](const PaintedRow<float>& painted) {
    const auto k = static_cast<std::size_t>(painted.row);
    return k >= before.size() || k >= after.size() || before[k] != after[k];
  };
  for (PaintedHead<float>& head : layer.painted) {
    head.attention.clear();
    std::erase_if(head.values, moved);
  }
  tidy(layer);
}

void keep_painting_of(Layer& layer, Index d_model, Index heads_before, Index d_k_before) {
  if (layer.heads != heads_before) layer.painted.clear();
  if (layer.d_k(d_model) != d_k_before)
    for (PaintedHead<float>& head : layer.painted) head.values.clear();
  tidy(layer);
}

void drop_forbidden_painting(Layer& layer) {
  for (std::size_t h = 0; h < layer.painted.size(); ++h) {
    const Mask mask = layer.seen_by(static_cast<Index>(h));
    std::erase_if(layer.painted[h].attention, [&](const PaintedRow<float>& painted) {
      for (Index j = 0; j < painted.values.size(); ++j)
        if ((*painted.values)(0, j) != 0 && !mask.allows(painted.row, j)) return true;
      return false;
    });
  }
  tidy(layer);
}

void check_painting(const Layer& layer, Index n, Index d_model, Index pads) {
  if (!layer.painted.empty() && static_cast<Index>(layer.painted.size()) != layer.heads)
    throw InputError("painting must be of " + std::to_string(layer.heads) + " heads");
  for (std::size_t h = 0; h < layer.painted.size(); ++h) {
    const PaintedHead<float>& head = layer.painted[h];
    const Mask mask = layer.seen_by(static_cast<Index>(h), pads);
    check_rows(head.attention, n, n, "attention",
               [&](const PaintedRow<float>& painted) { check_painted_attention(mask, painted.row, *painted.values); });
    check_rows(head.values, n, layer.d_k(d_model), "values",
               [](const PaintedRow<float>& painted) { check_values(*painted.values); });
  }
}

}  // namespace hydra
