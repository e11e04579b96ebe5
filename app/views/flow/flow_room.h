// How much room the head's row of Flow has, and what is shown in it: widths along the chain from X to the output,
// heights of the rows, what is left out. Pure arithmetic; flow_layout.cpp puts the pictures there.
#pragma once
#include "app/views/flow/flow_layout.h"

namespace hydra::flow {

enum class OperandsAs { full, low, none };        // low: in the room that the labels of A need anyway
enum class MixingAt { under, beside, left_out };  // the strip
struct Rows {
  OperandsAs operands;
  MixingAt mixing;
};

struct Widths {
  float X, P, gap, arrow, softmax;  // the last: the arrow with the longest word
  float before, after;  // pictures as wide as Q: before S (Q, K, V, Q' where it is), and after A (O, O°, O')
  bool dropped;         // D, a square as A, behind it
  float total(float label, float side) const {
    return label + X + arrow + before * P + (before - 1) * gap + arrow + side + softmax + side +
           (dropped ? softmax + side : 0) + after * (arrow + P);
  }
};

struct Heights {
  float top = 0, side = 0, strip = 0, bottom = 0;
  float above = 0;  // the head's pictures, without operands: titles, or A's title and labels, or the header
  bool fits = true;
};

// Whether the numbers of the weights are to be read: of small heads, which may be made by hand.
bool has_numbers(const FlowInput& in);
// Whether the arrows say what is done, and the titles need not: they take width, which in a presentation of small heads
// numbers have.
bool has_words(const FlowInput& in, Rows rows);

// side: of the squares S and A.
Widths least_widths(const FlowInput& in, Rows rows, float side);
// What is left of the width goes to the projections (up to square cells) and to X.
Widths band_widths(const FlowInput& in, Rows rows, float side);
Heights heights(const FlowInput& in, Rows rows);

float low_operand(const FlowInput& in, float above);  // between the titles of the operands and of the pictures under it
// What C, W_O and Y take below the line over the strip, when they are so high: their titles, bars, captions.
float mixing_height(const FlowInput& in, float pictures);
// What the header takes besides operands: its own lines, and what they would be wrapped to.
float header_width(const FlowInput& in, const Widths& w);

// Of a presentation, which all heads are to be seen in from afar: in a room of some width they have the height that the
// mixing under them would take.
bool has_mixing_beside(const FlowInput& in);
Rows choose_rows(const FlowInput& in);  // all that can be shown of it so that it is read

}  // namespace hydra::flow
