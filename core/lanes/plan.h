// A model's program, written out for many sequences at once: a list of steps over rooms of registers, of which a lane
// is a sequence. Plain data, which the kernels (kernels.h) walk forward and back. compile.h makes it of a document.
//
// A value [rows x cols] of a group of sequences stands as rows x cols registers, row after row; its gradient as well.
// Rows are an odd number of registers apart: a column's would else all fall into the same few lines of a cache.
// Queries, keys and values of a layer's heads stand side by side, as in W_Q; patterns are [heads x rows x rows].
#pragma once
#include "core/linalg/kernels/kernels.h"

namespace hydra::lanes {

using kernels::Size;
inline constexpr Size kNowhere = -1;

enum class Op {
  embed,     // rows of tables, summed, and a row for each place
  linear,    // X W + b, and what it is added to
  add,       // A + B
  norm,      // ops/norm.h
  rotate,    // ops/rotate.h
  scores,    // Q K^T factor, capped; what a mask hides may be anything
  softmax,   // ops/softmax.h; what a mask hides is 0
  talk,      // ops/talk.h
  drop,      // ops/dropout.h: times constants
  lambda,    // ops/differ.h
  subtract,  // ops/differ.h
  mix,       // A V
  sigmoid,   // number by number
  multiply,  // A o G, G as wide as A or a column for each head
  activate,  // ops/activate.h
  control,   // what training does to heads: each times its gate, and noise
  repel,     // the mean cosine of the heads' patterns, as a part of the loss
  read_out,  // readout.h: logits where they are asked, the loss by them, and the way back
  cross,     // softmax of each question's logits, and the loss by them
  square,    // the mean square of what is asked less what there is
};

// Where a value or a gradient begins, in registers.
struct Place {
  Size at = kNowhere;
  Size stride = 0;  // from row to row
  Size cols = 0;    // of a row, the others stand between rows
  bool is() const { return at != kNowhere; }
};

// An operand or a result: its value, the gradient of the loss by it (nowhere: nobody wants it), and whether the step
// that goes back finds nothing there yet, so that it sets what others add to.
struct Value {
  Place value, gradient;
  bool sets = false;
};

// Of the parameters, [rows x cols] or a row.
struct Weight {
  Size at = kNowhere;
  Size row = 0, col = 1;  // from row to row, from column to column
  bool learns = false;
  bool is() const { return at != kNowhere; }
};

struct Step {
  Op op{};
  Value a, b, c, out;
  Weight weight, bias;
  Weight more[2];                      // of lambda: its other two rows
  Size rows = 0, depth = 0, cols = 0;  // of out, and what is summed over
  Size heads = 1, width = 0;           // of a head's columns
  Size group = 1;                      // heads that share keys and values
  const Size* sets = nullptr;          // by head which keys and values it reads; null: by groups
  Size reach = 0;                      // of a bias by offset, which is the weight of scores
  Size first = 0;                      // column of queries and keys from which on they meet
  Size parts = 1;                      // of a row, that are normalised, rotated or chosen from by themselves
  bool causal = false;
  const unsigned char* allowed = nullptr;  // [rows x rows], of a mask that is not causal; null: all
  Size from_head_to_head = 0;              // of allowed, where each head has its own; 0: one for all
  double factor = 1, cap = 0, epsilon = 0, offset = 0;
  Size factors = kNowhere;    // of the plan: by head, in the place of factor
  Size constants = kNowhere;  // of the plan: slopes by head; what weights are multiplied by; cosines and sines; a row
                              // of targets
  int kind = 0;               // of an activation, of a norm; of mix 1: it is not where patterns are measured
  int layer = 0;
};

struct Plan {
  const Step* steps = nullptr;
  Size count = 0;
  Size registers = 0;                                                               // of a group's room
  Size parameters = 0;                                                              // numbers
  Size length = 0, slots = 1, questions = 1, relations = 0, layers = 0, heads = 0;  // heads: the most of a layer
  bool some_are_shorter = false;  // keys beyond a sequence's end are hidden
};

// What is done to heads while they learn (learn/recipe.h: HeadControls).
struct Controls {
  double drop = 0, noise = 0;
  double repel = 0;               // what the cosine of a pair's rows counts in the loss, times the pairs
  bool drawn = false;             // L0 gates are drawn at random
  const double* gates = nullptr;  // [layers x heads] what each head is multiplied by; null: 1
};

// A group: as many sequences as a register has lanes, and what is made of them.
template <class S>
struct Group {
  const S* parameters = nullptr;
  const S* constants = nullptr;
  S* room = nullptr;                         // aligned to a register
  S* gradients = nullptr;                    // [parameters], added to; null: forward only
  const int* words = nullptr;                // [length x slots x lanes] rows of E; -1: none
  const int* targets = nullptr;              // [length x questions x lanes]; -1: not asked
  const unsigned long long* gold = nullptr;  // [length x relations x lanes]; null: not looked at
  const int* lengths = nullptr;              // [lanes]
  const S* target_values = nullptr;          // of square: [length x cols], the same for all lanes
  const S* scales = nullptr;                 // [questions] the share of each answer in the loss
  const unsigned* keys = nullptr;            // [lanes] of its random numbers
  Controls controls;
  // Made by forward; sums over the group's sequences.
  double* losses = nullptr;  // [questions], of square [1]: not scaled
  double* right = nullptr;   // [questions] answers that were right
  double* masses = nullptr;  // [layers x heads x relations] of attention to where gold says
  double* alike = nullptr;   // [layers] of the cosines of two heads' rows
  // Made by backward.
  double* importance = nullptr;  // [layers x heads] |sum of dL/dgate| of each sequence; null: not wanted
};

}  // namespace hydra::lanes
