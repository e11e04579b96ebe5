#include "app/views/frame/derived_cache.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <limits>

#include "app/draw/nth.h"
#include "app/views/heads/head_picture.h"
#include "core/analysis/forms.h"
#include "core/analysis/roles/sight.h"
#include "core/analysis/score_spread.h"
#include "core/analysis/weighted.h"
#include "core/document/weights_in_use.h"
#include "core/learn/asked.h"
#include "core/linalg/strongest.h"
#include "core/text/usual_token.h"
#include "core/text/wording.h"
#include "core/weights/mask_patterns.h"

namespace hydra {

namespace {
constexpr double kMostSpent = 0.03;       // seconds of a frame, on pictures that may come in the next
constexpr std::size_t kMostWeighted = 8;  // large patterns kept, where there are many

Stamp stamp_at(const Array<float>& matrix, int level) { return (Key("level") << matrix.stamp() << level).stamp(); }

Array<float> at_level(Array<float> matrix, int level) {
  const Stamp stamp = stamp_at(matrix, level);
  for (int k = 0; k < level; ++k) matrix = share(reduce(*matrix), stamp);
  return matrix;
}
}  // namespace

void DerivedCache::set_trace(std::shared_ptr<const Trace> trace) {
  if (trace == trace_) return;
  drop_before(trace_layout_ + 1);
  trace_ = std::move(trace);
  trace_layout_ = layout_;
  shared_reaches_.clear();
  score_spreads_.clear();
  head_spreads_.clear();
  explained_.reset();
  known_.reset();
  usual_token_.reset();
  rarest_question_.reset();
  asked_tokens_.reset();
  token_.reset();
}

bool is_of_one_head(Quantity quantity) {
  const bool recomputed = entry_of(quantity).kind == QuantityRow::Kind::recomputed;
  return recomputed || is_attention(quantity) || quantity == Quantity::value_weighted;
}

void DerivedCache::begin_frame() {
  if (++layout_ == trace_layout_ + 2) drop_before(layout_ - 1);
  spent_ = 0;
  pending_ = false;
}

void DerivedCache::drop_before(unsigned layout) {
  const auto drop = [&](auto&... kept) { (kept.drop_before(layout), ...); };
  drop(pictures_, weighted_, strongest_, small_, sizes_, reaches_);
}

template <class Make>
Array<float> DerivedCache::picture(Stamp stamp, const Make& make, LayoutCache<Stamp, Array<float>>& pictures) {
  static_assert(!std::is_same_v<decltype(make()), Array<float>::View>, "a view of what is gone when make returns");
  Array<float>& kept = pictures.at(stamp, layout_);
  if (!kept) kept = share(Mat<float>(make()), stamp);
  return kept;
}

Array<float> DerivedCache::once(const Site& ref) const {
  if (ref.quantity != Quantity::value_weighted) return array_once(*trace_, ref);
  return share(value_weighted_attention(trace_->layer(ref.layer), ref.head), stamp_of(*trace_, ref));
}

template <class Make>
void DerivedCache::in_budget(const Make& make) {
  if (spent_ > kMostSpent) {
    pending_ = true;
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  make();
  spent_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Array<float> DerivedCache::strongest(const Site& ref, int level) {
  Strongest& kept = strongest_.at({ref.layer, ref.quantity, ref.head}, layout_);
  const Stamp now = stamp_of(*trace_, ref);
  if (!kept.result || kept.level != level || kept.of != now)
    in_budget([&] { kept = {now, level, at_level(once(ref), level)}; });
  return kept.result;
}

Array<float> DerivedCache::strongest_of(const Array<float>& matrix, int level) {
  Array<float>& kept = pictures_.at(stamp_at(matrix, level), layout_);
  if (!kept) in_budget([&] { kept = at_level(matrix, level); });
  return kept;
}

Array<float> DerivedCache::small_pattern(int layer, int head, float side) {
  const Array<float>& attention = nth(trace_->layer(layer).heads, head).attention;
  int level = 0;
  for (Index cells = trace_->X.rows(); real(cells) > std::max(1.0f, side); cells = (cells + 1) / 2) ++level;
  Array<float>& kept = small_.at(stamp_at(attention, level), layout_);
  if (!kept && attention) in_budget([&] { kept = at_level(attention, level); });
  return kept;
}

const Mat<float>& DerivedCache::contributions_to(int layer, Index token) {
  if (token_ != std::pair(layer, token)) contributions_ = hydra::contributions_to(trace_->layer(layer), token);
  token_ = std::pair(layer, token);
  return contributions_;
}

double DerivedCache::score_spread(int layer) {
  const auto found = score_spreads_.find(layer);
  if (found != score_spreads_.end()) return found->second;
  if (!trace_->layer(layer).is_whole()) return std::numeric_limits<double>::quiet_NaN();  // not in focus yet
  return score_spreads_[layer] = hydra::score_spread(trace_->layer(layer));
}

double DerivedCache::score_spread(int layer, int head) {
  std::vector<double>& spreads = head_spreads_[layer];
  const LayerTrace<float>& of = trace_->layer(layer);
  if (spreads.empty() && of.is_whole()) spreads = score_spreads(of);
  return head < std::ssize(spreads) ? nth(spreads, head) : std::numeric_limits<double>::quiet_NaN();
}

Array<float> DerivedCache::value_weighted(int layer, int head) {
  const LayerTrace<float>& l = trace_->layer(layer);
  const Stamp stamp = stamp_of(*trace_, {Quantity::value_weighted, layer, head});
  const auto make = [&] { return value_weighted_attention(l, head); };
  if (l.input.keep_all) return picture(stamp, make);
  if (!weighted_.contains(stamp) && weighted_.size() >= kMostWeighted) weighted_.clear();
  return picture(stamp, make, weighted_);
}

Array<float> DerivedCache::form(const Site& ref) {
  return picture(stamp_of(*trace_, ref), [&] { return form_of(*trace_, ref); });
}

Array<float> DerivedCache::composed(const CircuitLine& line) {
  const LayerInput<float>&earlier = trace_->layer(line.layer).input, &later = trace_->layer(line.to_layer).input;
  const Stamp reads = line.into == Into::value ? value_output_stamp(later.weights, line.to_head, later.d_k())
                                               : query_key_stamp(later.weights, line.to_head, later.d_k());
  const Key key = Key("composed") << value_output_stamp(earlier.weights, line.head, earlier.d_k()) << reads
                                  << line.into;
  return picture(key.stamp(), [&] { return composed_form({earlier, line.head}, {later, line.to_head}, line.into); });
}

Array<float> DerivedCache::head_picture(const HeadPicture& of, int layer, int head) {
  const LayerTrace<float>& l = trace_->layer(layer);
  const Key key = Key("picture of a head") << std::string_view(of.key) << l.output.stamp() << head;
  return picture(key.stamp(), [&] { return of.of(*whole_of(l), head); });
}

Array<float> DerivedCache::mean_attention(int layer, const std::vector<bool>& heads) {
  const LayerTrace<float>& l = trace_->layer(layer);
  std::vector<int> chosen;
  for (std::size_t h = 0; h < l.heads.size(); ++h)
    if (h < heads.size() && heads[h]) chosen.push_back(static_cast<int>(h));
  if (chosen.empty())
    for (std::size_t h = 0; h < l.heads.size(); ++h) chosen.push_back(static_cast<int>(h));
  Key key("mean");
  for (const int h : chosen) key << nth(l.heads, h).attention.stamp();
  return picture(key.stamp(), [&] { return hydra::mean_attention(l, chosen); });
}

const Explained& DerivedCache::explained(const Cell& cell, const std::vector<bool>& mean_heads) {
  if (!explained_ || explained_->explanation.cell != cell || explained_heads_ != mean_heads) {
    explained_ = lay_out(explain(*trace_, cell, mean_heads));
    explained_heads_ = mean_heads;
  }
  return *explained_;
}

Array<float> DerivedCache::transposed(const Array<float>& matrix) {
  return picture((Key("transposed") << matrix.stamp()).stamp(), [&] { return matrix->transpose(); });
}

Array<float> DerivedCache::unread_hatched(const Array<float>& matrix, Index d_k) {
  return picture((Key("hatched") << matrix.stamp() << d_k).stamp(),
                 [&] { return Mat<float>(*sliced(matrix, d_k, -std::numeric_limits<float>::infinity())); });
}

Array<float> DerivedCache::head_sight(const AttentionWeights<float>& weights, Index heads, int head, Split split) {
  const Key key = Key("sight") << weights.W_Q.stamp() << weights.W_K.stamp() << weights.W_V.stamp() << heads << head
                               << split;
  return picture(key.stamp(), [&] { return hydra::head_sight(weights, heads, head, split); });
}

namespace {
MaskShown as_shown(const Mask& mask, Index n) {
  MaskShown result;
  if (!mask.may_hide()) return result;
  Mat<float> hidden = Mat<float>::Zero(n, n);
  apply_mask<float>(mask, 0, hidden);
  result.pairs = (hidden.array() != 0).count();
  result.hidden = share(std::move(hidden));
  result.blind = blind_rows(mask, n);
  result.remark = mask_remark(mask);
  return result;
}
}  // namespace

namespace {
Stamp stamp_of_all(const AttentionWeights<float>& weights) {
  Key key("weights");
  for (const Quantity p : kWeights) key << field_of(weights, p)->stamp();
  return key.stamp();
}
}  // namespace

const MaskShown& DerivedCache::shown(std::pair<int, int> place, const Mask& mask) {
  const Index n = trace_->layer(place.first).input.n();
  const Stamp of = (Key("shown") << stamp_of(mask) << n).stamp();
  Masked& kept = masks_[place];
  if (kept.of != of) kept = {of, as_shown(mask, n)};
  return kept.result;
}

const MaskShown& DerivedCache::mask(int layer) { return shown({layer, -1}, trace_->layer(layer).input.mask); }

const MaskShown& DerivedCache::mask_of(const Site& site) {
  const LayerInput<float>& input = trace_->layer(site.layer).input;
  if (input.own.empty() || site.head >= std::ssize(input.own)) return mask(site.layer);
  if (site.head >= 0) return shown({site.layer, site.head}, input.mask_of(site.head));
  Key of("of all heads");
  for (const HeadTerms& terms : input.own) of << stamp_of(terms.mask);
  of << input.n();
  Masked& kept = masks_[{site.layer, -2}];
  if (kept.of == of.stamp()) return kept.result;
  Mat<std::uint8_t> seen(input.n(), input.n());
  for (Index i = 0; i < seen.rows(); ++i)
    for (Index j = 0; j < seen.cols(); ++j) seen(i, j) = input.sees(kNoHead, i, j);
  const bool all = seen.minCoeff() > 0;
  kept = {of.stamp(),
          all ? MaskShown{} : as_shown({Mask::Kind::custom, share(std::move(seen)), 0, input.mask.first}, input.n())};
  return kept.result;
}

const KnownShown& DerivedCache::known() {
  if (known_) return *known_;
  KnownWords words = known_words(*trace_);
  LabelMarks marks;
  if (!words.all() || trace_->pads > 0) {
    for (Index i = 0; i < words.tokens(); ++i)
      marks.of.push_back(static_cast<std::uint8_t>((words.knows(i) ? 0 : LabelMarks::kBelow) |
                                                   (words.has_place(i) ? 0 : LabelMarks::kAbove) |
                                                   (i < trace_->pads ? LabelMarks::kPad : 0)));
    marks.pad = wording("panels:pad.meaning");
    marks.below = unknown_meaning(words);
    marks.above = unplaced_meaning(words);
  }
  std::vector<std::string> sentences = unknown_sentences(words, trace_->tokens);
  return known_.emplace(KnownShown{std::move(words), std::move(marks), std::move(sentences)});
}

Index DerivedCache::usual_token() {
  if (!usual_token_) usual_token_ = hydra::usual_token(trace_->tokens, trace_->words);
  return *usual_token_;
}

Index DerivedCache::rarest_question() {
  const ModelTrace<float>& model = trace_->model;
  if (!rarest_question_) rarest_question_ = learn::rarest_question(model.words, model.next_words);
  return *rarest_question_;
}

const std::vector<Index>& DerivedCache::asked_tokens(Index question) {
  const ModelTrace<float>& model = trace_->model;
  if (!asked_tokens_ || asked_tokens_->first != question)
    asked_tokens_.emplace(question, learn::asked_tokens(trace_->tokens, model.words, model.next_words, question));
  return asked_tokens_->second;
}

const std::string& DerivedCache::weights_in_use(const Document& document, int layer, int head) {
  const Layer& l = document.layer(layer);
  InUse& kept = in_use_[layer];
  const LayerWidths widths = l.widths(document.d_model);
  const auto sized = [&](const AttentionWeights<float>& from) {
    return from.W_Q && from.W_Q.rows() == widths.d_model && from.W_Q.cols() == widths.concat &&
           from.W_K.cols() == widths.kv;
  };
  const bool same_source = kept.source == l.source && kept.slot == document.embedding.slot &&
                           kept.program == &program_of(l.settings) && std::ssize(kept.words) == l.heads &&
                           (sized(kept.from) || !is_compared(l));
  const Stamp weights = stamp_of_all(l.weights);
  const bool same = same_source && kept.weights == weights;
  if (!same_source) kept.from = weights_of_source(l, document.columns());
  if (!same) {
    kept = {l.source, weights, kept.from, document.embedding.slot, &program_of(l.settings), {}};
    kept.words = hydra::weights_in_use(l, kept.from);
  }
  return nth(kept.words, std::min(head, int_size(kept.words) - 1));
}

const Sizes& DerivedCache::sizes(const Array<float>& matrix) {
  const bool known = sizes_.contains(matrix.stamp());
  Sizes& sizes = sizes_.at(matrix.stamp(), layout_);
  if (!known) sizes = sizes_of(*matrix);
  return sizes;
}

float DerivedCache::max_abs(const Array<float>& matrix) { return sizes(matrix).largest; }

Reach DerivedCache::reach(std::span<const Array<float>> matrices) {
  Key key("reach");
  for (const Array<float>& matrix : matrices) key << matrix.stamp();
  const Stamp stamp = key.stamp();
  const bool known = reaches_.contains(stamp);
  Reach& reach = reaches_.at(stamp, layout_);
  if (known) return reach;
  std::vector<const Sizes*> all;
  for (const Array<float>& matrix : matrices) all.push_back(&sizes(matrix));
  return reach = reach_of(all);
}

Reach DerivedCache::shared_reach(const Site& ref) {
  const std::pair<int, Quantity> key{ref.layer, ref.quantity};
  if (const auto found = shared_reaches_.find(key); found != shared_reaches_.end()) return found->second;
  const LayerTrace<float>& l = trace_->layer(ref.layer);
  std::vector<Array<float>> all;
  float largest = 0;  // of those that are kept nowhere, whose outliers are not looked for
  if (!l.input.keep_all && ref.quantity == Quantity::value_weighted) {
    for (std::size_t h = 0; h < l.heads.size(); ++h)
      largest = std::max(largest, largest_value_weighted(l, static_cast<int>(h)));
  } else if (!l.input.keep_all && ref.quantity == Quantity::scores) {
    for (const HeadTrace<float>& head : l.heads) largest = std::max(largest, head.largest_score);
  } else if (!l.input.keep_all && ref.quantity == Quantity::contribution) {
    for (const HeadTrace<float>& head : l.heads) largest = std::max(largest, head.largest_contribution);
  } else if (ref.quantity == Quantity::value_weighted) {
    for (std::size_t h = 0; h < l.heads.size(); ++h) all.push_back(value_weighted(ref.layer, static_cast<int>(h)));
  } else if (has_head(ref.quantity)) {
    for (std::size_t h = 0; h < l.heads.size(); ++h)
      all.push_back(array_once(*trace_, {ref.quantity, ref.layer, static_cast<int>(h)}));
  } else {
    all.push_back(backing_of(*trace_, {ref.quantity, ref.layer, kNoHead}).matrix);
  }
  return shared_reaches_[key] = all.empty() ? Reach{largest, largest} : reach(all);
}

}  // namespace hydra
