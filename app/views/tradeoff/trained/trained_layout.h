// Where the parts of the page of trained models stand: pure arithmetic.
//
//   bar                                     (given: its height)
//   sentence, note
//   accuracy over h    loss over h    quoted table
//   h = 1   h = 2   h = 4   ...             a column each:
//   accuracy at each rate                     (where there are several)
//   accuracy over steps
//   questions
//   patterns of each head
#pragma once
#include <vector>

#include "app/widgets/geometry.h"

namespace hydra {

struct TrainedInput : LayoutInput {  // below the bar
  int counts = 6;                    // columns
  bool rates = false;                // whether there are several
  float sentence = 28, note = 16;    // heights
  float quoted = 200;                // width that the table needs
  float charts = 140;                // height that it needs at least
};
struct TrainedLayout {
  ImVec2 sentence, note;
  Box accuracy, loss, quoted;
  struct Column {
    Box all, header, rates, curve, questions, patterns;  // rates: of no height without
  };
  std::vector<Column> columns;
  bool captions = false;  // a line over rates, curves, questions and patterns says what they are
  float caption_rates = 0, caption_curve = 0, caption_questions = 0, caption_patterns = 0;  // their tops
  float bottom = 0;  // below in.bottom() where the room is lower than what can be read
};
TrainedLayout trained_layout(const TrainedInput& in);
// The least height at which it does not go beyond, and captions are there.
float height_of(const TrainedInput& in);

}  // namespace hydra
