// The parts of the Trade-off view, each in a file of its own, and what they share.
#pragma once
#include <functional>

#include "app/draw/format.h"
#include "app/measures/sweep.h"
#include "app/views/frame/context.h"
#include "app/views/frame/controls.h"
#include "app/views/tradeoff/tradeoff_layout.h"

namespace hydra {

// Of the k-th of so many head counts: a ramp whose every colour stands out from the theme's ground.
ImU32 spectrum_shade(bool dark, int k, int count);

// Of the logarithmic axis, for [n x n]: a power of ten, at least one below what counts as 0 (zero_level), so that what
// lies under it is seen.
double spectra_foot(Index n);

namespace tradeoff {

// The chips that choose the page, and what it is about.
void draw_toolbar(Frame& frame);
// A page, below the toolbar.
// What the page in view asks for and shows. Null until the first is done.
struct SweepShown {
  std::shared_ptr<const SweepTable> table;
  const std::string& failure;
  float progress;
};
SweepShown sweep_of(const Frame& frame);
// The same of a page that fits heads.
struct FitShown {
  const std::string& failure;
  float progress;
  bool computing, older;  // what is shown is not what was asked for last
};
FitShown fit_of(const Frame& frame);

void draw_columns(Frame& frame, const SweepTable& table, ImVec2 pos, ImVec2 size);
void draw_sharing(Frame& frame, ImVec2 pos, ImVec2 size);  // keys and values shared by more heads or by fewer
void draw_cost(Frame& frame, const SweepTable& table, ImVec2 pos, ImVec2 size);
void draw_published(Frame& frame, ImVec2 pos, ImVec2 size);
void draw_computed(Frame& frame, ImVec2 pos, ImVec2 size);
void draw_trained(Frame& frame, ImVec2 pos, ImVec2 size);     // of no document: whoever has room may draw it
void draw_quality(Frame& frame, ImVec2 pos, ImVec2 size);     // likewise: what accuracy costs
void draw_fit_width(Frame& frame, ImVec2 pos, ImVec2 size);   // one head of every width, fitted to a pattern
void draw_fit_needed(Frame& frame, ImVec2 pos, ImVec2 size);  // so many heads, fitted to several relations
void fit_chips(Frame& frame);                                 // what these two are asked

// The colours of all patterns: from 0 to 1, or to the largest weight.
ValueScale pattern_colors(const Frame& frame, const SweepTable& table);
// The patterns of all columns, with the outlined query. origin: the corner of the first column's patterns on the
// screen.
void draw_patterns(Frame& frame, const SweepTable& table, const TradeoffLayout& at, ImVec2 origin);
// One head and d_model heads of width one, explained with the row of the query.
void draw_extremes(Frame& frame, const SweepTable& table, ImVec2 pos, ImVec2 size);

// Singular values before and after softmax, a line per head count, that of column strong drawn so; returns the column
// pointed at or -1.
int draw_spectra(Frame& frame, const SweepTable& table, const Box& before, const Box& after, int strong);

// Whether the entry is the document as it is.
bool is_present(const Frame& frame, const SweepTable& table, const SweepEntry& entry);
void apply_heads(Frame& frame, const SweepTable& table, Index heads);
void apply_kv_heads(Frame& frame, const SweepTable& table, const SweepEntry& entry);
// Whether heads of some entry share keys and values; then not all entries have as many weights.
bool shares_keys(const SweepTable& table);
// Whether each head sees only its slice of X; then the more heads, the fewer weights count.
bool are_slices(const SweepTable& table);
bool has_own_width(const SweepTable& table);           // h d_k is not d_model
std::string cut_text(const SweepTable& table);         // "d_k = d_model / h"
const char* weights_formula(const SweepTable& table);  // "4 d_model²"
// What the columns of the document's head counts do not have in common, in sentences; empty: nothing.
std::string caveats(const Layer& layer, const SweepTable& table);
// What is won and what is lost against the document as it is, which has `own` sets of keys and values: "Two sets of
// keys and values instead of 8: cache 4 times smaller, output moved by 61 %".
std::string trade_sentence(const SweepEntry& entry, Index own);
// How the others are made from the document's keys and values, and who came up with it.
std::string sharing_note(const SweepTable& table);
// What a part of an entry's column is called: "tradeoff/column/8", "tradeoff/kv/column/2".
std::string name_in(const SweepTable& table, const char* part, const SweepEntry& entry);
const std::vector<std::string>& tokens_of(const SweepTable& table);
// The number over seeds, where there are several.
const Spread* over_seeds(const SweepTable& table, const SweepEntry& entry, SweptNumber number);
// "Light: least to most over the seeds 7 to 14." or why there are no others; empty while they are swept.
std::string seeds_note(const SweepTable& table);
// "7", or "6 to 8, median 7".
std::string in_words(const Spread& spread, As style);
// Of n tokens the query that was kept or last pointed at, else the first that a marked relation asks about, else the
// last token.
struct PointedQuery {
  std::optional<Index> last;  // stays until another is pointed at
};
// The row that patterns outline: of a click, else the one pointed at last; none: of neither.
std::optional<Index> chosen_query(const Frame& frame);
Index asked_query(const Frame& frame, Index n);
// The query whose row is outlined: that, but for one that is pointed at elsewhere while none is kept.
Index shown_query(const Frame& frame, const SweepTable& table);
std::string quoted(const Frame& frame, const std::string& token);

// "58.0 G", "1.25 GiB": three digits.
std::string brief_number(double value);
std::string axis_number(double value);  // as short as it is exact: "12.5 k"
std::string bytes_text(double bytes);

std::string heads_text(const SweepEntry& entry);  // "8 heads"
// What the width of its heads lets them make: "d_k = 16 ≥ n − 1 = 11: ...".
std::string possible_text(const SweepEntry& entry);
// Why d_k and n alone do not say which patterns its heads can make; empty: they do.
std::string pattern_bound(const SweepEntry& entry);

using ui::title;
// Draws in a rectangle that is at least so high, scrolling where the room is lower.
void in_room(Frame& frame, const char* name, ImVec2 pos, ImVec2 size, float least,
             const std::function<void(ImVec2 pos, ImVec2 size)>& draw);
using ui::paragraph;
using ui::paragraph_height;

}  // namespace tradeoff

}  // namespace hydra
