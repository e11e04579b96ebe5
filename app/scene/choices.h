// What is chosen in each view, in its terms: values that can be compared.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/measures/fit_choice.h"
#include "app/measures/roles_over.h"
#include "app/scene/actions/actions.h"
#include "core/analysis/answer/head_answers.h"
#include "core/analysis/cost/cost.h"
#include "core/analysis/likeness/likeness.h"
#include "core/analysis/roles/role_label.h"
#include "core/analysis/stream/circuit.h"
#include "core/analysis/stream/rollout.h"
#include "core/json/named.h"
#include "core/learn/fit/fit_heads.h"
#include "core/learn/opened/opened_step.h"
#include "core/learn/recipe.h"
#include "core/learn/runs/followed.h"
#include "core/learn/timeline.h"
#include "core/weights/mask_patterns.h"

namespace hydra::learn {
HYDRA_NAMED(OptimizerSettings, kind, rate, beta_1, beta_2, epsilon, momentum, decay, decay_query_key_only, schedule,
            warm_up, least, clip)
HYDRA_NAMED(HeadControls, drop, noise, repel, gates, identical, apart)
HYDRA_NAMED(PositionRecipe, kind, base, scale)
HYDRA_NAMED(Recipe, layers, heads, d_model, d_k, kv_heads, batch, steps, positions, optimizer, controls,
            question_weights, by_question)
HYDRA_NAMED(Followed, what, offset, tokens, row, col)
HYDRA_NAMED(HeadsProblem, tokens, d_model, relations)
}  // namespace hydra::learn

namespace hydra {

HYDRA_NAMED(CircuitLine, layer, head, to_layer, to_head, into, score)

struct FlowState {
  bool around = false;  // the page of what stands around the heads, and of what is read out
  bool operator==(const FlowState&) const = default;
};
HYDRA_NAMED(FlowState, around)

struct HeadsState {
  std::optional<RolloutKind> rollout;  // the large pattern is the rollout through the layer in focus, not a head's
  std::string picture;      // it is that one, by its key (head_picture.h); empty: it is a matrix of the model
  bool lit_unknown = true;  // where a head lights up: only what nothing is known of
  bool operator==(const HeadsState&) const = default;
};
HYDRA_NAMED(HeadsState, rollout, picture, lit_unknown)

struct InspectorState {
  bool painting_open = false;                    // shows how to set the selected row by hand
  bool terms_by_size = true, all_terms = false;  // how long sums are listed
  bool operator==(const InspectorState&) const = default;
};
HYDRA_NAMED(InspectorState, painting_open, terms_by_size, all_terms)

struct MaskTool {  // that paints it
  bool on = false;
  // Of each pattern, by its number. A stride or a block of 4 shows its shape on a sentence.
  std::array<Index, kMaskPatterns> sizes = {1, 1, 2, 4, 4, 4};
  bool only_before = false;
  bool operator==(const MaskTool&) const = default;
};
HYDRA_NAMED(MaskTool, on, sizes, only_before)

// That marks pairs of tokens.
struct MarkTool {
  bool on = false;
  std::string relation;  // which is marked, and outlined where no shown_relation is; may have no pair
  bool operator==(const MarkTool&) const = default;
};
HYDRA_NAMED(MarkTool, on, relation)

enum class MixingPage { output, shares, silencing };  // silencing: with shares where there is room for both

struct OutputSolving {  // a W_O from a target
  bool open = false;
  SolveTarget target = SolveTarget::reproduce;
  int feature = -1;            // of the lexicon; -1: the one offered first
  bool all_sentences = false;  // the marked ones, not only this one
  bool operator==(const OutputSolving&) const = default;
};
HYDRA_NAMED(OutputSolving, open, target, feature, all_sentences)

struct MixingState {
  MixingPage page = MixingPage::output;
  bool by_size = false;           // shares as squared lengths, not along Y
  bool varying = false;           // without what is the same for every token
  bool token_directions = false;  // where heads write: for that token, not for all
  OutputSolving solving;
  bool operator==(const MixingState&) const = default;
};
HYDRA_NAMED(MixingState, page, by_size, varying, token_directions, solving)

// What the strips of all tokens at all layers tell.
enum class StreamStrips { size, cosine, heads, feed_forward };

// What the lines of a token's stream are read as, where there are both.
enum class StreamReads { next_words, features };

enum class StreamPage { words, circuit, routing, answer };

struct CircuitState {
  std::optional<float> least;                      // of the lines that are drawn; none: what random heads seldom reach
  std::array<bool, kInto> into{true, true, true};  // which of them
  bool of_focus = false;                           // only lines of the head in focus
  std::optional<CircuitLine> line;                 // opened; none: the strongest that is drawn
  bool operator==(const CircuitState&) const = default;
};
HYDRA_NAMED(CircuitState, least, into, of_focus, line)

// What of the answer the page of one answer tells: its logit less the rival's, its logit, its probability.
enum class AnswerBy { difference, logit, probability };

struct AnswerChoice {
  std::optional<std::string> word, rival;  // of the readout; none: the likeliest
  std::string counterfactual;              // a sentence; empty: none
  PatchedPart part = PatchedPart::head;    // that is taken from it
  AnswerBy by = AnswerBy::difference;
  int sorted = 2;  // by this column of the table; 0: in the heads' order
  bool operator==(const AnswerChoice&) const = default;
};
HYDRA_NAMED(AnswerChoice, word, rival, counterfactual, part, by, sorted)

struct StreamState {
  StreamPage page = StreamPage::words;
  CircuitState circuit;
  AnswerChoice answer;
  StreamStrips strips = StreamStrips::size;
  StreamReads reads = StreamReads::next_words;
  bool all_heads = false;  // every layer is told head by head, not only the one in focus
  bool operator==(const StreamState&) const = default;
};
HYDRA_NAMED(StreamState, page, circuit, answer, strips, reads, all_heads)

enum class LikenessPage { pairs, ranks, between };  // between: of this model's heads and those of the one beside it

struct LikenessState {
  Likeness measure = Likeness::cosine;  // the matrix shown large, by which heads are ordered
  LikenessPage page = LikenessPage::pairs;
  bool pooled = false;                          // over all marked sentences, not over this one
  bool all_layers = false;                      // the heads of all layers, where there are several
  bool by_tree = false;                         // these in the order of their tree, not layer after layer
  bool fitted = false;                          // colours fitted to the values
  std::optional<std::pair<int, int>> compared;  // heads side by side: places in the table
  bool operator==(const LikenessState&) const = default;
};
HYDRA_NAMED(LikenessState, measure, page, pooled, all_layers, by_tree, fitted, compared)

// Of the model that was laid beside the one that is shown.
struct BesideState {
  bool in_heads = false;                    // Heads: the pattern in focus stands beside one of its
  std::optional<std::pair<int, int>> head;  // layer and head of that one; none: the most alike
  bool operator==(const BesideState&) const = default;
};
HYDRA_NAMED(BesideState, in_heads, head)

struct RoleFilter {
  std::optional<int> layer;
  std::string role;  // what a head does, in words; empty: any
  std::string text;  // in what stands in the row, or "2.3" or "layer 2 head 3": whatever the case of its letters
  bool operator==(const RoleFilter&) const = default;
};
HYDRA_NAMED(RoleFilter, layer, role, text)

struct RolesState {
  RolesOver over = RolesOver::known;   // what is measured on
  RolesOver names = RolesOver::known;  // after what heads are named in the other views
  std::optional<int> sorted;           // by this column of the table, the highest first
  float threshold = kRoleThreshold;    // below it a head is "mixed"

  // In a presentation, where the columns are more than can be seen at once:
  int page = 0;  // which of them are shown; of fewer pages the last

  // Where there are several layers:
  bool all_layers = false;  // the heads of all, not of the one in focus
  bool by_role = false;     // sorted by what they are called, where no column is
  RoleFilter filter;
  bool operator==(const RolesState&) const = default;
};
HYDRA_NAMED(RolesState, over, names, sorted, threshold, page, all_layers, by_role, filter)

struct DesignState {
  bool all_columns = false;  // not only the named features
  bool writes = false;       // where only one form fits: what is written, not what is asked for
  bool operator==(const DesignState&) const = default;
};
HYDRA_NAMED(DesignState, all_columns, writes)

// The pattern that a head is asked for.
HYDRA_NAMED(FitChoice, from, target, relation, masked)

struct FitState {
  FitChoice choice;
  Index width = 0;  // whose pattern stands beside the target; 0: the widest below n - 1 that misses
  learn::HeadsProblem problem;
  Index heads = 0;  // whose patterns are shown; 0: as many as relations
  bool operator==(const FitState&) const = default;
};
HYDRA_NAMED(FitState, choice, width, problem, heads)

struct TrainedState {
  std::string task = "students";  // by its key
  Index d_model = 32;
  int steps = 1500;                                 // of each run
  std::vector<double> rates = {0.003, 0.01, 0.03};  // ascending
  bool deep = true;                                 // four layers of one head each are trained as well
  int seeds = 5;
  double rate = 0;  // whose patterns, questions and curves are shown; 0: of each model its best
  int seed = 0;     // likewise, but the curves of all seeds are there
  bool operator==(const TrainedState&) const = default;
};
HYDRA_NAMED(TrainedState, task, d_model, steps, rates, deep, seeds, rate, seed)

enum class TradeoffPage { columns, cost, sharing, published, computed, trained, width, needed, quality };
// Whether the page shows the document's own heads cut in other ways.
inline bool sweeps(TradeoffPage page) { return page <= TradeoffPage::published; }
enum class ComputedPart { product, timing, tiles };  // of the page "how it is computed"

// What quality is bought with: the layer's weights, its multiply-adds, what it keeps of a sentence, and the time
// measured.
enum class QualityCost { parameters, multiply_adds, cache, time };

struct HeadCounts {
  Index width = 0;  // of all heads side by side, for which they were chosen
  std::vector<Index> counts;
  bool operator==(const HeadCounts&) const = default;
};
HYDRA_NAMED(HeadCounts, width, counts)

struct TradeoffState {
  TradeoffPage page = TradeoffPage::needed;
  std::optional<HeadCounts> counts;       // side by side; none chosen: the usual ones
  std::optional<Index> query;             // by a click: the row that every pattern outlines
  bool patterns_fitted = false;           // colours fitted to the largest weight side by side
  double context_length = kUsualContext;  // of published models, and of shared keys and values
  double bytes_per_number = kUsualBytes;
  std::optional<int> published_sorted;  // by this column of the table, the highest first; none: by year

  ComputedPart part = ComputedPart::product;  // of how it is computed
  std::vector<Index> lengths;                 // that are timed; empty: the usual ones
  FitState fit;                               // of the pages width and needed
  std::optional<Index> tile_side;             // none: as suits the sentence
  TrainedState trained;
  QualityCost quality = QualityCost::parameters;
  bool operator==(const TradeoffState&) const = default;
};
HYDRA_NAMED(TradeoffState, page, counts, query, patterns_fitted, context_length, bytes_per_number, published_sorted,
            part, lengths, fit, tile_side, trained, quality)

// Of the gradients: of one sequence through each head; of the weights, and a number's update; what heads have to do
// with each other's; what the factor of the scores does to them.
enum class GradientPart { sequence, weights, heads, scaling };

// What is looked at of them.
struct GradientsAsked {
  GradientPart part = GradientPart::sequence;
  Index sequence = 0;   // of the batch
  bool others = false;  // weights besides the heads' W_Q, W_K, W_V, W_O
  learn::Facet facet = learn::Facet::gradient;
  std::optional<Cell> number;  // the selected one as a parameter has it: its update is told
  bool operator==(const GradientsAsked&) const = default;
};
HYDRA_NAMED(GradientsAsked, part, sequence, others, facet, number)

// What a run would be made of: as the controls stand. Of a task that has another recipe when it is chosen.
struct LearnSetup {
  std::string task = "induction";
  learn::Recipe recipe;
  std::uint64_t seed = 0;
  std::string text;  // of the task "text"
  bool characters = false;
  std::optional<double> stop_loss, stop_accuracy;
  bool operator==(const LearnSetup&) const = default;
};
HYDRA_NAMED(LearnSetup, task, recipe, seed, text, characters, stop_loss, stop_accuracy)

enum class LearnPage { run, gradients, counts, collapse, pruning };
// Scores, the loss and the accuracy, are chosen where the room has no place for them beside another one.
enum class LearnChart { scores, roles, questions, likeness, gradients, composition, gates, followed };

struct LearnState {
  LearnPage page = LearnPage::run;
  LearnSetup setup;
  double pace = 0;                                       // steps a second; 0: as fast as it goes
  std::size_t most_bytes = learn::Timeline::kMostBytes;  // of a run that begins
  LearnChart chart = LearnChart::scores;
  bool more = false;               // all controls
  bool trains_hidden = false;      // in a page that nobody sees
  bool optimizer_more = false;     // of them those that seldom change
  std::array<bool, 5> foretold{};  // of each experiment: what will happen is shown
  bool greedily = true;            // heads are cut in the order of the search, else by importance
  GradientsAsked gradients;
  learn::Followed followed;  // of that chart
  bool operator==(const LearnState&) const = default;
};
HYDRA_NAMED(LearnState, page, setup, pace, most_bytes, chart, more, trains_hidden, optimizer_more, foretold, greedily,
            gradients, followed)

enum class Fold { variants, words_in, around, layers, sharing, words_out, own };
// How the model goes on with the text.
struct WritingState {
  double temperature = 0;
  std::uint64_t seed = 1;  // of what is written next
  bool operator==(const WritingState&) const = default;
};
HYDRA_NAMED(WritingState, temperature, seed)

inline constexpr std::size_t kFolds = 7;

struct ModelPanelState {
  std::array<std::optional<bool>, kFolds> open;  // as was chosen; else where the document uses what stands in it
  bool all_open = false;                         // for tests, which go to any control at once
  bool operator==(const ModelPanelState&) const = default;
};
HYDRA_NAMED(ModelPanelState, open, all_open)

}  // namespace hydra
