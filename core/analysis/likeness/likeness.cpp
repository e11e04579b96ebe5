#include "core/analysis/likeness/likeness.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "core/analysis/head_forms.h"
#include "core/analysis/likeness/diversity.h"
#include "core/analysis/shares.h"
#include "core/linalg/fit.h"

namespace hydra {

namespace {

// Waking the pool takes longer than this many multiply-adds.
constexpr Index kTooLittleToShare = 200'000;
constexpr Index kPairsPerTask = 4;

// Grows with every change of what it counts; 0 is before the first.
using Version = std::uint64_t;

// What is computed of each head, and of what.
template <class Data>
struct PerHead {
  std::vector<Stamp> sources;
  std::vector<Data> data;
  std::vector<Version> versions;
  Version last = 0;
};

// One measure of all pairs, and the versions of the heads that it was computed from.
struct Pairs {
  Mat<double> values;
  std::vector<Version> seen;
};

struct Both {  // [i, g] and [g, i]
  double forth = 0, back = 0;
};

}  // namespace

std::vector<HeadPlace> head_places(const std::vector<LayerOnSentences>& layers) {
  std::vector<HeadPlace> places;
  for (std::size_t k = 0; k < layers.size(); ++k) {
    for ([[maybe_unused]] const LayerTrace<float>& sentence : layers[k])
      assert(sentence.heads.size() == layers[k].front().heads.size());
    for (std::size_t h = 0; h < layers[k].front().heads.size(); ++h)
      places.push_back({static_cast<int>(k), static_cast<int>(h)});
  }
  return places;
}

std::optional<int> axes_change(const std::vector<LayerTrace<float>>& layers) {
  for (std::size_t k = 0; k + 1 < layers.size(); ++k)
    if (!layers[k].input.settings.residual) return static_cast<int>(k);
  return std::nullopt;
}

struct LikenessMatrices::State {
  ThreadPool* pool = nullptr;
  Progress progress;
  std::vector<LayerOnSentences> compared;  // layers
  std::vector<HeadPlace> places;
  PerHead<HeadPattern> patterns;
  PerHead<HeadOutput> outputs;
  PerHead<HeadForm> query_keys, value_outputs;
  Pairs gram;
  std::optional<UnrelatedOutputs> unrelated;
  std::vector<Version> unrelated_of;  // versions of the outputs
  std::array<Pairs, kLikenesses> measures;

  const LayerOnSentences& sentences() const { return compared.front(); }
  std::size_t heads() const { return places.size(); }
  const LayerOnSentences& layer_of(std::size_t head) const {
    return compared[static_cast<std::size_t>(places[head].layer)];
  }
  const LayerInput<float>& input_of(std::size_t head) const { return layer_of(head).front().input; }
  Index number_in_layer(std::size_t head) const { return places[head].head; }
  std::vector<Array<float>> stages(std::size_t head, Array<float> HeadTrace<float>::*stage) const {
    std::vector<Array<float>> matrices;
    for (const LayerTrace<float>& sentence : layer_of(head))
      matrices.push_back(sentence.heads[static_cast<std::size_t>(number_in_layer(head))].*stage);
    return matrices;
  }
  std::vector<Mat<double>> logs_of(std::size_t head) const {
    std::vector<Mat<double>> logs;
    for (const LayerTrace<float>& sentence : layer_of(head))
      logs.push_back(log_shares(sentence, number_in_layer(head)));
    return logs;
  }
  Index cells() const {
    Index sum = 0;
    for (const LayerTrace<float>& sentence : sentences()) sum += sentence.input.n() * sentence.input.n();
    return sum;
  }
  Index tokens() const {
    Index sum = 0;
    for (const LayerTrace<float>& sentence : sentences()) sum += sentence.input.n();
    return sum;
  }
  Index widest() const {  // d_k
    Index most = 0;
    for (const LayerOnSentences& layer : compared) most = std::max(most, layer.front().input.d_k());
    return most;
  }
  Index d_model() const { return sentences().front().input.d_model(); }

  // of(h) is the stamp of what the head's data is computed from, and make(h) computes it.
  template <class Data, class Of, class Make>
  void renew(PerHead<Data>& kept, Index work, const Of& of, const Make& make) {
    const std::size_t h = heads();
    if (kept.data.size() != h) {
      kept.sources.assign(h, Stamp());
      kept.data.assign(h, Data());
      kept.versions.assign(h, 0);
    }
    ++kept.last;
    parallel_for(static_cast<Index>(h) * work < kTooLittleToShare ? nullptr : pool, static_cast<Index>(h),
                 [&](Index k) {
                   const auto head = static_cast<std::size_t>(k);
                   const Stamp source = of(head);
                   if (kept.sources[head] == source) return;
                   kept.data[head] = make(head);
                   kept.sources[head] = source;
                   kept.versions[head] = kept.last;
                 });
  }
  Stamp stamp_of(std::size_t head, Array<float> HeadTrace<float>::*stage) const {
    Key key("sentences");
    for (const Array<float>& matrix : stages(head, stage)) key << matrix.stamp();
    return key.stamp();
  }

  // The pairs with a head of another version. work: multiply-adds of a pair.
  template <class Pair>
  void renew(Pairs& pairs, const std::vector<Version>& versions, Index work, const Pair& pair) {
    const auto h = static_cast<Index>(versions.size());
    if (pairs.seen.size() != versions.size()) {
      fit(pairs.values, h, h);
      pairs.values.setConstant(std::numeric_limits<double>::quiet_NaN());
      pairs.seen.assign(versions.size(), 0);
    }
    std::vector<std::pair<Index, Index>> stale;
    const auto changed = [&](Index k) {
      return pairs.seen[static_cast<std::size_t>(k)] != versions[static_cast<std::size_t>(k)];
    };
    for (Index i = 0; i < h; ++i)
      for (Index g = i; g < h; ++g)
        if (changed(i) || changed(g)) stale.emplace_back(i, g);
    const auto count = static_cast<Index>(stale.size()), tasks = (count + kPairsPerTask - 1) / kPairsPerTask;
    parallel_for(count * work < kTooLittleToShare ? nullptr : pool, tasks, [&](Index task) {
      const Index end = std::min(count, (task + 1) * kPairsPerTask);
      progress.step(static_cast<int>(end - task * kPairsPerTask));
      for (Index k = task * kPairsPerTask; k < end; ++k) {
        const auto [i, g] = stale[static_cast<std::size_t>(k)];
        const Both both = pair(static_cast<std::size_t>(i), static_cast<std::size_t>(g));
        pairs.values(i, g) = both.forth;
        pairs.values(g, i) = both.back;
      }
    });
    pairs.seen = versions;
  }

  void renew_patterns() {
    renew(
        patterns, cells(), [&](std::size_t h) { return stamp_of(h, &HeadTrace<float>::attention); },
        [&](std::size_t h) {
          return head_pattern(stages(h, &HeadTrace<float>::attention), is_signed(input_of(h).settings));
        });
  }

  // Of attention and outputs, whose stamps are of attention, too.
  void renew_outputs() {
    const auto leaves = [&](std::size_t h) -> Array<float> HeadTrace<float>::* {
      const Quantity leaving = program_of(input_of(h).settings).ends.leaving;
      return kStagesOfHead<Array<float>>[kHeadStageOf[static_cast<std::size_t>(leaving)]];
    };
    const auto of = [&](std::size_t h) {
      return (Key("outputs") << stamp_of(h, leaves(h)) << stamp_of(h, &HeadTrace<float>::attention)).stamp();
    };
    renew(outputs, cells(), of, [&](std::size_t h) {
      return head_output(stages(h, leaves(h)), counting_rows(stages(h, &HeadTrace<float>::attention)));
    });
  }

  // stamp_of_form and form are those of the weights, a head of them and d_k.
  template <class StampOf, class Form>
  void renew_forms(PerHead<HeadForm>& forms, const StampOf& stamp_of_form, const Form& form) {
    renew(
        forms, d_model() * widest(),
        [&](std::size_t h) { return stamp_of_form(input_of(h).weights, number_in_layer(h), input_of(h).d_k()); },
        [&](std::size_t h) { return form(input_of(h).weights, number_in_layer(h), input_of(h).d_k()); });
  }

  const Mat<double>& pattern_gram() {
    renew_patterns();
    renew(gram, patterns.versions, cells(), [&](std::size_t i, std::size_t g) -> Both {
      const double product = pattern_product(patterns.data[i], patterns.data[g]);
      return {product, product};
    });
    return gram.values;
  }

  const Mat<double>& cosines() {
    pattern_gram();
    Pairs& pairs = measures[static_cast<std::size_t>(Likeness::cosine)];
    renew(pairs, patterns.versions, 1, [&](std::size_t i, std::size_t g) -> Both {
      const std::array<Index, 2> pair{static_cast<Index>(i), static_cast<Index>(g)};
      const double cosine = cosines_of(gram.values(pair, pair))(0, 1);
      return {cosine, cosine};
    });
    return pairs.values;
  }

  const Mat<double>& jensen_shannon() {
    renew_patterns();
    parallel_for(pool, static_cast<Index>(heads()),
                 [&](Index h) { add_entropy(patterns.data[static_cast<std::size_t>(h)]); });
    Pairs& pairs = measures[static_cast<std::size_t>(Likeness::js_bits)];
    renew(pairs, patterns.versions, 10 * cells(), [&](std::size_t i, std::size_t g) -> Both {
      const double bits = js_bits(patterns.data[i], patterns.data[g]);
      return {bits, bits};
    });
    return pairs.values;
  }

  const Mat<double>& kullback_leibler() {
    renew_patterns();
    parallel_for(pool, static_cast<Index>(heads()), [&](Index h) {
      HeadPattern& pattern = patterns.data[static_cast<std::size_t>(h)];
      if (pattern.logs.empty()) add_logs(pattern, logs_of(static_cast<std::size_t>(h)));
    });
    Pairs& pairs = measures[static_cast<std::size_t>(Likeness::kl_bits)];
    renew(pairs, patterns.versions, 2 * cells(), [&](std::size_t i, std::size_t g) -> Both {
      return {kl_bits(patterns.data[i], patterns.data[g]), kl_bits(patterns.data[g], patterns.data[i])};
    });
    return pairs.values;
  }

  const Mat<double>& alignments() {
    renew_outputs();
    Pairs& pairs = measures[static_cast<std::size_t>(Likeness::cka)];
    renew(pairs, outputs.versions, tokens() * widest() * widest(), [&](std::size_t i, std::size_t g) -> Both {
      const double value = cka(outputs.data[i], outputs.data[g]);
      return {value, value};
    });
    return pairs.values;
  }

  // From a fixed seed, so many draws as take about as long as a blink, over all pairs in turn.
  UnrelatedOutputs unrelated_outputs() {
    renew_outputs();
    if (unrelated && unrelated_of == outputs.versions) return *unrelated;
    constexpr double kMultiplyAdds = 4e8;
    constexpr int kMost = 400, kLeast = 60;
    const double each = static_cast<double>(std::max<Index>(1, tokens() * widest() * widest()));
    const int draws = static_cast<int>(std::clamp(kMultiplyAdds / each, double{kLeast}, double{kMost}));
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < heads(); ++i)
      for (std::size_t g = i + 1; g < heads(); ++g) pairs.emplace_back(i, g);
    std::vector<double> values(static_cast<std::size_t>(pairs.empty() ? 0 : draws));
    parallel_for(pool, static_cast<Index>(values.size()), [&](Index draw) {
      progress.check();
      // Many pairs: those that are drawn are spread over all of them.
      const auto k = static_cast<std::size_t>(draw);
      const std::size_t at = pairs.size() > values.size() ? k * pairs.size() / values.size() : k % pairs.size();
      Random random(hash("unrelated outputs", static_cast<std::uint64_t>(draw)));
      values[k] = unrelated_cka(outputs.data[pairs[at].first], outputs.data[pairs[at].second], random);
    });
    std::erase_if(values, [](double value) { return std::isnan(value); });
    std::sort(values.begin(), values.end());
    UnrelatedOutputs found;
    found.draws = static_cast<int>(values.size());
    if (!values.empty()) {
      found.median = (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
      found.high = values[values.size() - 1 - values.size() / 20];
    }
    unrelated = found;
    unrelated_of = outputs.versions;
    return found;
  }

  const Mat<double>& form_cosines(Likeness measure, const PerHead<HeadForm>& forms) {
    Pairs& pairs = measures[static_cast<std::size_t>(measure)];
    renew(pairs, forms.versions, 2 * d_model() * widest() * widest(), [&](std::size_t i, std::size_t g) -> Both {
      const double value = cosine(forms.data[i], forms.data[g]);
      return {value, value};
    });
    return pairs.values;
  }
};

LikenessMatrices::LikenessMatrices(ThreadPool* pool) : state_(std::make_unique<State>()) { state_->pool = pool; }
LikenessMatrices::~LikenessMatrices() = default;
LikenessMatrices::LikenessMatrices(LikenessMatrices&&) noexcept = default;
LikenessMatrices& LikenessMatrices::operator=(LikenessMatrices&&) noexcept = default;

void LikenessMatrices::set_layers(std::vector<LayerOnSentences> layers) {
  assert(!layers.empty());
  state_->places = head_places(layers);
  state_->compared = std::move(layers);
}

void LikenessMatrices::set_progress(Progress progress) { state_->progress = std::move(progress); }

const Mat<double>& LikenessMatrices::matrix(Likeness measure) {
  State& state = *state_;
  assert(!state.compared.empty());
  switch (measure) {
    case Likeness::cosine:
      return state.cosines();
    case Likeness::js_bits:
      return state.jensen_shannon();
    case Likeness::kl_bits:
      return state.kullback_leibler();
    case Likeness::cka:
      return state.alignments();
    case Likeness::qk:
      state.renew_forms(state.query_keys, query_key_stamp, query_key_form);
      return state.form_cosines(measure, state.query_keys);
    case Likeness::ov:
      state.renew_forms(state.value_outputs, value_output_stamp, value_output_form);
      return state.form_cosines(measure, state.value_outputs);
  }
  return state.cosines();
}

std::vector<std::string> LikenessMatrices::why_no_cka() {
  state_->renew_outputs();
  std::vector<std::string> reasons;
  for (const HeadOutput& output : state_->outputs.data) reasons.push_back(why_no_hsic(output));
  return reasons;
}

UnrelatedOutputs LikenessMatrices::unrelated_outputs() { return state_->unrelated_outputs(); }

const Mat<double>& LikenessMatrices::pattern_gram() { return state_->pattern_gram(); }

}  // namespace hydra
