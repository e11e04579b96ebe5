// The likeness of a document's heads, on its own sentence or pooled over marked sentences.
#pragma once
#include "core/analysis/likeness/clustering.h"
#include "core/analysis/likeness/diversity.h"
#include "core/analysis/likeness/independent.h"
#include "core/attention/trace.h"
#include "core/measures/pooled.h"
#include "core/work/progress.h"

namespace hydra {

class JsonWriter;

struct LikenessTable {
  Stamp stamp;                                      // of the table: no other has it
  std::array<Array<double>, kLikenesses> matrices;  // null: not asked for
  Likeness ordered_by = Likeness::js_bits;          // what the tree and the map are of
  Clustering clustering;
  HeadMap map;
  double mean_cosine = 0, effective_heads = 0;  // of the patterns; NaN: there is no pair
  double mean_js_bits = 0;                      // NaN also where it was not asked for
  IndependentHeads independent;                 // the same of heads that share nothing
  // Where there is a CKA: what outputs that have nothing to do with one another come to, and by head why it has none.
  UnrelatedOutputs unrelated;
  std::vector<std::string> no_cka;
  std::vector<HeadRanks> ranks;        // by head, on the document's own sentence; empty: not asked for
  std::vector<std::string> sentences;  // that were pooled; empty: the document's own
  std::vector<HeadPlace> places;       // of the heads, where they are those of all layers; empty: of one layer
  const Array<double>& matrix(Likeness measure) const { return matrices[static_cast<std::size_t>(measure)]; }
};

// Of the heads of a stack. More are not compared: a matrix of more has no room for a head, and their tree takes
// minutes.
inline constexpr Index kMostCompared = 576;  // 48 layers of 12
inline constexpr Index kMostComparedCells =
    16'000'000;  // of all their patterns together, on the document's own sentence
// Why so many heads are not compared on a sentence of so many tokens: a sentence; empty where they are.
std::string why_not_compared(Index heads, Index tokens);

// All layers of a trace with all their stages: those that were not kept are computed.
std::vector<LayerTrace<float>> whole_layers(const Trace& trace, ThreadPool* pool, const Progress& progress);

struct LikenessWanted {
  std::array<bool, kLikenesses> measures{};  // besides the one that orders
  Likeness ordered_by = Likeness::js_bits;
  bool ranks = false;
};

// Steps of a table that is computed from nothing, besides a step for each pooled sentence.
int steps_of_likeness(Index heads, const LikenessWanted& wanted);

// Makes tables one after the other; after an edit only what changed is computed again.
class LikenessTables {
 public:
  // Uses the pool while it makes a table; nobody else may then.
  explicit LikenessTables(ThreadPool* pool = nullptr)
      : pool_(pool), own_(pool), pooled_(pool), own_independent_(pool), pooled_independent_(pool) {}

  LikenessTable of_sentence(const LayerTrace<float>& layer, const LikenessWanted& wanted);
  // Of all heads of all layers, without ranks: the numbers of two heads of one layer have the bits that the layer's own
  // table has. Only where why_not_compared is empty.
  LikenessTable of_sentence(const Trace& trace, const LikenessWanted& wanted, const Progress& progress = {});
  LikenessTable pooled(const Document& document, const MarkedSentences& marked, const LikenessWanted& wanted,
                       const Progress& progress = {});
  // Of the document's weights on each of the marked sentences (pooled.h, which says when that is not possible). trace
  // is the document's own, for the ranks.
  LikenessTable pooled(const Document& document, const Trace& trace, int layer, const MarkedSentences& marked,
                       const LikenessWanted& wanted, const Progress& progress = {});

 private:
  struct KeptRanks {  // what they were computed from
    Stamp scores, query_key;
    HeadRanks ranks;
  };
  std::vector<HeadRanks> ranks(const LayerTrace<float>& layer);
  LikenessTable pooled_table(const Document& document, const std::vector<int>& layers, const MarkedSentences& marked,
                             const LikenessWanted& wanted, const Progress& progress);

  ThreadPool* pool_;
  LikenessMatrices own_, pooled_;
  IndependentMeasures own_independent_, pooled_independent_;
  PooledTraces traces_;
  std::vector<KeptRanks> ranks_;
};

// The keys that the analyze command's JSON has of it in a layer's object (docs/document.md): similarity, clustering,
// map, effective_heads, mean_cosine, mean_js_bits, independent_heads and, when the table has them, unrelated_outputs
// and ranks. d_k and n are the layer's, on the document's own sentence.
void write_spread(std::string_view name, const Spread& spread, JsonWriter& out);
void write_independent(const IndependentHeads& independent, JsonWriter& out);
void write_spectrum(std::string_view name, const Spectrum& spectrum, JsonWriter& out);
void write_likeness(const LikenessTable& table, Index d_k, Index n, JsonWriter& out);
// The same of a table of all layers, with "heads", the layer and the number of each, before it.
void write_stack_likeness(const LikenessTable& table, JsonWriter& out);

}  // namespace hydra
