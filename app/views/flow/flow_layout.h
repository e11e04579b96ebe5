// Where the pictures of the Flow view stand, as rows of sites: pure arithmetic, so that it can be tested for every
// size.
//
//   operands             W_Q  W_K  W_V   K^T   (labels)   V          (low: between the titles and labels of the head)
//   head      tokens X   Q    K    V     S     A          O      a token is the same row in all of them
//                                                               (Q' beside V, D between A and O, and O' under its
//                                                               gates, where they are)
//   strip     all heads' patterns                           (beside: of heads that talk S° P_L A° P_W; of
//                                                              differential attention S' and A° - lambda A' = A)
//   mixing    C = [O_1 .. O_h]      x    W_O   =          Y
//   block     X  N_1  Y  R_1  N_2  H  F  R                   what stands around the heads, where something does
//   out       R  N    L  p   words                           what is read out of the last layer, where something is
//
// What is read out, and what stands around the heads, have a page of their own where the heads would be cramped beside
// them. A presentation may have low operands, or none, whose products then stand in the titles, and the mixing stands
// right of the strip, so that all heads are large; it is left out only while a mask is painted, on cells that can be
// hit.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/widgets/geometry.h"
#include "core/model/site.h"

namespace hydra {

// A stage of what stands around the heads (flow_block.h).
struct FlowStage {
  Quantity quantity;
  std::string made;               // how, of those before it: "X + Y", "norm", "gelu"; of the first nothing
  std::vector<Quantity> weights;  // with which: each can be opened
};

struct FlowInput : LayoutInput {
  float n, d_model, d_k;  // sizes of the matrices
  int heads;
  float label_width;        // of the longest token, already limited
  float title;              // height of a title
  float digits = 0;         // width of a number in a cell
  float weight_digits = 0;  // of W_Q, W_K, W_V, W_O
  float number = 0;         // its height
  float formula = 0;        // width of the longest of the titles with products: "Q = X W_Q"
  float large = 21;         // height of the head's name
  bool presentation = false;
  bool around = false;          // the page of the stages and of what is read out
  float pages = 0;              // height of the pages' chips, where that page is open
  bool painting = false;        // cells of the mask are clicked and dragged over
  Quantity read = Quantity::X;  // by the heads
  // What the scores are made of: queries and keys, or what is made of them.
  Quantity query = Quantity::Q, key = Quantity::K;
  std::optional<Quantity> gates = {};  // of the output
  bool dropped = false;                // some of A, before it multiplies V
  bool normed = false;                 // the output, before its gates
  std::vector<Quantity> beside = {};   // the strip: what attention is made of where that is not one softmax
  std::vector<FlowStage> stages = {};
  std::vector<FlowStage> out = {};  // flow_out.h

  float concat() const { return d_k * static_cast<float>(heads); }
};

inline constexpr int kFewColumns = 4;  // of the projections, which are then wide enough for their numbers

struct FlowPlace {
  Quantity quantity;
  Box box;
  float title = 0, caption = 0;  // how much wider than the picture they may be
};

struct FlowRow {
  enum class Kind { operands, head, strip, beside, mixing, block, out };
  Kind kind;
  Box box;                        // of the strip; of what is read out the words
  std::vector<FlowPlace> places;  // from left to right; operands stand above what they are operands of
  std::vector<Box> operators;  // between them; of a row of stages that goes on from another, before the first as well
};

struct FlowLayout {
  std::vector<FlowRow> rows;  // from top to bottom
  Box header;                 // above X: which head; without operands above all but A
  Box labels;                 // the key tokens above A
  float strip_title = 0;      // how wide the line over the strip may be
  bool tokens_at_C = true;    // their names stand beside it, too
  bool low = false;           // the operands: without captions
  bool worded = false;        // the arrows say what is done; else the titles do
  bool parted = false;        // some of it is on the other page

  const FlowRow* row(FlowRow::Kind kind) const;  // null: left out
  bool has(FlowRow::Kind kind) const { return row(kind) != nullptr; }
  const Box& of(FlowRow::Kind kind, Quantity quantity) const;  // which is there
};

FlowLayout flow_layout(const FlowInput& in);
// The least height at which nothing goes to the other page and every token has its word, as far as the width allows it;
// on that page, at which pictures are as high as five small lines. Titles may stand for operands.
float height_of(const FlowInput& in);

}  // namespace hydra
