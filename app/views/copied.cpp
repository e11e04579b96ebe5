#include "app/views/copied.h"

#include "app/views/inspector/inspector_parts.h"
#include "app/views/pictured.h"
#include "app/views/ui.h"

namespace hydra {

namespace {

// A line for each row, tabs between: what a table of numbers pastes as.
std::string table_of(MatView<float> values) {
  std::string text;
  for (Index row = 0; row < values.rows(); ++row)
    for (Index col = 0; col < values.cols(); ++col)
      text += ui::that_reads_back(values(row, col)) + (col + 1 < values.cols() ? '\t' : '\n');
  return text;
}

void copy(Frame& frame, const std::string& text, const std::string& notice) {
  ImGui::SetClipboardText(text.c_str());
  frame.notice.say(notice);
}

// The number, once more its matrix.
void copy_made(Frame& frame, const ToldMade& told) {
  std::optional<MadeCell>& before = inspector::hands_of(frame).copied_made;
  if (before == told.cell) {
    before.reset();
    const Backing& all = told.values;
    return copy(frame, table_of(all.matrix->block(all.row0, all.col0, all.rows, all.cols)),
                ui::words(told.title, " is copied: ", all.rows, " × ", all.cols, " numbers, with tabs between."));
  }
  before = told.cell;
  const std::string number = ui::that_reads_back(told.value());
  copy(frame, number, number + " is copied. Ctrl C once more: all of " + told.title + ".");
}

}  // namespace

void copy_selected(Frame& frame) {
  const std::optional<Cell>& cell = frame.view.selection;
  std::optional<Cell>& before = inspector::hands_of(frame).copied;
  if (const ToldMade* told = selected_made(frame)) return copy_made(frame, *told);
  if (!cell) return copy(frame, frame.document.sentence, "The sentence is copied.");
  const std::string name = spelled(frame, symbol(cell->site, !frame.fonts.unicode));
  const MatView<float> values = inspector::shown_values(frame, cell->site);
  if (before == cell) {
    before.reset();
    return copy(frame, table_of(values),
                ui::words(name, " is copied: ", values.rows(), " × ", values.cols(), " numbers, with tabs between."));
  }
  before = cell;
  const std::string number = ui::that_reads_back(values(cell->row, cell->col));
  copy(frame, number, number + " is copied. Ctrl C once more: all of " + name + ".");
}

}  // namespace hydra
