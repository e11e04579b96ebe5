// What is chosen in the Stream view.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/circuit.h"
#include "core/linalg/array.h"

namespace hydra {

// What the strips of all tokens at all layers tell.
enum class StreamStrips { size, cosine, heads, feed_forward };

// What the lines of a token's stream are read as, where there are both.
enum class StreamReads { next_words, features };

enum class StreamPage { words, circuit, routing };

struct CircuitState {
  std::optional<float> least;                      // of the lines that are drawn; none: what random heads seldom reach
  std::array<bool, kInto> into{true, true, true};  // which of them
  bool of_focus = false;                           // only lines of the head in focus
  std::optional<CircuitLine> line;                 // opened; none: the strongest that is drawn

  // The lines that are drawn, until what they are of is another.
  struct Drawn {
    std::shared_ptr<const Circuit> of;
    double least = 0;
    std::array<bool, kInto> into{};
    std::vector<CircuitLine> lines;
  };
  std::optional<Drawn> drawn;

  // Of a product that is nearly all zeros the rows and columns that are not.
  struct Filled {
    Stamp of = {};
    Index count = 0;                // of the columns that are looked at
    std::vector<Index> rows, cols;  // none: all of it is shown
    Array<float> cells;
    bool is_part() const { return !rows.empty(); }
  };
  Filled filled;
};

struct StreamState {
  StreamPage page = StreamPage::words;
  CircuitState circuit;
  StreamStrips strips = StreamStrips::size;
  StreamReads reads = StreamReads::next_words;
  bool all_heads = false;  // every layer is told head by head, not only the one in focus
  // What the ladder was last scrolled to: the layer, at these heights of its content and its room.
  int in_ladder = -1;
  float ladder_content = 0, ladder_room = 0;
};

}  // namespace hydra
