// What others measured when they cut a model of one width into few and many heads.
#pragma once
#include <span>

#include "core/linalg/types.h"

namespace hydra {

// Vaswani et al. 2017, "Attention is all you need", table 3, rows (A), and the row "base", from which they differ in
// the number of heads alone: d_model 512, English to German, newstest2013.
struct PublishedQuality {
  Index heads, d_k;   // d_v is the same
  double perplexity;  // by word piece, on the development set: the lower the better
  double bleu;        // there: the higher the better
};
std::span<const PublishedQuality> published_head_counts();  // by heads

}  // namespace hydra
