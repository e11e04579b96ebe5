// How a model is trained: its sizes, the optimizer, and what is done to heads meanwhile. A task has one of its own,
// from which the controls begin.
#pragma once
#include <cstdint>
#include <vector>

#include "core/linalg/types.h"

namespace hydra::learn {

enum class Optimizer {
  adam,   // Kingma and Ba 2015, algorithm 1
  adamw,  // Loshchilov and Hutter 2019, algorithm 2: the decay apart from the moments
  sgd,    // with momentum (Polyak 1964): v = momentum v + g; p -= rate v
};
enum class Schedule { constant, cosine };  // after the warm-up; the cosine falls from 1 to `least` at the last step

struct OptimizerSettings {
  Optimizer kind = Optimizer::adam;
  double rate = 0.01;
  double beta_1 = 0.9, beta_2 = 0.99, epsilon = 1e-8;  // of adam and adamw
  double momentum = 0.9;                               // of sgd
  double decay = 0;  // of adamw, of every matrix; of W_Q and W_K alone where query_key
  bool decay_query_key_only = false;
  Schedule schedule = Schedule::cosine;
  int warm_up = 50;     // steps in which the rate grows to its own: min(1, (step + 1) / warm_up)
  double least = 0.02;  // of the cosine, as a share of the rate
  double clip = 1;      // of the norm of all gradients together; 0: none
  bool operator==(const OptimizerSettings&) const = default;
};

// What is done to the heads while they learn. All off: nothing.
struct HeadControls {
  double drop =
      0;  // DropHead (Zhou et al. 2020): each head of a sequence is silent with this probability, others louder
  double noise = 0;  // times a number of mean 0 and variance 1 is added to each number of a head's output
  double repel = 0;  // times the mean cosine of the heads' patterns, row by row and pair by pair, is added to the loss
  // Times the expected number of open L0 gates is added to the loss (Louizos et al. 2018): evenly more from nothing at
  // the first step to all of it at the recipe's last one, so that heads learn before they cost much.
  double gates = 0;
  bool identical = false;  // every head of a layer begins as its first
  double apart = 0;        // and then this times a normal number, relative to the weights' size, is added to each
  bool operator==(const HeadControls&) const = default;
};

// Where the words' places come from.
struct PositionRecipe {
  enum class Kind { none, sinusoid, learned };  // sinusoids stay as they are; learned ones begin normal, variance 1
  Kind kind = Kind::none;
  double base = 10000, scale = 1;  // of sinusoids: scale sin(p base^(-2j/d)), and cos in the odd columns
  bool operator==(const PositionRecipe&) const = default;
};

struct Recipe {
  Index layers = 1, heads = 4, d_model = 32;
  Index d_k = 0;       // numbers of a head; 0: d_model / heads
  Index kv_heads = 0;  // sets of keys and values, which the heads of a layer share evenly; 0: each head has its own
  Index batch = 32;    // sequences of a step
  int steps = 1000;
  PositionRecipe positions = {};
  OptimizerSettings optimizer = {};
  HeadControls controls = {};
  // Of each question's mean cross-entropy in the loss, which is their sum over the number of questions; empty: 1 each.
  std::vector<double> question_weights = {};
  // The mean of each question is over its own answers; else all questions' answers count alike in one mean.
  bool by_question = false;
  bool operator==(const Recipe&) const = default;

  bool has_sizes_of(const Recipe& other) const {
    return layers == other.layers && heads == other.heads && d_model == other.d_model && d_k == other.d_k &&
           kv_heads == other.kv_heads;
  }
  Index concat_width() const { return d_k == 0 ? d_model : heads * d_k; }  // of the heads side by side
  Index kv_width() const { return kv_heads == 0 ? concat_width() : kv_heads * (concat_width() / heads); }
};

}  // namespace hydra::learn
