// What all views show alike: heads in their colours and by their names, ranges of colours, words along a picture.
#pragma once
#include <string>
#include <vector>

#include "app/views/frame/context.h"
#include "app/widgets/geometry.h"
#include "app/widgets/plot/label_steps.h"
#include "core/explain/links.h"

namespace hydra {

struct HeadLabel;
struct HeadRoles;
struct StackRoles;

// The number that is pointed at, else the selected one.
const std::optional<Cell>& pointed_at(const Frame& frame);

// What the heads of the layer in focus do, and those of all layers, for who asks in this frame (head_roles.h). Names
// stand in all views: only Roles itself may look at this sentence alone. Of all layers there are none while one is
// looked at.
RolesText roles_text(const Frame& frame);  // what the heads are measured on: in Roles as it says, elsewhere for names
const HeadRoles& roles_of(const Frame& frame);
const StackRoles& stack_roles_of(const Frame& frame);

ImU32 head_color(const Frame& frame, Index head);
ImU32 branch_color(const Frame& frame, int branch);  // of a run
std::string head_name(Index head);                   // "Head 3"
// What the head of the layer in focus does; null while there is none, and while the class guesses.
const HeadLabel* label_of(const Frame& frame, int head);
// How wide the widest names of the layer's heads are: as called has them, and as their labels' brief and name. Where
// they stand in a row all have the same kind: one with its score among others without would look like a finding.
struct NameWidths {
  float called = 0, brief = 0, name = 0;
};
NameWidths widest_names(const Frame& frame, ImFont* font);
// The same in a sentence, or empty: "coreference 0.93 on 3 rows; removing it changes Y by 12 %; on 7 of ...".
std::string role_sentence(const Frame& frame, int head);
// Of the layer in focus: what a head is called where it has a name, "4 coref" and "Head 4, coref"; else its number.
std::string called(const Frame& frame, Index head);
std::string head_called(const Frame& frame, Index head);
// Which colour is which head's, in a line of the small face within that width: with what heads are called where that
// fits, else their numbers; nothing where those do not fit.
void head_key(const Frame& frame, ImVec2 pos, float width);
// Of an outline: what it is of the cell that is pointed at or selected.
ImU32 link_color(const Frame& frame, Region::Role role, bool selected);
ImU32 ink_for(const Frame& frame, bool strong);                          // of what is in focus, else soft
ImU32 ink_for(const Frame& frame, const HeadLabel& label, bool strong);  // faint while it is a moment older
// What is in focus, where it is marked; -1 where it is not (Canvas::marks_focus).
int marked_layer(const Frame& frame);
int marked_head(const Frame& frame);
Index marked_token(const Frame& frame);
ColorMap diverging(const Frame& frame);   // of signed values
ColorMap sequential(const Frame& frame);  // of those from 0 up
Heatmap heatmap_of(const Backing& backing, ImVec2 min, ImVec2 max, const ValueScale& scale);
void frame_around(const Frame& frame, const Heatmap& heatmap);  // a line around the outermost cells

// In the small face.
void legend(const Frame& frame, const ValueScale& scale, ImVec2 pos, float width, const LegendOptions& options = {});

// Of a matrix: with what its range was before the last edit.
void site_legend(const Frame& frame, const Site& ref, ImVec2 pos, float width, LegendOptions options = {});

// Of a model's file: "▁girl: token 10 of 12, id 263".
std::string token_told(const Frame& frame, Index token);
// How the sentence's words are marked along pictures; null: none is.
const LabelMarks* token_marks(const Frame& frame);

// The words of a picture's rows left of it and of its columns over it, each step high and wide.
struct EdgeLabels {
  const std::vector<std::string>* words = nullptr;
  ImVec2 corner;  // of the picture
  float step = 0;
  float left = 0, above = 0;  // the room for them
  int row = -1, col = -1;     // marked
  ImFont* font = nullptr;     // default: fonts.small
  float least = kLeastLabel;  // height of the words; below, some are left out
};
void row_labels(const Frame& frame, const EdgeLabels& labels);
void column_labels(const Frame& frame, const EdgeLabels& labels);
void edge_labels(const Frame& frame, const EdgeLabels& labels);  // both

// What a layout is given: the room that is left in the present window, or this one, and the sizes of text.
LayoutInput layout_input(const Frame& frame, ImVec2 pos, ImVec2 size);
template <class Input>
Input room_for(const Frame& frame, ImVec2 pos, ImVec2 size) {
  Input in{};
  static_cast<LayoutInput&>(in) = layout_input(frame, pos, size);
  return in;
}
template <class Input>
Input room_for(const Frame& frame) {
  return room_for<Input>(frame, ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail());
}

// A widget that is drawn like the view, its text small.
Look look_of(const Frame& frame);
template <class Widget, class... Arguments>
Widget styled(const Frame& frame, const Arguments&... arguments) {
  Widget widget(arguments...);
  static_cast<Look&>(widget) = look_of(frame);
  return widget;
}

// What a class that draws a part of a view has at hand.
class Drawing {
 protected:
  explicit Drawing(Frame& frame)
      : frame_(frame),
        canvas_(frame.canvas),
        view_(frame.view),
        theme_(frame.theme),
        fonts_(frame.fonts),
        u_(frame.unit),
        em_(frame.fonts.text->FontSize),
        small_(frame.fonts.small->FontSize) {}
  std::string say(const std::string& text) const { return spelled(frame_, text); }

  Frame& frame_;
  Canvas& canvas_;
  const ViewState& view_;
  const Theme& theme_;
  const Fonts& fonts_;
  float u_, em_, small_;  // the unit, the heights of text
};

}  // namespace hydra
