// Published models, with which a document's own sizes can be seen, and what others measured with few and with many
// heads. Facts of others, each with its source: assets/published.json,
//
//   {"sources": {"radford2019": "Radford et al. 2019", ...},
//    "models": [{"name": "GPT-2 XL", "stated": [{"source": "radford2019", "at": "section 2.3; released weights",
//                                                "year": 2019, "layers": 48, "d_model": 1600, ...}, ...]}, ...],
//    "head_counts": {"source": ..., "at": ..., "rows": [{"heads": 1, "d_k": 512, "perplexity": 5.29, ...}, ...]}}
//
// A model may have numbers of several sources; each is stated once. Parameters may be parts that are summed.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/cost/cost.h"

namespace hydra {

struct PublishedModel {
  std::string name;  // "Llama 2 70B"
  int year = 0;
  int layers = 0;  // that attend to their own sequence; of encoder-decoder models, those of the decoder
  LayerSizes sizes;
  double vocabulary = 0;     // words or parts of words; 0: not counted
  bool own_readout = false;  // has a matrix of its own; else it is that of the embedding
  double parameters = 0;     // of the whole model, as the source states them
  int context = 0;           // the longest sequence it was trained on, in tokens; 0: not stated
  int window = 0;            // the most tokens a query attends to, itself included; 0: all
  bool encoder = false;      // all tokens at once: none is the next, and nothing is kept for it
  std::string note;          // a sentence: what the numbers leave out or take for granted; may be empty
  // Where each of them is stated, by its key in the file: "d_model", "Touvron et al. 2023b, table 1".
  std::map<std::string, std::string, std::less<>> sources;
};
// Where what is at these keys ("d_model heads") is stated, each source once, "; " between; of all keys where none is
// given.
std::string sources_of(const PublishedModel& model, std::string_view keys = {});

// A model of one width cut into so many heads.
struct PublishedQuality {
  Index heads = 0, d_k = 0;  // d_v is the same
  double perplexity = 0;     // by word piece, on the development set: the lower the better
  double bleu = 0;           // there: the higher the better
};
// Vaswani et al. 2017, "Attention is all you need", table 3, rows (A), and the row "base", from which they differ in
// the number of heads alone: d_model 512, English to German, newstest2013.
struct PublishedHeadCounts {
  std::string source;
  std::vector<PublishedQuality> rows;  // by heads
};

struct Published {
  std::vector<PublishedModel> models;  // by year
  PublishedHeadCounts head_counts;
};
// Throws InputError with one sentence naming the place.
Published parse_published(std::string_view json, const std::string& name);
const Published& published();  // what ships
inline const std::vector<PublishedModel>& published_models() { return published().models; }
inline const PublishedHeadCounts& published_head_counts() { return published().head_counts; }

// Weights of all layers, of the embedding and of the readout; without positions, biases and gains. Not a number where
// the model has layers besides.
double counted_parameters(const PublishedModel& model);
// Of one token more in all layers and, where the vocabulary is stated, in the readout; it attends to so many, itself
// included, or to its window; the others' keys and values are kept, of a window only those in it. Not a number for an
// encoder.
double next_token_multiply_adds(const PublishedModel& model, double tokens);
double kept_bytes(const PublishedModel& model, double tokens, double bytes_per_number);
// Whether it was not trained on sequences so long.
bool beyond_context(const PublishedModel& model, double tokens);

}  // namespace hydra
