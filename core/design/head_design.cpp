#include "core/design/head_design.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

#include "core/error.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

std::string number_text(float value) {
  char digits[32];
  const std::string size(digits, std::to_chars(digits, digits + sizeof digits, std::abs(value)).ptr);
  return value < 0 ? "−" + size : size;
}

// "plural − singular", "noun + pronoun − 0.5 determiner".
std::string sum_of(const std::vector<FeatureWeight>& terms) {
  std::string text;
  for (const FeatureWeight& term : terms) {
    const float size = std::abs(term.weight);
    text += text.empty() ? (term.weight < 0 ? "− " : "") : term.weight < 0 ? " − " : " + ";
    text += (size == 1 ? "" : number_text(size) + " ") + term.feature;
  }
  return text.empty() ? "nothing" : text;
}

std::string times(float strength) { return strength == 1 ? "" : " × " + number_text(strength); }

// Fills one dimension after the other of W_Q and W_K. The sharpness is spread evenly over both sides; the sign of a
// strength goes to the keys.
class HeadBuilder {
 public:
  HeadBuilder(const FeatureLayout& layout, Index d_k, double factor) : layout_(layout), d_k_(d_k), factor_(factor) {
    for (Mat<float>* W : {&head.W_Q, &head.W_K, &head.W_V}) W->setZero(layout.d_model(), d_k);
    head.W_O.setZero(d_k, layout.d_model());
  }

  Index left() const { return d_k_ - used_; }
  void leave_out(std::string phrase) {
    if (std::find(head.left_out.begin(), head.left_out.end(), phrase) == head.left_out.end())
      head.left_out.push_back(std::move(phrase));
  }

  // reserved: dimensions that must stay for what comes later.
  void add_ask(const Ask& ask, Index reserved) {
    const RowVec<double> query = column_of(ask.query), key = column_of(ask.key);
    if (query.isZero(0) || key.isZero(0)) return;
    if (left() <= reserved)
      return leave_out(wording("designs:left.ask", {{"query", sum_of(ask.query)}, {"key", sum_of(ask.key)}}));
    add(query, key, static_cast<double>(ask.strength));
  }

  void add_place(float place, Index reserved) {
    if (left() <= reserved) return leave_out(wording("designs:left.place", {{"place", number_text(place)}}));
    RowVec<double> query = zeros(), key = zeros();
    query(0) = 1;
    for (std::size_t wave = 0; wave < layout_.frequencies.size(); ++wave) {
      const double angle = frequency(wave) * static_cast<double>(place);
      key(sine_at(wave)) = std::sin(angle);
      key(sine_at(wave) + 1) = std::cos(angle);
    }
    add(query, key, 1);
  }

  // cos(w (j - i - offset)) = sin(w (i + offset)) sin(w j) + cos(w (i + offset)) cos(w j): the query's pair is rotated.
  void add_kernel(const Kernel& kernel, Index reserved) {
    const std::size_t first = static_cast<std::size_t>(std::max(kernel.first_wave, 0));
    const std::size_t end =
        std::min(layout_.frequencies.size(), first + static_cast<std::size_t>(std::max(kernel.waves, 0)));
    for (std::size_t wave = first; wave < end; ++wave) {
      const Index at = sine_at(wave);
      if (left() < reserved + 2) {
        leave_out(wording("designs:left.kernel",
                          {{"offset", number_text(kernel.offset)}, {"frequency", column_name(layout_, at).substr(4)}}));
        continue;
      }
      const double angle = frequency(wave) * static_cast<double>(kernel.offset);
      RowVec<double> query = zeros(), key = zeros();
      query(at) = std::cos(angle), query(at + 1) = std::sin(angle), key(at) = 1;
      add(query, key, static_cast<double>(kernel.strength));
      query(at) = -std::sin(angle), query(at + 1) = std::cos(angle), key(at) = 0, key(at + 1) = 1;
      add(query, key, static_cast<double>(kernel.strength));
    }
  }

  void add_same_word(float strength, Index reserved) {
    match_identity(strength, layout_.identity_at(), std::min(left() - reserved, layout_.identity));
  }
  void add_slot_word(float strength) {
    if (layout_.slot == 0) return leave_out(wording("designs:left.slot_word"));
    match_identity(strength, layout_.slot_at(), std::min(left(), layout_.slot));
  }

  // Into the next dimension of the values.
  void add_write(const Write& write) {
    const RowVec<double> reads = column_of(write.reads), writes = column_of(write.writes);
    if (reads.isZero(0) || writes.isZero(0)) return;
    if (carried_ == d_k_)
      return leave_out(
          wording("designs:left.write", {{"reads", sum_of(write.reads)}, {"writes", sum_of(write.writes)}}));
    const double scale = std::sqrt(std::abs(static_cast<double>(write.strength)));
    head.W_V.col(carried_) = (scale * reads).cast<float>().transpose();
    head.W_O.row(carried_) = ((write.strength < 0 ? -scale : scale) * writes).cast<float>();
    ++carried_;
  }

  Index left_to_carry() const { return d_k_ - carried_; }
  // dimension: of those that writes leave.
  void carry(Index from, Index to, Index dimension, float weight) {
    head.W_V(from, carried_ + dimension) = weight;
    head.W_O(carried_ + dimension, to) = weight;
  }

  HeadWeights head;

 private:
  RowVec<double> zeros() const { return RowVec<double>::Zero(layout_.d_model()); }
  double frequency(std::size_t wave) const { return static_cast<double>(layout_.frequencies[wave]); }
  Index sine_at(std::size_t wave) const { return layout_.position_at() + 2 * static_cast<Index>(wave); }

  RowVec<double> column_of(const std::vector<FeatureWeight>& terms) {
    RowVec<double> column = zeros();
    for (const FeatureWeight& term : terms) {
      const int feature = Lexicon::standard().feature(term.feature);
      if (feature < 0)
        throw InputError("the head asks for the feature " + term.feature + ", which the lexicon does not have");
      if (feature < layout_.features)
        column(feature) += static_cast<double>(term.weight);
      else
        leave_out(wording("designs:left.feature", {{"feature", term.feature}, {"d_model", layout_.d_model()}}));
    }
    return column;
  }

  // The first columns of the query's identity, each with its partner among those that begin at key.
  void match_identity(float strength, Index key, Index columns) {
    for (Index c = 0; c < columns; ++c) {
      RowVec<double> of_query = zeros(), of_key = zeros();
      of_query(layout_.identity_at() + c) = of_key(key + c) = 1;
      add(of_query, of_key,
          static_cast<double>(strength) * static_cast<double>(layout_.identity) / static_cast<double>(columns));
    }
  }

  void add(const RowVec<double>& query, const RowVec<double>& key, double strength) {
    const double scale = std::sqrt(std::abs(strength) * factor_);
    head.W_Q.col(used_) = (scale * query).cast<float>().transpose();
    head.W_K.col(used_) = ((strength < 0 ? -scale : scale) * key).cast<float>().transpose();
    ++used_;
  }

  const FeatureLayout& layout_;
  Index d_k_, used_ = 0, carried_ = 0;
  double factor_;
};

// What tells most of a token, for those who look at what a head writes; then all others in the lexicon's order.
std::vector<Index> telling_features(const FeatureLayout& layout) {
  std::vector<Index> order;
  const auto append = [&](Index feature) {
    if (feature > 0 && feature < layout.features && std::find(order.begin(), order.end(), feature) == order.end())
      order.push_back(feature);
  };
  for (const char* name : {"noun", "verb", "adjective", "plural", "animate", "human", "object", "place"})
    append(Lexicon::standard().feature(name));
  for (Index feature = 1; feature < layout.features; ++feature) append(feature);
  return order;
}

void add_carried(HeadBuilder& build, Carries carries, const FeatureLayout& layout) {
  const Index room = build.left_to_carry();
  const auto carry = [&](Index from, Index dimension) { build.carry(from, from, dimension, 1); };
  switch (carries) {
    case Carries::word:
      for (Index c = 0; c < std::min(room, layout.identity); ++c) carry(layout.identity_at() + c, c);
      break;
    case Carries::word_to_slot:
      if (layout.slot == 0) build.leave_out(wording("designs:left.slot"));
      for (Index c = 0; c < std::min(room, layout.slot); ++c)
        build.carry(layout.identity_at() + c, layout.slot_at() + c, c, 1);
      break;
    case Carries::features: {
      const std::vector<Index> order = telling_features(layout);
      for (Index c = 0; c < std::min(room, static_cast<Index>(order.size())); ++c)
        carry(order[static_cast<std::size_t>(c)], c);
      break;
    }
    case Carries::everything: {
      const double share = static_cast<double>(room) / static_cast<double>(layout.d_model());
      for (Index c = 0; room > 0 && c < layout.d_model(); ++c)
        build.carry(c, c, c % room, static_cast<float>(std::sqrt(share)));
      break;
    }
    case Carries::nothing:
      break;
  }
}

// What it carries, in words.
const std::string& words_of(Carries carries) {
  constexpr const char* keys[] = {"designs:carries.word", "designs:carries.word_to_slot", "designs:carries.features",
                                  "designs:carries.everything", "designs:carries.nothing"};
  return wording(keys[static_cast<std::size_t>(carries)]);
}

}  // namespace

HeadWeights build_head(const HeadDesign& design, const FeatureLayout& layout, Index d_k, float score_factor) {
  assert(d_k > 0 && score_factor > 0);
  HeadBuilder build(layout, d_k, static_cast<double>(design.sharpness) / static_cast<double>(score_factor));
  const bool same = design.same_word != 0, slot = design.slot_word != 0 && layout.slot > 0;
  const Index half = (d_k + 1) / 2, words = (same ? layout.identity : 0) + (slot ? layout.slot : 0);
  const Index reserved = std::min(half, words);
  for (const Ask& ask : design.asks) build.add_ask(ask, reserved);
  if (design.place) build.add_place(*design.place, reserved);
  for (const Kernel& kernel : design.kernels) build.add_kernel(kernel, reserved);
  if (same) build.add_same_word(design.same_word, slot ? std::min(build.left() / 2, layout.slot) : 0);
  if (design.slot_word != 0) build.add_slot_word(design.slot_word);
  for (const Write& write : design.writes) build.add_write(write);
  add_carried(build, design.carries, layout);
  return std::move(build.head);
}

std::string describe(const HeadDesign& design) {
  std::string text;
  const auto append = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  for (const Ask& ask : design.asks)
    append(wording("designs:ask", {{"query", sum_of(ask.query)}, {"key", sum_of(ask.key)}}) + times(ask.strength));
  if (design.same_word != 0) append(wording("designs:asks.same_word") + times(design.same_word));
  if (design.slot_word != 0) append(wording("designs:asks.slot_word") + times(design.slot_word));
  for (const Kernel& kernel : design.kernels) {
    const std::string offset = number_text(kernel.offset);
    append((kernel.strength < 0 ? wording("designs:kernel.away", {{"offset", offset}})
                                : wording("designs:kernel.near", {{"offset", offset}})) +
           times(std::abs(kernel.strength)));
  }
  if (design.place) append(wording("designs:at_place", {{"place", number_text(*design.place)}}));
  if (text.empty()) append(wording("designs:all_alike"));
  append(wording("designs:sharpness", {{"sharpness", number_text(design.sharpness)}}));
  append(wording("designs:carries", {{"what", words_of(design.carries)}}));
  for (const Write& write : design.writes)
    append(wording("designs:write", {{"reads", sum_of(write.reads)}, {"writes", sum_of(write.writes)}}) +
           times(write.strength));
  return text;
}

}  // namespace hydra
