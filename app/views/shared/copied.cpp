#include "app/views/shared/copied.h"

#include "app/views/frame/ui.h"
#include "app/views/inspector/inspector_parts.h"
#include "app/views/shared/pictured.h"

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
                wording("panels:copied.matrix", {{"name", told.title}, {"rows", all.rows}, {"columns", all.cols}}));
  }
  before = told.cell;
  const std::string number = ui::that_reads_back(told.value());
  copy(frame, number, wording("panels:copied.number", {{"number", number}, {"name", told.title}}));
}

}  // namespace

void copy_selected(Frame& frame) {
  const std::optional<Cell>& cell = frame.view.selection;
  std::optional<Cell>& before = inspector::hands_of(frame).copied;
  if (const ToldMade* told = selected_made(frame)) return copy_made(frame, *told);
  if (!cell) return copy(frame, frame.document.sentence, wording("panels:copied.sentence"));
  const std::string name = spelled(frame, symbol(cell->site, !frame.fonts.unicode));
  const MatView<float> values = inspector::shown_values(frame, cell->site);
  if (before == cell) {
    before.reset();
    return copy(frame, table_of(values),
                wording("panels:copied.matrix", {{"name", name}, {"rows", values.rows()}, {"columns", values.cols()}}));
  }
  before = cell;
  const std::string number = ui::that_reads_back(values(cell->row, cell->col));
  copy(frame, number, wording("panels:copied.number", {{"number", number}, {"name", name}}));
}

}  // namespace hydra
