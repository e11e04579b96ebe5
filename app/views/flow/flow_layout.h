// Where the pictures of the Flow view stand: pure arithmetic, so that it can be tested for every size.
//
//              W_Q  W_K  W_V   K^T   (labels)   V
//   tokens X   Q    K    V     S     A          O      one band: a token is the same row in all of them
//   all heads' patterns
//   C = [O_1 .. O_h]      x    W_O   =          Y
//
// A presentation may leave out the first row, whose products then stand in the titles, and the last one, which the
// Mixing view shows large, where that gives the patterns rows that can be read.
#pragma once
#include <array>

#include "app/widgets/geometry.h"
#include "core/linalg/types.h"

namespace hydra {

struct FlowInput : LayoutInput {
  float n, d_model, d_k;  // sizes of the matrices
  int heads;
  float label_width;  // of the longest token, already limited
  float title;        // height of a title
  float digits = 0;   // width of a number in a cell
  float formula = 0;  // width of the longest of the titles with products: "Q = X W_Q"
  float large = 21;   // height of the head's name
  bool presentation = false;
  bool painting = false;  // cells of the mask are clicked and dragged over
};

inline constexpr int kFewColumns = 4;  // of the projections, which are then wide enough for their numbers

struct FlowLayout {
  bool operands = true;  // W above Q K V, K^T above S, V above O
  bool mixed = true;     // C, W_O and Y
  Box header;            // above X: which head; without operands above all but A
  Box X;
  std::array<Box, 3> W, P;  // W_Q W_K W_V above Q K V
  Box KT, V;                // the second operands, above S and above O
  Box S, A, O;
  Box labels_A;  // the key tokens above A
  Box strip;     // thumbnails
  Box C, W_O, Y;
  std::array<Box, 4> operators;  // X->QKV, QKV->S, S->A, A->O
  Box times, equals;             // between C, W_O and Y
};

FlowLayout flow_layout(const FlowInput& in);

// The largest square cells with which count of them fit into size, and how many stand in a row.
struct Tiling {
  float side;
  int columns;
};
Tiling tile_squares(ImVec2 size, int count, float gap);

}  // namespace hydra
