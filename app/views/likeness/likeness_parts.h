// The parts of the Likeness view, each in a file of its own. What they share: the frame, where they stand, what is
// shown, and the heads under the pointer.
#pragma once
#include "app/measures/likeness.h"
#include "app/views/beside/likeness_value.h"
#include "app/views/frame/controls.h"
#include "app/views/frame/look.h"
#include "app/views/likeness/likeness_layout.h"
#include "app/views/likeness/likeness_motion.h"

namespace hydra {

// What is worked out for the pictures.
struct LikenessPictures {
  LikenessMotion motion;
  PatternDifference difference,
      difference_before;  // of the compared heads: of what is shown, of the state before the last change
};

struct LikenessHands {
  std::vector<HeadPlace> places;  // whose places the compared ones are, of all layers
};

struct LikenessParts {
  Frame& frame;
  const LikenessTable& table;
  const LikenessLayout& at;
  HeadPair hover;                                    // in the last frame
  HeadPair next;                                     // written by the parts
  std::optional<std::pair<int, int>> compared = {};  // heads that there are, side by side

  const LikenessMotion& motion() const { return frame.made.of<LikenessPictures>().motion; }
  void compare(const std::optional<std::pair<int, int>>& heads) const {
    frame.choose(frame.view.likeness.compared, heads);
  }
  int heads() const { return motion().heads(); }
  // The heads are those of all layers: they have their layer's colour, and its number in their name. A head is told
  // apart by its place in the table.
  bool all() const { return !table.places.empty(); }
  HeadPlace place(int head) const { return all() ? nth(table.places, head) : HeadPlace{frame.view.layer, head}; }
  ImU32 color(int head) const;
  std::string name(int head) const;               // "Head 3", "Layer 2 head 3"
  std::string number(int head) const;             // "3", "2.3"
  std::string label(int head) const;              // "3 coref"; the number where the head has no name
  std::string pair_name(int row, int col) const;  // "Heads 3 and 6", "Layer 2 head 3 and layer 5 head 1"
  bool is_focused(int head) const { return place(head) == HeadPlace{marked_layer(frame), marked_head(frame)}; }
  // What is shown may be older than the trace: heads that are gone are not focused.
  bool is_present(int head) const;
  void focus_if_present(int head) const;
};

// Of a layer among so many: dark for the last where the ground is light.
ImU32 layer_color(const Frame& frame, int layer);

void draw_likeness_matrix(LikenessParts& parts);  // with its legend and the tree
void draw_likeness_map(LikenessParts& parts);
void draw_head_comparison(LikenessParts& parts);  // where two heads are compared
void draw_likeness_tools(LikenessParts& parts);   // collapse, repel, pairs; of all layers the pairs
float likeness_tools_height(const Frame& frame);
const Measured<LikenessMeasure>& likeness_of(const Frame& frame);  // as it is shown; asks for it
// The same of the state before the last step, if it was measured; null: it was not.
std::shared_ptr<const LikenessTable> likeness_before(const Frame& frame);
std::shared_ptr<const LikenessTable> likeness_of(const Frame& frame, const Source& source);  // of any state
// Of this model's heads and those of the one beside it.
void between_chips(Frame& frame, ui::Chips& chips);
void draw_between_page(Frame& frame);  // below what is drawn, as large as the window
void measure_chips(Frame& frame, ui::Chips& chips, std::span<const Likeness> measures);
void draw_rank_page(Frame& frame, const LikenessTable& table, const LayerTrace<float>& layer, ImVec2 pos, ImVec2 size);

// The colours of the ordering measure: its whole range, or fitted to what is there.
ValueScale likeness_scale(const Frame& frame, const LikenessMotion& motion);

// Why two heads have no such number: "head 2: its output is the same for every token".
std::string why_undefined(const LikenessParts& parts, Likeness measure, int row, int col);
// A square of that colour with a head's name, and what may follow; returns the end.
float head_title(const Frame& frame, ImFont* font, ImVec2 pos, ImU32 color, const std::string& text);

}  // namespace hydra
