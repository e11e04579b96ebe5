// One head's pattern over one or several sentences, and what two patterns have in common. Sums are in double precision
// and in an order that the sizes alone decide, so that the same patterns give the same bits.
#pragma once
#include <optional>
#include <vector>

#include "core/attention/forward.h"

namespace hydra {

// The stacked rows of all sentences, by head: 1 where the row counts, that is where it is finite and attends to
// something.
using RowCounts = std::vector<std::uint8_t>;
RowCounts counting_rows(const std::vector<Array<float>>& patterns);
RowCounts in_both(const RowCounts& a, const RowCounts& b);
Index number_of(const RowCounts& counts);

struct HeadPattern {
  std::vector<Array<float>> parts;  // by sentence, [n x n]; rows that do not count are 0
  std::vector<Array<float>>
      shares;  // the same as distributions (shares.h): the parts themselves where softmax gave them
  RowCounts counts;
  Index rows = 0;                 // that count
  double mass = 0;                // of all rows of shares: as many, but where sinks take of it
  std::optional<double> entropy;  // of all rows, in nats: see add_entropy
  std::vector<Mat<double>> logs;  // by sentence, ln of every weight: see add_logs
  double own_log = 0;             // sum of p ln p
};
// Takes the matrices as they are where all their rows are finite. may_be_negative: they are no softmax's.
HeadPattern head_pattern(std::vector<Array<float>> patterns, bool may_be_negative = false);
void add_entropy(HeadPattern& pattern);  // what js_bits needs
// What kl_bits needs: by sentence the logarithms of the shares (shares.h).
void add_logs(HeadPattern& pattern, std::vector<Mat<double>> logs);

// <a, g>, the patterns as vectors.
double pattern_product(const HeadPattern& a, const HeadPattern& g);
// likeness.h; of the shares, over the rows that count in both, NaN when there are none.
double js_bits(const HeadPattern& a, const HeadPattern& g);
double kl_bits(const HeadPattern& a, const HeadPattern& g);

}  // namespace hydra
