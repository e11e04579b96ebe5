// The program with the Trade-off view open.
#pragma once
#include "core/document/edits/edit.h"
#include "core/weights/config.h"
#include "tests/support/session.h"

namespace hydra {

struct TradeoffSession : Session {
  explicit TradeoffSession(Document document = default_document(), ImVec2 size = {1600, 1000})
      : Session(std::move(document), size) {
    set(view().view, ViewId::tradeoff);
    set(view().tradeoff.page, TradeoffPage::columns);
    rest();
  }
  void rest() {
    ui.frames(1);
    app.finish_evaluation();
    ui.frames(3);
  }
  void page(const char* name) {
    ui.click(std::string("tradeoff/page/") + name);
    rest();
  }
  void click(const std::string& name) {
    ui.click(name);
    rest();
  }
  std::vector<Index> columns() {
    std::vector<Index> found;
    for (const Index heads : head_counts(document().d_model))
      if (ui.exists("tradeoff/column/" + std::to_string(heads))) found.push_back(heads);
    return found;
  }
  // The centre of a cell of a head's pattern in a column.
  ImVec2 cell(Index heads, int head, Index row, Index col) {
    const auto n = static_cast<Index>(app.trace().tokens.size());
    return ui.rect("tradeoff/patterns/" + std::to_string(heads) + "/" + std::to_string(head)).cell(row, col, n, n);
  }
};

inline Document with(const Edit& edit) { return hydra::apply(default_document(), edit); }

}  // namespace hydra
