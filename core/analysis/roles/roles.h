// What a head does, in numbers: measures of one attention pattern A [n x n], alone and against the targets of its
// sentence. Weights that may be negative are taken as shares (shares.h). Rows (queries) that attend to nothing, because
// the mask hides every key, or that are not finite, do not count. Sums add up over sentences, so a measure over many
// sentences is over all their rows (a micro-average).
#pragma once
#include "core/analysis/roles/head_measure.h"

namespace hydra {

// Attention on a set of targets, over the rows that have some.
struct TargetScore {
  double mass = kUndefined;      // mean over rows of sum of A_ij over the targets j; 0 to 1
  double accuracy = kUndefined;  // share of the rows whose maximum is a target; of k equal maxima each counts 1 / k
  Index rows = 0;
};

// Accuracy as in Voita et al. 2019, section 5.2, "the percentage of times the head assigns its maximum attention weight
// to the token in the relation", next to the same for a head that always looks at one offset.
struct RelationScore : TargetScore {
  std::optional<int> best_offset;       // the most frequent one: see best_offsets
  double offset_accuracy = kUndefined;  // share of the same rows with a target at that offset
};

// Where a head looks in the rows that are asked for nothing (SentenceTargets::at_rest): the mean attention on the first
// token, on the row's own token and on punctuation; 0 to 1.
struct RestScore {
  double first = kUndefined, self = kUndefined, marks = kUndefined;
  Index rows = 0;
};

struct OffsetMeasure {            // key - query = k
  double attention = kUndefined;  // a(k) = mean of A_(i, i+k) over the rows that have a token at i + k; 0 to 1
  double maxima = kUndefined;     // share of the rows that may see i + k, and something else, whose maximum is there
};

struct RoleMeasures {
  Index rows = 0;  // that count
  // Those of head_measure.h, in the order of their list.
  struct Number {
    double value = kUndefined;
    Index rows = 0;  // it stands on
  };
  std::array<Number, kHeadNumbers> numbers;
  // Offsets 1 - n .. n - 1, n the longest sentence: offset k stands at k + n - 1. Clark et al. 2019, section 3.1.
  std::vector<OffsetMeasure> offsets;
  // The offset with the largest share of maxima, among those that at least half of the rows with a choice may see; the
  // nearest of equals, then the one before. A head is called positional from 0.9: Voita et al. 2019, section 5.1.
  int positional_offset = 0;
  double positional_share = kUndefined;
  Index positional_rows = 0;
  std::array<TargetScore, kTokenPatterns> patterns;
  std::array<RelationScore, kRelations> relations;
  std::vector<RelationScore> jobs;  // of a task, where the sentences are its sequences
  RestScore rest;

  Index tokens() const { return static_cast<Index>(offsets.size() + 1) / 2; }  // n
  double& operator[](const HeadMeasure& m) { return numbers[place_of(m)].value; }
  double operator[](const HeadMeasure& m) const { return numbers[place_of(m)].value; }
  Index rows_of(const HeadMeasure& m) const { return numbers[place_of(m)].rows; }
  // Undefined for offsets beyond the longest sentence.
  OffsetMeasure offset(int k) const;
  const TargetScore& pattern(TokenPattern p) const { return patterns[static_cast<std::size_t>(p)]; }
  const RelationScore& relation(Relation r) const { return relations[static_cast<std::size_t>(r)]; }
};

// What the measures are computed from: sums over rows, which add up.
struct RoleSums {
  struct Target {
    double mass = 0, hits = 0, offset_hits = 0;
    Index rows = 0;
  };
  Index rows = 0, choosing = 0;  // that count; of these the rows that may see more than one key
  std::array<OwnSums, kHeadNumbers> own{};
  Eigen::ArrayXd attention, present, maxima, free;  // by offset: see OffsetMeasure; present and free count its rows
  std::array<Target, kTokenPatterns> patterns;
  std::array<Target, kRelations> relations;
  std::vector<Target> jobs;
  struct Rest {
    double first = 0, self = 0, marks = 0;
    Index rows = 0;
  } rest;
  // Squared norms: of the head's contribution, of all heads' added up, of the layer's output, of the stream that
  // enters.
  double contribution = 0, contributions = 0, output = 0, stream = 0;

  RoleSums& operator+=(const RoleSums& other);
  RoleSums& operator-=(const RoleSums& other);  // what was added before; keeps the length
};

// Of a pattern alone: no contribution.
RoleSums pattern_sums(MatIn<float> attention, const SentenceTargets& targets);
// Measures anew what is of the head in its layer, and of no pattern.
void measure_in_layer(const LayerTrace<float>& layer, Index head, const SentenceTargets& targets, RoleSums& sums);
// Of a head of a layer, without what takes all its heads.
RoleSums head_sums(const LayerTrace<float>& layer, int head, const SentenceTargets& targets);
// Tells the heads of one layer, all of them, of each other and of the stream that enters.
void add_layer(std::vector<RoleSums>& heads, double stream);

RoleMeasures finish(const RoleSums& sums, const RelationOffsets& offsets = {});

// Of several heads (not none, of equal length), number by number: the mean of those that are defined. Rows and best
// offsets are those of the first.
RoleMeasures mean_of(const std::vector<RoleMeasures>& measures);

}  // namespace hydra
