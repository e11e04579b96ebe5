// The parts of the Circuit page, each a file.
#pragma once
#include "app/views/frame/context.h"
#include "app/views/stream/circuit_layout.h"
#include "app/views/stream/stream_parts.h"

namespace hydra {

struct DrawnLines {  // of the present threshold
  std::shared_ptr<const Circuit> of;
  double least = 0;
  std::array<bool, kInto> into{};
  std::vector<CircuitLine> lines;
};

// Of a product that is nearly all zeros the rows and columns that are not.
struct FilledPart {
  Stamp of = {};
  Index count = 0;                // of the columns that are looked at
  std::vector<Index> rows, cols;  // none: all of it is shown
  Array<float> cells;
  bool is_part() const { return !rows.empty(); }
};

ImU32 into_color(const Frame& frame, Into into);
// A stroke that is told from the others without colour: into the query whole, into the key dashed, into the value
// dotted. points: one behind the other, a few pixels apart.
void draw_stroke(Canvas& canvas, const std::vector<ImVec2>& points, Into into, ImU32 color, float thick);

// Heads and the lines between them; of many lines the strongest.
inline constexpr std::size_t kMostLines = 300;
void draw_circuit_graph(Frame& frame, const CircuitLayout& at, const std::vector<CircuitLine>& lines,
                        const std::optional<CircuitLine>& opened);
// The opened line: what the two heads' forms give, multiplied.
// The part of the line's product that is shown, kept while the product stays: named features alone where they have most
// of it, and of these the rows and columns that are not zero where they are few.
const FilledPart& filled_part(Frame& frame, const CircuitLine& line);
void draw_circuit_product(Frame& frame, const CircuitLayout& at, const CircuitLine& line);

}  // namespace hydra
