// A measure of a head that is one number over its rows: what it is called, what explains it, and how it is computed.
// Tables, tips, intervals, chance and files follow from it. One that is added is a file in head_measures, its place in
// the list below, and its texts in assets/wording/english.json.
#pragma once
#include <array>
#include <limits>

#include "core/analysis/roles/targets.h"
#include "core/attention/forward.h"

namespace hydra {

inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();  // a measure without a row to measure

struct RoleSums;

// What a table puts side by side. Those of shape are seen while a class guesses what the heads do.
enum class RoleGroup { effect, shape, jobs, rest, position, content, relations };
inline constexpr int kRoleGroups = 7;

enum class NumberKind { share, correlation, plain };  // 0 to 1; -1 to 1; 0 and up

struct NumberRange {
  double low = 0, high = 1;
};

// A row of a pattern that counts, and where its maxima are.
struct QueryRow {
  Index i = 0;
  int seen = 0;                               // keys that the mask lets it see
  Eigen::Array<double, 1, Eigen::Dynamic> a;  // the attention as shares
  double top = 0, equals = 0;                 // the maximum, and how many keys have it
  double entropy = 0;                         // in bits
  bool is_top(Index j) const { return a[j] == top; }
};

using OwnSums = std::array<double, 4>;  // of one measure; what is in them adds up over rows and sentences

struct HeadMeasure {
  const char* key;                                     // in files and names
  const char *brief, *title, *tip, *formula, *source;  // keys of texts: over a column; what explains it
  RoleGroup group;
  NumberKind kind = NumberKind::share;
  NumberRange (*range)(Index tokens) = nullptr;  // what its bar spans, where that is not its kind's
  int claim = -1;                                // what a name after it claims: see role_claims.h
  bool may_lack = false;                         // undefined in documents in which it has no sense
  // Adds to its sums; null where it has nothing of it. Rows of the pattern one by one; the whole pattern, as shares;
  // the head as it is in its layer.
  void (*add_row)(const QueryRow& row, OwnSums& sums) = nullptr;
  void (*add_pattern)(MatIn<float> attention, const SentenceTargets& targets, OwnSums& sums) = nullptr;
  void (*add_head)(const LayerTrace<float>& layer, Index head, const SentenceTargets& targets, OwnSums& sums) = nullptr;
  // From its own sums, and from those that all measures have in common.
  double (*value)(const OwnSums& own, const RoleSums& all);
  Index (*rows)(const OwnSums& own, const RoleSums& all) = nullptr;  // it stands on; null: all that count
};

namespace head_number {
extern const HeadMeasure entropy_bits, entropy_fraction, confidence, mean_distance, semantic, removal, share,
    against_stream, sink;
}

// In the order of files: those of rows come first.
inline constexpr std::array kHeadMeasures{
    &head_number::entropy_bits,  &head_number::entropy_fraction, &head_number::confidence,
    &head_number::mean_distance, &head_number::semantic,         &head_number::removal,
    &head_number::share,         &head_number::against_stream,   &head_number::sink,
};
inline constexpr std::size_t kHeadNumbers = kHeadMeasures.size();

constexpr std::size_t place_of(const HeadMeasure& measure) {
  std::size_t place = 0;
  while (kHeadMeasures[place] != &measure) ++place;
  return place;
}

inline NumberRange range_of(const HeadMeasure& measure, Index tokens) {
  if (measure.range) return measure.range(tokens);
  return {measure.kind == NumberKind::correlation ? -1.0 : 0.0, 1};
}

inline double ratio_of(double sum, double count) { return count > 0 ? sum / count : kUndefined; }

}  // namespace hydra
